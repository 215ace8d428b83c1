"""The number of seats that must speak until one suspect is left, for every possible culprit.

`scripts_mm.facts.proof` answers this for a whole table; here it is answered for a frame and every
suspect as the culprit, so that accepting a frame does not depend on the culprit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from scripts_mm.generate.knowledge import KnowledgePlan
from scripts_mm.generate.suspects import SuspectProfiles

PUBLIC = 0
"""The mask of no seats: public knowledge."""
Exclusion = tuple[int, ...]
"""Sets of holders as bit masks; one of each set must speak, none of an empty set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsNeeded:
    """The seats that a frame needs, for the culprit who needs the fewest."""

    seats: int
    """The smallest number of seats that is enough for some culprit."""
    safe: bool
    """Whether, for every possible culprit, the other seats know enough."""


def count_seats_needed(people: SuspectProfiles, sharing: KnowledgePlan) -> SeatsNeeded:
    """Return the minimum number of seats that a frame needs."""
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
    """Return whether the seats `heard` exclude all innocents, each without its own words."""
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
    """Return for each innocent its exclusions and the holders that each needs."""
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
    """Return the holders of each private link of chain `number`: 0 of the hour, then of traits."""
    name = "offset" if number == 0 else f"link-{people.traits[number - 1].id}"
    steps = range(1, sharing.steps[number] + 1)
    masks = (_holders(sharing, [f"{name}-{step}"]) for step in steps)
    return tuple(mask for mask in masks if mask != PUBLIC)


def _holders(sharing: KnowledgePlan, facts: Sequence[str]) -> int:
    """Return the mask of seats that hold one of `facts`; PUBLIC if one has a public source."""
    owners = {clue.id: clue.owner for clue in sharing.clues}
    mask = 0
    for source in (one for fact in facts for one in sharing.sources.get(fact, ())):
        kind, _, name = source.partition(":")
        seat = name if kind == "role" else owners.get(name)
        if seat is None:
            return PUBLIC
        mask |= 1 << (int(seat[1:]) - 1)
    return mask
