"""The fact table of a case: who was where, had and knew what, and the sources of each fact."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

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
    TraitRelation,
    TravelTime,
)
from scripts_mm.facts.deduction_depth import deduction_depths
from scripts_mm.script import ScriptError

__all__ = [
    "MAX_CRIMES",
    "MAX_FACTS",
    "MAX_SUSPECTS",
    "OPENING",
    "Claim",
    "Crime",
    "CrimeScene",
    "CulpritTrait",
    "EarliestTime",
    "Exoneration",
    "Fact",
    "FactTable",
    "LatestTime",
    "Lie",
    "Mission",
    "Person",
    "PersonTrait",
    "Place",
    "PlainStatement",
    "Presence",
    "Source",
    "SourceKind",
    "TextsByLanguage",
    "TraitRelation",
    "TravelTime",
    "format_clock",
]

SourceKind = Literal["opening", "clue", "picture", "role"]
MAX_SUSPECTS = 12
"""Limit for proofs, which can examine every subset of the suspects."""
MAX_FACTS = 2_000
"""Limit for reading; a written case has about a hundred."""
MAX_CRIMES = 12
"""Limit for reading."""

TextsByLanguage = Mapping[str, str]
"""One text per language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person in the case: a role, a victim, a witness."""

    id: str
    names: TextsByLanguage


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place where a person can be."""

    id: str
    names: TextsByLanguage


@dataclass(frozen=True, slots=True, kw_only=True)
class Crime:
    """A crime and its culprits: one per victim, or an instigation."""

    id: str
    culprits: tuple[str, ...]
    victim: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The source of a fact: the opening, a clue's text, its picture or a private script."""

    kind: SourceKind
    name: str = ""
    """Id of the clue or person; empty for the opening."""

    def __str__(self) -> str:
        """Return the source in the form of facts.json."""
        return f"{self.kind}:{self.name}" if self.name else self.kind


OPENING = Source(kind="opening")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact: its claim, its sources, its premises."""

    id: str
    claim: Claim
    says: TextsByLanguage
    """The fact as a sentence, by language."""
    sources: tuple[Source, ...] = ()
    """Alternatives: any one is enough."""
    because: tuple[tuple[str, ...], ...] = ()
    """Alternatives: each lists facts from which this one follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lie:
    """A false statement that a culprit can make."""

    who: str
    says: TextsByLanguage
    against: tuple[str, ...] = ()
    """Ids of the facts that it contradicts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mission:
    """A suspect whose mission asks something, and where the answer is."""

    who: str
    answered_by: tuple[Source, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactTable:
    """All facts that a proof can use. Raises ScriptError for a reference to an unknown id."""

    k: int
    """The private knowledge of any `k` seats, with all public facts, must not be enough."""
    people: tuple[Person, ...]
    suspects: tuple[str, ...]
    """The people who are roles, in the script's order."""
    places: tuple[Place, ...]
    crimes: tuple[Crime, ...]
    facts: tuple[Fact, ...]
    lies: tuple[Lie, ...] = ()
    missions: tuple[Mission, ...] = ()
    owners: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Person by id of each clue that is dealt only to that person's seat."""

    def __post_init__(self) -> None:
        """Raise ScriptError for duplicate or unknown ids, cycles, and facts without grounds."""
        people = _check_unique("person", [one.id for one in self.people])
        places = _check_unique("place", [one.id for one in self.places])
        crimes = _check_unique("crime", [one.id for one in self.crimes])
        facts = _check_unique("fact", [one.id for one in self.facts])
        _check_unique("suspect", list(self.suspects))
        if not 2 <= len(self.suspects) <= MAX_SUSPECTS:  # noqa: PLR2004 - one suspect needs no proof
            raise ScriptError(
                f"wanted 2 to {MAX_SUSPECTS} suspects, got {len(self.suspects)} in 'suspects'"
            )
        if not crimes:
            raise ScriptError("wanted a crime, got none in 'crimes'")
        if self.k < 0:
            raise ScriptError(f"wanted a 'k' of 0 or more, got {self.k}")
        _check_known("suspects", "person", self.suspects, people)
        _check_known("owners", "suspect", self.owners.values(), {*self.suspects})
        for crime in self.crimes:
            _check_known(f"crime {crime.id!r}", "person", crime.culprits, people)
            _check_known(
                f"crime {crime.id!r}", "person", [crime.victim] if crime.victim else [], people
            )
        for lie in self.lies:
            _check_known("lies", "person", [lie.who], people)
            _check_known(f"a lie of {lie.who!r}", "fact", lie.against, facts)
        _check_missions(self.missions, {*self.suspects})
        for one in self.facts:
            where = f"fact {one.id!r}"
            _check_claim(where, one.claim, {"person": people, "place": places, "crime": crimes})
            _check_grounds(where, one, {*self.suspects}, facts)
        _refuse_circles(self.facts)
        for crime in self.crimes:
            _check_window(crime.id, [one.claim for one in self.facts])

    def fact(self, name: str) -> Fact:
        """Return the fact with the id `name`."""
        return next(one for one in self.facts if one.id == name)


