"""All arms against one server: repetitions in balanced order, on empty caches."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from arena.bench.arms import ARMS, OPEN, OURS, STATIC, Arm, lack
from arena.bench.measure import Figures, bounds, figures, metered
from arena.bench.offers import ERROR, Stage, staged
from arena.bench.peers import volatile
from arena.bench.replay import Setting, replay
from arena.bench.trace import Trace
from arena.bench.wires import Facts, Wire

Say = Callable[[str], None]
_MOST_PROMPTS = 100_000
"""Turns of a trace whose prompts are kept for the bounds of the hit rate."""
_SCALED = (OURS, "gather_128")
REMARKS = (
    "ours admits by projections: first prompts are known, growth after them is that a turn of the "
    f"other scripts' matches, up to {ERROR:.0%} wrong by script; lengths are never looked up",
    "the arms of peers are their order and layout alone: they use this arena's own "
    "transport, token ids and pictures sent once, and play the trace script by script",
)
"""What a reader of any comparison must know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be compared."""

    trace: Trace
    arms: tuple[Arm, ...]
    repeat: int
    seed: int = 0
    peaks: float = 1.0
    """Predicted over true lengths, for the admission."""
    static: int | None = None
    """Live matches of the arm with a fixed number of them; None: the best of a sweep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What came of it."""

    facts: Facts
    runs: Mapping[str, tuple[Figures, ...]]
    """By arm, one for each repetition; the same place means the same repetition."""
    skipped: Mapping[str, str]
    """By arm, why it was not played."""
    static: Mapping[int, Figures] = field(default_factory=dict[int, Figures])
    """The sweep over numbers of live matches."""
    scaling: Mapping[str, Mapping[int, Figures]] = field(
        default_factory=dict[str, Mapping[int, Figures]]
    )
    """By arm and number of offered matches, one replay each."""

    best_static: int | None = None
    """Live matches of the arm with a fixed number: as wanted, or the best of the sweep."""


async def compare(plan: Plan, wire: Wire, say: Say) -> Compared:
    """Play every arm that the server can serve `plan.repeat` times.

    Raises `ModelError` where the server fails, in a group as `TaskGroup` raises it.
    """
    bench = _Bench(plan, wire, say)
    await bench.warm_up()
    static = await bench.sweep()
    best = plan.static or _best(static)
    runs = await bench.repetitions(best)
    scaling = await bench.scaled()
    return Compared(
        facts=bench.facts,
        runs=runs,
        skipped=bench.skipped,
        static=static,
        scaling=scaling,
        best_static=best,
    )


def turns_of(arms: Sequence[Arm], repetition: int) -> tuple[Arm, ...]:
    """Return `arms` in the order of a repetition: forwards and backwards in turn, rotated.

    Over repetitions an arm stands early and late, after and before the same neighbours.
    """
    shift = repetition // 2 * max(1, len(arms) // 3) % max(1, len(arms))
    rotated = (*arms[shift:], *arms[:shift])
    return rotated[::-1] if repetition % 2 else rotated


def levels(most: int) -> Iterator[int]:
    """Yield 1, 2, 4, ... below `most`, then `most`."""
    level = 1
    while level < most:
        yield level
        level *= 2
    yield most


def fine_levels(most: int) -> Iterator[int]:
    """Yield the levels and the middles between them: 1, 2, 3, 4, 6, 8, 12, ..."""
    for level in levels(most):
        yield level
        middle = level * 3 // 2
        if level < middle < most:
            yield middle


class _Bench:
    def __init__(self, plan: Plan, wire: Wire, say: Say) -> None:
        self._plan, self._wire, self._say = plan, wire, say
        self._stage = staged(plan.trace, peaks=plan.peaks, seed=plan.seed)
        self.facts = _with_trace(wire.facts, plan.trace)
        lacking = {arm.name: lack(arm, self.facts) for arm in plan.arms}
        self.skipped = {name: why for name, why in lacking.items() if why}
        self._arms = tuple(arm for arm in plan.arms if arm.name not in self.skipped)

    async def warm_up(self) -> None:
        """Play once without measuring: engines compile, and open loops need replies to quote."""
        if self.facts.virtual or not self._arms:
            return
        chosen = [arm for arm in self._arms if not arm.open_loop]
        arm = next((one for one in chosen if one.name == OURS), None) or ARMS["gather_32"]
        self._say(f"warming up: {arm.name}")
        await self._play(self._stage, arm, repetition=-1, static=1)

    async def sweep(self) -> Mapping[int, Figures]:
        """Find the best number of live matches; stops when two more in turn were slower."""
        found: dict[int, Figures] = {}
        if self._plan.static or not any(arm.name == STATIC for arm in self._arms):
            return found
        for level in fine_levels(len(self._plan.trace.matches)):
            self._say(f"{STATIC}: {level} live")
            found[level] = await self._play(self._stage, ARMS[STATIC], repetition=0, static=level)
            best = _best(found)
            if best is not None and level >= 4 * best:
                break
        return found

    async def repetitions(self, static: int | None) -> Mapping[str, tuple[Figures, ...]]:
        """Play every arm as often as the plan says."""
        runs: dict[str, list[Figures]] = {arm.name: [] for arm in self._arms}
        for repetition in range(self._plan.repeat):
            for arm in turns_of(self._arms, repetition):
                self._say(f"{arm.name}: {repetition + 1} of {self._plan.repeat}")
                came = await self._play(self._stage, arm, repetition=repetition, static=static or 1)
                runs[arm.name].append(came)
        return {name: tuple(one) for name, one in runs.items()}

    async def scaled(self) -> Mapping[str, Mapping[int, Figures]]:
        """Play ours and gather-everything with more and more matches offered."""
        arms = [arm for arm in self._arms if arm.name in _SCALED]
        scaling: dict[str, dict[int, Figures]] = {arm.name: {} for arm in arms}
        if len(arms) < len(_SCALED):
            return {}
        for level in levels(len(self._plan.trace.matches)):
            plan = self._plan
            stage = staged(plan.trace, peaks=plan.peaks, part=level, seed=plan.seed)
            for arm in arms:
                self._say(f"{arm.name}: {level} matches offered")
                scaling[arm.name][level] = await self._play(stage, arm, repetition=0, static=1)
        return scaling

    async def _play(self, stage: Stage, arm: Arm, *, repetition: int, static: int) -> Figures:
        if arm.volatile:
            stage = replace(stage, trace=volatile(stage.trace))
        setting = Setting(
            seed=self._plan.seed + 1000 * (repetition + 1),
            static=static,
            keep_prompts=stage.turns <= _MOST_PROMPTS,
        )
        await self._wire.begin()
        async with metered(self._wire) as meter:
            replayed = await replay(stage, arm, self._wire, setting, ended=meter.ended)
        counts = await self._wire.counts()
        return figures(replayed, meter, counts, bounds(replayed, self.facts.capacity))


def open_bound(runs: Mapping[str, tuple[Figures, ...]]) -> tuple[float, ...]:
    """Return the seconds of the faster open loop in each repetition; empty where there is none."""
    found = [runs[name] for name in OPEN if name in runs]
    if not found:
        return ()
    return tuple(min(one.seconds for one in same) for same in zip(*found, strict=True))


def _best(static: Mapping[int, Figures]) -> int | None:
    return max(static, key=lambda level: static[level].matches_per_h, default=None)


def _with_trace(facts: Facts, trace: Trace) -> Facts:
    features = facts.features | {"pictures"} if trace.pictures else facts.features
    return replace(facts, features=features, remarks=(*facts.remarks, *REMARKS))
