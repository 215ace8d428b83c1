"""Online ratings, which depend on the order of matches: means over shuffled orders."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, stdev
from typing import Final

from eval.ratings.rated_games import RatedGame, StrengthKey
from eval.stats.bootstrap import SEED

ORDERS: Final = 100
ReplayRatings = Callable[[Sequence[RatedGame]], Mapping[StrengthKey, float]]
"""A function from games in order to the final rating of each contestant and side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlineRating:
    """Mean rating over shuffled orders of the matches, and its spread."""

    mean: float
    spread: float
    """Standard deviation over the orders; not an uncertainty of the strength."""


def average_orders(
    games: Sequence[RatedGame], replay: ReplayRatings, *, orders: int = ORDERS, seed: int = SEED
) -> Mapping[StrengthKey, OnlineRating]:
    """Return the mean of `replay` over `orders` (2 or more) seeded orders of `games`."""
    chance = Random(seed)
    found = [replay(chance.sample(games, len(games))) for _ in range(orders)]
    return {
        one: OnlineRating(mean=fmean(values), spread=stdev(values))
        for one in found[0]
        for values in [[ratings[one] for ratings in found]]
    }
