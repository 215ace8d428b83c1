"""Choice of the sample of matches that is simulated, and its rate in steady state."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

_MIN_EACH: Final = 8
_FEW_SCRIPTS: Final = 4
_MIN_PART: Final = 0.2
"""Minimum fraction of calls in steady state for their rate to count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSample:
    """Sample to simulate: indexes of scripts, `each` matches of them, some engines."""

    scripts: tuple[int, ...]
    each: int
    replicas: int
    repeats: float = 1.0
    """Turns of the whole plan over those of the sample, for these engines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SteadyState:
    """Rates between the end of the first match and the start of the last one."""

    calls_per_s: float
    live: float
    """Mean number of live matches."""


def choose_sample(turns: Sequence[int], each: int, replicas: int, most_turns: int) -> PlanSample:
    """Return the sample of `each` matches of every script, with `turns` per match by script.

    If all turns are at most about `most_turns`, the sample is everything; else a part of one
    engine's share: few scripts with many matches rather than many with few, since this is how
    matches share a cache.
    """
    if sum(turns) * each <= most_turns:
        return PlanSample(scripts=tuple(range(len(turns))), each=each, replicas=replicas)
    count = ceil(len(turns) / replicas)
    part = ceil(len(turns) * each / (replicas * count))
    room = max(_MIN_EACH, int(most_turns * len(turns) / sum(turns)))
    if count * part > room:
        count = min(count, max(_FEW_SCRIPTS, room // part))
        part = min(part, max(_MIN_EACH, room // count))
    chosen = tuple(place * len(turns) // count for place in range(count))
    share = sum(turns) * each / replicas
    repeats = max(1.0, share / (part * sum(turns[place] for place in chosen)))
    return PlanSample(scripts=chosen, each=part, replicas=1, repeats=repeats)


def measure_steady_state(
    spans: Sequence[tuple[float, float]], calls: Sequence[float]
) -> SteadyState:
    """Return the steady-state rates of a run, or of all of it if it never reached that state.

    `spans` are start and end of each match, `calls` the times of completions, all in seconds.
    """
    start, stop = min(over for _, over in spans), max(begun for begun, _ in spans)
    answered = sum(start < one <= stop for one in calls)
    if answered < _MIN_PART * len(calls):
        start, stop, answered = 0.0, max(over for _, over in spans), len(calls)
    seconds = max(stop - start, 1e-9)
    lived = sum(max(0.0, min(over, stop) - max(begun, start)) for begun, over in spans)
    return SteadyState(calls_per_s=answered / seconds, live=lived / seconds)
