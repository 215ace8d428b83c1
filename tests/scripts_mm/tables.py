"""Invented fact tables for tests, small and random, and a slow solver to hold the fast one to."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from random import Random

from scripts_mm.facts.claim_types import (
    Claim,
    CrimeScene,
    CulpritTrait,
    EarliestTime,
    Exoneration,
    LatestTime,
    PersonTrait,
    PlainStatement,
    Presence,
    TravelTime,
)
from scripts_mm.facts.fact_table import (
    OPENING,
    Crime,
    Fact,
    FactTable,
    Person,
    Place,
    Source,
)
from scripts_mm.names import text_form

SUSPECTS: tuple[str, ...] = ("ann", "ben", "cam", "dot")
AB = SUSPECTS[:2]
DEED = Crime(id="deed", victim="vic", culprits=SUSPECTS[:1])


def said(name: str, claim: Claim, *sources: str, because: Iterable[Iterable[str]] = ()) -> Fact:
    """Return a fact; its sentence is its name."""
    reasons = tuple(tuple(one) for one in because)
    told = tuple(source(text) for text in sources)
    return Fact(id=name, claim=claim, says={"en": f"Of {name}."}, sources=told, because=reasons)


def source(text: str) -> Source:
    """Return the source that facts.json writes as `text`."""
    match text.partition(":"):
        case ("clue", _, name):
            return Source(kind="clue", name=name)
        case ("picture", _, name):
            return Source(kind="picture", name=name)
        case ("role", _, name):
            return Source(kind="role", name=name)
        case _:
            return OPENING


def a_table(
    *facts: Fact, k: int = 0, crimes: tuple[Crime, ...] = (DEED,), **owners: str
) -> FactTable:
    """Return a table of four suspects and three places."""
    return FactTable(
        k=k,
        people=tuple(Person(id=one, names={"en": one.title()}) for one in (*SUSPECTS, "vic")),
        suspects=SUSPECTS,
        places=tuple(Place(id=one, names={"en": one}) for one in ("hall", "barn", "pond")),
        crimes=crimes,
        facts=facts,
        owners=owners,
    )


def frame(crime: str = "deed") -> tuple[Fact, ...]:
    """Return what everybody knows: done in the hall between 10:00 and 10:10."""
    end = "" if crime == "deed" else f"-{crime}"
    return (
        said(f"after{end}", EarliestTime(crime=crime, time=600), "opening"),
        said(f"before{end}", LatestTime(crime=crime, time=610), "opening"),
        said(f"scene{end}", CrimeScene(crime=crime, place="hall"), "opening"),
    )


def random_table(random: Random, size: int) -> FactTable:
    """Return a table of `size` facts about one crime or two, of one culprit or two."""
    crimes = [Crime(id="deed", victim="vic", culprits=random.choice((SUSPECTS[:1],) * 3 + (AB,)))]
    if random.random() < 0.3:
        crimes.append(Crime(id="theft", culprits=random.choice((SUSPECTS[:1], SUSPECTS[1:2]))))
    ids = tuple(one.id for one in crimes)
    framed = random.random() < 0.7
    facts = [fact for crime in ids for fact in frame(crime)][:size] if framed else []
    for number in range(len(facts), size):
        earlier = [one.id for one in facts]
        because = [
            random.sample(earlier, min(len(earlier), random.randint(1, 2)))
            for _ in range(random.choice((0, 0, 1, 2)) if earlier else 0)
        ]
        claim = _claim(random, random.choice(ids))
        sources = [_source(random) for _ in range(random.randint(0 if because else 1, 2))]
        if isinstance(claim, Exoneration):
            sources = []
            claim = claim if because else PlainStatement()
        sources = sources or ([] if because else ["opening"])
        facts.append(said(f"f{number}", claim, *sources, because=because))
    owner = random.choice(SUSPECTS)
    return a_table(*facts, k=random.randint(0, 2), crimes=tuple(crimes), own=owner)


def _source(random: Random) -> str:
    kind = random.choice(("opening", "clue", "picture", "role", "role"))
    name = random.choice(SUSPECTS) if kind == "role" else random.choice(("own", "open"))
    return kind if kind == "opening" else f"{kind}:{name}"


def _claim(random: Random, crime: str) -> Claim:
    who = random.choice(SUSPECTS[1:] if random.random() < 0.97 else SUSPECTS)
    start = random.randint(592, 602)
    places = ("hall", "barn", "pond")
    one, other = random.sample(places, 2)
    stay = Presence(
        who=who, place=random.choice(places[1:]), start=start, end=start + random.randint(0, 9)
    )
    return random.choice(
        (
            stay,
            stay,
            stay,
            TravelTime(places=(one, other), minutes=random.randint(0, 9)),
            EarliestTime(crime=crime, time=random.randint(600, 604)),
            LatestTime(crime=crime, time=random.randint(604, 608)),
            CrimeScene(crime=crime, place="hall"),
            CulpritTrait(crime=crime, sort="is", name="hand", value="left"),
            PersonTrait(
                sort="is", who=who, name="hand", value=random.choice(("left", "right", "Left"))
            ),
            Exoneration(crime=crime, who=who),
            PlainStatement(),
        )
    )


def slow_known(
    table: FactTable, heard: set[str], *, pictures: bool = True, only: Iterable[Fact] | None = None
) -> set[str]:
    """Return the facts, of `only`, that follow from what is public and the seats `heard` know."""
    facts = table.facts if only is None else tuple(only)

    def open_to(one: Source) -> bool:
        if one.kind == "role":
            return one.name in heard
        owner = table.owners.get(one.name)
        return (owner is None or owner in heard) and (pictures or one.kind != "picture")

    known = {fact.id for fact in facts if any(map(open_to, fact.sources))}
    while True:
        more = {fact.id for fact in facts if any({*reasons} <= known for reasons in fact.because)}
        if more <= known:
            return known
        known |= more


def slow_shut_out(table: FactTable, who: str, known: set[str], crime: str = "deed") -> bool:
    """Tell, minute by minute, whether the facts `known` shut `who` out of `crime`."""
    claims = [
        fact.claim
        for fact in table.facts
        if fact.id in known and getattr(fact.claim, "crime", crime) == crime
    ]
    if any(isinstance(one, Exoneration) and one.who == who for one in claims):
        return True
    for need in (one for one in claims if isinstance(one, CulpritTrait)):
        if any(_of(need, who, fact.claim) is True for fact in table.facts):
            continue
        if any(_of(need, who, one) is False for one in claims):
            return True
    return any(_alibi(one.place, who, claims) for one in claims if isinstance(one, CrimeScene))


def _of(need: CulpritTrait, who: str, claim: Claim) -> bool | None:
    """Tell whether a trait of `who` is what is needed; None: it is another trait, or none."""
    if not isinstance(claim, PersonTrait) or (claim.who, claim.sort) != (who, need.sort):
        return None
    return text_form(claim.value) == text_form(need.value) if claim.name == need.name else None


def _alibi(scene: str, who: str, claims: list[Claim]) -> bool:
    first = max((one.time for one in claims if isinstance(one, EarliestTime)), default=None)
    last = min((one.time for one in claims if isinstance(one, LatestTime)), default=None)
    if first is None or last is None:
        return False
    return all(_elsewhere(minute, scene, who, claims) for minute in range(first, last + 1))


def _elsewhere(minute: int, scene: str, who: str, claims: list[Claim]) -> bool:
    for one in claims:
        if not isinstance(one, Presence) or one.who != who or one.place == scene:
            continue
        ways = [
            way.minutes
            for way in claims
            if isinstance(way, TravelTime) and {*way.places} == {scene, one.place}
        ]
        far = max(ways, default=0)
        if one.start <= minute <= one.end or one.start - far < minute < one.end + far:
            return True
    return False


def slow_left(
    table: FactTable, seats: Iterable[str], *, pictures: bool = True, crime: str = "deed"
) -> tuple[str, ...]:
    """Return the candidates left of `crime`."""
    heard = {*seats}
    known = {who: slow_known(table, heard - {who}, pictures=pictures) for who in table.suspects}
    return tuple(who for who in table.suspects if not slow_shut_out(table, who, known[who], crime))


def slow_solved(
    table: FactTable,
    seats: Iterable[str],
    *,
    pictures: bool = True,
    crimes: Iterable[Crime] | None = None,
) -> bool:
    """Tell whether exactly the culprits are left of every crime, or of `crimes`."""
    wanted = table.crimes if crimes is None else crimes
    heard = {*seats}
    return all(
        slow_left(table, heard, pictures=pictures, crime=one.id) == one.culprits for one in wanted
    )


def slow_seats_needed(table: FactTable, crimes: tuple[Crime, ...] | None = None) -> int | None:
    """Return the smallest number of seats that leave the culprits alone, trying all of them.

    None where all seats together leave others, or clear a culprit.
    """
    if not slow_solved(table, table.suspects, crimes=crimes):
        return None
    for number in range(len(table.suspects) + 1):
        for seats in combinations(table.suspects, number):
            if slow_solved(table, seats, crimes=crimes):
                return number
    return None


def slow_fewest(table: FactTable, heard: set[str]) -> int:
    """Return the size of the smallest set of facts that shuts out whoever can be shut out."""
    targets = [
        (crime.id, who)
        for crime in table.crimes
        for who in table.suspects
        if slow_shut_out(table, who, slow_known(table, {*table.suspects} - {who}), crime.id)
    ]
    for number in range(len(table.facts) + 1):
        for facts in combinations(table.facts, number):
            if all(
                slow_shut_out(table, who, slow_known(table, heard - {who}, only=facts), crime)
                for crime, who in targets
            ):
                return number
    return -1


def slow_hops(table: FactTable, who: str, crime: str = "deed") -> int | None:
    """Return the depth at which `who` is first shut out, one round of deductions at a time."""
    heard = {*table.suspects} - {who}
    known = slow_known(table, heard, only=_underived(table))
    for depth in range(len(table.facts) + 1):
        if slow_shut_out(table, who, known, crime):
            claims = [fact.claim for fact in table.facts if fact.id in known]
            cleared = any(
                isinstance(one, Exoneration) and (one.who, one.crime) == (who, crime)
                for one in claims
            )
            return depth if cleared else depth + 1
        known = known | {
            fact.id for fact in table.facts if any({*reasons} <= known for reasons in fact.because)
        }
    return None


def _underived(table: FactTable) -> list[Fact]:
    """Return the facts as they stand in their sources alone."""
    return [replace(fact, because=()) for fact in table.facts if fact.sources]
