"""What a fact can claim: nine kinds of statement that a machine reasons with."""

from dataclasses import dataclass
from typing import Literal

Sort = Literal["had", "knew", "is"]


@dataclass(frozen=True, slots=True, kw_only=True)
class At:
    """`who` was at `place` from minute `start` to minute `end`, both after midnight."""

    who: str
    place: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Nobody gets from one of the places to the other in less than `minutes`."""

    places: tuple[str, str]
    minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class After:
    """The deed was done at minute `time` or later."""

    crime: str
    time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """The deed was done at minute `time` or earlier."""

    crime: str
    time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The culprit was at `place` when the deed was done."""

    crime: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """The culprit had, knew or was this."""

    crime: str
    sort: Sort
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """What a person had, knew or was."""

    sort: Sort
    who: str
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """`who` is shut out of the crime for a reason of its own."""

    crime: str
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A statement that other facts follow from."""


Claim = At | Way | After | Before | Scene | Needs | Trait | Cleared | Note
