"""Bradley-Terry ratings with a strength for each side: log-odds = alpha + civilians - murderer.

alpha is the faction effect: the log-odds of the civilians among equals. Without an anchor, the
strengths of a side have mean 0. Sets of contestants that never meet are fitted separately, and
their strengths are not comparable. Intervals refit resampled clusters.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from eval.ratings.design import (
    Design,
    Floats,
    find_separated,
    make_design,
    sides_of,
    split_components,
)
from eval.ratings.newton import Fits, fit_newton, has_draws
from eval.ratings.rated_games import RatedGame, RatingOptions, RatingSide, StrengthKey, elo_scale
from eval.stats.bootstrap import (
    SEED,
    ConfidenceInterval,
    Percentiles,
    draw_clusters,
    error_interval,
    percentile_interval,
)

IntervalMethod = Literal["error"] | Percentiles
"""The method of an interval from resampled fits: see `eval.stats.bootstrap`."""

RESAMPLES: Final = 2_000
"""The number of refits."""
_NUMBERS_AT_ONCE: Final = 3_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A fitted number; None if no finite number fits best. Anchors have no interval."""

    value: float | None
    interval: ConfidenceInterval | None

    @property
    def elo(self) -> float | None:
        """The value on the Elo scale."""
        return None if self.value is None else elo_scale(self.value)


