"""Agreement of a judge with people, each value with its interval.

The interval is Wilson's for a rate, else a bootstrap over items. A bootstrap whose resamples all
give the same value, for example with equal labels, is not reported as an interval.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from types import MappingProxyType
from typing import Final

from eval.judges.labelling.human_labels import LabelKind, LabelledItems
from eval.judges.labelling.rate_correction import Calibration, calibrate
from eval.stats import agreement
from eval.stats.agreement import RESAMPLES, MeasurementLevel
from eval.stats.bootstrap import SEED, ConfidenceInterval, bootstrap_items
from eval.stats.confidence_intervals import wilson

Statistic = Callable[[Sequence[float], Sequence[float]], float | None]

ALPHA: Final = "Krippendorff's alpha"
ALPHA_PEOPLE: Final = "alpha among people"
KAPPA_PEOPLE: Final = "kappa of two people"
_TWO: Final = 2
_SCALES: Mapping[LabelKind, MeasurementLevel] = MappingProxyType(
    {"binary": "nominal", "ordinal": "ordinal", "score": "interval"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """One statistic of one group of items."""

    metric: str
    kind: LabelKind
    statistic: str
    value: float | None
    """None: undefined, for example if one side never varies."""
    low: float | None
    high: float | None
    interval: str
    """The method of the interval; empty: none, as the value is undefined or resamples do not
    vary."""
    items: int
    """Items with a label and a judge's value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAgreement:
    """All statistics of one group of items."""

    metric: str
    kind: LabelKind
    items: int
    unlabelled: int
    """Items without a label, or with a tie of yes and no."""
    nulls: int
    """Items without a judge's value, which enter no statistic."""
    annotators: int
    rows: tuple[Agreement, ...]
    calibration: Calibration | None
    """For binary labels: the judge's hits."""


def mean_absolute_error(human: Sequence[float], judge: Sequence[float]) -> float | None:
    """Return the mean absolute difference between label and judge."""
    pairs = list(zip(human, judge, strict=True))
    return fmean(abs(a - b) for a, b in pairs) if pairs else None


_CORRELATIONS: Mapping[str, Statistic] = {
    "Spearman": agreement.spearman,
    "Pearson": agreement.pearson,
}
KAPPAS: Mapping[LabelKind, Statistic] = MappingProxyType(
    {
        "binary": agreement.cohen_kappa,
        "ordinal": partial(agreement.cohen_kappa, weights="quadratic"),
    }
)
"""Cohen's kappa for binary and ordinal labels; scores have none."""
STATISTICS: Mapping[LabelKind, Mapping[str, Statistic]] = MappingProxyType(
    {
        "binary": {
            "accuracy": agreement.accuracy,
            "precision": agreement.precision,
            "recall": agreement.recall,
            "specificity": agreement.specificity,
            "F1": agreement.f1,
            "Cohen's kappa": KAPPAS["binary"],
            **_CORRELATIONS,
        },
        "ordinal": {
            **_CORRELATIONS,
            "Kendall": agreement.kendall_tau_b,
            "Cohen's kappa, quadratic": KAPPAS["ordinal"],
            "accuracy": agreement.accuracy,
            "mean error": mean_absolute_error,
        },
        "score": {
            **_CORRELATIONS,
            "Kendall": agreement.kendall_tau_b,
            "mean error": mean_absolute_error,
        },
    }
)
"""The statistics of each kind of label."""


