"""Questions that need reasoning: the time, a needed trait, exclusions, the culprit."""

from collections.abc import Iterator
from dataclasses import replace

from scripts_mm.generate.fact_support import hop_counts
from scripts_mm.generate.id_pools import HERRINGS
from scripts_mm.generate.questions.draft import QuestionDraft, person_options, without_right
from scripts_mm.generate.questions.picture_questions import wrong_times
from scripts_mm.generate.questions.script_questions import draft_value
from scripts_mm.generate.world import TRAITS, OptionRef, Suspect, World

_OBJECT_POINTS, _REASON_POINTS = 10, 5


def draft_steps(world: World) -> Iterator[QuestionDraft]:
    """Yield the questions of several steps; `facts` are the premises of the last step."""
    yield from _draft_moments(world)
    yield from _draft_needs(world)
    yield from _draft_exclusions(world)
    for one in world.frame.suspects:
        if one.id != world.crime.culprit:
            yield from _draft_stays(world, one)
    yield draft_culprit(world)


def draft_culprit(world: World) -> QuestionDraft:
    """Return the question for the culprit; near distractors differ in only one property."""
    frame, culprit = world.frame, find_culprit(world)
    right: OptionRef = ("person", culprit.id)

    def unlike(one: Suspect) -> int:
        pairs = zip(one.traits, culprit.traits, strict=True)
        return (one.gap != culprit.gap) + sum(mine != needed for mine, needed in pairs)

    ranked = sorted(frame.suspects, key=unlike)
    near = [one.id for one in ranked if unlike(one) <= 1]
    far = [one.id for one in ranked if unlike(one) > 1]
    known = hop_counts(world.facts)
    facts = ("after", "before", *(f"needs-{trait.id}" for trait in frame.traits))
    hops = 2 + max(known[name] for name in facts)
    grades = (without_right(person_options(near), right), without_right(person_options(far), right))
    return QuestionDraft(kind="mmr", form="who", right=right, grades=grades, facts=facts, hops=hops)


def draft_objective(world: World, one: Suspect, *, two: bool) -> QuestionDraft:
    """Return the question for the culprit to `one`, who is an option only if needed."""
    draft = draft_culprit(world)
    me: OptionRef = ("person", one.id)
    grades = tuple(tuple(ref for ref in grade if ref != me) for grade in draft.grades)
    if sum(map(len, grades)) < 3:  # noqa: PLR2004 - three distractors
        grades = (*grades, (me,))
    asked = replace(draft, kind="obj", role=one.id, points=_OBJECT_POINTS, grades=grades)
    return replace(asked, form="who_two", answer="two") if two else asked


def draft_reasons(world: World, one: Suspect) -> Iterator[QuestionDraft]:
    """Yield the reasoning questions for `one`: on the steps and on red herrings."""
    found = [draft for draft in draft_steps(world) if draft.form != "who" and draft.about != one.id]
    found += _draft_excuses(world, one)
    for draft in found:
        yield replace(draft, kind="rea", role=one.id, points=_REASON_POINTS)


def find_culprit(world: World) -> Suspect:
    """Return the culprit."""
    return next(one for one in world.frame.suspects if one.id == world.crime.culprit)


def _draft_moments(world: World) -> Iterator[QuestionDraft]:
    known = hop_counts(world.facts)
    before, after = world.frame.tie
    spans: list[OptionRef] = []
    for fact in world.crime.facts:
        if fact.form == "moment":
            near, misread = wrong_times(world, fact.start)
            yield QuestionDraft(
                kind="mmr",
                form="moment",
                value=fact.step,
                right=("time", fact.start),
                grades=(near, misread),
                facts=(fact.id,),
                hops=known[fact.id],
            )
        if fact.form in ("moment", "reading"):
            spans.append(("span", fact.start - before, fact.start + after))
    right: OptionRef = ("span", world.crime.moment - before, world.crime.moment + after)
    far: list[OptionRef] = [("span", at - before, at + after) for at in world.frame.moments]
    late: list[OptionRef] = [
        ("span", at - before + 12, at + after + 12) for at in world.frame.moments
    ]
    yield QuestionDraft(
        kind="mmr",
        form="window",
        right=right,
        grades=(without_right(spans, right), without_right(far, right), tuple(late)),
        facts=("after", "before"),
        hops=known["after"],
    )


