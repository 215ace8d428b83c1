"""Suspects, distinguished by traits and unseen windows, and drawn before the culprit.

Suspects form groups of two or three who differ in only one property: the deep one, whose chain of
deductions is the longest. For every possible culprit, that chain is needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random

from scripts_mm.generate.id_pools import MOTIVES, POSTS, RELATIONS, SECRETS
from scripts_mm.generate.world import TRAITS, Difficulty, GeneratorOptions, Suspect, WorldTrait

_LONG = 4
"""From this many hops, only the chain of the hour is long enough."""
_TRIES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectProfiles:
    """The profiles of the suspects: windows and traits, without places."""

    windows: int
    traits: tuple[WorldTrait, ...]
    deep: str
    vectors: tuple[tuple[int, ...], ...]
    """For each suspect the index of its unseen window and of its value of each trait."""


def sample_profiles(options: GeneratorOptions, rng: Random) -> SuspectProfiles:
    """Draw the suspects' unseen windows and traits; all differ, within a group in one property."""
    roles = options.roles
    windows = 2 if roles == 4 or (roles % 2 == 0 and rng.random() < 0.5) else 3  # noqa: PLR2004
    count = 1 if roles == 4 or (roles == 5 and rng.random() < 0.5) else 2  # noqa: PLR2004
    traits = tuple(rng.sample(TRAITS, count))
    if options.hops <= _LONG and rng.random() < 1 / 3:
        traits = tuple(sorted(traits, key=lambda trait: -len(trait.values)))
        deep = 1
    else:
        deep = 0
    sizes = [windows, *(len(trait.values) for trait in traits)]
    if roles % 2 and sizes[deep] == 2:  # noqa: PLR2004 - pairs leave one over
        deep, windows, sizes[0] = 0, 3, 3
    groups = _group_sizes(roles, sizes[deep], rng)
    rest = [size for at, size in enumerate(sizes) if at != deep]
    chosen = _sample_vectors(rest, len(groups), options.difficulty, rng)
    vectors: list[tuple[int, ...]] = []
    for size, shared in zip(groups, chosen, strict=True):
        values = rng.sample(range(sizes[deep]), size)
        vectors += [(*shared[:deep], value, *shared[deep:]) for value in values]
    rng.shuffle(vectors)
    name = traits[deep - 1].id if deep else "window"
    return SuspectProfiles(windows=windows, traits=traits, deep=name, vectors=tuple(vectors))


def sample_suspects(
    people: SuspectProfiles, alone: Sequence[str], rng: Random
) -> tuple[Suspect, ...]:
    """Return the suspects with a post, a motive, a secret and a relation to the next one."""
    count = len(people.vectors)
    posts = rng.sample(range(POSTS), count)
    motives, secrets = rng.sample(MOTIVES, count), rng.sample(SECRETS, count)
    relations = rng.sample(RELATIONS, count)
    return tuple(
        Suspect(
            id=f"r{at + 1}",
            post=posts[at],
            gap=vector[0],
            alone=alone[at],
            traits=tuple(
                trait.values[value] for trait, value in zip(people.traits, vector[1:], strict=True)
            ),
            motive=motives[at],
            secret=secrets[at],
            relation=relations[at],
        )
        for at, vector in enumerate(people.vectors)
    )


def _group_sizes(roles: int, most: int, rng: Random) -> list[int]:
    """Return sizes of groups, two or (if `most` allows) three, with the sum `roles`."""
    threes = [
        count
        for count in range(roles // 3 + 1)
        if (roles - 3 * count) % 2 == 0 and (most > 2 or not count)  # noqa: PLR2004
    ]
    many = rng.choice(threes)
    sizes = [3] * many + [2] * ((roles - 3 * many) // 2)
    rng.shuffle(sizes)
    return sizes


def _sample_vectors(
    sizes: Sequence[int], count: int, difficulty: Difficulty, rng: Random
) -> list[tuple[int, ...]]:
    """Return distinct vectors: dissimilar if easy, similar if hard."""
    space = list(product(*(range(size) for size in sizes)))
    drawn = [rng.sample(space, count) for _ in range(_TRIES)]
    if difficulty == "medium":
        return drawn[0]
    far = difficulty == "easy"
    return (max if far else min)(drawn, key=_distance)


def _distance(vectors: Sequence[tuple[int, ...]]) -> int:
    """Return the sum over all pairs of vectors of the properties in which they differ."""
    return sum(
        left != right
        for one, other in combinations(vectors, 2)
        for left, right in zip(one, other, strict=True)
    )
