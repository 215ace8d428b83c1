"""Play the turns of a trace against a server, in one arm."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from random import Random

from arena.bench.arms import Arm
from arena.bench.expected import Expected
from arena.bench.offers import Stage, ordered
from arena.bench.trace import TraceMatch, Turn, reply_key
from arena.bench.turns import Progress, depth_first
from arena.bench.wires import SERVER, Answer, Call, Wire
from arena.run.admission_gate import PROBE_PRIORITY_OFFSET, AdmissionGate
from arena.schedule.admission import AdmissionController, AdmissionPolicy, TurnUsage
from arena.schedule.capacity import KvCapacity
from serving.engine_sim.prompt import Prompt

MOST_OPEN = 1024
"""Requests in flight where nothing waits for anything: as many as an engine runs together."""
_NO_LIMIT = KvCapacity(endpoint=SERVER, tokens=1 << 40, block_size=16)
"""What stands for a cache of which nothing is known; only arms without admission use it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What may differ between two replays of one arm."""

    seed: int = 0
    static: int = 1
    """Live matches, in the arm with a fixed number of them."""
    policy: AdmissionPolicy = field(default_factory=AdmissionPolicy)
    keep_prompts: bool = True
    """Keep what was sent, for the bounds; not for very long replays."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One turn as it was played; times in seconds since the replay began."""

    match: str
    reply: str
    prompt: Prompt
    """Empty where prompts are not kept."""
    asked: float
    """When it could have gone out: waiting for an arm's gate is part of a turn's time."""
    answered: float
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A whole trace as it was played."""

    seconds: float
    sent: tuple[Sent, ...]
    """In the order in which the turns were sent."""
    matches: Mapping[str, tuple[float, float]]
    """Seconds at which each match was begun and over."""
    live_most: int
    alpha: float | None
    """Where the admission's share of the capacity ended; None without admission."""


async def replay(
    stage: Stage, arm: Arm, wire: Wire, setting: Setting, *, ended: Callable[[], None]
) -> Replayed:
    """Play the whole trace; `ended` is told of every match that is over.

    Raises `ModelError` where the server does not serve a turn.
    """
    playing = _Playing(stage, arm, wire, setting)
    if arm.open_loop:
        await playing.everything()
    else:
        await playing.matches(ended)
    return playing.outcome()


