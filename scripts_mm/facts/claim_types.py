"""The nine types of claims of facts, from which proofs are derived."""

from dataclasses import dataclass
from typing import Literal

TraitRelation = Literal["had", "knew", "is"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """`who` was at `place` from minute `start` to minute `end`, both after midnight."""

    who: str
    place: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TravelTime:
    """The way between the two places takes at least `minutes`."""

    places: tuple[str, str]
    minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EarliestTime:
    """The crime took place at minute `time` or later."""

    crime: str
    time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestTime:
    """The crime took place at minute `time` or earlier."""

    crime: str
    time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CrimeScene:
    """The culprit was at `place` at the time of the crime."""

    crime: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CulpritTrait:
    """A trait of the culprit: something had, known or been."""

    crime: str
    sort: TraitRelation
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonTrait:
    """A trait of a person: something had, known or been."""

    sort: TraitRelation
    who: str
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exoneration:
    """`who` is excluded from the crime for a separate reason."""

    crime: str
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainStatement:
    """A statement from which other facts follow."""


Claim = (
    Presence
    | TravelTime
    | EarliestTime
    | LatestTime
    | CrimeScene
    | CulpritTrait
    | PersonTrait
    | Exoneration
    | PlainStatement
)
