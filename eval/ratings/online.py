"""Ratings that go from match to match, so that the order counts: means over shuffled orders."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, stdev
from typing import Final

from eval.ratings.rated_games import RatedGame, StrengthKey
from eval.stats.bootstrap import SEED

ORDERS: Final = 100
ReplayRatings = Callable[[Sequence[RatedGame]], Mapping[StrengthKey, float]]
"""Plays the games in their order and returns the last rating of each contestant on each side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlineRating:
    """Mean rating over shuffled orders of the matches, and how much the order matters."""

    mean: float
    spread: float
    """Standard deviation over the orders; it is no uncertainty of the strength."""


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
