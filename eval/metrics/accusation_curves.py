"""Accusation curves: the civilians' suspicion over the course of a match."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import fmean

from arena.core.seats import SeatId
from eval.metrics.silent_ballots import SilentBallot, silent_ballots, speaker_before
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """The civilians' suspicion after one speech: means over the seats with a legal ballot."""

    event: int
    """The number of events before the ballots."""
    speaker: SeatId | None
    """The last speaker before the ballots."""
    killers: float
    """Total probability of the killers."""
    best_other: float
    """Highest mean of an innocent seat, over the seats that can name it."""
    hits: float
    """Share of seats whose likeliest candidate is a killer."""
    entropy: float | None
    """In nats; None: no ballot has probabilities."""
    agreement: float | None
    """Share of pairs of seats with the same likeliest candidate; None: fewer than two seats."""
    seats: int
    missing: int
    """Seats without a legal ballot."""


def accusation_auc(values: Sequence[float]) -> float | None:
    """Return the area under a curve of equally spaced values, span 1.

    Trapezoid rule; a single value is its own area. The range is that of the values; None without
    values.
    """
    if len(values) <= 1:
        return next(iter(values), None)
    return fmean((one + other) / 2 for one, other in pairwise(values))


def turning_point(killers: Sequence[float], best_other: Sequence[float]) -> int | None:
    """Return the first index from which the killers stay strictly ahead; None: never."""
    ahead = [one > other for one, other in zip(killers, best_other, strict=True)]
    if not ahead or not ahead[-1]:
        return None
    return len(ahead) - next(
        (back for back, value in enumerate(reversed(ahead)) if not value), len(ahead)
    )


def accusation_curve(match: PlayedMatch) -> tuple[CurvePoint, ...]:
    """Return the points of a match, one per speech; speeches without a legal ballot are omitted."""
    killers = tuple(map(str, match.culprits))
    points: list[CurvePoint] = []
    for event, ballots in _by_moment(match).items():
        legal = [ballot for ballot in ballots if ballot.shares]
        if legal:
            tops = [ballot.top for ballot in legal]
            entropies = [one for ballot in legal if (one := ballot.entropy) is not None]
            pairs = [one == other for one, other in combinations(tops, 2)]
            points.append(
                CurvePoint(
                    event=event,
                    speaker=speaker_before(match, event),
                    killers=fmean(ballot.probability_of(killers) for ballot in legal),
                    best_other=_best_other(match, legal),
                    hits=fmean(top in killers for top in tops),
                    entropy=fmean(entropies) if entropies else None,
                    agreement=fmean(pairs) if pairs else None,
                    seats=len(legal),
                    missing=len(ballots) - len(legal),
                )
            )
    return tuple(points)


def speech_influence(match: PlayedMatch) -> Mapping[SeatId, float]:
    """Return how much the speeches of each seat raised the other seats' suspicion of the killers.

    A speech counts the mean change of the killers' probability from the ballots before it to those
    after it, over the other seats that have both; the changes of one speaker are summed. The first
    speech has no ballots before it. Unbounded; positive is good for civilians.
    """
    killers = tuple(map(str, match.culprits))
    moved: dict[SeatId, float] = {}
    for (_, before), (event, after) in pairwise(_by_moment(match).items()):
        speaker = speaker_before(match, event)
        earlier = {one.seat: one.probability_of(killers) for one in before if one.shares}
        changes = [
            one.probability_of(killers) - earlier[one.seat]
            for one in after
            if one.shares and one.seat in earlier and one.seat != speaker
        ]
        if speaker is not None and changes:
            moved[speaker] = moved.get(speaker, 0.0) + fmean(changes)
    return moved


def measure_area(match: PlayedMatch) -> Iterable[Score]:
    """Yield the area under the curve of the killers' probability."""
    if curve := accusation_curve(match):
        yield make_score(match, AREA.name, value=accusation_auc([one.killers for one in curve]))


def measure_turning(match: PlayedMatch) -> Iterable[Score]:
    """Yield the number of the speech, from 0, from which the killers stay ahead."""
    if curve := accusation_curve(match):
        point = turning_point([one.killers for one in curve], [one.best_other for one in curve])
        yield make_score(match, TURNING.name, value=None if point is None else float(point))


def measure_first(match: PlayedMatch) -> Iterable[Score]:
    """Yield the killers' probability on the first ballots: a prior, not deduction."""
    if curve := accusation_curve(match):
        yield make_score(match, FIRST.name, value=curve[0].killers)


def measure_curves(match: PlayedMatch) -> Iterable[Score]:
    """Yield the killers' probability after each speech; the group is its number, from 1."""
    for number, point in enumerate(accusation_curve(match), start=1):
        yield make_score(match, CURVE.name, value=point.killers, group=str(number))


