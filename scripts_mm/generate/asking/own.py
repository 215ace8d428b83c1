"""Questions that a role's own script answers, and those on what people are to each other."""

from collections.abc import Iterator
from dataclasses import replace

from scripts_mm.generate.asking.draft import Draft, others
from scripts_mm.generate.pools import MOTIVES, RELATIONS
from scripts_mm.generate.world import TRAITS, Fact, Frame, Ref, Suspect, World

_RELATION_POINTS = 2


def own(world: World, one: Suspect) -> Iterator[Draft]:
    """Yield what `one` is asked about its own script."""
    frame = world.frame
    yield replace(motive_draft(frame, one), form="own_motive", role=one.id)
    yield replace(_relation(frame, one), form="own_relation", role=one.id)
    yield from _places(frame, one, alone=one.id != world.crime.culprit)
    yield from _company(frame, one)
    for number, trait in enumerate(frame.traits):
        draft = value_draft(frame, one, number)
        yield replace(draft, form="own_trait", role=one.id, about=trait.id)
    if one.id != world.crime.culprit:
        yield _secret(frame, one)
    for fact in frame.facts:
        if f"role:{one.id}" in fact.sources and fact.form in ("motive", "trait"):
            yield replace(_known(frame, fact), role=one.id, facts=(fact.id,))


def ties(world: World, one: Suspect) -> Iterator[Draft]:
    """Yield questions for `one` on what others are to each other and had against the victim."""
    frame = world.frame
    for other in frame.suspects:
        found: list[Draft] = []
        if one.id not in (other.id, next_to(frame, other)):
            found.append(replace(_relation(frame, other), form="relation"))
        if one.id != other.id:
            found.append(replace(motive_draft(frame, other), form="motive"))
        for draft in found:
            facts = (f"{draft.form}-{other.id}",)
            yield replace(
                draft,
                kind="rel",
                role=one.id,
                about=other.id,
                points=_RELATION_POINTS,
                facts=facts,
            )


def next_to(frame: Frame, one: Suspect) -> str:
    """Return the suspect that `one.relation` points at."""
    ids = [other.id for other in frame.suspects]
    return ids[(ids.index(one.id) + 1) % len(ids)]


def value_draft(frame: Frame, one: Suspect, number: int, kind: str = "value") -> Draft:
    """Return a question whose answer is a trait of `one`; no wrong answer is true of it too."""
    trait, value = frame.traits[number], one.traits[number]
    true = {(trait.id, value) for trait, value in zip(frame.traits, one.traits, strict=True)}
    right: Ref = (kind, trait.id, value)
    near: list[Ref] = [(kind, trait.id, other) for other in trait.values]
    told = {one.id for one in frame.traits}
    listed = sorted(TRAITS, key=lambda other: other.id not in told)
    middle: list[Ref] = [
        (kind, other.id, found)
        for other in listed
        if other.id != trait.id
        for found in other.values
        if (other.id, found) not in true
    ]
    count = sum(len(other.values) for other in frame.traits if other.id != trait.id)
    grades = (others(near, right), tuple(middle[:count]), tuple(middle[count:]))
    return Draft(kind="lsu", form="", right=right, grades=grades)


def motive_draft(frame: Frame, one: Suspect) -> Draft:
    """Return a question whose answer is what `one` had against the victim."""
    right: Ref = ("motive", one.motive)
    near: list[Ref] = [("motive", other.motive) for other in frame.suspects]
    far: list[Ref] = [("motive", name) for name in MOTIVES]
    return Draft(kind="lsu", form="", right=right, grades=(others(near, right), others(far, right)))


def _relation(frame: Frame, one: Suspect) -> Draft:
    right: Ref = ("relation", one.relation)
    near: list[Ref] = [("relation", other.relation) for other in frame.suspects]
    far: list[Ref] = [("relation", name) for name in RELATIONS]
    return Draft(kind="lsu", form="", right=right, grades=(others(near, right), others(far, right)))


def _places(frame: Frame, one: Suspect, *, alone: bool) -> Iterator[Draft]:
    """Yield where `one` was; where it was alone only if that is true."""
    mine = [company for company in frame.companies if one.id in company.members]
    was = {one.alone, *(company.place for company in mine)}
    near: list[Ref] = [("place", place) for place in sorted(was)]
    told = [place for place in frame.other_places if place not in was]
    far: list[Ref] = [("place", place) for place in told]
    asked = [(company.window, company.place) for company in mine]
    if alone:
        asked.append((one.gap, one.alone))
    for window, place in asked:
        right: Ref = ("place", place)
        yield Draft(
            kind="lsu",
            form="own_place",
            role=one.id,
            value=window,
            right=right,
            grades=(others(near, right), tuple(far), (("place", frame.scene),)),
        )


def _company(frame: Frame, one: Suspect) -> Iterator[Draft]:
    ids = [other.id for other in frame.suspects if other.id != one.id]
    for company in frame.companies:
        with_one = [name for name in company.members if name != one.id]
        if one.id in company.members and len(with_one) == 1:
            right: Ref = ("person", with_one[0])
            wrong: list[Ref] = [("person", name) for name in ids]
            yield Draft(
                kind="lsu",
                form="own_company",
                role=one.id,
                value=company.window,
                right=right,
                grades=(others(wrong, right),),
            )


def _secret(frame: Frame, one: Suspect) -> Draft:
    right: Ref = ("secret", one.secret)
    near: list[Ref] = [("secret", other.secret) for other in frame.suspects]
    return Draft(
        kind="lsu", form="own_secret", role=one.id, right=right, grades=(others(near, right),)
    )


def _known(frame: Frame, fact: Fact) -> Draft:
    about = next(other for other in frame.suspects if other.id == fact.who)
    if fact.form == "motive":
        return replace(motive_draft(frame, about), form="knows_motive", about=about.id)
    number = [trait.id for trait in frame.traits].index(fact.trait)
    return replace(value_draft(frame, about, number), form="knows_trait", about=about.id)
