"""Summary of judging for every judged table: nulls, the judge's noise, flags, cost."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, variance

from eval.judges.judge_runner import JudgeJob
from eval.judges.task_builders.people_tasks import SWAPPED
from eval.judges.verdicts import OWN_MODEL, JudgeVerdict, as_number

_PAIR = 2
JudgedJobs = Sequence[tuple[JudgeJob, JudgeVerdict]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricResult:
    """The judging of one metric."""

    metric: str
    judge: str
    judgements: int
    nulls: int
    """Judgements without a legal value."""
    null_share: float
    mean: float | None
    """Mean of the values, on the metric's scale; for lists the found share in per cent."""
    repeat_sd: float | None
    """Standard deviation of repeated judgements; None: none were repeated."""
    repeated: int
    """Repeated judgements with two values or more."""
    repeat_temperature: float | None
    """The repeats' temperature; None: none were repeated."""
    own_model: int
    """Judgements of seats played by the judge's own model."""
    samples: int
    temperature: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingCost:
    """The cost of judging, including repeats and malformed replies."""

    calls: int
    """Calls made in this process."""
    cached: int
    """Cached replies."""
    prompt_tokens: int
    """Over all replies; like the next two."""
    output_tokens: int
    seconds: float
    wall_seconds: float
    """Wall time of this process."""
    pauses: int = 0
    """Polls that found the server busy with other requests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceResult:
    """How often the seat of the first match was preferred, over both orders."""

    pairs: int
    first: float
    """Mean of 1 for the first, 0 for the second and a half for a tie."""
    consistent: float
    """Share of pairs with the same result in both orders."""
    shown_first: float
    """Mean for the one shown first: above a half is a position bias."""


def summarise_judging(judged: JudgedJobs) -> tuple[MetricResult, ...]:
    """Return one row per metric."""
    groups: dict[str, list[tuple[JudgeJob, JudgeVerdict]]] = defaultdict(list)
    for job, verdict in judged:
        groups[verdict.metric].append((job, verdict))
    return tuple(_summarise(metric, group) for metric, group in groups.items())


def sum_cost(verdicts: Iterable[JudgeVerdict], wall_seconds: float, pauses: int = 0) -> JudgingCost:
    """Return the total cost of all samples."""
    samples = [sample for one in verdicts for sample in one.samples]
    calls = sum(one.calls for one in samples)
    replies = sum(one.tries - bool(one.fault) for one in samples)
    return JudgingCost(
        calls=calls,
        cached=replies - calls,
        prompt_tokens=sum(one.prompt_tokens for one in samples),
        output_tokens=sum(one.output_tokens for one in samples),
        seconds=sum(one.seconds for one in samples),
        wall_seconds=wall_seconds,
        pauses=pauses,
    )


def summarise_preferences(verdicts: Iterable[JudgeVerdict]) -> PreferenceResult | None:
    """Return the result of comparisons in both orders; None: no pair has both."""
    orders: dict[tuple[str, str, str], dict[bool, float]] = defaultdict(dict)
    for one in verdicts:
        if one.metric == "preference" and one.value is not None and not one.repeat:
            other = one.about.removesuffix(f"/{SWAPPED}")
            orders[one.match, one.seat, other][one.about != other] = one.value
    whole = [(both[False], both[True]) for both in orders.values() if len(both) == _PAIR]
    if not whole:
        return None
    return PreferenceResult(
        pairs=len(whole),
        first=fmean((straight + 1 - swapped) / 2 for straight, swapped in whole),
        consistent=fmean(straight == 1 - swapped for straight, swapped in whole),
        shown_first=fmean((straight + swapped) / 2 for straight, swapped in whole),
    )


def repeat_deviation(repeats: Iterable[Sequence[float]]) -> float | None:
    """Return the deviation of one judgement: the root of the mean variance within repeats."""
    spreads = [variance(values) for values in repeats if len(values) >= _PAIR]
    return sqrt(fmean(spreads)) if spreads else None


def _summarise(metric: str, group: JudgedJobs) -> MetricResult:
    counted = [verdict for job, verdict in group if not job.repeat]
    scores = [as_number(job.task.scale, one) for job, one in group if not job.repeat]
    known = [score for score in scores if score is not None]
    nulls = sum(one.is_null for one in counted)
    repeats = [values for values in _repeats(group).values() if len(values) >= _PAIR]
    first, again = counted[0], [verdict for job, verdict in group if job.repeat]
    return MetricResult(
        metric=metric,
        judge=first.judge,
        judgements=len(counted),
        nulls=nulls,
        null_share=nulls / len(counted),
        mean=fmean(known) if known else None,
        repeat_sd=repeat_deviation(repeats),
        repeated=len(repeats),
        repeat_temperature=again[0].temperature if again else None,
        own_model=sum(OWN_MODEL in one.flags for one in counted),
        samples=len(first.samples),
        temperature=first.temperature,
    )


def _repeats(group: JudgedJobs) -> Mapping[tuple[str, ...], list[float]]:
    found: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for job, verdict in group:
        score = as_number(job.task.scale, verdict)
        if job.repeat and score is not None:
            found[job.task.key].append(score)
    return found
