"""How many seats must speak until one suspect is left, whoever of them is made the culprit.

The same question as `scripts_mm.facts.proof` answers of a whole table, asked of a frame alone and
for every suspect as the culprit, so that a frame is taken or left without knowing who it will be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from scripts_mm.generate.knowledge import KnowledgePlan
from scripts_mm.generate.suspects import SuspectProfiles

PUBLIC = 0
"""No seats at all: everybody knows it."""
Exclusion = tuple[int, ...]
"""Sets of holders (bit masks); of each one must speak, an empty one needs nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsNeeded:
    """What a frame takes, for the suspect for whom it takes least."""

    seats: int
    """The fewest seats that are enough for some culprit."""
    safe: bool
    """Whoever is the culprit, the others know enough without it."""


def count_seats_needed(people: SuspectProfiles, sharing: KnowledgePlan) -> SeatsNeeded:
    """Return how many seats a frame takes at least."""
    count = len(people.vectors)
    cases = [_exclusions(people, sharing, culprit) for culprit in range(count)]
    everybody = (1 << count) - 1
    safe = all(
        _shuts_out_all(case, everybody & ~(1 << culprit)) for culprit, case in enumerate(cases)
    )
    for size in range(count + 1):
        for seats in combinations(range(count), size):
            heard = sum(1 << seat for seat in seats)
            if any(_shuts_out_all(case, heard) for case in cases):
                return SeatsNeeded(seats=size, safe=safe)
    return SeatsNeeded(seats=count + 1, safe=False)


def _shuts_out_all(case: Sequence[tuple[int, Sequence[Exclusion]]], heard: int) -> bool:
    """Tell whether the seats `heard` shut out everybody; nobody counts as witness of itself."""
    return all(
        any(
            all(not holders or holders & heard & ~(1 << who) for holders in exclusion)
            for exclusion in exclusions
        )
        for who, exclusions in case
    )


def _exclusions(
    people: SuspectProfiles, sharing: KnowledgePlan, culprit: int
) -> list[tuple[int, Sequence[Exclusion]]]:
    """Return for each innocent the ways to shut it out and what each of them takes."""
    guilty = people.vectors[culprit]
    chains = [_chain_holders(sharing, people, number) for number in range(len(guilty))]
    found: list[tuple[int, Sequence[Exclusion]]] = []
    for who, vector in enumerate(people.vectors):
        if who == culprit:
            continue
        ways: list[Exclusion] = []
        for number, (mine, needed) in enumerate(zip(vector, guilty, strict=True)):
            if mine != needed:
                named = f"r{who + 1}"
                if number:
                    facts = [f"trait-{people.traits[number - 1].id}-{named}"]
                else:
                    facts = [f"{kind}-{needed}-{named}" for kind in ("with", "seen")]
                ways.append((*chains[number], _holders(sharing, facts)))
        found.append((who, ways))
    return found


def _chain_holders(sharing: KnowledgePlan, people: SuspectProfiles, number: int) -> Exclusion:
    """Return who holds each private link of chain `number`: 0 the hour's, then the traits'."""
    name = "offset" if number == 0 else f"link-{people.traits[number - 1].id}"
    steps = range(1, sharing.steps[number] + 1)
    masks = (_holders(sharing, [f"{name}-{step}"]) for step in steps)
    return tuple(mask for mask in masks if mask != PUBLIC)


def _holders(sharing: KnowledgePlan, facts: Sequence[str]) -> int:
    """Return the seats that hold one of `facts`; PUBLIC if a clue or the opening says it to all."""
    owners = {clue.id: clue.owner for clue in sharing.clues}
    mask = 0
    for source in (one for fact in facts for one in sharing.sources.get(fact, ())):
        kind, _, name = source.partition(":")
        seat = name if kind == "role" else owners.get(name)
        if seat is None:
            return PUBLIC
        mask |= 1 << (int(seat[1:]) - 1)
    return mask
