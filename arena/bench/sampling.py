"""Which part of many matches is simulated, and how fast it went once it was in full swing."""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.bench.replay import Replayed

_LEAST_EACH = 8
_FEW_SCRIPTS = 4
_LEAST_PART = 0.2
"""Of all turns, that must lie in full swing for their rate to count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Scripts to simulate, in their order, and how many matches of each."""

    scripts: tuple[str, ...]
    each: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Steady:
    """A replay in full swing: after the first match was over, before the last one began."""

    turns_per_s: float
    live: float
    """Matches at once, on average."""


def sampled(turns: Mapping[str, int], each: int, most_turns: int) -> Sample:
    """Return what to simulate of `each` matches of every script, with `turns` a match by script.

    Whole where it is not more than about `most_turns`; else few scripts with many matches rather
    than many with few, since that is how matches meet in a cache where each script has many.
    """
    mean = sum(turns.values()) / len(turns)
    room = max(_LEAST_EACH, int(most_turns / mean))
    if len(turns) * each <= room:
        return Sample(scripts=tuple(turns), each=each)
    count = min(len(turns), max(_FEW_SCRIPTS, room // each))
    names = tuple(turns)
    chosen = tuple(names[place * len(names) // count] for place in range(count))
    part = min(each, max(_LEAST_EACH, room // count))
    return Sample(scripts=chosen, each=part - part % 2 if part > 1 else part)


def steady(replayed: Replayed) -> Steady:
    """Return the rate in full swing; the whole replay's where it never came to that."""
    spans = replayed.matches.values()
    start, stop = min(over for _, over in spans), max(begun for begun, _ in spans)
    answered = sum(start < sent.answered <= stop for sent in replayed.sent)
    if answered < _LEAST_PART * len(replayed.sent):
        start, stop, answered = 0.0, replayed.seconds, len(replayed.sent)
    seconds = max(stop - start, 1e-9)
    lived = sum(max(0.0, min(over, stop) - max(begun, start)) for begun, over in spans)
    return Steady(turns_per_s=answered / seconds, live=lived / seconds)
