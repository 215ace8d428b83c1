"""Requests to seats, and faulty outputs; `usage_metrics` has tokens by purpose."""

from collections import Counter
from collections.abc import Iterable

from arena.core.events import ActionRejected
from arena.core.seats import SeatId
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score


def measure_requests(match: PlayedMatch) -> Iterable[Score]:
    """Yield the number of requests to each seat; the group is their purpose."""
    counts = Counter((one.seat, one.purpose.value) for one in match.requests.values())
    for (seat, purpose), count in counts.items():
        yield make_score(match, "requests", value=float(count), seat=seat, group=purpose)


def measure_failures(match: PlayedMatch) -> Iterable[Score]:
    """Yield the number of faulty outputs of each seat."""
    failed = _failures(match)
    for seat in match.started.seats:
        yield make_score(match, "failures", value=float(failed[seat]), seat=seat)


def measure_failure_rate(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of faulty outputs of each seat."""
    failed = _failures(match)
    asked = Counter(one.seat for one in match.requests.values())
    for seat in match.started.seats:
        outputs = asked[seat] + failed[seat]
        yield make_score(
            match, "failure_rate", numerator=failed[seat], denominator=outputs, seat=seat
        )


def _failures(match: PlayedMatch) -> Counter[SeatId]:
    return Counter(event.seat for event in match.events if isinstance(event, ActionRejected))


METRICS: tuple[Metric, ...] = (
    Metric(
        name="requests",
        source="MIRAGE App. D",
        meaning={"en": "Requests to a seat.", "zh": "向该席位提出的请求数。"},
        high=None,
        better="none",
        measure=measure_requests,
    ),
    Metric(
        name="failures",
        source="MIRAGE App. C",
        meaning={
            "en": "Faulty outputs of a seat that needed another try.",
            "zh": "该席位不合格、需要重试的输出数。",
        },
        high=None,
        better="lower",
        measure=measure_failures,
    ),
    Metric(
        name="failure_rate",
        source="MIRAGE App. C",
        meaning={
            "en": "Faulty outputs of a seat over all its outputs.",
            "zh": "该席位不合格输出占全部输出的比例。",
        },
        better="lower",
        scale=100,
        measure=measure_failure_rate,
    ),
)