NO_ESTIMATE: Final = Estimate(value=None, interval=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """Strength of a contestant on one side; `both` is the mean of the two, or the only one."""

    contestant: str
    side: RatingSide
    strength: Estimate
    games: float
    """Total weight of the rated games."""
    matches: int
    """Number of rated games; a game against itself counts once."""
    anchored: bool
    separated: bool
    """Whether it only won or only lost against the others, so that only the prior keeps it
    finite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """Ratings of contestants connected by matches."""

    alpha: Estimate
    draws: Estimate
    """log nu; value None if there are no draws or they are not a separate outcome."""
    ratings: tuple[Rating, ...]
    scripts: Mapping[str, float]
    """Effect of each script for the civilians."""
    likelihood: float
    """Log-likelihood, without the prior."""
    clusters: int
    degenerate: int
    """Resamples without a finite fit, or with a contestant without matches; excluded from
    intervals."""
    separated: int
    """Resamples with a contestant that only won or only lost; a prior keeps them in the
    intervals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """The fitted ratings and their options."""

    components: tuple[Component, ...]
    """Ratings of different components are not comparable."""
    options: RatingOptions
    resamples: int
    seed: int

    def find(self, contestant: str, side: RatingSide) -> Rating:
        """Return one rating; raises `KeyError` if it was not fitted."""
        for component in self.components:
            for rating in component.ratings:
                if (rating.contestant, rating.side) == (contestant, side):
                    return rating
        raise KeyError(f"no rating of {contestant!r} as {side}")


def rate_contestants(
    games: Iterable[RatedGame],
    options: RatingOptions | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    spread: IntervalMethod = "error",
) -> Ratings:
    """Return the ratings of all contestants in `games`; 0 `resamples` gives no intervals."""
    chosen = options or RatingOptions()
    kept = [one for one in games if one.outcome != "draw" or chosen.draws != "left_out"]
    return Ratings(
        components=tuple(
            _rate_component(part, chosen, resamples, seed, spread)
            for part in split_components(kept, chosen)
        ),
        options=chosen,
        resamples=resamples,
        seed=seed,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Values:
    """One number per fit; nan if no finite number fits."""

    alpha: Floats
    draws: Floats | None
    strengths: Mapping[StrengthKey, Floats]


def _rate_component(
    games: Sequence[RatedGame],
    options: RatingOptions,
    resamples: int,
    seed: int,
    spread: IntervalMethod,
) -> Component:
    design = make_design(games, options)
    point = _fit_drawn(design, np.ones((1, len(design.clusters)), dtype=np.int64))
    found = _read_values(design, point)
    drawn = draw_clusters(len(design.clusters), resamples=resamples, seed=seed)
    again = _fit_drawn(design, drawn) if resamples else None
    resampled = None if again is None else _read_values(design, again)
    separated = find_separated(games, options)

    def estimate(value: Floats, values: Floats | None) -> Estimate:
        if np.isnan(value[0]):
            return NO_ESTIMATE
        number, clusters = float(value[0]), len(design.clusters)
        if values is None:
            interval = None
        elif spread == "error":
            interval = error_interval(number, values, clusters, seed=seed)
        else:
            interval = percentile_interval(values, clusters, seed=seed, percentiles=spread)
        return Estimate(value=number, interval=interval)

    moving: Mapping[StrengthKey, Floats] = {} if resampled is None else resampled.strengths
    ratings = tuple(
        Rating(
            contestant=name,
            side=side,
            strength=estimate(value, None if name in options.anchors else moving.get((name, side))),
            games=sum(one.weight for one in games if _plays(one, name, side)),
            matches=sum(_plays(one, name, side) for one in games),
            anchored=name in options.anchors,
            separated=any(one == name and side in {where, "both"} for one, where in separated),
        )
        for (name, side), value in sorted(found.strengths.items())
    )
    effects: list[float] = point.parameters[0, design.strength_count :].tolist()
    return Component(
        alpha=estimate(found.alpha, resampled and resampled.alpha),
        draws=NO_ESTIMATE
        if found.draws is None
        else estimate(found.draws, resampled and resampled.draws),
        ratings=ratings,
        scripts=dict(zip(design.scripts, effects, strict=True)),
        likelihood=float(point.likelihood[0]),
        clusters=len(design.clusters),
        degenerate=0 if again is None else int((~again.finite).sum()),
        separated=_count_separated(design, games, options, drawn),
    )


def _fit_drawn(design: Design, drawn: NDArray[np.int64]) -> Fits:
    """Return a fit for each row of `drawn`, the counts of the clusters."""
    cells, size = design.rows.shape
    at_once = max(1, _NUMBERS_AT_ONCE // (3 * cells + size * size))
    with_draws = has_draws(design)
    parts = [
        fit_newton(design, part, with_draws=with_draws)
        for part in np.array_split(drawn, -(-len(drawn) // at_once))
    ]
    draws = [part.draws for part in parts if part.draws is not None]
    return Fits(
        parameters=np.concatenate([part.parameters for part in parts]),
        draws=np.concatenate(draws) if draws else None,
        likelihood=np.concatenate([part.likelihood for part in parts]),
        finite=np.concatenate([part.finite for part in parts]),
    )


def _read_values(design: Design, fits: Fits) -> _Values:
    """Return alpha, strengths (mean 0 on a side without an anchor), and the means of both sides."""
    alpha = np.where(fits.finite, fits.parameters[:, 0], np.nan)
    strengths: dict[StrengthKey, Floats] = {
        one: np.where(fits.finite, fits.parameters[:, 1 + i], np.nan)
        for i, one in enumerate(design.free)
    }
    for side, sign in (("civilians", 1.0), ("murderer", -1.0), ("both", 0.0)):
        names = [one for one in design.free if one[1] == side]
        if names and not any(where == side for _, where in design.fixed):
            middle = np.mean([strengths[one] for one in names], axis=0)
            alpha = alpha + sign * middle
            strengths |= {one: strengths[one] - middle for one in names}
    strengths |= {one: np.full(len(alpha), value) for one, value in design.fixed.items()}
    for name in {name for name, side in strengths if side == "civilians"}:
        if (name, "murderer") in strengths:
            mean = (strengths[name, "civilians"] + strengths[name, "murderer"]) / 2
            strengths[name, "both"] = mean
    draws = None if fits.draws is None else np.where(fits.finite, fits.draws, np.nan)
    return _Values(alpha=alpha, draws=draws, strengths=strengths)


def _plays(game: RatedGame, name: str, side: RatingSide) -> bool:
    return (
        name
        in {
            "civilians": (game.civilians,),
            "murderer": (game.murderer,),
            "both": (game.civilians, game.murderer),
        }[side]
    )


def _count_separated(
    design: Design,
    games: Sequence[RatedGame],
    options: RatingOptions,
    drawn: NDArray[np.int64],
) -> int:
    """Return the number of resamples in which a strength has matches, but no win or no loss."""
    strengths = {one: i for i, one in enumerate((*design.free, *design.fixed))}
    clusters = {one: i for i, one in enumerate(design.clusters)}
    won, lost = np.zeros((2, len(clusters), len(strengths)))
    for game in games:
        civilians, murderer = (strengths[one] for one in sides_of(game, options))
        cluster = clusters[game.work]
        if game.outcome != "murderer_win":
            won[cluster, civilians] += 1
            lost[cluster, murderer] += 1
        if game.outcome != "civ_win":
            won[cluster, murderer] += 1
            lost[cluster, civilians] += 1
    wins, losses = drawn @ won > 0, drawn @ lost > 0
    return int((wins != losses).any(axis=1).sum())
