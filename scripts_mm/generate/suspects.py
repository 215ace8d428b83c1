"""Suspects, distinguished by traits and unseen windows, and drawn before the culprit.

Suspects form groups of two or three who differ in only one property: the deep one, whose chain of
deductions is the longest. For every possible culprit, that chain is needed. In a plot of two acts
they also differ in the properties that tell the culprit of the second.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random

from scripts_mm.generate.id_pools import MOTIVES, POSTS, RELATIONS, SECRETS
from scripts_mm.generate.plots import Plot
from scripts_mm.generate.traits import TRAITS, WorldTrait
from scripts_mm.generate.world import Difficulty, GeneratorOptions, Sex, Suspect

_LONG = 4
"""From this many hops, only the chain of the hour is long enough."""
_TRIES = 6
_SEXES: tuple[Sex, ...] = ("f", "m")
_OF_THE_DEAD = frozenset({"code", "script", "reach"})
"""Traits whose traces are about the first victim or the weapon, so they tell of no second act."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectProfiles:
    """The profiles of the suspects: windows and traits, without places."""

    plot: Plot
    windows: int
    traits: tuple[WorldTrait, ...]
    acts: tuple[int, ...]
    """For each trait the number of the act whose culprit it identifies."""
    deep: str
    vectors: tuple[tuple[int, ...], ...]
    """For each suspect the index of its unseen window and of its value of each trait."""

    def columns(self, act: int) -> tuple[int, ...]:
        """Return the properties of a vector that identify the culprit of an act."""
        timed = (0,) if self.plot.acts[act].is_timed else ()
        return (*timed, *(at for at, one in enumerate(self.acts, 1) if one == act))


def sample_profiles(plot: Plot, options: GeneratorOptions, rng: Random) -> SuspectProfiles:
    """Draw the suspects' unseen windows and traits; all differ, within a group in one property."""
    roles = options.roles
    windows = 2 if roles == 4 or (roles % 2 == 0 and rng.random() < 0.5) else 3  # noqa: PLR2004
    count = 1 if roles == 4 or (roles == 5 and rng.random() < 0.5) else 2  # noqa: PLR2004
    traits = _sample_traits(plot, count, rng)
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
    more, added = _sample_second_act(plot, traits, vectors, rng)
    return SuspectProfiles(
        plot=plot,
        windows=windows,
        traits=(*traits, *more),
        acts=(*(0 for _ in traits), *(1 for _ in more)),
        deep=traits[deep - 1].id if deep else "window",
        vectors=tuple((*one, *other) for one, other in zip(vectors, added, strict=True)),
    )


def sample_suspects(
    people: SuspectProfiles, alone: Sequence[str], watched: Sequence[int], rng: Random
) -> tuple[Suspect, ...]:
    """Return the suspects with a post, a motive, a secret and a relation to the next one."""
    count = len(people.vectors)
    posts = rng.sample(range(POSTS), count)
    motives, secrets = rng.sample(MOTIVES, count), rng.sample(SECRETS, count)
    relations = rng.sample(RELATIONS, count)
    sexes = rng.choices(_SEXES, k=count)
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
            sex=sexes[at],
            watched=watched[at],
        )
        for at, vector in enumerate(people.vectors)
    )


def _sample_traits(plot: Plot, count: int, rng: Random) -> tuple[WorldTrait, ...]:
    """Return the traits of the first act, that of the plot first."""
    own = [one for one in TRAITS if one.id == plot.trait]
    free = [one for one in TRAITS if not one.plot and one.id not in plot.unfit]
    return (*own, *rng.sample(free, count - len(own)))


def _sample_second_act(
    plot: Plot, traits: Sequence[WorldTrait], vectors: Sequence[tuple[int, ...]], rng: Random
) -> tuple[tuple[WorldTrait, ...], list[tuple[int, ...]]]:
    """Return the traits of the second act and each suspect's values, all different.

    If the act is timed, only suspects unseen in the same window need different values.
    """
    if not plot.has_two_acts:
        return (), [()] * len(vectors)
    taken = {*_OF_THE_DEAD, *(one.id for one in traits)}
    free = [one for one in TRAITS if not one.plot and one.id not in taken]
    more = tuple(rng.sample([one for one in free if len(one.values) > 2], 2))  # noqa: PLR2004
    space = list(product(*(range(len(one.values)) for one in more)))
    if not plot.acts[1].is_timed:
        return more, rng.sample(space, len(vectors))
    drawn = {window: iter(rng.sample(space, len(space))) for window, *_ in vectors}
    return more, [next(drawn[window]) for window, *_ in vectors]


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
