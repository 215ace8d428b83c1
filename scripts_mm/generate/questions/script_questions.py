"""Questions on a role's own script, and on relations between people."""

from collections.abc import Iterator
from dataclasses import replace

from scripts_mm.generate.id_pools import MOTIVES, RELATIONS
from scripts_mm.generate.questions.draft import QuestionDraft, without_right
from scripts_mm.generate.traits import fitting_traits
from scripts_mm.generate.world import Frame, OptionRef, Suspect, World, WorldFact

_RELATION_POINTS = 2


def draft_own_script(world: World, one: Suspect) -> Iterator[QuestionDraft]:
    """Yield the questions for `one` on its own script."""
    frame = world.frame
    yield replace(draft_motive(frame, one), form="own_motive", role=one.id)
    yield replace(_draft_relation(frame, one), form="own_relation", role=one.id)
    yield from _draft_places(frame, one, alone=one.id not in world.guilty)
    yield from _draft_company(frame, one)
    for number, trait in enumerate(frame.traits):
        draft = draft_value(frame, one, number)
        yield replace(draft, form="own_trait", role=one.id, about=trait.id)
    if one.id not in world.guilty:
        yield _draft_secret(frame, one)
    for fact in frame.facts:
        if f"role:{one.id}" in fact.sources and fact.form in ("motive", "trait"):
            yield replace(_draft_fact(frame, fact), role=one.id, facts=(fact.id,))


def draft_ties(world: World, one: Suspect) -> Iterator[QuestionDraft]:
    """Yield questions for `one` on others' relations and motives."""
    frame = world.frame
    for other in frame.suspects:
        found: list[QuestionDraft] = []
        if one.id not in (other.id, relation_partner(frame, other)):
            found.append(replace(_draft_relation(frame, other), form="relation"))
        if one.id != other.id:
            found.append(replace(draft_motive(frame, other), form="motive"))
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


def relation_partner(frame: Frame, one: Suspect) -> str:
    """Return the other suspect of `one.relation`."""
    ids = [other.id for other in frame.suspects]
    return ids[(ids.index(one.id) + 1) % len(ids)]


def draft_value(frame: Frame, one: Suspect, number: int, kind: str = "value") -> QuestionDraft:
    """Return a question whose answer is a trait of `one`; no distractor is also true."""
    trait, value = frame.traits[number], one.traits[number]
    true = {(trait.id, value) for trait, value in zip(frame.traits, one.traits, strict=True)}
    right: OptionRef = (kind, trait.id, value)
    near: list[OptionRef] = [(kind, trait.id, other) for other in trait.values]
    told = {one.id for one in frame.traits}
    listed = sorted(fitting_traits(frame.plot), key=lambda other: other.id not in told)
    middle: list[OptionRef] = [
        (kind, other.id, found)
        for other in listed
        if other.id != trait.id
        for found in other.values
        if (other.id, found) not in true
    ]
    count = sum(len(other.values) for other in frame.traits if other.id != trait.id)
    grades = (without_right(near, right), tuple(middle[:count]), tuple(middle[count:]))
    return QuestionDraft(kind="lsu", form="", right=right, grades=grades)


def draft_motive(frame: Frame, one: Suspect) -> QuestionDraft:
    """Return a question whose answer is the motive of `one`."""
    right: OptionRef = ("motive", one.motive)
    near: list[OptionRef] = [("motive", other.motive) for other in frame.suspects]
    far: list[OptionRef] = [("motive", name) for name in MOTIVES]
    return QuestionDraft(
        kind="lsu",
        form="",
        right=right,
        grades=(without_right(near, right), without_right(far, right)),
    )


def _draft_relation(frame: Frame, one: Suspect) -> QuestionDraft:
    right: OptionRef = ("relation", one.relation)
    near: list[OptionRef] = [("relation", other.relation) for other in frame.suspects]
    far: list[OptionRef] = [("relation", name) for name in RELATIONS]
    return QuestionDraft(
        kind="lsu",
        form="",
        right=right,
        grades=(without_right(near, right), without_right(far, right)),
    )


def _draft_places(frame: Frame, one: Suspect, *, alone: bool) -> Iterator[QuestionDraft]:
    """Yield questions on the places of `one`; `alone`: also on that of its unseen window."""
    mine = [company for company in frame.companies if one.id in company.members]
    was = {one.alone, *(company.place for company in mine)}
    near: list[OptionRef] = [("place", place) for place in sorted(was)]
    told = [place for place in frame.other_places if place not in was]
    far: list[OptionRef] = [("place", place) for place in told]
    asked = [(company.window, company.place) for company in mine]
    if alone:
        asked.append((one.gap, one.alone))
    for window, place in asked:
        right: OptionRef = ("place", place)
        yield QuestionDraft(
            kind="lsu",
            form="own_place",
            role=one.id,
            value=window,
            right=right,
            grades=(without_right(near, right), tuple(far), (("place", frame.scene),)),
        )


def _draft_company(frame: Frame, one: Suspect) -> Iterator[QuestionDraft]:
    ids = [other.id for other in frame.suspects if other.id != one.id]
    for company in frame.companies:
        with_one = [name for name in company.members if name != one.id]
        if one.id in company.members and len(with_one) == 1:
            right: OptionRef = ("person", with_one[0])
            wrong: list[OptionRef] = [("person", name) for name in ids]
            yield QuestionDraft(
                kind="lsu",
                form="own_company",
                role=one.id,
                value=company.window,
                right=right,
                grades=(without_right(wrong, right),),
            )


def _draft_secret(frame: Frame, one: Suspect) -> QuestionDraft:
    right: OptionRef = ("secret", one.secret)
    near: list[OptionRef] = [("secret", other.secret) for other in frame.suspects]
    return QuestionDraft(
        kind="lsu",
        form="own_secret",
        role=one.id,
        right=right,
        grades=(without_right(near, right),),
    )


def _draft_fact(frame: Frame, fact: WorldFact) -> QuestionDraft:
    about = next(other for other in frame.suspects if other.id == fact.who)
    if fact.form == "motive":
        return replace(draft_motive(frame, about), form="knows_motive", about=about.id)
    number = [trait.id for trait in frame.traits].index(fact.trait)
    return replace(draft_value(frame, about, number), form="knows_trait", about=about.id)
