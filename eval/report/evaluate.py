"""Figures of finished runs: the objects and the table of `arena eval`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ConfigError
from eval.metrics.catalogue import METRICS
from eval.played import UnreadMatch
from eval.report.breaches import Breach, find_breaches
from eval.report.context import Context, measured
from eval.report.figures import chance_of, describe, make_figures, parse_by
from eval.report.matches import collect
from eval.report.script_totals import describe_total
from eval.report.values import Cell, Table
from eval.scores import Figure, group_scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """Figures, twice: for programs and for people."""

    objects: tuple[dict[str, object], ...]
    table: Table
    unread: tuple[UnreadMatch, ...]
    breaches: tuple[Breach, ...]


def evaluate_runs(folders: Sequence[Path], by: str, metrics: Sequence[str] = ()) -> Evaluated:
    """Return the figures of runs by the fields in `by`; all metrics where none is named.

    Raises `RecordError` or `ConfigError` where there are none.
    """
    fields = parse_by(by)
    unknown = [name for name in metrics if name not in METRICS]
    if unknown:
        raise ConfigError(f"unknown metric {unknown[0]!r}; one of {', '.join(sorted(METRICS))}")
    context = Context(collected=collect(folders), language="en")
    scores = (*context.scores, *context.levels)
    figures = make_figures(scores, fields)
    shown = [one for one in figures if one.metric in (metrics or METRICS)]
    totals = {
        frozenset(key): describe_total(some)
        for key, some in group_scores(scores, (*fields, "group", "judge")).items()
    }
    return Evaluated(
        objects=tuple(describe(figures, one) | totals.get(_key(one), {}) for one in shown),
        table=_table(context, fields, figures, shown),
        unread=context.collected.unread,
        breaches=find_breaches(context.collected.matches),
    )


def _key(figure: Figure) -> frozenset[tuple[str, str]]:
    return frozenset((("metric", figure.metric), *figure.group))


def _table(
    context: Context, fields: Sequence[str], every: Sequence[Figure], shown: Sequence[Figure]
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
                *(context.name(group[name]) for name in used),
                measured(one, with_bar=False),
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
