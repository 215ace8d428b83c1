"""The frame of a case: drawn until it needs the requested seats for every possible culprit."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from scripts_mm.generate.id_pools import OUTDOORS, SETTINGS
from scripts_mm.generate.knowledge import MANY_SEATS, KnowledgePlan, deal_knowledge
from scripts_mm.generate.plots import Plot, choose_plot
from scripts_mm.generate.seats_needed import check_seats
from scripts_mm.generate.suspects import SuspectProfiles, sample_profiles, sample_suspects
from scripts_mm.generate.timeline import Timeline, sample_timeline
from scripts_mm.generate.world import Frame, GeneratorOptions, Sex, Suspect, WorldFact
from scripts_mm.script import ScriptError

MAX_DRAWS = 4_000
"""Maximum frames to draw before the options count as impossible."""
_SEXES: tuple[Sex, ...] = ("f", "m")


def sample_frame(seed: int, options: GeneratorOptions, rng: Random) -> Frame:
    """Draw frames until one needs the requested seats. Raises ScriptError."""
    plot = choose_plot(seed, options)
    is_open = options.seats < MANY_SEATS
    for _ in range(MAX_DRAWS):
        people = sample_profiles(plot, options, rng)
        evening = sample_timeline(people, options.difficulty, rng, watching=is_open)
        sharing = deal_knowledge(options, people, evening, rng)
        setting = rng.choice(_fitting_settings(plot, evening))
        suspects = sample_suspects(people, evening.alone, evening.watched, rng)
        victims: tuple[Sex, ...] = tuple(
            rng.choice(_SEXES) for one in plot.acts if not one.is_order
        )
        if not _is_varied(people):
            continue
        found = check_seats(people, sharing, options.seats)
        if found.safe and found.is_enough:
            names = (setting, suspects, victims)
            return _make_frame(seed, options, names, (people, evening, sharing))
    raise ScriptError(
        f"no case of seed {seed} with {options.roles} roles and the plot {plot.id!r} needs "
        f"{options.seats} seats in {MAX_DRAWS} draws; ask for fewer seats or more roles"
    )


def _fitting_settings(plot: Plot, evening: Timeline) -> tuple[str, ...]:
    """Return the settings in which the place of the body fits the plot."""
    return tuple(
        one for one in SETTINGS if not plot.is_indoors or evening.body not in OUTDOORS.get(one, ())
    )


def _is_varied(people: SuspectProfiles) -> bool:
    """Return whether every property differs between some suspects."""
    return all(len(set(column)) > 1 for column in zip(*people.vectors, strict=True))


def _make_frame(
    seed: int,
    options: GeneratorOptions,
    names: tuple[str, tuple[Suspect, ...], tuple[Sex, ...]],
    drawn: tuple[SuspectProfiles, Timeline, KnowledgePlan],
) -> Frame:
    (people, evening, sharing), (setting, suspects, victims) = drawn, names
    told = {*evening.alone, *(one.place for one in evening.companies)}
    places = tuple(sorted({*told, evening.scene, evening.second} - {evening.body, ""}))
    ways = tuple(f"way-{place}" for place in places)
    clues = tuple(
        replace(one, facts=ways if one.facts == ("way",) else one.facts) for one in sharing.clues
    )
    facts = tuple(_frame_facts(suspects, places, drawn))
    mine = {fact.id for fact in facts}
    held = sorted(
        (name, sources)
        for name, sources in sharing.sources.items()
        if name not in mine and name != "way"
    )
    return Frame(
        seed=seed,
        options=options,
        plot=people.plot.id,
        setting=setting,
        style="clock" if sharing.style == "clock" else "events",
        scene=evening.scene,
        body=evening.body,
        second=evening.second,
        other_places=tuple(sorted({evening.body, *places} - {evening.scene})),
        suspects=suspects,
        windows=evening.windows,
        moments=evening.moments,
        tie=evening.tie,
        deep=people.deep,
        steps=sharing.steps,
        alive=evening.alive,
        found=evening.found,
        traits=people.traits,
        trait_acts=people.acts,
        victims=victims,
        companies=evening.companies,
        herrings=sharing.herrings,
        facts=facts,
        held=tuple(held),
        clues=clues,
    )


def _frame_facts(
    suspects: tuple[Suspect, ...],
    places: tuple[str, ...],
    drawn: tuple[SuspectProfiles, Timeline, KnowledgePlan],
) -> Iterator[WorldFact]:
    people, evening, sharing = drawn
    said = sharing.sources
    yield WorldFact(
        id="alive", kind="after", form="alive", start=evening.alive, sources=said["alive"]
    )
    yield WorldFact(
        id="found", kind="before", form="found", start=evening.found, sources=said["found"]
    )
    yield from _scene_facts(people, evening, said)
    for place in places:
        yield WorldFact(
            id=f"way-{place}",
            kind="way",
            form="way",
            places=(evening.body, place),
            minutes=evening.ways[place],
            sources=said["way"],
        )
    yield from _stay_facts(evening, said)
    for number, trait in enumerate(people.traits):
        for one in suspects:
            name = f"trait-{trait.id}-{one.id}"
            yield WorldFact(
                id=name,
                kind=trait.sort,
                form="trait",
                who=one.id,
                trait=trait.id,
                value=one.traits[number],
                crime=people.plot.acts[people.acts[number]].crime,
                sources=said[name],
            )
    yield from _note_facts(suspects, sharing)


def _scene_facts(
    people: SuspectProfiles, evening: Timeline, said: Mapping[str, tuple[str, ...]]
) -> Iterator[WorldFact]:
    """Yield where the deeds were done, with the findings that say so, and the order."""
    first, *others = people.plot.acts
    scene = WorldFact(id="scene", kind="scene", form="scene", place=evening.scene)
    if first.scene == "known":
        yield replace(scene, sources=said["scene"])
    else:
        names = ("spot-mark", "spot-link")
        for name in names:
            yield replace(scene, id=name, kind="note", form=name, sources=said[name])
        yield replace(scene, because=(names,))
    for act in others:
        if act.is_order:
            yield WorldFact(id="order", kind="note", form="order", sources=said["order"])
            continue
        yield WorldFact(
            id="scene-2",
            kind="scene",
            form="scene-2",
            place=evening.second,
            crime=act.crime,
            sources=("opening",),
        )


def _stay_facts(evening: Timeline, said: Mapping[str, tuple[str, ...]]) -> Iterator[WorldFact]:
    for one in evening.companies:
        for who in one.members:
            for form in ("with", "seen"):
                name = f"{form}-{one.window}-{who}"
                if name in said:
                    yield WorldFact(
                        id=name,
                        kind="at",
                        form=form,
                        who=who,
                        place=one.place,
                        start=one.start,
                        end=one.end,
                        step=one.window,
                        sources=said[name],
                    )


def _note_facts(suspects: tuple[Suspect, ...], sharing: KnowledgePlan) -> Iterator[WorldFact]:
    said = sharing.sources
    for at, one in enumerate(suspects):
        name, after = f"motive-{one.id}", suspects[(at + 1) % len(suspects)].id
        sources = said[name]
        yield WorldFact(
            id=name, kind="note", form="motive", who=one.id, value=one.motive, sources=sources
        )
        name = f"relation-{one.id}"
        yield WorldFact(
            id=name,
            kind="note",
            form="relation",
            who=one.id,
            places=(after,),
            value=one.relation,
            sources=said[name],
        )
    for one in sharing.herrings:
        excuse = one.id.replace("herring", "excuse")
        for name, form in ((one.id, "herring"), (excuse, "excuse")):
            yield WorldFact(
                id=name, kind="note", form=form, who=one.who, value=one.kind, sources=said[name]
            )
