"""A plot: its acts, each with one culprit and one proof.

A plot says what has to be found out, not how it is told: its words are in the book `plots` of each
language, and the sampler, the knowledge of the seats and the questions are the same for all.
"""

from dataclasses import dataclass
from typing import Literal

from scripts_mm.generate.world import ChainStyle, PlotId

SceneKnowledge = Literal["known", "argued", "hidden"]
"""How the place that counts is known: `known`: the opening names it; `argued`: it is where the body
lay, but only a finding and what follows from it show that the deed was done there by another;
`hidden`: it is another place than that of the body, which a finding and a fact about it give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What one culprit did."""

    crime: str
    """Id in the fact table and in the book of plots."""
    victim: str = "victim"
    """Id of who died of it."""
    is_timed: bool = True
    """Whether an alibi excludes from it; else only traits do."""
    scene: SceneKnowledge = "known"
    is_order: bool = False
    """Whether its culprit made another do the deed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A plot. The first act is the death that the case is about."""

    id: PlotId
    acts: tuple[Act, ...]
    trait: str = ""
    """A trait that distinguishes the suspects in every case of the plot; empty: none."""
    unfit: frozenset[str] = frozenset()
    """Traits whose traces do not fit the place of its deed."""
    is_indoors: bool = False
    """Whether the body has to lie in a room with a door."""
    styles: tuple[ChainStyle, ...] = ("clock", "events")
    """The chains of the hour that fit it."""
    seats: tuple[int, ...] = (3, 3, 3, 4, 4)
    """Maximum seats that a case can need, by roles from 4 on: two culprits can both be silent, so
    each fact has more holders."""

    @property
    def has_two_acts(self) -> bool:
        """Return whether two culprits have to be found."""
        return len(self.acts) > 1

    @property
    def victims(self) -> tuple[str, ...]:
        """Return the ids of the victims, the first one first."""
        return tuple(one.victim for one in self.acts if not one.is_order)
