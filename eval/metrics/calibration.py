"""Calibration of the probabilities in the last silent ballots."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from arena.core.seats import SeatId
from eval.metrics.silent_ballots import SilentBallot, silent_ballots
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score

CLIP = 1e-6
BINS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """One bin of a reliability table: probabilities in [low, high); the last bin is closed."""

    low: float
    high: float
    count: int
    mean: float | None
    """Mean stated probability; None: the bin is empty."""
    right: float | None
    """Share of true outcomes."""


def brier_binary(p: Sequence[float], y: Sequence[int]) -> float | None:
    """Return the mean squared difference of probabilities and outcomes 0 or 1. Range 0..1."""
    return fmean((one - out) ** 2 for one, out in zip(p, y, strict=True)) if p else None


def log_loss_binary(p: Sequence[float], y: Sequence[int], clip: float = CLIP) -> float | None:
    """Return the mean of -ln of the true outcome's probability, clipped by `clip`."""
    if not p:
        return None
    return fmean(
        -math.log(_clip(one if out else 1 - one, clip)) for one, out in zip(p, y, strict=True)
    )


def brier_multiclass(p: Sequence[float], true: int | Sequence[int]) -> float:
    """Return `sum_c (p_c - target_c)^2`; several true candidates share the target equally.

    Range 0..2.
    """
    killers = [true] if isinstance(true, int) else list(true)
    return sum(
        (one - (1 / len(killers) if at in killers else 0.0)) ** 2 for at, one in enumerate(p)
    )


def brier_skill(p: Sequence[float], true: int | Sequence[int]) -> float | None:
    """Return 1 - Brier/Brier of a uniform ballot: 0 is a guess, 1 is certain and right.

    None if every candidate is true: a guess cannot be wrong.
    """
    uniform = brier_multiclass([1 / len(p)] * len(p), true)
    return 1 - brier_multiclass(p, true) / uniform if uniform > 0 else None


def reliability(p: Sequence[float], y: Sequence[int], bins: int = BINS) -> tuple[Bin, ...]:
    """Return equal bins on [0, 1], each with its mean probability and share of true outcomes."""
    held: list[list[tuple[float, int]]] = [[] for _ in range(bins)]
    for one, out in zip(p, y, strict=True):
        held[min(int(one * bins), bins - 1)].append((one, out))
    return tuple(
        Bin(
            low=number / bins,
            high=(number + 1) / bins,
            count=len(inside),
            mean=fmean(one for one, _ in inside) if inside else None,
            right=fmean(out for _, out in inside) if inside else None,
        )
        for number, inside in enumerate(held)
    )


def ece(p: Sequence[float], y: Sequence[int], bins: int = BINS) -> float | None:
    """Return the expected calibration error: |mean - right| over bins, weighted by count.

    Range 0..1; None without probabilities.
    """
    if not p:
        return None
    table = reliability(p, y, bins)
    return sum(one.count * abs((one.mean or 0.0) - (one.right or 0.0)) for one in table) / len(p)


def measure_brier(match: PlayedMatch) -> Iterable[Score]:
    """Yield the Brier score of the last ballot of each seat."""
    for seat, p, true in _pair_with_killers(match):
        value = brier_multiclass(p, true) if true else None
        yield make_score(match, BRIER.name, value=value, seat=seat)


def measure_skill(match: PlayedMatch) -> Iterable[Score]:
    """Yield the Brier skill score of the last ballot of each seat."""
    for seat, p, true in _pair_with_killers(match):
        value = brier_skill(p, true) if true else None
        yield make_score(match, SKILL.name, value=value, seat=seat)


def measure_log_loss(match: PlayedMatch) -> Iterable[Score]:
    """Yield the log loss of the last ballot of each seat."""
    for seat, p, true in _pair_with_killers(match):
        value = log_loss_binary([sum(p[at] for at in true)], [1]) if true else None
        yield make_score(match, LOG_LOSS.name, value=value, seat=seat)


def _final(match: PlayedMatch) -> tuple[SilentBallot, ...]:
    """Return the last silent ballot of each seat."""
    return tuple({ballot.seat: ballot for ballot in silent_ballots(match)}.values())


def _pair_with_killers(
    match: PlayedMatch,
) -> Iterator[tuple[SeatId, tuple[float, ...], tuple[int, ...]]]:
    """Yield seat, probabilities and the killers' places; no places: the ballot has no grades."""
    for ballot in _final(match):
        places = tuple(at for at, name in enumerate(ballot.shares) if name in match.culprits)
        yield ballot.seat, tuple(ballot.shares.values()), places if ballot.is_graded else ()


def _clip(value: float, clip: float) -> float:
    return min(max(value, clip), 1 - clip)


_SOURCE = "own"
BRIER = Metric(
    name="brier",
    source=_SOURCE,
    meaning={
        "en": "Squared error of the last silent ballot's probabilities; a guess among n: 1 - 1/n.",
        "zh": "最后一次暗投概率的平方误差（Brier分数）；n人中瞎猜为1-1/n。",
    },
    high=2.0,
    better="lower",
    measure=measure_brier,
)
SKILL = Metric(
    name="brier_skill",
    source=_SOURCE,
    meaning={
        "en": "How much better than a guess the last silent ballot is; 1: certain and right.",
        "zh": "最后一次暗投比瞎猜好多少：0为瞎猜，1为完全正确。",
    },
    low=None,
    measure=measure_skill,
)
LOG_LOSS = Metric(
    name="log_loss",
    source=_SOURCE,
    meaning={
        "en": "Minus the logarithm of the killers' probability on the last silent ballot.",
        "zh": "最后一次暗投中真凶概率的负对数。",
    },
    high=None,
    better="lower",
    measure=measure_log_loss,
)
METRICS: tuple[Metric, ...] = (BRIER, SKILL, LOG_LOSS)
