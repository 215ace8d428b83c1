"""Silent ballots: suspicion during a match, and its calibration at the end."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean
from typing import Final

from eval.metrics.calibration import brier_binary, ece, reliability
from eval.report.collection.match_facts import MatchFacts
from eval.report.elements import ChartLine, LineChart, ReportBlock, Section, Table
from eval.report.report_context import ReportContext, figure_cell, find_figure
from eval.scores import MetricFigure

CURVE: Final = "accusation_curve"
_FIGURES: Final = (
    *("accusation_area", "accusation_first", "accusation_turning"),
    *("brier", "brier_skill", "log_loss", "ballots_missing"),
)
_LEAST_SHARE: Final = 0.5
"""A curve ends where less than this share of the matches has another speech."""


def report_ballots(context: ReportContext) -> Section:
    """Return the section of curves per civilian contestant, their figures, and calibration."""
    with_curve = [one for one in context.matches if one.curve]
    if not with_curve:
        return context.section("suspicion", context.missing("suspicion"))
    chart = LineChart(
        title=context.say("chart.curves"),
        across=context.say("axis.speech"),
        up=context.say("axis.killers"),
        lines=_curves(context, with_curve),
        level=fmean(1 / (len(one.started.seats) - 1) for one in with_curve),
    )
    return context.section("suspicion", chart, _figures(context), *_calibration(context))


def _curves(context: ReportContext, matches: Sequence[MatchFacts]) -> tuple[ChartLine, ...]:
    lines: list[ChartLine] = []
    figures = [one for one in context.figures if one.metric == CURVE and one.macro is not None]
    for name in dict.fromkeys(one.summary.civilians for one in matches):
        own = [one for one in figures if dict(one.group)["contestant"] == name]
        most = max((one.matches for one in own), default=0)
        kept = sorted(
            (one for one in own if one.matches >= _LEAST_SHARE * most),
            key=_number,
        )
        lines.append(
            ChartLine(
                name=context.display_name(name),
                points=tuple((_number(one), one.macro or 0.0) for one in kept),
                bounds=tuple(
                    (_number(one), one.low, one.high)
                    for one in kept
                    if one.low is not None and one.high is not None
                ),
            )
        )
    return tuple(line for line in lines if line.points)


def _number(figure: MetricFigure) -> float:
    return float(dict(figure.group)["group"])


def _figures(context: ReportContext) -> Table:
    there = {one.metric for one in context.figures if one.scores}
    names = [name for name in _FIGURES if name in there]
    rows = dict.fromkeys(
        (group["game"], group["contestant"])
        for one in context.figures
        if one.metric in names
        for group in [dict(one.group)]
        if group["faction"] != "murderer"
    )
    return Table(
        name="silent_ballots",
        title=context.say("table.silent_ballots"),
        columns=(
            context.column("game", "left"),
            context.column("contestant", "left"),
            *map(context.metric_column, names),
        ),
        rows=tuple(
            (
                game,
                context.display_name(name),
                *(
                    figure_cell(
                        find_figure(
                            (
                                one
                                for one in context.figures
                                if dict(one.group)["faction"] != "murderer"
                            ),
                            metric,
                            game=game,
                            contestant=name,
                        )
                    )
                    for metric in names
                ),
            )
            for game, name in rows
        ),
        note=context.say("note.silent_ballots"),
    )


def _calibration(context: ReportContext) -> tuple[ReportBlock, ...]:
    stated: dict[str, tuple[list[float], list[int]]] = defaultdict(lambda: ([], []))
    for match in context.matches:
        for p, y in match.choices:
            stated[match.summary.civilians][0].append(p)
            stated[match.summary.civilians][1].append(y)
    graded = {name: rows for name, rows in stated.items() if rows[0]}
    if not graded:
        return (context.missing("calibration"),)
    chart = LineChart(
        title=context.say("chart.calibration"),
        across=context.say("axis.stated"),
        up=context.say("axis.right"),
        lines=tuple(
            ChartLine(
                name=context.display_name(name),
                points=tuple(
                    (one.mean, one.right)
                    for one in reliability(*rows)
                    if one.mean is not None and one.right is not None
                ),
            )
            for name, rows in graded.items()
        ),
        diagonal=True,
    )
    table = Table(
        name="calibration",
        title=context.say("table.calibration"),
        columns=(
            context.column("contestant", "left"),
            context.column("suspicion"),
            context.column("stated", places=3),
            context.column("right", places=3),
            context.column("ece", places=3),
            context.column("brier", places=3),
        ),
        rows=tuple(
            (context.display_name(name), len(p), fmean(p), fmean(y), ece(p, y), brier_binary(p, y))
            for name, (p, y) in graded.items()
        ),
    )
    return chart, table
