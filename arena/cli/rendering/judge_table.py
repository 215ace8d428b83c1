"""Tables of `arena judge`."""

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from arena.view.sanitize import sanitize_line
from eval.judges.judging_results import JudgingCost, MetricResult, PreferenceResult
from eval.judges.labelling.judge_agreement import GroupAgreement
from eval.judges.labelling.rate_correction import CorrectedRate
from eval.rounding import round_half_up

_UNKNOWN = "-"


def judging_table(rows: Sequence[MetricResult], preference: PreferenceResult | None) -> Group:
    """Return the table of judgements by metric."""
    table = _table("metric", "judged", "null", "mean", "repeat sd", "again", "own model", "samples")
    for row in rows:
        table.add_row(
            sanitize_line(row.metric),
            f"{row.judgements}",
            f"{row.nulls}",
            _number(row.mean),
            _number(row.repeat_sd),
            f"{row.repeated}",
            f"{row.own_model}",
            f"{row.samples}",
        )
    if preference is None:
        return Group(table)
    line = (
        f"preference: {preference.pairs} pairs in both orders, first {preference.first:.2f}, same "
        f"in both {preference.consistent:.2f}, shown first {preference.shown_first:.2f}"
    )
    return Group(table, Text(line))


def agreement_table(groups: Sequence[GroupAgreement]) -> Group:
    """Return the agreement of each group, with intervals."""
    table = _table("metric", "kind", "statistic", "value", "95 %", "n")
    for group in groups:
        for row in group.rows:
            known = row.low is not None and row.high is not None
            span = f"{_number(row.low)} to {_number(row.high)}" if known else _UNKNOWN
            table.add_row(
                sanitize_line(group.metric or _UNKNOWN),
                group.kind,
                row.statistic,
                _number(row.value),
                span,
                f"{row.items}",
            )
    lines = [
        Text(
            sanitize_line(
                f"{group.metric or group.kind}: {group.items} items, {group.nulls} without a "
                f"judgement, {group.unlabelled} without a label, annotators: {group.annotators}"
            )
        )
        for group in groups
    ]
    return Group(table, *lines)


def cost_line(cost: JudgingCost) -> Text:
    """Return the cost of judging."""
    waited = f", waited {cost.pauses} times for an idle server" if cost.pauses else ""
    return Text(
        f"{cost.calls} calls ({cost.cached} more replies in the cache), {cost.prompt_tokens} "
        f"prompt and {cost.output_tokens} output tokens, {cost.seconds:.1f} s of calls in "
        f"{cost.wall_seconds:.1f} s{waited}"
    )


def rate_line(rate: CorrectedRate) -> Text:
    """Return a rate before and after its correction."""
    corrected = _UNKNOWN if rate.corrected is None else f"{rate.corrected:.3f}"
    why = "" if rate.corrected is not None else " (the judge is no better than chance)"
    return Text(
        f"rate: measured {rate.measured:.3f}, corrected {corrected}{why}, 95 % {rate.low:.3f} to "
        f"{rate.high:.3f}"
    )


def _table(*columns: str) -> Table:
    table = Table(box=None)
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 else "right")
    return table


def _number(value: float | None) -> str:
    return _UNKNOWN if value is None else f"{round_half_up(value, 3)}"
