"""The fact table of a world: the same facts as `scripts_mm.facts` reads them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from scripts_mm.facts.table import (
    OPENING,
    After,
    At,
    Before,
    Claim,
    FactTable,
    Needs,
    Note,
    Person,
    Place,
    Scene,
    Sort,
    Source,
    SourceKind,
    Texts,
    Way,
)
from scripts_mm.facts.table import Crime as TableCrime
from scripts_mm.facts.table import Fact as TableFact
from scripts_mm.facts.table import Lie as TableLie
from scripts_mm.facts.table import Trait as TableTrait
from scripts_mm.generate.world import TRAITS, Fact, World

CRIME = "murder"
"""Id of the only crime."""
_SORTS: Mapping[str, Sort] = MappingProxyType({trait.id: trait.sort for trait in TRAITS})
_KINDS: Mapping[str, SourceKind] = MappingProxyType(
    {"clue": "clue", "picture": "picture", "role": "role"}
)


def fact_table(
    world: World,
    says: Mapping[str, Texts],
    people: Mapping[str, Texts],
    places: Mapping[str, Texts],
    lies: Iterable[tuple[tuple[str, ...], Texts]] = (),
) -> FactTable:
    """Return the table of `world`, with sentences by fact and names by person and place.

    A text that is missing is the id, for who only wants the proof. `lies` are told beside the ids
    of the facts that they are against.
    """
    frame = world.frame
    culprit = world.crime.culprit
    return FactTable(
        k=frame.options.seats - 1,
        people=tuple(
            Person(id=name, names=people.get(name, {"en": name}))
            for name in (*(one.id for one in frame.suspects), "victim")
        ),
        suspects=tuple(one.id for one in frame.suspects),
        places=tuple(
            Place(id=name, names=places.get(name, {"en": name}))
            for name in (frame.scene, *frame.other_places)
        ),
        crimes=(TableCrime(id=CRIME, victim="victim", culprits=(culprit,)),),
        facts=tuple(
            TableFact(
                id=fact.id,
                claim=_claim(fact),
                says=says.get(fact.id, {"en": fact.id}),
                sources=tuple(_source(one) for one in fact.sources),
                because=fact.because,
            )
            for fact in world.facts
        ),
        lies=tuple(TableLie(who=culprit, says=told, against=against) for against, told in lies),
        owners=MappingProxyType(
            {clue.id: clue.owner for clue in frame.clues if clue.owner is not None}
        ),
    )


def _source(text: str) -> Source:
    kind, _, name = text.partition(":")
    return Source(kind=_KINDS[kind], name=name) if name else OPENING


def _claim(fact: Fact) -> Claim:
    if fact.trait and fact.kind != "note":
        return _of_trait(fact)
    match fact.kind:
        case "at":
            return At(who=fact.who, place=fact.place, start=fact.start, end=fact.end)
        case "way":
            return Way(places=(fact.places[0], fact.places[1]), minutes=fact.minutes)
        case "after" | "before":
            bound = After if fact.kind == "after" else Before
            return bound(crime=CRIME, time=fact.start)
        case "scene":
            return Scene(crime=CRIME, place=fact.place)
        case _:
            return Note()


def _of_trait(fact: Fact) -> Claim:
    sort = _SORTS[fact.trait]
    if fact.kind == "needs":
        return Needs(crime=CRIME, sort=sort, name=fact.trait, value=fact.value)
    return TableTrait(sort=sort, who=fact.who, name=fact.trait, value=fact.value)
