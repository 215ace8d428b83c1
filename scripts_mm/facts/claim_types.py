"""What a fact can claim: nine kinds of statement that a machine reasons with."""

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
    """Nobody gets from one of the places to the other in less than `minutes`."""

    places: tuple[str, str]
    minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EarliestTime:
    """The deed was done at minute `time` or later."""

    crime: str
    time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestTime:
    """The deed was done at minute `time` or earlier."""

    crime: str
    time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CrimeScene:
    """The culprit was at `place` when the deed was done."""

    crime: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CulpritTrait:
    """The culprit had, knew or was this."""

    crime: str
    sort: TraitRelation
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonTrait:
    """What a person had, knew or was."""

    sort: TraitRelation
    who: str
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exoneration:
    """`who` is shut out of the crime for a reason of its own."""

    crime: str
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainStatement:
    """A statement that other facts follow from."""


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