def format_clock(minute: int) -> str:
    """Return a minute after midnight as HH:MM."""
    return f"{minute // 60:02}:{minute % 60:02}"


def _check_unique(what: str, ids: list[str]) -> set[str]:
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        raise ScriptError(f"wanted every {what} once, got {twice[0]!r} more than once")
    return set(ids)


def _check_known(where: str, what: str, found: Iterable[str], known: set[str]) -> None:
    for name in found:
        if name not in known:
            there = ", ".join(sorted(known)) or "none"
            raise ScriptError(f"{where}: wanted the id of a {what}, got {name!r}; there: {there}")


def _check_claim(where: str, claim: Claim, known: Mapping[str, set[str]]) -> None:
    for what, field_names in (("person", ["who"]), ("place", ["place"]), ("crime", ["crime"])):
        found = [getattr(claim, name) for name in field_names if hasattr(claim, name)]
        _check_known(where, what, found, known[what])
    match claim:
        case Presence() if claim.end < claim.start:
            raise ScriptError(f"{where}: wanted 'from' not after 'to', got the reverse")
        case TravelTime():
            _check_known(where, "place", claim.places, known["place"])
            if claim.minutes < 0 or claim.places[0] == claim.places[1]:
                raise ScriptError(f"{where}: wanted a way between two places, got {claim.places}")
        case _:
            pass


def _check_grounds(where: str, fact: Fact, suspects: set[str], facts: set[str]) -> None:
    if not fact.sources and not fact.because:
        raise ScriptError(f"{where}: wanted 'sources' or 'because', got neither")
    if isinstance(fact.claim, Exoneration) and fact.sources:
        raise ScriptError(f"{where}: wanted only 'because' for kind 'cleared', got 'sources'")
    _check_sources(where, fact.sources, suspects)
    for reasons in fact.because:
        if not reasons:
            raise ScriptError(f"{where}: wanted fact ids in every list of 'because', got none")
        _check_known(f"{where}: because", "fact", reasons, facts)


def _check_missions(missions: Iterable[Mission], suspects: set[str]) -> None:
    for one in missions:
        _check_known("missions", "suspect", [one.who], suspects)
        _check_sources(f"mission of {one.who!r}", one.answered_by, suspects)


def _check_sources(where: str, sources: Iterable[Source], suspects: set[str]) -> None:
    for source in sources:
        if (source.kind == "opening") == bool(source.name):
            raise ScriptError(f"{where}: wanted a source like 'role:ID', got {str(source)!r}")
        if source.kind == "role":
            _check_known(f"{where}: sources", "suspect", [source.name], suspects)


def _check_window(crime: str, claims: Iterable[Claim]) -> None:
    """Raise ScriptError for bounds that leave no minute for the crime."""
    own = [
        one for one in claims if isinstance(one, EarliestTime | LatestTime) and one.crime == crime
    ]
    first = max((one.time for one in own if isinstance(one, EarliestTime)), default=None)
    last = min((one.time for one in own if isinstance(one, LatestTime)), default=None)
    if first is not None and last is not None and first > last:
        raise ScriptError(
            f"crime {crime!r}: wanted 'after' not later than 'before', "
            f"got {format_clock(first)} and "
            f"{format_clock(last)}"
        )


def _refuse_circles(facts: Sequence[Fact]) -> None:
    """Raise ScriptError for a fact that follows from itself."""
    number = {one.id: at for at, one in enumerate(facts)}
    found = deduction_depths(
        [{number[name] for group in one.because for name in group} for one in facts]
    )
    waiting = [one.id for one, level in zip(facts, found, strict=True) if level is None]
    if waiting:
        round_trip = ", ".join(sorted(waiting)[:6])
        raise ScriptError(
            f"wanted reasons without a cycle, got facts in or after one: {round_trip}"
        )
