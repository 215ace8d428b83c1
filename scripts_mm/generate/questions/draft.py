"""The draft of a question and the choice of its distractors: by grade, then by length."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from scripts_mm.generate.world import OptionRef, QuestionSpec, QuestionSpecKind

OPTIONS = 4
_CHOICES = 14
"""Sets of distractors to compare."""
_NEAREST = 10
"""Number of options of a grade, those closest in length, to draw from."""
OptionLengths = Callable[[OptionRef], tuple[int, ...]]
"""Function from an option to its characters, one number per language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDraft:
    """A question without distractors, which come from `grades`, the nearest first."""

    kind: QuestionSpecKind
    form: str
    right: OptionRef
    grades: tuple[tuple[OptionRef, ...], ...]
    role: str | None = None
    about: str = ""
    value: int = 0
    clues: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    hops: int | None = None
    points: int | None = None
    answer: Literal["one", "two", "set"] = "one"


def distractor_sets(
    draft: QuestionDraft, lengths: OptionLengths, rng: Random
) -> list[list[OptionRef]]:
    """Return sets of distractors to compare; empty if there are fewer than two distractors.

    A set takes one option of each grade in turn, among those closest in length to the correct one.
    """
    goal = lengths(draft.right)
    pools = [
        sorted(rng.sample(pool, len(pool)), key=_length_distance(goal, lengths))
        for pool in (without_right(grade, draft.right) for grade in draft.grades)
    ]
    tried = [_pick_distractors(pools, rng) for _ in range(_CHOICES)]
    return tried if len(tried[0]) > 1 else []


def finish_question(
    draft: QuestionDraft, name: str, options: Sequence[OptionRef], key: int
) -> QuestionSpec:
    """Return the question; `options` are the distractors, `key` the correct option's position."""
    return QuestionSpec(
        id=name,
        kind=draft.kind,
        form=draft.form,
        options=(*options[:key], draft.right, *options[key:]),
        keys=(key,),
        role=draft.role,
        about=draft.about,
        value=draft.value,
        clues=draft.clues,
        facts=draft.facts,
        hops=draft.hops,
        points=draft.points,
        answer=draft.answer,
    )


def without_right(refs: Iterable[OptionRef], right: OptionRef) -> tuple[OptionRef, ...]:
    """Return `refs` without duplicates and without the correct one."""
    return tuple(ref for ref in dict.fromkeys(refs) if ref != right)


def time_options(minutes: Iterable[int]) -> tuple[OptionRef, ...]:
    """Return options that are times of day."""
    return tuple(("time", minute) for minute in minutes)


def person_options(ids: Iterable[str]) -> tuple[OptionRef, ...]:
    """Return options that are persons."""
    return tuple(("person", name) for name in ids)


def _pick_distractors(pools: Sequence[Sequence[OptionRef]], rng: Random) -> list[OptionRef]:
    """Return three options, one of each pool in turn, from the first ones left in the pool."""
    found: list[OptionRef] = []
    while len(found) < OPTIONS - 1:
        before = len(found)
        for pool in pools:
            free = [ref for ref in pool if ref not in found][:_NEAREST]
            if free and len(found) < OPTIONS - 1:
                found.append(rng.choice(free))
        if len(found) == before:
            break
    return found


def _length_distance(goal: Sequence[int], lengths: OptionLengths) -> Callable[[OptionRef], int]:
    """Return a function from an option to the distance of its lengths from `goal`."""
    return lambda ref: sum(abs(one - other) for one, other in zip(goal, lengths(ref), strict=True))
