"""WellPlay and Questum over scripts: weighted means, and deviations over scripts and runs."""

from collections.abc import Sequence
from typing import Final

from eval.metrics.catalogue import METRICS
from eval.metrics.papers.wellplay import CategoryTotal, total_over_scripts
from eval.report.elements import Cell, Table
from eval.report.report_context import ReportContext
from eval.scores import Score, group_scores

WEIGHTED: Final = ("Objective", "Reasoning", "Relations", "Overall", "victims_solved")
"""Match-level metrics with scripts weighted by their questions, points or victims."""
_BY: Final = ("contestant", "game", "group")


def report_totals(context: ReportContext) -> Table | None:
    """Return the table with one row per contestant, game and metric; None without values."""
    groups = group_scores((one for one in context.scores if one.metric in WEIGHTED), _BY)
    found = {key: total_over_scripts(scores) for key, scores in groups.items()}
    rows = {key: total for key, total in found.items() if total.mean is not None}
    if not rows:
        return None
    return Table(
        name="script_totals",
        title=context.say("table.script_totals"),
        columns=(
            *(context.column(key, "left") for key in (*_BY, "metric")),
            *(context.column(key, places=3) for key in ("weighted_mean", "script_deviation")),
            *map(context.column, ("scripts", "repetitions")),
            *(context.column(key, places=3) for key in ("run_deviation", "run_deviation_n")),
        ),
        rows=tuple(_row(context, dict(key), total) for key, total in rows.items()),
        note=context.say("note.script_totals"),
    )


def total_object(scores: Sequence[Score]) -> dict[str, object]:
    """Return the total of one metric's scores, as a part of `arena eval`'s output."""
    if scores[0].metric not in WEIGHTED:
        return {}
    total = total_over_scripts(scores)
    return {
        "weighted_mean": total.mean,
        "script_deviation": total.deviation,
        "repetitions": total.runs,
        "run_deviation": total.sd_runs,
        "run_deviation_n": total.sd_runs_population,
    }


def _row(context: ReportContext, key: dict[str, str], total: CategoryTotal) -> tuple[Cell, ...]:
    metric = METRICS[key["metric"]]
    scaled = (
        None if value is None else value * metric.scale
        for value in (total.mean, total.deviation, total.sd_runs, total.sd_runs_population)
    )
    mean, deviation, run, run_n = scaled
    return (
        *(context.display_name(key["contestant"]), key["game"], key["group"], metric.name),
        *(mean, deviation, len(total.by_script), total.runs, run, run_n),
    )
