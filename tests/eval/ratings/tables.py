"""Matches made from a table or drawn from stated strengths."""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from eval.ratings.rated_games import RatedGame, RatedOutcome

Cell = tuple[str, str, float, float]
"""Civilian contestant, murderer contestant, civilian wins, decided matches."""
OUTCOMES: tuple[RatedOutcome, ...] = ("civ_win", "draw", "murderer_win")


def games_of_cells(cells: Sequence[Cell], script: str = "s") -> list[RatedGame]:
    """Return two weighted games a cell."""
    games: list[RatedGame] = []
    for civilians, murderer, won, decided in cells:
        results: list[tuple[RatedOutcome, float]] = [
            ("civ_win", won),
            ("murderer_win", decided - won),
        ]
        for outcome, weight in results:
            if weight:
                games.append(
                    RatedGame(
                        civilians=civilians,
                        murderer=murderer,
                        outcome=outcome,
                        script=script,
                        work=script,
                        weight=weight,
                    )
                )
    return games


def draw_games(
    generator: np.random.Generator,
    civilians: Mapping[str, float],
    murderers: Mapping[str, float],
    *,
    alpha: float,
    scripts: int,
    script_spread: float = 0.0,
    draws: float | None = None,
    repeats: int = 1,
) -> list[RatedGame]:
    """Return a full matrix of matches a script; `draws` is log nu, `script_spread` a deviation."""
    games: list[RatedGame] = []
    for script in range(scripts):
        shift = script_spread * generator.standard_normal()
        for (civ, up), (murderer, down) in product(civilians.items(), murderers.items()):
            odds = alpha + shift + up - down
            even = 0.0 if draws is None else float(np.exp(draws))
            weights = np.array([np.exp(odds / 2), even, np.exp(-odds / 2)])
            drawn: NDArray[np.int64] = generator.choice(3, size=repeats, p=weights / weights.sum())
            games += [
                RatedGame(
                    civilians=civ,
                    murderer=murderer,
                    outcome=OUTCOMES[int(one)],
                    script=f"s{script}",
                    work=f"s{script}",
                )
                for one in drawn
            ]
    return games
