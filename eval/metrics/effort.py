"""What a match took: requests, faulty outputs, and tokens by what they were for (METRICS 3.6)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

from arena.core.events import ActionRejected
from arena.core.purposes import Purpose
from arena.core.requests import PROBE_PHASE
from arena.core.seats import SeatId
from arena.models.chat import CallId
from eval.metrics.once import once_a_match
from eval.played import PlayedMatch
from eval.scores import Metric, Score, score_of


def failure_rate(failures: int, asks: int) -> float | None:
    """Return faulty outputs that needed another try over all outputs, 0..1 (MIRAGE App. C)."""
    return failures / (asks + failures) if asks + failures else None


def measure_requests(match: PlayedMatch) -> Iterable[Score]:
    """Yield the requests to each seat; the group is what they were for."""
    counts = Counter((one.seat, one.purpose.value) for one in match.requests.values())
    for (seat, purpose), count in counts.items():
        yield score_of(match, "requests", value=float(count), seat=seat, group=purpose)


def measure_failures(match: PlayedMatch) -> Iterable[Score]:
    """Yield how many outputs of each seat were faulty."""
    failed = _failures(match)
    for seat in match.started.seats:
        yield score_of(match, "failures", value=float(failed[seat]), seat=seat)


def measure_failure_rate(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of faulty outputs of each seat."""
    failed = _failures(match)
    asked = Counter(one.seat for one in match.requests.values())
    for seat in match.started.seats:
        outputs = asked[seat] + failed[seat]
        yield score_of(
            match, "failure_rate", numerator=failed[seat], denominator=outputs, seat=seat
        )


def measure_tokens(match: PlayedMatch, *, output: bool) -> Iterator[Score]:
    """Yield the prompt or output tokens of each seat; the group is what they were for."""
    name = "purpose_output_tokens" if output else "purpose_prompt_tokens"
    for (seat, purpose), (prompt, answered) in _tokens(match).items():
        value = float(answered if output else prompt)
        yield score_of(match, name, value=value, seat=seat, group=purpose)


@once_a_match
def _tokens(match: PlayedMatch) -> dict[tuple[SeatId, str], tuple[int, int]]:
    """Return prompt and output tokens by seat and purpose: play, summary, rating or probe."""
    found: dict[tuple[SeatId, str], tuple[int, int]] = {}
    for call_id, call in match.calls().items():
        if call.completion is not None:
            key = (SeatId(call_id.seat), _purpose(match, call_id))
            prompt, output = found.get(key, (0, 0))
            found[key] = (
                prompt + call.completion.prompt_tokens,
                output + call.completion.output_tokens,
            )
    return found


def _purpose(match: PlayedMatch, call_id: CallId) -> str:
    request = match.requests.get(call_id.request)
    if request is None:
        return PROBE_PHASE
    if request.purpose == Purpose.RATE:
        return str(Purpose.RATE)
    return "summary" if call_id.kind == "summary" else "play"


def _failures(match: PlayedMatch) -> Counter[SeatId]:
    return Counter(event.seat for event in match.events if isinstance(event, ActionRejected))


METRICS: tuple[Metric, ...] = (
    Metric(
        name="requests",
        source="MIRAGE App. D; METRICS 3.6",
        meaning={"en": "Requests to a seat.", "zh": "向该席位提出的请求数。"},
        high=None,
        better="none",
        measure=measure_requests,
    ),
    Metric(
        name="failures",
        source="MIRAGE App. C; METRICS 3.6",
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
        source="MIRAGE App. C; METRICS 3.6",
        meaning={
            "en": "Faulty outputs of a seat over all its outputs.",
            "zh": "该席位不合格输出占全部输出的比例。",
        },
        better="lower",
        scale=100,
        measure=measure_failure_rate,
    ),
    Metric(
        name="purpose_prompt_tokens",
        source="MIRAGE Table 2; METRICS 3.6",
        meaning={
            "en": "Prompt tokens of a seat by what they were for: play, summary, rating, probe.",
            "zh": "该席位的提示词元数，按用途：游戏、摘要、评分、暗中提问。",
        },
        high=None,
        better="none",
        measure=partial(measure_tokens, output=False),
    ),
    Metric(
        name="purpose_output_tokens",
        source="MIRAGE Table 2; METRICS 3.6",
        meaning={
            "en": "Output tokens of a seat by what they were for: play, summary, rating, probe.",
            "zh": "该席位的输出词元数，按用途：游戏、摘要、评分、暗中提问。",
        },
        high=None,
        better="none",
        measure=partial(measure_tokens, output=True),
    ),
)
