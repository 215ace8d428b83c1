"""Questions that a picture answers: what is written or shown in it, not what follows."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from scripts_mm.generate.asking.draft import Draft, others, people, times
from scripts_mm.generate.asking.own import motive_draft, value_draft
from scripts_mm.generate.pools import HERRINGS
from scripts_mm.generate.world import TEXT_RICH, AskKind, ClueSpec, Fact, Ref, Suspect, World

_MISREAD = (5, 10, 15, 20, 30, 60)
"""Minutes by which a hasty eye reads a clock or a printed hour wrong."""
_WAYS_ASKED = 2


def seen(world: World, clue: ClueSpec) -> Iterator[Draft]:
    """Yield the questions on the picture of `clue`."""
    kind: AskKind = "tiu" if clue.medium in TEXT_RICH else "miu"
    facts = {fact.id: fact for fact in world.facts}
    for draft in _drafts(world, clue, [facts[name] for name in clue.facts]):
        yield replace(draft, kind=kind, clues=(clue.id,), hops=0)


def wrong_times(world: World, right: int) -> tuple[tuple[Ref, ...], ...]:
    """Return times that are told of in the case, then those that a misreading makes of `right`."""
    told = [fact.start for fact in world.crime.facts if fact.form in ("reading", "moment")]
    near = others(times([*told, *world.frame.moments]), ("time", right))
    misread = [right + sign * by for by in _MISREAD for sign in (-1, 1)]
    return near, times(misread)


def _drafts(world: World, clue: ClueSpec, facts: list[Fact]) -> Iterable[Draft]:
    form = facts[0].form
    if form not in _FORMS:
        raise ValueError(f"wanted one of {', '.join(_FORMS)} in a picture, came {form!r} in {clue}")
    return _FORMS[form](world, facts)


def _of_reading(world: World, facts: list[Fact]) -> Iterator[Draft]:
    near, misread = wrong_times(world, facts[0].start)
    yield _draft("reading_time", ("time", facts[0].start), misread, near, facts[0])


def _of_mark(world: World, facts: list[Fact]) -> Iterator[Draft]:
    culprit = next(one for one in world.frame.suspects if one.id == world.crime.culprit)
    draft = value_draft(world.frame, culprit, _number(world, facts[0]), "mark")
    yield replace(draft, form="mark", about=facts[0].trait, facts=(facts[0].id,))


def _of_ways(world: World, facts: list[Fact]) -> Iterator[Draft]:
    del world
    counts: list[Ref] = [("minutes", count) for count in range(2, 13)]
    for fact in facts[:_WAYS_ASKED]:
        draft = _draft("way", ("minutes", fact.minutes), tuple(counts), (), fact)
        yield replace(draft, about=fact.places[1])


def _of_seen(world: World, facts: list[Fact]) -> Iterator[Draft]:
    (fact,), frame = facts, world.frame
    places: list[Ref] = [("place", one) for one in (*frame.other_places, frame.scene)]
    yield _draft("seen_place", ("place", fact.place), tuple(places), (), fact)
    yield _draft("seen_who", ("person", fact.who), _everybody(world), (), fact)
    near, misread = wrong_times(world, fact.start)
    yield _draft("seen_from", ("time", fact.start), misread, near, fact)


def _of_tie(world: World, facts: list[Fact]) -> Iterator[Draft]:
    del world
    minutes: list[Ref] = [("minutes", count) for count in range(1, 10)]
    yield _draft("tie_minutes", ("minutes", facts[0].end), tuple(minutes), (), facts[0])


def _of_roster(world: World, facts: list[Fact]) -> Iterator[Draft]:
    for fact in facts:
        draft = value_draft(world.frame, _suspect(world, fact), _number(world, fact))
        yield replace(draft, form="roster", about=fact.who, facts=(fact.id,))


def _of_herring(world: World, facts: list[Fact]) -> Iterator[Draft]:
    (fact,) = facts
    kinds: list[Ref] = [("herring", kind) for kind in HERRINGS]
    yield _draft("letter_who", ("person", fact.who), _everybody(world), (), fact)
    yield _draft("herring", ("herring", fact.value), tuple(kinds), (), fact)


def _of_motive(world: World, facts: list[Fact]) -> Iterator[Draft]:
    (fact,) = facts
    yield _draft("letter_who", ("person", fact.who), _everybody(world), (), fact)
    draft = motive_draft(world.frame, _suspect(world, fact))
    yield replace(draft, form="letter_motive", about=fact.who, facts=(fact.id,))


def _everybody(world: World) -> tuple[Ref, ...]:
    return people(one.id for one in world.frame.suspects)


def _suspect(world: World, fact: Fact) -> Suspect:
    return next(one for one in world.frame.suspects if one.id == fact.who)


def _number(world: World, fact: Fact) -> int:
    return [trait.id for trait in world.frame.traits].index(fact.trait)


def _draft(form: str, right: Ref, near: tuple[Ref, ...], far: tuple[Ref, ...], fact: Fact) -> Draft:
    grades = (others(near, right), others(far, right))
    return Draft(
        kind="tiu", form=form, right=right, grades=grades, about=fact.who, facts=(fact.id,)
    )


_FORMS: Mapping[str, Callable[[World, list[Fact]], Iterable[Draft]]] = MappingProxyType(
    {
        "reading": _of_reading,
        "mark": _of_mark,
        "way": _of_ways,
        "seen": _of_seen,
        "tie": _of_tie,
        "trait": _of_roster,
        "herring": _of_herring,
        "motive": _of_motive,
    }
)
"""What is asked of a picture, by the form of the first fact in it."""
