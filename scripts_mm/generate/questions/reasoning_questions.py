"""Questions that need reasoning: the time, a needed trait, exclusions, the culprit."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from scripts_mm.generate.fact_support import hop_counts
from scripts_mm.generate.id_pools import HERRINGS
from scripts_mm.generate.plots import PLOTS
from scripts_mm.generate.questions.draft import QuestionDraft, person_options, without_right
from scripts_mm.generate.questions.picture_questions import wrong_times
from scripts_mm.generate.questions.script_questions import draft_value
from scripts_mm.generate.traits import fitting_traits
from scripts_mm.generate.world import OptionRef, Suspect, World

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
    if world.crime.second:
        yield draft_culprit(world, 1)


def draft_culprit(world: World, act: int = 0) -> QuestionDraft:
    """Return the question for the culprit; near distractors differ in only one property."""
    frame, culprit = world.frame, find_culprit(world, act)
    right: OptionRef = ("person", culprit.id)
    is_timed = PLOTS[frame.plot].acts[act].is_timed
    numbers = [number for number, _ in frame.traits_of(act)]

    def unlike(one: Suspect) -> int:
        return (is_timed and one.gap != culprit.gap) + sum(
            one.traits[at] != culprit.traits[at] for at in numbers
        )

    ranked = sorted(frame.suspects, key=unlike)
    near = [one.id for one in ranked if unlike(one) <= 1]
    far = [one.id for one in ranked if unlike(one) > 1]
    known = hop_counts(world.facts)
    hours = (("after", "before"), ("after-2", "before-2"))[act] if is_timed else ()
    facts = (*hours, *(f"needs-{frame.traits[at].id}" for at in numbers))
    hops = 2 + max(known[name] for name in facts)
    grades = (without_right(person_options(near), right), without_right(person_options(far), right))
    form = WHO_FORMS[PLOTS[frame.plot].acts[act].crime]
    return QuestionDraft(kind="mmr", form=form, right=right, grades=grades, facts=facts, hops=hops)


WHO_FORMS: Mapping[str, str] = MappingProxyType(
    {"murder": "who", "second": "who_second", "order": "who_order"}
)
"""The forms of the questions for a culprit, by act."""


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
    found = [
        draft
        for draft in draft_steps(world)
        if draft.form not in WHO_FORMS.values() and draft.about != one.id
    ]
    found += _draft_excuses(world, one)
    for draft in found:
        yield replace(draft, kind="rea", role=one.id, points=_REASON_POINTS)


def find_culprit(world: World, act: int = 0) -> Suspect:
    """Return the culprit of an act."""
    who = (world.crime.culprit, world.crime.second)[act]
    return next(one for one in world.frame.suspects if one.id == who)


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
    known, frame = hop_counts(world.facts), world.frame
    for number, (trait, act) in enumerate(zip(frame.traits, frame.trait_acts, strict=True)):
        name = f"needs-{trait.id}"
        draft = draft_value(frame, find_culprit(world, act), number)
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
            ("reason", other)
            for other in ("alibi", *(trait.id for _, trait in world.frame.traits_of(0)))
        ]
        far: list[OptionRef] = [
            ("reason", trait.id)
            for trait in fitting_traits(world.frame.plot)
            if trait not in world.frame.traits
        ]
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
    for number, trait in world.frame.traits_of(0):
        if one.traits[number] != culprit.traits[number]:
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