def _draft_needs(world: World) -> Iterator[QuestionDraft]:
    known, culprit = hop_counts(world.facts), find_culprit(world)
    for number, trait in enumerate(world.frame.traits):
        name = f"needs-{trait.id}"
        draft = draft_value(world.frame, culprit, number)
        yield replace(
            draft, kind="mmr", form="needs", about=trait.id, facts=(name,), hops=known[name]
        )


def _draft_exclusions(world: World) -> Iterator[QuestionDraft]:
    """Yield the reason of exclusion for each innocent with only one."""
    culprit, known = find_culprit(world), hop_counts(world.facts)
    for one in world.frame.suspects:
        found = _exclusion_reasons(world, one, culprit)
        if len(found) != 1:
            continue
        ((name, facts),) = found.items()
        right: OptionRef = ("reason", name)
        near: list[OptionRef] = [
            ("reason", other) for other in ("alibi", *(t.id for t in world.frame.traits))
        ]
        far: list[OptionRef] = [("reason", trait.id) for trait in TRAITS]
        yield QuestionDraft(
            kind="mmr",
            form="cleared_by",
            about=one.id,
            right=right,
            grades=(without_right(near, right), without_right(far, right)),
            facts=facts,
            hops=1 + max(known[fact] for fact in facts),
        )


def _exclusion_reasons(world: World, one: Suspect, culprit: Suspect) -> dict[str, tuple[str, ...]]:
    """Return the reasons that exclude `one`, each with its facts."""
    found: dict[str, tuple[str, ...]] = {}
    if one.gap != culprit.gap:
        names = [f"{form}-{culprit.gap}-{one.id}" for form in ("with", "seen")]
        there = [fact.id for fact in world.frame.facts if fact.id in names]
        found["alibi"] = (there[0], "after", "before")
    pairs = zip(world.frame.traits, one.traits, culprit.traits, strict=True)
    for trait, mine, needed in pairs:
        if mine != needed:
            found[trait.id] = (f"trait-{trait.id}-{one.id}", f"needs-{trait.id}")
    return found


def _draft_stays(world: World, one: Suspect) -> Iterator[QuestionDraft]:
    frame, crime = world.frame, world.crime
    for company in frame.companies:
        if company.window == crime.window and one.id in company.members:
            right: OptionRef = ("place", company.place)
            mine = [other.place for other in frame.companies if one.id in other.members]
            near: list[OptionRef] = [("place", place) for place in (*mine, one.alone)]
            far: list[OptionRef] = [("place", place) for place in frame.other_places]
            facts = _exclusion_reasons(world, one, find_culprit(world))["alibi"]
            yield QuestionDraft(
                kind="mmr",
                form="scene_alibi",
                about=one.id,
                right=right,
                grades=(without_right(near, right), without_right(far, right)),
                facts=facts,
                hops=1 + hop_counts(world.facts)["after"],
            )


def _draft_excuses(world: World, one: Suspect) -> Iterator[QuestionDraft]:
    for herring in world.frame.herrings:
        if one.id not in (herring.who, herring.knower):
            right: OptionRef = ("excuse", herring.kind)
            told: list[OptionRef] = [("excuse", kind) for kind in HERRINGS]
            excuse = herring.id.replace("herring", "excuse")
            yield QuestionDraft(
                kind="rea",
                form="excuse",
                about=herring.who,
                right=right,
                grades=(without_right(told, right),),
                facts=(herring.id, excuse),
                hops=1,
            )
