"""Runs in virtual time: the code that plays real runs, on simulated engines in this process."""

import asyncio
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from arena.bench.ideal import Dispatch
from arena.bench.simulated_chat import ReplyStyle, SimulatedChat
from arena.core.events import Event
from arena.core.options import GameOptions
from arena.games.registry import find_game
from arena.models.chat import CallId, Completion, Request
from arena.models.recording import RecordedCall
from arena.players.model_limits import ModelLimits
from arena.records.config import MatchSpec, RunConfig, ScriptRef
from arena.records.match_record import MatchWriter
from arena.records.probes import ProbeAnswer
from arena.records.summary import MatchSummary
from arena.run.answer_clock import AnswerClock
from arena.run.assignment import estimate_scripts
from arena.run.batch import MatchCrash
from arena.run.model_handle import ModelHandle, Replica
from arena.run.observer import BaseObserver
from arena.run.play_plan import Plan, play_plan
from arena.run.profile_limits import DEFAULT_PICTURE_TOKENS
from arena.run.transport import make_count
from arena.schedule.admission import AdmissionPolicy
from scripts_mm.script import Picture, Script
from serving.engine_sim.engine import Engine
from serving.engine_sim.profile import EngineProfile
from serving.engine_sim.runs import RunCache
from serving.engine_sim.virtual import run_virtual

MODEL = "simulated"


@dataclass(frozen=True, slots=True, kw_only=True)
class VirtualRun:
    """What is played, on how many engines of which kind."""

    game: str
    options: GameOptions
    scripts: Sequence[Script]
    matches: int
    """Of each script."""
    profile: EngineProfile
    style: ReplyStyle
    replicas: int = 1
    picture_tokens: int = 1
    """Of every picture."""
    is_known: bool = True
    """The arena counts the model's tokens exactly; False: it estimates them."""
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class VirtualResult:
    """What a virtual run took."""

    seconds: float
    """Of virtual time."""
    results: tuple[MatchSummary | MatchCrash, ...]
    calls: int
    prompt_tokens: int
    cached_tokens: int
    belady: float
    """Hit rate that no cache of this size could exceed on the same requests in their order."""
    preemptions: int


@dataclass(slots=True)
class _Counter(BaseObserver):
    """Counts calls and their tokens."""

    calls: int = 0
    prompt: int = 0
    cached: int = 0

    def on_call(self, match: str, request: Request, completion: Completion) -> None:
        """Count a call."""
        self.calls += 1
        self.prompt += completion.prompt_tokens
        self.cached += completion.cached_tokens or 0


@dataclass(frozen=True, slots=True)
class _Unrecorded:
    """A `PlayedRecord` that keeps nothing: a virtual run is not continued."""

    path: Path

    def finished(self, spec: MatchSpec, options: GameOptions) -> None:
        """Return None: nothing was played before."""

    def summary(self) -> None:
        """Return None: nothing was played before."""

    def events(self) -> tuple[Event, ...]:
        """Return nothing."""
        return ()

    def calls(self) -> Mapping[CallId, RecordedCall]:
        """Return nothing."""
        return {}

    @contextmanager
    def open_writer(self) -> Generator[MatchWriter]:
        """Yield a writer that writes nothing."""
        yield MatchWriter(events=lambda _: None, call=lambda _: None)

    def write_probes(self, answers: Sequence[ProbeAnswer]) -> None:
        """Write nothing."""

    def write_summary(self, summary: MatchSummary) -> None:
        """Write nothing."""


class _Healthy:
    """A server that always answers."""

    def __init__(self) -> None:
        self.clock = AnswerClock(self._is_up)

    async def wait_until_up(self, cause: str) -> None:
        """Return at once."""

    async def has_changed(self) -> bool:
        """Return that it serves what it did."""
        return False

    async def _is_up(self) -> bool:
        return True


def play_virtual(run: VirtualRun, policy: AdmissionPolicy) -> VirtualResult:
    """Play `run` with `policy` in virtual time; the same arguments give the same result."""
    return run_virtual(_play(run, policy))


async def _play(run: VirtualRun, policy: AdmissionPolicy) -> VirtualResult:
    loop = asyncio.get_running_loop()
    profile = run.profile
    engines = [
        Engine(profile, RunCache(profile.blocks, profile.block)) for _ in range(run.replicas)
    ]
    chats = [
        SimulatedChat(
            engine=one,
            style=run.style,
            picture_tokens=run.picture_tokens,
            dispatch=Dispatch(profile.block),
        )
        for one in engines
    ]
    config, scripts = _config(run)
    game = find_game(run.game)
    observer = _Counter()
    results = await play_plan(
        Plan(
            config=config,
            game=game,
            name="virtual",
            scripts=scripts,
            estimates=estimate_scripts(game, config, scripts),
            models={MODEL: _model(run, chats)},
            observer=observer,
            record=lambda match: _Unrecorded(Path(match)),
            policy=policy,
        )
    )
    return VirtualResult(
        seconds=loop.time(),
        results=results,
        calls=observer.calls,
        prompt_tokens=observer.prompt,
        cached_tokens=observer.cached,
        belady=_belady([chat.dispatch for chat in chats], profile),
        preemptions=sum(one.counters.preemptions for one in engines),
    )


def _belady(dispatches: Sequence[Dispatch], profile: EngineProfile) -> float:
    bounds = [
        one.ideal((profile.blocks - 1) * profile.block).belady for one in dispatches if len(one)
    ]
    queries = sum(one.queries for one in bounds)
    return sum(one.hits for one in bounds) / queries if queries else 0.0


def _config(run: VirtualRun) -> tuple[RunConfig, Mapping[str, Script]]:
    scripts = {sha256(one.id.encode()).hexdigest(): one for one in run.scripts}
    refs = tuple(
        ScriptRef(path=one.id, id=one.id, language=one.language, sha256=key)
        for key, one in scripts.items()
    )
    config = RunConfig(
        civilians=MODEL,
        murderer=MODEL,
        scripts=refs,
        game=run.game,
        options=run.options,
        matches=run.matches,
        seed=run.seed,
        deadline=1e9,
    )
    return config, scripts


def _guess_picture(picture: Picture) -> int:
    del picture
    return DEFAULT_PICTURE_TOKENS


def _model(run: VirtualRun, chats: Sequence[SimulatedChat]) -> ModelHandle:
    profile = run.profile
    return ModelHandle(
        replicas=tuple(
            Replica(
                url=f"http://replica-{number}",
                chat=chat,
                health=_Healthy(),
                kv_tokens=(profile.blocks - 1) * profile.block,
                block_tokens=profile.block,
            )
            for number, chat in enumerate(chats)
        ),
        served_name=MODEL,
        limits=ModelLimits(
            reply_tokens=1024,
            context_tokens=profile.context_tokens,
            count=chats[0].count if run.is_known else make_count(None, _guess_picture),
            exact=run.is_known,
        ),
    )
