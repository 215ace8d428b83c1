"""Where attention is to go while a reply repeats a passage of the prompt.

Learned from replies alone, the choice of the passage stays at chance for long. So heads are shown
four things: a sentence's last token gathers its sentence, and its first token; a reply gathers the
question that it answers; it attends to the last token of the passage that answers; and it attends
to the token of the passage that comes next.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

Head = tuple[int, int]
"""Layer and head."""
GATHER: Final[Head] = (1, 2)
QUESTION: Final[Head] = (1, 3)
CHOOSE: Final[Head] = (2, 0)
POINT: Final[Head] = (3, 0)
Span = tuple[int, int]
"""First token and the one after the last."""


@dataclass(frozen=True, slots=True)
class Target:
    """A head at one position, and the tokens among which its attention is to be."""

    head: Head
    at: int
    goal: Span


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part of a reply that repeats a passage, and the question that it answers, if any."""

    reply: Span
    passage: Span
    question: Span | None


def targets(
    ids: Sequence[int], passages: Sequence[Span], repeats: Sequence[Repeat]
) -> list[Target]:
    """Return where the heads are to attend in a sequence."""
    found = [Target(GATHER, stop - 1, (start, stop)) for start, stop in passages]
    found += [Target(QUESTION, stop - 1, (start, start + 2)) for start, stop in passages]
    for one in repeats:
        found += _of_repeat(ids, one)
    return found


def _of_repeat(ids: Sequence[int], one: Repeat) -> Iterator[Target]:
    (first, last), (start, stop) = one.reply, one.passage
    for at in range(first - 1, last - 1):
        yield Target(CHOOSE, at, (stop - 1, stop))
        if one.question is not None:
            yield Target(QUESTION, at, one.question)
    same = SequenceMatcher(None, ids[start:stop], ids[first:last], autojunk=False)
    place: dict[int, int] = {}
    for a, b, size in same.get_matching_blocks():
        place |= {first + b + step: start + a + step for step in range(size)}
    # A word that is changed for the first person stands where its neighbours say.
    for before, after in pairwise(sorted(place)):
        if after - before == place[after] - place[before] and after - before > 1:
            place |= {before + n: place[before] + n for n in range(1, after - before)}
    place.setdefault(first, start)
    for token, source in place.items():
        yield Target(POINT, token - 1, (source, source + 1))
