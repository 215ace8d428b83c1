"""The export of a world's facts as a fact table of `scripts_mm.facts`."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from scripts_mm.facts.fact_table import (
    OPENING,
    Claim,
    CrimeScene,
    CulpritTrait,
    EarliestTime,
    FactTable,
    LatestTime,
    Person,
    Place,
    PlainStatement,
    Presence,
    Source,
    SourceKind,
    TextsByLanguage,
    TraitRelation,
    TravelTime,
)
from scripts_mm.facts.fact_table import Crime as TableCrime
from scripts_mm.facts.fact_table import Fact as TableFact
from scripts_mm.facts.fact_table import Lie as TableLie
from scripts_mm.facts.fact_table import PersonTrait as TableTrait
from scripts_mm.generate.plots import PLOTS
from scripts_mm.generate.traits import TRAITS
from scripts_mm.generate.world import World, WorldFact

_TRAIT_KINDS: Mapping[str, TraitRelation] = MappingProxyType(
    {trait.id: trait.sort for trait in TRAITS}
)
_KINDS: Mapping[str, SourceKind] = MappingProxyType(
    {"clue": "clue", "picture": "picture", "role": "role"}
)


def export_fact_table(
    world: World,
    says: Mapping[str, TextsByLanguage],
    people: Mapping[str, TextsByLanguage],
    places: Mapping[str, TextsByLanguage],
    lies: Iterable[tuple[tuple[str, ...], TextsByLanguage]] = (),
) -> FactTable:
    """Return the table of `world`, with sentences by fact and names by person and place.

    The id replaces a missing text, which is enough for the proof. `lies` pairs the ids of the
    contradicted facts with the text of the lie.
    """
    frame = world.frame
    acts = PLOTS[frame.plot].acts
    guilty = (world.crime.culprit, world.crime.second)[: len(acts)]
    return FactTable(
        k=frame.options.seats - 1,
        people=tuple(
            Person(id=name, names=people.get(name, {"en": name}))
            for name in (*(one.id for one in frame.suspects), *PLOTS[frame.plot].victims)
        ),
        suspects=tuple(one.id for one in frame.suspects),
        places=tuple(
            Place(id=name, names=places.get(name, {"en": name}))
            for name in (frame.scene, *frame.other_places)
        ),
        crimes=tuple(
            TableCrime(id=act.crime, victim="" if act.is_order else act.victim, culprits=(one,))
            for act, one in zip(acts, guilty, strict=True)
        ),
        facts=tuple(
            TableFact(
                id=fact.id,
                claim=_export_claim(fact),
                says=says.get(fact.id, {"en": fact.id}),
                sources=tuple(_export_source(one) for one in fact.sources),
                because=fact.because,
            )
            for fact in world.facts
        ),
        lies=tuple(TableLie(who=guilty[0], says=told, against=against) for against, told in lies),
        owners=MappingProxyType(
            {clue.id: clue.owner for clue in frame.clues if clue.owner is not None}
        ),
    )


def _export_source(text: str) -> Source:
    kind, _, name = text.partition(":")
    return Source(kind=_KINDS[kind], name=name) if name else OPENING


def _export_claim(fact: WorldFact) -> Claim:
    if fact.trait and fact.kind != "note":
        return _export_trait(fact)
    match fact.kind:
        case "at":
            return Presence(who=fact.who, place=fact.place, start=fact.start, end=fact.end)
        case "way":
            return TravelTime(places=(fact.places[0], fact.places[1]), minutes=fact.minutes)
        case "after" | "before":
            bound = EarliestTime if fact.kind == "after" else LatestTime
            return bound(crime=fact.crime, time=fact.start)
        case "scene":
            return CrimeScene(crime=fact.crime, place=fact.place)
        case _:
            return PlainStatement()


def _export_trait(fact: WorldFact) -> Claim:
    sort = _TRAIT_KINDS[fact.trait]
    if fact.kind == "needs":
        return CulpritTrait(crime=fact.crime, sort=sort, name=fact.trait, value=fact.value)
    return TableTrait(sort=sort, who=fact.who, name=fact.trait, value=fact.value)