class _Playing:
    def __init__(self, stage: Stage, arm: Arm, wire: Wire, setting: Setting) -> None:
        self._stage, self._arm, self._wire, self._setting = stage, arm, wire, setting
        self._capacity = wire.facts.capacity or _NO_LIMIT
        policy = _policy(arm, setting)
        if not wire.facts.exact:
            policy = replace(policy, adapt=False)
        self._controller = AdmissionController({SERVER: self._capacity}, policy=policy)
        self._gate = AdmissionGate(self._controller)
        self._slots: AbstractAsyncContextManager[None] = (
            asyncio.Semaphore(arm.gate) if arm.gate else nullcontext()
        )
        self._expected = Expected(self._capacity.block_size)
        self._order = ordered(stage.offers, arm.order, Random(f"order:{setting.seed}"))
        self._sent: list[Sent | None] = []
        self._spans: dict[str, tuple[float, float]] = {}
        self._start: Callable[[str], None] = _nobody
        self._live = self._most = 0
        self._clock = asyncio.get_running_loop().time
        self._began = self._clock()

    async def matches(self, ended: Callable[[], None]) -> None:
        """Play with the dependencies of the trace, matches as the gate lets them in."""
        self._gate.enqueue(self._order)

        async def played(match: TraceMatch) -> None:
            self._live += 1
            self._most = max(self._most, self._live)
            await Progress(match, self._turn, self._arm).play()
            ended()
            self._live -= 1
            self._gate.release(match.id, complete=True)
            self._expected.forget(match.id)
            self._let_in()

        async with asyncio.TaskGroup() as group:

            def start(name: str) -> None:
                group.create_task(played(self._stage.match(name)))

            self._start = start
            self._let_in()

    async def everything(self) -> None:
        """Send every turn without waiting for those that it follows from."""
        room = asyncio.Semaphore(MOST_OPEN)

        async def one(match: TraceMatch, turn: Turn) -> None:
            await self._ask(match, turn)
            room.release()

        async with asyncio.TaskGroup() as group:
            for match, turn in self._unbound():
                await room.acquire()
                group.create_task(one(match, turn))

    def outcome(self) -> Replayed:
        """Return what was played."""
        admits = self._arm.live == "book"
        return Replayed(
            seconds=self._now(),
            sent=tuple(sent for sent in self._sent if sent is not None),
            matches=self._spans,
            live_most=self._most,
            alpha=self._controller.overcommit(SERVER) if admits else None,
        )

    def _let_in(self) -> None:
        for name in self._gate.admit():
            self._start(name)

    def _unbound(self) -> Iterable[tuple[TraceMatch, Turn]]:
        """Return all turns in the order in which they are sent where none waits for another."""
        if self._arm.order == "shuffled":
            matches = [self._stage.match(offer.match) for offer in self._order]
            turns = [(match, turn) for match in matches for turn in match.turns]
            Random(f"turns:{self._setting.seed}").shuffle(turns)
            return turns
        return depth_first(self._stage, self._order)

    async def _turn(self, match: TraceMatch, turn: Turn) -> None:
        """Play one turn in its place in the match; the scheduler hears of it."""
        if self._arm.live != "book":
            await self._ask(match, turn)
            return
        await self._gate.wait_runnable(match.id)
        prompt, expected, answer = await self._ask(match, turn)
        if not turn.beside:
            self._expected.keep(match.id, turn.seat, prompt, answer.output_tokens)
        usage = TurnUsage(
            prompt=answer.prompt_tokens,
            output=answer.output_tokens,
            predicted=min(expected, answer.prompt_tokens),
            reported=answer.cached_tokens,
        )
        self._gate.report_usage(match.id, turn.seat, SERVER, usage)
        self._let_in()

    async def _ask(self, match: TraceMatch, turn: Turn) -> tuple[Prompt, int, Answer]:
        """Return the prompt, how much of it should have been cached, and the answer."""
        call = self._call(match, turn)
        prompt = self._wire.prompt(call)
        expected, asked = 0, self._now()
        async with self._slots:
            if self._arm.live == "book":
                expected = self._expected.cached(match.id, turn.seat, prompt)
            number = len(self._sent)
            self._sent.append(None)
            answer = await self._wire.ask(call)
        answered = self._now()
        kept = prompt if self._setting.keep_prompts else ()
        self._sent[number] = Sent(match.id, call.reply, kept, asked, answered, answer)
        begun, over = self._spans.get(match.id, (asked, answered))
        self._spans[match.id] = (min(begun, asked), max(over, answered))
        return prompt, expected, answer

    def _call(self, match: TraceMatch, turn: Turn) -> Call:
        arm = self._arm
        pieces = self._stage.trace.prompt(match, turn)
        return Call(
            match=match.id,
            seat=turn.seat,
            number=turn.number,
            pieces=pieces,
            output=turn.output,
            reply=reply_key(match.id, turn.seat, turn.number),
            priority=self._priority(match, turn) if arm.priority else 0,
            token_in=arm.token_in and "token_in" in self._wire.facts.features,
            media_once=arm.media_once,
            taped=arm.open_loop,
        )

    def _priority(self, match: TraceMatch, turn: Turn) -> int:
        if "priority" not in self._wire.facts.features:
            return 0
        return self._controller.arrival_index(match.id) + (
            PROBE_PRIORITY_OFFSET if turn.probe else 0
        )

    def _now(self) -> float:
        return self._clock() - self._began


def _nobody(name: str) -> None:
    """Start no match: none is let in before there is a group to play it in."""


def _policy(arm: Arm, setting: Setting) -> AdmissionPolicy:
    match arm.live:
        case "book":
            return setting.policy
        case "all":
            most = None
        case "static":
            most = setting.static
        case "one":
            most = 1
    return AdmissionPolicy(limit_kv=False, adapt=False, max_live=most, pause=False)
