"""The case for the audit: the table by person, crime and route, and each seat's knowledge."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from eval.claims.name_mentions import CaseNames, case_names
from scripts_mm.facts.claim_types import (
    CrimeScene,
    CulpritTrait,
    EarliestTime,
    LatestTime,
    PersonTrait,
    Presence,
)
from scripts_mm.facts.claim_types import Exoneration as ClearedClaim
from scripts_mm.facts.exclusion import exclusion_label
from scripts_mm.facts.fact_table import Crime, Fact, FactTable, Source
from scripts_mm.facts.support_labels import ALWAYS, NEVER, FactTableIndex, build_index
from scripts_mm.script import Language, Script


@dataclass(frozen=True, slots=True, kw_only=True)
class CrimeWindow:
    """The place and the minutes of a crime, with the facts that establish them."""

    crime: Crime
    place: str
    start: int | None
    end: int | None
    facts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class AuditCase:
    """A fact table with its script."""

    table: FactTable
    script: Script

    @property
    def language(self) -> Language:
        """The language of the match."""
        return self.script.language

    @cached_property
    def names(self) -> CaseNames:
        """All names of its people and places."""
        return case_names(self.table, self.script)

    @cached_property
    def index(self) -> FactTableIndex:
        """The table indexed for proofs."""
        return build_index(self.table)

    @cached_property
    def stays(self) -> Mapping[str, tuple[tuple[Presence, str], ...]]:
        """Person -> presences, each with the id of its fact."""
        found: dict[str, list[tuple[Presence, str]]] = {}
        for fact in self.table.facts:
            if isinstance(fact.claim, Presence):
                found.setdefault(fact.claim.who, []).append((fact.claim, fact.id))
        return {who: tuple(stays) for who, stays in found.items()}

    @cached_property
    def windows(self) -> tuple[CrimeWindow, ...]:
        """The place and the tightest time window of every crime."""
        return tuple(self._window(crime) for crime in self.table.crimes)

    def crimes_of(self, victim: str) -> tuple[Crime, ...]:
        """Return the crimes against `victim`; all crimes if it is empty."""
        own = tuple(one for one in self.table.crimes if one.victim == victim)
        return own or self.table.crimes

    def knowledge_of(self, who: str, seen: Iterable[str]) -> "PersonKnowledge":
        """Return the knowledge of `who` after seeing the clues `seen`."""
        return _know(self, who, frozenset(seen))

    def _window(self, crime: Crime) -> CrimeWindow:
        claims = [(one.claim, one.id) for one in self.table.facts]
        scenes = [
            (one.place, name)
            for one, name in claims
            if isinstance(one, CrimeScene) and one.crime == crime.id
        ]
        firsts = [
            (one.time, name)
            for one, name in claims
            if isinstance(one, EarliestTime) and one.crime == crime.id
        ]
        lasts = [
            (one.time, name)
            for one, name in claims
            if isinstance(one, LatestTime) and one.crime == crime.id
        ]
        first, last = max(firsts, default=None), min(lasts, default=None)
        found = [one[1] for one in (*scenes[:1], first, last) if one is not None]
        return CrimeWindow(
            crime=crime,
            place=scenes[0][0] if scenes else "",
            start=first[0] if first else None,
            end=last[0] if last else None,
            facts=tuple(found),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonKnowledge:
    """The facts that one person knows at a moment."""

    case: AuditCase
    who: str
    facts: frozenset[str]

    def is_culprit(self, crimes: Iterable[Crime]) -> bool:
        """Return whether the person committed one of the crimes."""
        return any(self.who in crime.culprits for crime in crimes)

    def clears(self, suspect: str, crime: Crime) -> bool:
        """Return whether its knowledge excludes `suspect` from the crime."""
        labels = [ALWAYS if one.id in self.facts else NEVER for one in self.case.table.facts]
        return bool(exclusion_label(self.case.index, crime, suspect, labels))

    def proves(self, suspect: str, crime: Crime) -> bool:
        """Return whether its knowledge leaves only `suspect` and the person itself."""
        others = {*self.case.table.suspects} - {suspect, self.who}
        return all(self.clears(one, crime) for one in others)


def _know(case: AuditCase, who: str, seen: frozenset[str]) -> PersonKnowledge:
    facts = case.table.facts
    known = {one.id for one in facts if _is_told(one, who, seen, case) or _is_own(one, who, case)}
    for number in case.index.order:
        reasons = facts[number].because
        if any(all(name in known for name in group) for group in reasons):
            known.add(facts[number].id)
    return PersonKnowledge(case=case, who=who, facts=frozenset(known))


def _is_told(fact: Fact, who: str, seen: frozenset[str], case: AuditCase) -> bool:
    return any(_is_read(source, who, seen, case) for source in fact.sources)


def _is_read(source: Source, who: str, seen: frozenset[str], case: AuditCase) -> bool:
    if source.kind == "role":
        return source.name == who
    is_owner = case.table.owners.get(source.name) == who
    return source.kind == "opening" or source.name in seen or is_owner


def _is_own(fact: Fact, who: str, case: AuditCase) -> bool:
    """Return whether a fact is about the person itself, or about its own crime."""
    match fact.claim:
        case Presence(who=about) | PersonTrait(who=about):
            return about == who
        case (
            EarliestTime(crime=crime)
            | LatestTime(crime=crime)
            | CrimeScene(crime=crime)
            | CulpritTrait(crime=crime)
        ):
            return who in _culprits(case, crime)
        case ClearedClaim(crime=crime, who=about):
            return about == who or who in _culprits(case, crime)
        case _:
            return False


def _culprits(case: AuditCase, crime: str) -> tuple[str, ...]:
    return next(one.culprits for one in case.table.crimes if one.id == crime)