def measure_agreement(
    groups: Sequence[LabelledItems],
    *,
    cut: float | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[GroupAgreement, ...]:
    """Return the agreement of each group.

    With `cut`, ordinal labels are also compared as binary, 1 from `cut` on (ThinkThrice App. E).
    """
    found: list[GroupAgreement] = []
    for group in groups:
        found.append(_measure(group, resamples, seed))
        if cut is not None and group.kind == "ordinal":
            found.append(_measure(binarise_labels(group, cut), resamples, seed))
    return tuple(found)


def measure_people(
    group: LabelledItems, *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[Agreement, ...]:
    """Return people's agreement with each other: alpha, and kappa for two; empty for one."""
    people = list(group.humans.values())
    if len(people) == 1:
        return ()
    alpha = _alpha_row(group, ALPHA_PEOPLE, people, resamples, seed)
    if len(people) > _TWO or group.kind == "score":
        return (alpha,)
    kappa = KAPPAS[group.kind]
    both = [(a, b) for a, b in zip(*people, strict=True) if a is not None and b is not None]
    first, second = [a for a, _ in both], [b for _, b in both]
    row = _row(group, KAPPA_PEOPLE, kappa, first, second, resamples=resamples, seed=seed)
    return (row, alpha)


def binarise_labels(group: LabelledItems, cut: float) -> LabelledItems:
    """Return labels as 1 from `cut` on, else 0."""

    def over(values: Sequence[float | None]) -> list[float | None]:
        return [None if one is None else float(one >= cut) for one in values]

    return LabelledItems(
        metric=f"{group.metric} >= {cut:g}".strip(),
        kind="binary",
        humans={name: over(values) for name, values in group.humans.items()},
        judge=over(group.judge),
    )


def _measure(group: LabelledItems, resamples: int, seed: int) -> GroupAgreement:
    human, judge = group.pairs()
    rows = [
        _row(group, name, statistic, human, judge, resamples=resamples, seed=seed)
        for name, statistic in STATISTICS[group.kind].items()
    ]
    people = list(group.humans.values())
    rows.append(_alpha_row(group, ALPHA, [*people, group.judge], resamples, seed))
    rows += measure_people(group, resamples=resamples, seed=seed)
    return GroupAgreement(
        metric=group.metric,
        kind=group.kind,
        items=len(group.judge),
        unlabelled=sum(one is None for one in group.human),
        nulls=sum(one is None for one in group.judge),
        annotators=len(people),
        rows=tuple(rows),
        calibration=calibrate(human, judge) if group.kind == "binary" else None,
    )


def _row(  # noqa: PLR0913 - the fields of a row
    group: LabelledItems,
    name: str,
    statistic: Statistic,
    human: Sequence[float],
    judge: Sequence[float],
    *,
    resamples: int,
    seed: int,
) -> Agreement:
    value = statistic(human, judge)
    trials = _trials(name, human, judge)
    interval = None
    if value is not None and trials is not None:
        interval = wilson(sum(trials), len(trials))
    elif value is not None:
        interval = agreement.agreement_interval(
            statistic, human, judge, resamples=resamples, seed=seed
        )
    return _make_row(group, name, value, interval, len(human))


def _trials(name: str, human: Sequence[float], judge: Sequence[float]) -> list[bool] | None:
    """Return the successes and failures of a statistic that is a rate, else None."""
    pairs = list(zip(human, judge, strict=True))
    match name:
        case "accuracy":
            return [a == b for a, b in pairs]
        case "precision":
            return [bool(a) for a, b in pairs if b]
        case "recall":
            return [bool(b) for a, b in pairs if a]
        case "specificity":
            return [not b for a, b in pairs if not a]
        case _:
            return None


def _make_row(
    group: LabelledItems,
    name: str,
    value: float | None,
    interval: ConfidenceInterval | None,
    items: int,
) -> Agreement:
    if interval is not None and interval.low == interval.high:
        interval = None
    return Agreement(
        metric=group.metric,
        kind=group.kind,
        statistic=name,
        value=value,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        interval="" if interval is None else interval.method,
        items=items,
    )


def _alpha_row(
    group: LabelledItems,
    name: str,
    raters: Sequence[Sequence[float | None]],
    resamples: int,
    seed: int,
) -> Agreement:
    scale = _SCALES[group.kind]
    value = agreement.krippendorff_alpha(raters, scale)

    def of(items: Sequence[int]) -> float | None:
        drawn = [[values[at] for at in items] for values in raters]
        return agreement.krippendorff_alpha(drawn, scale)

    count = len(group.judge)
    interval = (
        None
        if value is None
        else bootstrap_items(
            lambda drawn: of(drawn.tolist()), count, resamples=resamples, seed=seed
        )
    )
    return _make_row(group, name, value, interval, count)
