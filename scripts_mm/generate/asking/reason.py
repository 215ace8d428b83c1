"""Questions that take steps of thought: when, what a trace needs, who is shut out, who is left."""

from collections.abc import Iterator
from dataclasses import replace

from scripts_mm.generate.asking.draft import Draft, others, people
from scripts_mm.generate.asking.own import value_draft
from scripts_mm.generate.asking.seen import wrong_times
from scripts_mm.generate.grounds import depths
from scripts_mm.generate.pools import HERRINGS
from scripts_mm.generate.world import TRAITS, Ref, Suspect, World

_OBJECT_POINTS, _REASON_POINTS = 10, 5


def steps(world: World) -> Iterator[Draft]:
    """Yield the questions of several steps; `facts` are what the last step rests on."""
    yield from _moments(world)
    yield from _needs(world)
    yield from _shut_out(world)
    for one in world.frame.suspects:
        if one.id != world.crime.culprit:
            yield from _stays(world, one)
    yield who(world)


def who(world: World) -> Draft:
    """Return the question who did it; the near wrong ones fit in all but one thing."""
    frame, culprit = world.frame, guilty(world)
    right: Ref = ("person", culprit.id)

    def unlike(one: Suspect) -> int:
        pairs = zip(one.traits, culprit.traits, strict=True)
        return (one.gap != culprit.gap) + sum(mine != needed for mine, needed in pairs)

    ranked = sorted(frame.suspects, key=unlike)
    near = [one.id for one in ranked if unlike(one) <= 1]
    far = [one.id for one in ranked if unlike(one) > 1]
    known = depths(world.facts)
    facts = ("after", "before", *(f"needs-{trait.id}" for trait in frame.traits))
    hops = 2 + max(known[name] for name in facts)
    grades = (others(people(near), right), others(people(far), right))
    return Draft(kind="mmr", form="who", right=right, grades=grades, facts=facts, hops=hops)


def objective(world: World, one: Suspect, *, two: bool) -> Draft:
    """Return the question who did it as `one` is asked; nobody is offered itself if it need not."""
    draft = who(world)
    me: Ref = ("person", one.id)
    grades = tuple(tuple(ref for ref in grade if ref != me) for grade in draft.grades)
    if sum(map(len, grades)) < 3:  # noqa: PLR2004 - three wrong ones are wanted
        grades = (*grades, (me,))
    asked = replace(draft, kind="obj", role=one.id, points=_OBJECT_POINTS, grades=grades)
    return replace(asked, form="who_two", answer="two") if two else asked


def reasons(world: World, one: Suspect) -> Iterator[Draft]:
    """Yield what `one` may be asked to reason about: the steps, and what only looks bad."""
    found = [draft for draft in steps(world) if draft.form != "who" and draft.about != one.id]
    found += _excuses(world, one)
    for draft in found:
        yield replace(draft, kind="rea", role=one.id, points=_REASON_POINTS)


def guilty(world: World) -> Suspect:
    """Return the culprit."""
    return next(one for one in world.frame.suspects if one.id == world.crime.culprit)


def _moments(world: World) -> Iterator[Draft]:
    known = depths(world.facts)
    before, after = world.frame.tie
    spans: list[Ref] = []
    for fact in world.crime.facts:
        if fact.form == "moment":
            near, misread = wrong_times(world, fact.start)
            yield Draft(
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
    right: Ref = ("span", world.crime.moment - before, world.crime.moment + after)
    far: list[Ref] = [("span", at - before, at + after) for at in world.frame.moments]
    late: list[Ref] = [("span", at - before + 12, at + after + 12) for at in world.frame.moments]
    yield Draft(
        kind="mmr",
        form="window",
        right=right,
        grades=(others(spans, right), others(far, right), tuple(late)),
        facts=("after", "before"),
        hops=known["after"],
    )


def _needs(world: World) -> Iterator[Draft]:
    known, culprit = depths(world.facts), guilty(world)
    for number, trait in enumerate(world.frame.traits):
        name = f"needs-{trait.id}"
        draft = value_draft(world.frame, culprit, number)
        yield replace(
            draft, kind="mmr", form="needs", about=trait.id, facts=(name,), hops=known[name]
        )


def _shut_out(world: World) -> Iterator[Draft]:
    """Yield what shuts out each innocent for whom one thing alone does."""
    culprit, known = guilty(world), depths(world.facts)
    for one in world.frame.suspects:
        found = _unlike(world, one, culprit)
        if len(found) != 1:
            continue
        ((name, facts),) = found.items()
        right: Ref = ("reason", name)
        near: list[Ref] = [
            ("reason", other) for other in ("alibi", *(t.id for t in world.frame.traits))
        ]
        far: list[Ref] = [("reason", trait.id) for trait in TRAITS]
        yield Draft(
            kind="mmr",
            form="cleared_by",
            about=one.id,
            right=right,
            grades=(others(near, right), others(far, right)),
            facts=facts,
            hops=1 + max(known[fact] for fact in facts),
        )


def _unlike(world: World, one: Suspect, culprit: Suspect) -> dict[str, tuple[str, ...]]:
    """Return what shuts `one` out, and the facts that say so."""
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


def _stays(world: World, one: Suspect) -> Iterator[Draft]:
    frame, crime = world.frame, world.crime
    for company in frame.companies:
        if company.window == crime.window and one.id in company.members:
            right: Ref = ("place", company.place)
            mine = [other.place for other in frame.companies if one.id in other.members]
            near: list[Ref] = [("place", place) for place in (*mine, one.alone)]
            far: list[Ref] = [("place", place) for place in frame.other_places]
            facts = _unlike(world, one, guilty(world))["alibi"]
            yield Draft(
                kind="mmr",
                form="scene_alibi",
                about=one.id,
                right=right,
                grades=(others(near, right), others(far, right)),
                facts=facts,
                hops=1 + depths(world.facts)["after"],
            )


def _excuses(world: World, one: Suspect) -> Iterator[Draft]:
    for herring in world.frame.herrings:
        if one.id not in (herring.who, herring.knower):
            right: Ref = ("excuse", herring.kind)
            told: list[Ref] = [("excuse", kind) for kind in HERRINGS]
            excuse = herring.id.replace("herring", "excuse")
            yield Draft(
                kind="rea",
                form="excuse",
                about=herring.who,
                right=right,
                grades=(others(told, right),),
                facts=(herring.id, excuse),
                hops=1,
            )
