"""The number of seats that must speak until only the culprits are left, whoever they are.

`scripts_mm.facts.proof` answers this for a whole table; here it is answered for a frame and every
possible culprit (of two acts: every pair), so that accepting a frame does not depend on them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from scripts_mm.generate.knowledge import KnowledgePlan
from scripts_mm.generate.suspects import SuspectProfiles

PUBLIC = 0
"""The mask of no seats: public knowledge."""
Exclusion = tuple[int, ...]
"""Sets of holders as bit masks; one of each set must speak, none of an empty set."""
Exclusions = Sequence[tuple[int, Sequence[Exclusion]]]
"""For each innocent of an act its exclusions, with the holders that each needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsNeeded:
    """The seats that a frame needs, for the culprits who need the fewest."""

    is_enough: bool
    """Whether no fewer seats than asked for are enough, whoever the culprits are."""
    safe: bool
    """Whether, for all possible culprits, the other seats know enough."""


def check_seats(people: SuspectProfiles, sharing: KnowledgePlan, seats: int) -> SeatsNeeded:
    """Return whether a frame needs `seats` seats, and no culprit."""
    count = len(people.vectors)
    cases = list(_possible_cases(people, sharing))
    everybody = (1 << count) - 1
    if not all(_shuts_out_all(case, everybody & ~guilty) for guilty, case in cases):
        return SeatsNeeded(is_enough=False, safe=False)
    few = [
        sum(1 << seat for seat in heard)
        for size in range(seats)
        for heard in combinations(range(count), size)
    ]
    is_enough = not any(_shuts_out_all(case, heard) for heard in few for _, case in cases)
    return SeatsNeeded(is_enough=is_enough, safe=True)


def _possible_cases(
    people: SuspectProfiles, sharing: KnowledgePlan
) -> Iterator[tuple[int, Exclusions]]:
    """Yield for all possible culprits their mask and the exclusions of all others."""
    count, acts = len(people.vectors), len(people.plot.acts)
    told = [
        [_exclusions(people, sharing, act, culprit) for culprit in range(count)]
        for act in range(acts)
    ]
    for guilty in permutations(range(count), acts):
        mask = sum(1 << one for one in guilty)
        yield mask, [one for act, who in enumerate(guilty) for one in told[act][who]]


def _shuts_out_all(case: Exclusions, heard: int) -> bool:
    """Return whether the seats `heard` exclude all innocents, each without its own words."""
    return all(
        any(
            all(not holders or holders & heard & ~(1 << who) for holders in exclusion)
            for exclusion in exclusions
        )
        for who, exclusions in case
    )


def _exclusions(
    people: SuspectProfiles, sharing: KnowledgePlan, act: int, culprit: int
) -> Exclusions:
    """Return for each innocent of an act its exclusions and the holders that each needs."""
    guilty, columns = people.vectors[culprit], people.columns(act)
    chains = {at: _chain_holders(sharing, people, act, at) for at in columns}
    found: list[tuple[int, Sequence[Exclusion]]] = []
    for who, vector in enumerate(people.vectors):
        if who == culprit:
            continue
        ways: list[Exclusion] = []
        for at in columns:
            if vector[at] != guilty[at]:
                named = f"r{who + 1}"
                if at:
                    facts = [f"trait-{people.traits[at - 1].id}-{named}"]
                else:
                    facts = [f"{kind}-{guilty[0]}-{named}" for kind in ("with", "seen")]
                ways.append((*chains[at], _holders(sharing, facts)))
        found.append((who, ways))
    return found


def _chain_holders(
    sharing: KnowledgePlan, people: SuspectProfiles, act: int, number: int
) -> Exclusion:
    """Return the holders of each private link of chain `number`: 0 of the hour, then of traits."""
    if number:
        name, count = f"link-{people.traits[number - 1].id}", sharing.steps[number]
        names = [f"{name}-{step + 1}" for step in range(count)]
    elif act:
        names = ["tie-2"]
    else:
        names = ["spot-link"] if "spot-link" in sharing.sources else []
        names += [f"offset-{step + 1}" for step in range(sharing.steps[0])]
    masks = (_holders(sharing, [name]) for name in names)
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