def measure_hits(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of seats whose likeliest candidate is a killer, after each speech."""
    for number, point in enumerate(accusation_curve(match), start=1):
        yield make_score(match, HITS.name, value=point.hits, group=str(number))


def measure_entropy(match: PlayedMatch) -> Iterable[Score]:
    """Yield the mean entropy of the seats' ballots after each speech, in nats."""
    for number, point in enumerate(accusation_curve(match), start=1):
        yield make_score(match, ENTROPY.name, value=point.entropy, group=str(number))


def measure_agreement(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of pairs of seats that agree after each speech."""
    for number, point in enumerate(accusation_curve(match), start=1):
        yield make_score(match, AGREEMENT.name, value=point.agreement, group=str(number))


def measure_influence(match: PlayedMatch) -> Iterable[Score]:
    """Yield the influence of each seat's speeches on the other seats."""
    for seat, moved in speech_influence(match).items():
        yield make_score(match, INFLUENCE.name, value=moved, seat=seat)


def measure_missing(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of each seat's silent ballots without a legal answer."""
    ballots = silent_ballots(match)
    for seat in match.started.seats:
        own = [ballot for ballot in ballots if ballot.seat == seat]
        if own:
            missing = sum(not ballot.shares for ballot in own)
            yield make_score(
                match, MISSING.name, numerator=missing, denominator=len(own), seat=seat
            )


def _by_moment(match: PlayedMatch) -> dict[int, list[SilentBallot]]:
    moments: dict[int, list[SilentBallot]] = defaultdict(list)
    for ballot in silent_ballots(match):
        moments[ballot.event].append(ballot)
    return moments


def _best_other(match: PlayedMatch, ballots: Sequence[SilentBallot]) -> float:
    """Return the highest mean of an innocent seat, over the other seats."""
    return max(_means(match, ballots), default=0.0)


def _means(match: PlayedMatch, ballots: Sequence[SilentBallot]) -> Iterator[float]:
    for name in match.started.seats:
        shares = [one.shares.get(name, 0.0) for one in ballots if one.seat != name]
        if name not in match.culprits and shares:
            yield fmean(shares)


_SOURCE = "own"
AREA = Metric(
    name="accusation_area",
    source=_SOURCE,
    meaning={
        "en": "Mean probability that the civilians gave to the killers over the whole dialogue.",
        "zh": "整场讨论中平民给真凶的平均概率（曲线下面积）。",
    },
    measure=measure_area,
)
TURNING = Metric(
    name="accusation_turning",
    source=_SOURCE,
    meaning={
        "en": "Speech from which the killers stay the most suspected; undefined: none.",
        "zh": "从第几次发言起真凶一直最受怀疑；若无则未定义。",
    },
    high=None,
    better="lower",
    measure=measure_turning,
)
FIRST = Metric(
    name="accusation_first",
    source=_SOURCE,
    meaning={
        "en": "Probability of the killers on the first ballots, before there is evidence.",
        "zh": "首次暗投中真凶所得的概率，反映成见而非推理。",
    },
    better="none",
    measure=measure_first,
)
CURVE = Metric(
    name="accusation_curve",
    source=_SOURCE,
    meaning={
        "en": "Probability that the civilians gave to the killers after a speech.",
        "zh": "某次发言之后平民给真凶的概率。",
    },
    measure=measure_curves,
)
HITS = Metric(
    name="accusation_hits",
    source=_SOURCE,
    meaning={
        "en": "Share of the civilians who suspected a killer most after a speech.",
        "zh": "某次发言之后最怀疑真凶的平民比例。",
    },
    measure=measure_hits,
)
ENTROPY = Metric(
    name="accusation_entropy",
    source=_SOURCE,
    meaning={
        "en": "How undecided the civilians were after a speech, in nats.",
        "zh": "某次发言之后平民怀疑分布的熵（奈特）。",
    },
    high=None,
    better="none",
    measure=measure_entropy,
)
AGREEMENT = Metric(
    name="accusation_agreement",
    source=_SOURCE,
    meaning={
        "en": "Share of pairs of civilians who suspected the same seat most after a speech.",
        "zh": "某次发言之后最怀疑同一席位的平民对所占比例。",
    },
    better="none",
    measure=measure_agreement,
)
INFLUENCE = Metric(
    name="speech_influence",
    source=_SOURCE,
    meaning={
        "en": "Change of the killers' probability in others' ballots by a seat's speeches.",
        "zh": "该席位的发言使他人给真凶的概率增加了多少。",
    },
    low=None,
    high=None,
    better="none",
    measure=measure_influence,
)
MISSING = Metric(
    name="ballots_missing",
    source=_SOURCE,
    meaning={
        "en": "Share of the silent ballots of a seat without a legal answer.",
        "zh": "该席位暗投中没有合法答案的比例。",
    },
    better="lower",
    scale=100,
    measure=measure_missing,
)
METRICS: tuple[Metric, ...] = (
    *(AREA, TURNING, FIRST, CURVE, HITS),
    *(ENTROPY, AGREEMENT, INFLUENCE, MISSING),
)
