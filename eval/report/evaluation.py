"""Figures of finished runs: the objects and the table of `arena eval`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ConfigError
from eval.metrics.catalogue import METRICS
from eval.played_match import UnreadMatch
from eval.report.collection.breaches import Breach, find_breaches
from eval.report.collection.match_facts import collect_runs
from eval.report.elements import Cell, Table
from eval.report.figure_objects import chance_of, figure_object, make_figures, parse_by
from eval.report.report_context import ReportContext, figure_cell
from eval.report.sections.script_totals import total_object
from eval.scores import MetricFigure, group_scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Figures for programs (objects) and for people (table)."""

    objects: tuple[dict[str, object], ...]
    table: Table
    unread: tuple[UnreadMatch, ...]
    breaches: tuple[Breach, ...]


def evaluate_runs(folders: Sequence[Path], by: str, metrics: Sequence[str] = ()) -> Evaluation:
    """Return the figures of runs by the fields in `by`; of all metrics if `metrics` is empty.

    Raises `RecordError` or `ConfigError` if there are none.
    """
    fields = parse_by(by)
    unknown = [name for name in metrics if name not in METRICS]
    if unknown:
        raise ConfigError(f"unknown metric {unknown[0]!r}; one of {', '.join(sorted(METRICS))}")
    context = ReportContext(collected=collect_runs(folders), language="en")
    scores = (*context.scores, *context.levels)
    figures = make_figures(scores, fields)
    shown = [one for one in figures if one.metric in (metrics or METRICS)]
    totals = {
        frozenset(key): total_object(some)
        for key, some in group_scores(scores, (*fields, "group", "judge")).items()
    }
    return Evaluation(
        objects=tuple(figure_object(figures, one) | totals.get(_key(one), {}) for one in shown),
        table=_table(context, fields, figures, shown),
        unread=context.collected.unread,
        breaches=find_breaches(context.collected.matches),
    )


def _key(figure: MetricFigure) -> frozenset[tuple[str, str]]:
    return frozenset((("metric", figure.metric), *figure.group))


def _table(
    context: ReportContext,
    fields: Sequence[str],
    every: Sequence[MetricFigure],
    shown: Sequence[MetricFigure],
) -> Table:
    names = (*fields, "group", "judge")
    used = [name for name in names if any(dict(one.group).get(name) for one in shown)]
    rows: list[tuple[Cell, ...]] = []
    for one in shown:
        group = dict(one.group)
        metric = METRICS[one.metric]
        chance = chance_of(every, one)
        rows.append(
            (
                one.metric,
                *(context.display_name(group[name]) for name in used),
                figure_cell(one, with_bar=False),
                None if one.pooled is None else one.pooled * metric.scale,
                None if chance is None else chance * metric.scale,
                one.missing,
            )
        )
    return Table(
        name="figures",
        title="",
        columns=(
            context.column("metric", "left"),
            *(context.column(name, "left") for name in used),
            context.column("macro"),
            context.column("pooled", places=2),
            *map(context.column, ("chance", "missing")),
        ),
        rows=tuple(rows),
    )
