"""Propagation of clues: rates over all matches, and the graph of one match."""

from collections import Counter
from typing import Final

from eval.metrics.catalogue import METRICS
from eval.report.collection.match_facts import MatchFacts
from eval.report.elements import Cell, ChartArc, ChartNode, GraphChart, Section, Table
from eval.report.report_context import ReportContext, figure_cell

_FIGURES: Final = (
    *("clue_disclosure", "clue_reach", "clue_delay", "clue_elicited", "clue_out_degree"),
    *("killer_path", "key_disclosure", "key_reach", "key_delay", "key_elicited"),
)


def report_clues(context: ReportContext) -> Section:
    """Return the section with the graph of the match with most propagation, and all rates."""
    best = max(context.matches, key=lambda one: len(one.edges), default=None)
    if best is None or not best.edges:
        return context.section("clue_travel", context.missing("clue_travel"), _rates(context))
    return context.section(
        "clue_travel", _graph(context, best), _edges(context, best), _rates(context)
    )


def _graph(context: ReportContext, match: MatchFacts) -> GraphChart:
    host = context.say("word.host")
    names = [*match.started.seats, *([host] if any(not one.owner for one in match.edges) else [])]
    number = {name: at for at, name in enumerate(names)}
    arcs = Counter((one.owner or host, one.user) for one in match.edges)
    return GraphChart(
        title=context.say("chart.clue_travel", match=match.place),
        nodes=tuple(ChartNode(name=name, marked=name in match.started.murderers) for name in names),
        arcs=tuple(
            ChartArc(
                source=number[owner],
                target=number[user],
                weight=count,
                label=context.say("graph.arc", owner=owner, user=user, count=count),
            )
            for (owner, user), count in sorted(arcs.items())
        ),
    )


def _edges(context: ReportContext, match: MatchFacts) -> Table:
    host = context.say("word.host")
    return Table(
        name="clue_graph",
        title=context.say("table.clue_graph", match=match.place),
        columns=(
            *(context.column(key, "left") for key in ("clue", "owner", "user")),
            context.column("event"),
        ),
        rows=tuple(
            (match.clues.get(one.fact, one.fact), one.owner or host, one.user, one.event)
            for one in match.edges
        ),
        note=context.say("note.clue_graph"),
        folded=True,
    )


def _rates(context: ReportContext) -> Table | None:
    figures = [one for one in context.figures if one.metric in _FIGURES and one.scores]
    rows: list[tuple[Cell, ...]] = []
    for one in figures:
        group = dict(one.group)
        rows.append(
            (
                *(one.metric, group["game"], context.display_name(group["contestant"])),
                *(context.faction(group["faction"]), group["group"]),
                figure_cell(one),
            )
        )
    if not rows:
        return None
    used = dict.fromkeys(one.metric for one in figures)
    return Table(
        name="clue_rates",
        title=context.say("table.clue_rates"),
        columns=(
            *(context.column(key, "left") for key in ("metric", "game", "contestant", "faction")),
            context.column("group", "left"),
            context.column("value"),
        ),
        rows=tuple(rows),
        note=" ".join(f"{name}: {context.explain(METRICS[name])}" for name in used),
        folded=True,
    )
