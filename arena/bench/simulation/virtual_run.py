"""Runs in virtual time: the code of real runs, on simulated engines in this process."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.bench.simulation.cache_bound import RequestSequence
from arena.bench.simulation.simulated_chat import ReplyStyle, SimulatedChat
from arena.bench.workload import (
    DEFAULT_CLIENT,
    ClientSettings,
    Workload,
    WorkloadResult,
    make_workload,
    play_workload,
)
from arena.core.options import GameOptions
from arena.games.game_registry import find_game
from arena.models.chat import Message
from arena.players.model_limits import ModelLimits
from arena.records.run_config import RunConfig, make_pairs
from arena.run.assignment import estimate_scripts
from arena.run.match.answer_clock import AnswerClock
from arena.run.observer import BaseObserver
from arena.run.prompt_estimates import MatchEstimate
from arena.run.servers.connected_model import NO_PICTURES
from arena.run.servers.endpoint_transport import PictureTokens, make_count
from arena.run.servers.model_handle import ModelHandle, Replica
from arena.run.servers.picture_grids import GridComposer
from arena.run.servers.profile_limits import (
    DEFAULT_PICTURE_TOKENS,
    TokenCounters,
    build_endpoint_hints,
    build_model_limits,
)
from arena.schedule.admission import AdmissionPolicy
from scripts_mm.script import Script
from serving.engine_sim.cost_model.engine_profile import EngineProfile
from serving.engine_sim.engine_loop.sim_engine import SimEngine
from serving.engine_sim.engine_loop.virtual_time import run_virtual
from serving.model_files.profile import Profile

VIRTUAL_MODEL = "simulated"


@dataclass(frozen=True, slots=True, kw_only=True)
class VirtualRun:
    """Load of a virtual run, with the number and kind of engines."""

    game: str
    options: GameOptions
    scripts: Sequence[Script]
    matches: int
    """Matches of each script."""
    profile: EngineProfile
    style: ReplyStyle
    replicas: int = 1
    picture_tokens: int = 1
    """Tokens of every picture, for a model without a profile."""
    served: Profile | None = None
    """Profile of the model: its limits apply, and its tokens per picture."""
    swap: bool = False
    """Play every match a second time with swapped sides."""
    is_known: bool = True
    """Whether the arena counts the model's tokens exactly; False: it estimates them."""
    seed: int = 0
    stated_kv: float = 1.0
    """KV capacity that the arena assumes, as a multiple of the engine's."""
    count_factor: float = 1.0
    """Tokens of a prompt that the arena counts, as a multiple of the true ones."""

    def make_workload(self, model: str) -> Workload:
        """Return the matches of the run, all seats played by `model`."""
        config = RunConfig(
            pairs=make_pairs(model, model, swap=self.swap),
            scripts=(),
            game=self.game,
            options=self.options,
            matches=self.matches,
            seed=self.seed,
        )
        return make_workload(config, self.scripts)


class _AlwaysUpMonitor:
    """A server that always answers."""

    def __init__(self) -> None:
        self.clock = AnswerClock(self._is_up)

    async def wait_until_up(self, cause: str) -> None:
        """Return immediately."""

    async def has_changed(self) -> bool:
        """Return False: the model never changes."""
        return False

    async def _is_up(self) -> bool:
        return True


def play_virtual(
    run: VirtualRun,
    policy: AdmissionPolicy,
    observer: BaseObserver | None = None,
    client: ClientSettings = DEFAULT_CLIENT,
) -> WorkloadResult:
    """Play `run` with `policy` in virtual time; the same arguments give the same result."""
    return run_virtual(_play(run, policy, observer, client))


def virtual_limits(run: VirtualRun) -> ModelLimits:
    """Return the limits that the model of `run` is played with."""
    return _make_handle(run, _make_chats(run)).limits


def estimate_virtual(run: VirtualRun) -> dict[str, MatchEstimate]:
    """Return the estimate of the matches of each script of `run`, in their order."""
    load = run.make_workload(VIRTUAL_MODEL)
    return estimate_scripts(find_game(run.game), load.config, load.scripts)


async def _play(
    run: VirtualRun, policy: AdmissionPolicy, observer: BaseObserver | None, client: ClientSettings
) -> WorkloadResult:
    chats = _make_chats(run)
    models = {VIRTUAL_MODEL: _make_handle(run, chats)}
    load = run.make_workload(VIRTUAL_MODEL)
    played = await play_workload(load, models, policy, client, observer)
    return replace(
        played,
        belady=_belady([chat.dispatch for chat in chats], run.profile),
        preemptions=sum(chat.engine.counters.preemptions for chat in chats),
        busy_replicas=sum(len(chat.dispatch) > 0 for chat in chats),
    )


def _make_chats(run: VirtualRun) -> list[SimulatedChat]:
    profile = run.profile
    return [
        SimulatedChat(
            engine=SimEngine(profile),
            style=run.style,
            picture_tokens=_picture_tokens(run),
            dispatch=RequestSequence(profile.block),
        )
        for _ in range(run.replicas)
    ]


def _picture_tokens(run: VirtualRun) -> PictureTokens:
    if run.served is not None:
        return build_endpoint_hints(run.served, None).picture_tokens
    return lambda _: run.picture_tokens


def _belady(dispatches: Sequence[RequestSequence], profile: EngineProfile) -> float:
    room = (profile.blocks - 1) * profile.block
    try:
        bounds = [one.belady(room) for one in dispatches if len(one)]
    except ValueError:
        # The engine refused a request that does not fit a cache of this size: the bound is unknown.
        return 1.0
    queries = sum(one.queries for one in bounds)
    return sum(one.hits for one in bounds) / queries if queries else 0.0


def _make_handle(run: VirtualRun, chats: Sequence[SimulatedChat]) -> ModelHandle:
    profile = run.profile
    known = chats[0].count if run.is_known else make_count(None, lambda _: DEFAULT_PICTURE_TOKENS)

    def count(messages: Sequence[Message]) -> int:
        return round(run.count_factor * known(messages))

    return ModelHandle(
        replicas=tuple(
            Replica(
                url=f"http://replica-{number}",
                chat=chat,
                health=_AlwaysUpMonitor(),
                kv_tokens=round(run.stated_kv * (profile.blocks - 1) * profile.block),
                block_tokens=profile.block,
            )
            for number, chat in enumerate(chats)
        ),
        served_name=VIRTUAL_MODEL,
        limits=build_model_limits(
            run.served,
            (profile.context_tokens,),
            TokenCounters(messages=count, exact=run.is_known),
            grids=GridComposer(NO_PICTURES.read, NO_PICTURES.save),
        ),
    )
