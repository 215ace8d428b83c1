"""Elo ratings, one per contestant and side."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from eval.ratings.online import ORDERS, OnlineRating, average_orders
from eval.ratings.rated_games import START, RatedGame, RatedOutcome, StrengthKey
from eval.stats.bootstrap import SEED

K: Final = 16.0
POINTS: Final[Mapping[RatedOutcome, float]] = MappingProxyType(
    {"civ_win": 1.0, "draw": 0.5, "murderer_win": 0.0}
)


def expect_score(first: float, second: float) -> float:
    """Return the expected score of a rating of `first` against `second`, in (0, 1)."""
    return 1 / (1 + 10 ** ((second - first) / 400))


def update_elo(first: float, second: float, score: float, *, k: float = K) -> tuple[float, float]:
    """Return both ratings after a match in which the first got `score` (1, .5 or 0)."""
    gain = k * (score - expect_score(first, second))
    return first + gain, second - gain


def replay_elo(games: Sequence[RatedGame]) -> Mapping[StrengthKey, float]:
    """Return the ratings after `games` in order; all start at 1500."""
    ratings: dict[StrengthKey, float] = {}
    for game in games:
        civilians: StrengthKey = (game.civilians, "civilians")
        murderer: StrengthKey = (game.murderer, "murderer")
        ratings[civilians], ratings[murderer] = update_elo(
            ratings.get(civilians, START), ratings.get(murderer, START), POINTS[game.outcome]
        )
    return ratings


def rate_elo(
    games: Sequence[RatedGame], *, orders: int = ORDERS, seed: int = SEED
) -> Mapping[StrengthKey, OnlineRating]:
    """Return the mean ratings over shuffled orders, with their spread."""
    return average_orders(games, replay_elo, orders=orders, seed=seed)
