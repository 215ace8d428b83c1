"""Reliability of play: detectors of faults in speech, and outcomes of requests."""

from collections import Counter, defaultdict
from typing import Final

from eval.metrics.catalogue import METRICS
from eval.metrics.guards.detectors import DETECTORS, SELF_TARGET
from eval.report.collection.request_outcomes import KINDS
from eval.report.elements import Cell, Section, Table
from eval.report.report_context import ReportContext, figure_cell, find_figure

_GUARDS: Final = tuple(f"guard_{name}" for name in (*DETECTORS, SELF_TARGET))


def report_reliability(context: ReportContext) -> Section:
    """Return the section of request outcomes per contestant and side."""
    found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for match in context.matches:
        summary = match.summary
        for faction, counts in match.faults.items():
            name = summary.civilians if faction == "civilians" else summary.murderer
            found[name, faction].update(counts)
    rows: list[tuple[Cell, ...]] = [
        (
            *(context.display_name(name), context.faction(faction)),
            *(counts[kind] for kind in KINDS),
            100 * counts["rejected"] / (counts["accepted"] + counts["rejected"])
            if counts["accepted"] + counts["rejected"]
            else None,
        )
        for (name, faction), counts in sorted(found.items())
    ]
    table = Table(
        name="reliability",
        title=context.say("table.reliability"),
        columns=(
            *(context.column(key, "left") for key in ("contestant", "faction")),
            *(context.column(f"kind_{kind}") for kind in KINDS),
            context.column("rejected_share"),
        ),
        rows=tuple(rows),
        note=context.say(
            "note.reliability",
            fallbacks=sum(one.summary.fallbacks for one in context.matches),
            readings=sum(one.summary.readings for one in context.matches),
            summaries=sum(one.summary.summaries for one in context.matches),
            steps=sum(one.summary.steps for one in context.matches),
        ),
    )
    return context.section("reliability", table)


def report_detectors(context: ReportContext) -> Section:
    """Return the section of speech faults per contestant and side, per 100 utterances."""
    names = [name for name in _GUARDS if name in METRICS]
    figures = [one for one in context.figures if one.metric in names and one.scores]
    if not figures:
        return context.section("detectors", context.missing("detectors"))
    rows = dict.fromkeys(
        (group["contestant"], group["faction"]) for one in figures for group in [dict(one.group)]
    )
    # The table is transposed: there are more detectors than contestants.
    table = Table(
        name="detectors",
        title=context.say("table.detectors"),
        columns=(
            context.column("detector", "left"),
            *(
                context.free_column(f"{context.display_name(name)} · {context.faction(faction)}")
                for name, faction in rows
            ),
            context.column("meaning", "left"),
        ),
        rows=tuple(
            (
                metric.removeprefix("guard_"),
                *(
                    figure_cell(
                        find_figure(figures, metric, contestant=name, faction=side), with_bar=False
                    )
                    for name, side in rows
                ),
                _what(context, metric),
            )
            for metric in names
        ),
    )
    return context.section("detectors", table)


def _what(context: ReportContext, name: str) -> str:
    metric = METRICS[name]
    return metric.meaning.get(context.language, metric.meaning["en"])
