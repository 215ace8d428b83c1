"""Attention targets while a reply repeats a passage of the prompt.

Trained only on replies, the choice of the passage long stays at chance. So heads have targets: each
token of a passage gathers its first tokens, which identify it, and all so far; a word of a question
attends to its occurrences in passages and copies their identifying codes, or attends to the first
token of the sequence, which carries no information, if it has none; a reply gathers these words of
the question that it answers, all with equal weight; it attends to the last token of the passage
that answers; and it attends to the next token of the passage. A ballot attends to the names
that the seats have accused, all with equal weight.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

Head = tuple[int, int]
"""Layer and head."""
FIRST: Final[Head] = (1, 1)
GATHER: Final[Head] = (1, 2)
START: Final[Head] = (1, 3)
MATCH: Final[Head] = (2, 0)
QUESTION: Final[Head] = (3, 0)
QUESTION_TOO: Final[Head] = (3, 1)
CHOOSE: Final[Head] = (4, 0)
CHOOSE_TOO: Final[Head] = (4, 1)
POINT: Final[Head] = (5, 0)
TALLY: Final[Head] = (5, 2)
Span = tuple[int, int]
"""First token, and last token plus 1."""
_SINK: Final[Span] = (0, 1)
_KNOWN_BY: Final = 6
"""Number of first tokens that identify a passage."""
_RARE: Final = 8
"""Words with more occurrences than this get no targets at their occurrences."""


@dataclass(frozen=True, slots=True)
class AttentionTarget:
    """Target tokens of one head at one position."""

    head: Head
    at: int
    goals: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part of a reply that repeats a passage, and the question that it answers, if any."""

    reply: Span
    passage: Span
    question: Span | None
    source: Span | None = None
    """Passage that the question repeats: a thought asks with a sentence of the prompt."""


def find_targets(
    ids: Sequence[int], passages: Sequence[Span], repeats: Sequence[Repeat]
) -> list[AttentionTarget]:
    """Return the attention targets of the heads in a sequence."""
    found: list[AttentionTarget] = []
    occurrences: Mapping[int, list[Span]] = defaultdict(list)
    for start, stop in passages:
        for at in range(start, stop):
            occurrences[ids[at]].append((at, at + 1))
            found.append(AttentionTarget(FIRST, at, ((start, start + 1),)))
            found.append(AttentionTarget(GATHER, at, ((start, at + 1),)))
            found.append(AttentionTarget(START, at, ((start, min(start + _KNOWN_BY, at + 1)),)))
        # Tokens inside a passage copy no codes: later words find the passage by what is gathered
        # there.
        found += [AttentionTarget(MATCH, at, (_SINK,)) for at in range(stop - 1, start - 1, -3)]
    for one in repeats:
        found += _of_repeat(ids, one)
        if one.question is not None:
            found += _of_question(ids, one, one.question, occurrences)
    return found


def _of_question(
    ids: Sequence[int], one: Repeat, question: Span, occurrences: Mapping[int, list[Span]]
) -> Iterator[AttentionTarget]:
    """Yield the targets by which the question finds its passage, at the token before the reply.

    After that, the reply itself identifies the passage. A question that repeats a passage finds
    another: by the words that both have, wherever else they are.
    """
    start, stop = one.source or (0, 0)
    earlier = {
        at: tuple(
            span
            for span in occurrences.get(ids[at], ())
            if span[1] <= at and not start <= span[0] < stop
        )
        for at in range(*question)
    }
    answer = {*ids[slice(*one.passage)]}
    telling = [
        at
        for at, spans in earlier.items()
        if 0 < len(spans) <= _RARE and (one.source is None or ids[at] in answer)
    ]
    for at, spans in earlier.items():
        # A word that is everywhere, or nowhere, would only vote for random passages.
        yield AttentionTarget(MATCH, at, spans if at in telling else (_SINK,))
    before, passage = one.reply[0] - 1, (one.passage[1] - 1, one.passage[1])
    yield AttentionTarget(MATCH, before, (_SINK,))
    # One target per word: all informative words have equal weight.
    for at in telling or [*range(*question)]:
        yield AttentionTarget(QUESTION, before, ((at, at + 1),))
    yield AttentionTarget(QUESTION_TOO, before, (question,))
    yield AttentionTarget(CHOOSE, before, (passage,))
    yield AttentionTarget(CHOOSE_TOO, before, (passage,))


def _of_repeat(ids: Sequence[int], one: Repeat) -> Iterator[AttentionTarget]:
    (first, last), (start, stop) = one.reply, one.passage
    same = SequenceMatcher(None, ids[start:stop], ids[first:last], autojunk=False)
    place: dict[int, int] = {}
    for a, b, size in same.get_matching_blocks():
        place |= {first + b + step: start + a + step for step in range(size)}
    # A word that is changed for the first person gets its position from its neighbours.
    for before, after in pairwise(sorted(place)):
        if after - before == place[after] - place[before] and after - before > 1:
            place |= {before + n: place[before] + n for n in range(1, after - before)}
    place.setdefault(first, start)
    for token, source in place.items():
        yield AttentionTarget(POINT, token - 1, ((source, source + 1),))
    # The first token chooses the passage: it has as much weight as all others together.
    for _ in range(last - first - 1):
        yield AttentionTarget(POINT, first - 1, ((place[first], place[first] + 1),))
