"""Likelihood-ratio tests: one strength per contestant against one per side, and the anchors."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from eval.ratings.bradley_terry import Ratings, rate_contestants
from eval.ratings.rated_games import RatedGame, RatingOptions
from eval.stats.untyped import stats


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelihoodRatio:
    """A test of twice the log-likelihood difference against chi-squared.

    It assumes independent matches, so p is too small if scripts differ much.
    """

    statistic: float
    freedom: int
    p: float


def compare_single(games: Iterable[RatedGame], options: RatingOptions) -> LikelihoodRatio | None:
    """Return the test of one strength per contestant against one per side, or None.

    Both are fitted without prior and script effects; None if a fit is not finite.
    """
    free = replace(options, prior="none", scripts=False, anchors={})
    return _compare(tuple(games), replace(free, single=True), replace(free, single=False))


def compare_anchors(games: Iterable[RatedGame], options: RatingOptions) -> LikelihoodRatio | None:
    """Return the test of all anchors against only the first one, or None."""
    first = dict(list(options.anchors.items())[:1])
    free = replace(options, prior="none", scripts=False, anchors=first)
    return _compare(tuple(games), replace(free, anchors=options.anchors), free)


def _compare(
    games: tuple[RatedGame, ...], small: RatingOptions, large: RatingOptions
) -> LikelihoodRatio | None:
    fits = [rate_contestants(games, options, resamples=0) for options in (small, large)]
    counts = [_count_parameters(one) for one in fits]
    if counts[0] is None or counts[1] is None or counts[1] <= counts[0]:
        return None
    below, above = (sum(part.likelihood for part in one.components) for one in fits)
    statistic, freedom = max(0.0, 2 * (above - below)), counts[1] - counts[0]
    return LikelihoodRatio(
        statistic=statistic, freedom=freedom, p=float(stats.chi2.sf(statistic, freedom))
    )


def _count_parameters(ratings: Ratings) -> int | None:
    """Return the number of free strengths and alphas; None if a fit is not finite."""
    count = 0
    for part in ratings.components:
        if part.alpha.value is None:
            return None
        sides = ("both",) if ratings.options.single else ("civilians", "murderer")
        for side in sides:
            free = [one for one in part.ratings if one.side == side]
            anchored = sum(one.anchored for one in free)
            count += len(free) - (anchored or bool(free))
        count += 1
    return count
