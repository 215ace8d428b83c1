"""MIRAGE's Victory: the place of the culprit in the final ranking."""

from collections.abc import Iterable, Mapping, Sequence
from math import comb
from typing import Literal

from arena.core.specs import ABSTAIN
from eval.metrics.papers.mirage import seat_ratings, total
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score

Ties = Literal["mean", "optimistic", "pessimistic", "seat_order"]
"""The place in a tie: the mean of 1/place, the first, the last, or the order of `scores`."""


def victory(
    scores: Mapping[str, float], culprits: Sequence[str], ties: Ties = "mean"
) -> float | None:
    """Return 1/place of the best placed culprit among candidates with `scores`, highest first.

    `mean`: the expected value with random order among equal scores; with one culprit it is the mean
    of 1/place over the tied places. Range 1/n..1; None if no culprit is a candidate.
    """
    guilty = [name for name in scores if name in culprits]
    if not guilty:
        return None
    best = max(scores[name] for name in guilty)
    ahead = sum(score > best for score in scores.values())
    tied = [name for name, score in scores.items() if score == best]
    among = sum(name in guilty for name in tied)
    match ties:
        case "optimistic":
            return 1 / (ahead + 1)
        case "pessimistic":
            return 1 / (ahead + len(tied) - among + 1)
        case "seat_order":
            return 1 / (ahead + 1 + next(at for at, name in enumerate(tied) if name in guilty))
        case "mean":
            lots = comb(len(tied), among)
            return sum(
                comb(len(tied) - place, among - 1) / lots / (ahead + place)
                for place in range(1, len(tied) - among + 2)
            )


def measure_victory(match: PlayedMatch, ties: Ties = "mean") -> Iterable[Score]:
    """Yield 1/place of the culprit in the final ranking.

    Without votes the ranking is by doubt, and is undefined without ratings.
    """
    if not match.is_played or not match.ended.ranking:
        return
    scores = {str(seat): score for seat, score in match.ended.ranking}
    if all(vote.choice == ABSTAIN for vote in match.votes):
        scores = doubt(match)
    yield make_score(match, VICTORY.name, value=victory(scores, match.culprits, ties))


def doubt(match: PlayedMatch) -> dict[str, float]:
    """Return suspicion - trust of every rated seat, in the order of the script."""
    return {
        str(seat): total(doubted) - total(trusted)
        for seat, doubted, trusted in seat_ratings(match)
        if any(value is not None for value in (*doubted, *trusted))
    }


VICTORY = Metric(
    name="Victory",
    source="MIRAGE section 2.4",
    meaning={
        "en": "1 over the place of the culprit in the final ranking; ties at their mean.",
        "zh": "真凶在最终排名中名次的倒数；并列时取各名次倒数的平均。",
    },
    scale=100,
    measure=measure_victory,
)
METRICS: tuple[Metric, ...] = (VICTORY,)
