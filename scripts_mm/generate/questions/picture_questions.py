"""Questions that a picture answers directly: on its text or content, without deductions."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from scripts_mm.generate.id_pools import HERRINGS
from scripts_mm.generate.questions.draft import (
    QuestionDraft,
    person_options,
    time_options,
    without_right,
)
from scripts_mm.generate.questions.script_questions import draft_motive, draft_value
from scripts_mm.generate.world import (
    TEXT_RICH,
    ClueSpec,
    OptionRef,
    QuestionSpecKind,
    Suspect,
    World,
    WorldFact,
)

_MISREAD = (5, 10, 15, 20, 30, 60)
"""Minutes of plausible misreadings of a clock or a printed time."""
_WAYS_ASKED = 2


def draft_picture_questions(world: World, clue: ClueSpec) -> Iterator[QuestionDraft]:
    """Yield the questions on the picture of `clue`."""
    kind: QuestionSpecKind = "tiu" if clue.medium in TEXT_RICH else "miu"
    facts = {fact.id: fact for fact in world.facts}
    for draft in _drafts_by_form(world, clue, [facts[name] for name in clue.facts]):
        yield replace(draft, kind=kind, clues=(clue.id,), hops=0)


def wrong_times(world: World, right: int) -> tuple[tuple[OptionRef, ...], ...]:
    """Return times of the case, then misreadings of `right`."""
    told = [fact.start for fact in world.crime.facts if fact.form in ("reading", "moment")]
    near = without_right(time_options([*told, *world.frame.moments]), ("time", right))
    misread = [right + sign * by for by in _MISREAD for sign in (-1, 1)]
    return near, time_options(misread)


def _drafts_by_form(
    world: World, clue: ClueSpec, facts: list[WorldFact]
) -> Iterable[QuestionDraft]:
    form = facts[0].form
    if form not in _FORMS:
        raise ValueError(f"wanted one of {', '.join(_FORMS)} in a picture, got {form!r} in {clue}")
    return _FORMS[form](world, facts)


def _draft_reading(world: World, facts: list[WorldFact]) -> Iterator[QuestionDraft]:
    near, misread = wrong_times(world, facts[0].start)
    yield _make_draft("reading_time", ("time", facts[0].start), misread, near, facts[0])


def _draft_mark(world: World, facts: list[WorldFact]) -> Iterator[QuestionDraft]:
    number = _trait_number(world, facts[0])
    guilty = (world.crime.culprit, world.crime.second)[world.frame.trait_acts[number]]
    culprit = next(one for one in world.frame.suspects if one.id == guilty)
    draft = draft_value(world.frame, culprit, number, "mark")
    yield replace(draft, form="mark", about=facts[0].trait, facts=(facts[0].id,))


def _draft_ways(world: World, facts: list[WorldFact]) -> Iterator[QuestionDraft]:
    del world
    counts: list[OptionRef] = [("minutes", count) for count in range(2, 13)]
    for fact in facts[:_WAYS_ASKED]:
        draft = _make_draft("way", ("minutes", fact.minutes), tuple(counts), (), fact)
        yield replace(draft, about=fact.places[1])


def _draft_sighting(world: World, facts: list[WorldFact]) -> Iterator[QuestionDraft]:
    (fact,), frame = facts, world.frame
    places: list[OptionRef] = [("place", one) for one in (*frame.other_places, frame.scene)]
    yield _make_draft("seen_place", ("place", fact.place), tuple(places), (), fact)
    yield _make_draft("seen_who", ("person", fact.who), _everybody(world), (), fact)
    near, misread = wrong_times(world, fact.start)
    yield _make_draft("seen_from", ("time", fact.start), misread, near, fact)


def _draft_tie(world: World, facts: list[WorldFact]) -> Iterator[QuestionDraft]:
    del world
    minutes: list[OptionRef] = [("minutes", count) for count in range(1, 10)]
    yield _make_draft("tie_minutes", ("minutes", facts[0].end), tuple(minutes), (), facts[0])


def _draft_roster(world: World, facts: list[WorldFact]) -> Iterator[QuestionDraft]:
    for fact in facts:
        draft = draft_value(world.frame, _suspect(world, fact), _trait_number(world, fact))
        yield replace(draft, form="roster", about=fact.who, facts=(fact.id,))


def _draft_herring(world: World, facts: list[WorldFact]) -> Iterator[QuestionDraft]:
    (fact,) = facts
    kinds: list[OptionRef] = [("herring", kind) for kind in HERRINGS]
    yield _make_draft("letter_who", ("person", fact.who), _everybody(world), (), fact)
    yield _make_draft("herring", ("herring", fact.value), tuple(kinds), (), fact)


def _draft_motive(world: World, facts: list[WorldFact]) -> Iterator[QuestionDraft]:
    (fact,) = facts
    yield _make_draft("letter_who", ("person", fact.who), _everybody(world), (), fact)
    draft = draft_motive(world.frame, _suspect(world, fact))
    yield replace(draft, form="letter_motive", about=fact.who, facts=(fact.id,))


def _draft_nothing(world: World, facts: list[WorldFact]) -> Iterator[QuestionDraft]:
    """Yield no question: what such a picture says is a step of reasoning, not a word in it."""
    del world, facts
    yield from ()


def _draft_order(world: World, facts: list[WorldFact]) -> Iterator[QuestionDraft]:
    yield _make_draft("order_signed", ("nobody",), _everybody(world), (), facts[0])


def _draft_second_hour(world: World, facts: list[WorldFact]) -> Iterator[QuestionDraft]:
    (fact,) = facts
    near, misread = wrong_times(world, fact.start)
    yield _make_draft("second_from", ("time", fact.start), misread, near, fact)


def _everybody(world: World) -> tuple[OptionRef, ...]:
    return person_options(one.id for one in world.frame.suspects)


def _suspect(world: World, fact: WorldFact) -> Suspect:
    return next(one for one in world.frame.suspects if one.id == fact.who)


def _trait_number(world: World, fact: WorldFact) -> int:
    return [trait.id for trait in world.frame.traits].index(fact.trait)


def _make_draft(
    form: str,
    right: OptionRef,
    near: tuple[OptionRef, ...],
    far: tuple[OptionRef, ...],
    fact: WorldFact,
) -> QuestionDraft:
    grades = (without_right(near, right), without_right(far, right))
    return QuestionDraft(
        kind="tiu", form=form, right=right, grades=grades, about=fact.who, facts=(fact.id,)
    )


_FORMS: Mapping[str, Callable[[World, list[WorldFact]], Iterable[QuestionDraft]]] = (
    MappingProxyType(
        {
            "reading": _draft_reading,
            "mark": _draft_mark,
            "way": _draft_ways,
            "seen": _draft_sighting,
            "tie": _draft_tie,
            "trait": _draft_roster,
            "herring": _draft_herring,
            "motive": _draft_motive,
            "spot-mark": _draft_nothing,
            "order": _draft_order,
            "tie-2": _draft_second_hour,
        }
    )
)
"""The drafts of a picture's questions, by the form of its first fact."""
