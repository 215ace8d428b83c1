"""Outcomes: the win matrix, every pair, and the averages over opponents."""

from collections.abc import Mapping, Sequence

from eval.figures import summarise
from eval.metrics.win_rates import (
    OutcomeCounts,
    average_column,
    average_row,
    count_outcomes,
)
from eval.report.collection.match_facts import MatchFacts
from eval.report.elements import (
    Cell,
    HeatCell,
    ReportBlock,
    ReportParagraph,
    Section,
    Table,
    format_number,
)
from eval.report.report_context import ReportContext, contestants_by_side, figure_cell, find_figure
from eval.scores import MetricFigure, macro_mean

WinMatrix = Mapping[str, Mapping[str, OutcomeCounts]]


def report_outcomes(context: ReportContext) -> Section:
    """Return the section on wins, a group of tables per game."""
    blocks: list[ReportBlock] = [ReportParagraph(text=context.say("outcomes.how"))]
    for game in context.games:
        matches = [one for one in context.matches if one.summary.game == game]
        blocks += [
            _rates(context, game, matches),
            _matrix(context, game, matches),
            _pairs(context, game, matches),
            _averages(context, game, matches),
        ]
    return context.section("outcomes", *blocks)


def tabulate(matches: Sequence[MatchFacts]) -> WinMatrix:
    """Return civilian contestant -> murderer contestant -> outcome counts."""
    rows, columns = contestants_by_side(matches)
    return {
        row: {
            column: count_outcomes(one.summary for one in found)
            for column in columns
            for found in [_of_pair(matches, row, column)]
            if found
        }
        for row in rows
    }


def _of_pair(matches: Sequence[MatchFacts], row: str, column: str) -> list[MatchFacts]:
    return [
        one for one in matches if (one.summary.civilians, one.summary.murderer) == (row, column)
    ]


def _rates(context: ReportContext, game: str, matches: Sequence[MatchFacts]) -> Table:
    """Return the win rate of each contestant as the civilians, with the chance level."""
    rows, _ = contestants_by_side(matches)
    scores = [one for match in matches for one in match.scores if one.metric in _RATED]
    figures = summarise(scores, ("contestant",))
    columns = (
        context.column("civilians", "left"),
        *map(context.column, ("played", "win_rate", "decided_rate", "half_rate", "chance")),
        *map(context.column, ("decided_chance", "draw_chance", "CCW", "draws")),
        *map(context.column, ("forfeits", "errors", "uncounted")),
    )
    return Table(
        name=f"win_rates_{game}",
        title=context.say("table.win_rates", game=game),
        columns=columns,
        rows=tuple(_rate_row(context, figures, name, matches) for name in rows),
        note=context.say("note.win_rates"),
    )


def _rate_row(
    context: ReportContext,
    figures: Sequence[MetricFigure],
    name: str,
    matches: Sequence[MatchFacts],
) -> tuple[Cell, ...]:
    own = [one for one in matches if one.summary.civilians == name]
    counts = count_outcomes(one.summary for one in own)
    found = {metric: find_figure(figures, metric, contestant=name) for metric in _RATED}
    chance, draw = _macro(found["chance"]), _macro(found["chance_draw"])
    half = None if chance is None or draw is None else chance + draw / 2
    decided = _chance_if_decided(own)
    return (
        context.display_name(name),
        counts.with_result,
        figure_cell(found["win_rate"], chance=chance),
        figure_cell(found["win_rate_decided"], chance=decided),
        figure_cell(found["win_rate_half"], chance=half),
        *(_percent(one) for one in (chance, decided, draw)),
        _chance_corrected_cell(found["CCW"]),
        counts.draw,
        counts.forfeit,
        counts.error,
        counts.uncounted,
    )


def _matrix(context: ReportContext, game: str, matches: Sequence[MatchFacts]) -> Table:
    rows, names = contestants_by_side(matches)
    cells = tabulate(matches)
    return Table(
        name=f"win_matrix_{game}",
        title=context.say("table.win_matrix", game=game),
        columns=(
            context.column("civilians", "left"),
            *(context.free_column(context.display_name(one)) for one in names),
        ),
        rows=tuple(
            (context.display_name(row), *(_shade(context, cells[row].get(name)) for name in names))
            for row in rows
        ),
        note=context.say("note.win_matrix"),
    )


def _shade(context: ReportContext, counts: OutcomeCounts | None) -> Cell:
    if counts is None:
        return None
    rates = [
        format_number(None if rate is None else 100 * rate)
        for rate in (counts.including_draws, counts.excluding_draws)
    ]
    return HeatCell(
        lines=(
            context.say("matrix.rates", including=rates[0], excluding=rates[1]),
            context.say("matrix.played", played=counts.with_result, draws=counts.draw),
            context.say("matrix.lost", forfeits=counts.forfeit, errors=counts.error),
            *(
                [context.say("matrix.uncounted", count=counts.uncounted)]
                if counts.uncounted
                else []
            ),
        ),
        share=counts.including_draws,
    )


def _pairs(context: ReportContext, game: str, matches: Sequence[MatchFacts]) -> Table:
    """Return one row per pair, with the content of its matrix cell and more."""
    scores = [one for match in matches for one in match.scores if one.metric in _PAIRED]
    figures = summarise(scores, ("contestant", "opponent"))
    rows: list[tuple[Cell, ...]] = []
    for civilians, row in tabulate(matches).items():
        for murderer, counts in row.items():
            group = {"contestant": civilians, "opponent": murderer}
            chance = _macro(find_figure(figures, "chance", **group))
            decided = _chance_if_decided(_of_pair(matches, civilians, murderer))
            rows.append(
                (
                    context.display_name(civilians),
                    context.display_name(murderer),
                    counts.total,
                    *(counts.civ_win, counts.murderer_win, counts.draw),
                    *(counts.forfeit, counts.error, counts.uncounted),
                    figure_cell(find_figure(figures, "win_rate", **group), chance=chance),
                    figure_cell(find_figure(figures, "win_rate_decided", **group), chance=decided),
                    *(_percent(chance), _percent(decided)),
                    _chance_corrected_cell(find_figure(figures, "CCW", **group)),
                )
            )
    return Table(
        name=f"pairs_{game}",
        title=context.say("table.pairs", game=game),
        columns=(
            context.column("civilians", "left"),
            context.column("murderer", "left"),
            *map(context.column, ("attempted", "civ_win", "murderer_win", "draws", "forfeits")),
            *map(context.column, ("errors", "uncounted", "win_rate", "decided_rate")),
            *map(context.column, ("chance", "decided_chance", "CCW")),
        ),
        rows=tuple(rows),
        folded=True,
    )


_RATED = ("win_rate", "win_rate_decided", "win_rate_half", "chance", "chance_draw", "CCW")
_PAIRED = frozenset({"win_rate", "win_rate_decided", "chance", "CCW"})


def _averages(context: ReportContext, game: str, matches: Sequence[MatchFacts]) -> Table:
    """Return `Avg. Win Ratio` of each row and `Avg. Loss Ratio` of each column."""
    cells = tabulate(matches)
    rows, names = contestants_by_side(matches)
    found = [(name, "civilians", average_row(cells, name)) for name in rows]
    found += [(name, "murderer", average_column(cells, name)) for name in names]
    return Table(
        name=f"averages_{game}",
        title=context.say("table.averages", game=game),
        columns=(
            context.column("contestant", "left"),
            context.column("faction", "left"),
            *map(context.column, ("as_printed", "consistent", "pooled", "cells", "no_cells")),
        ),
        rows=tuple(
            (
                *(context.display_name(name), context.faction(faction)),
                *(one.as_printed, one.consistent, one.pooled, one.cells, one.missing),
            )
            for name, faction, one in found
        ),
        note=context.say("note.averages"),
        folded=True,
    )


def _chance_corrected_cell(figure: MetricFigure | None) -> Cell:
    """Return the cell of a chance-corrected rate, which is pooled."""
    return None if figure is None or figure.pooled is None else format_number(figure.pooled, 2)


def _chance_if_decided(matches: Sequence[MatchFacts]) -> float | None:
    """Return the chance level of the decided matches; None if one of them has none."""
    levels = [one.level for one in matches if one.level is not None]
    return macro_mean(levels) if all(one.value is not None for one in levels) else None


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _macro(figure: MetricFigure | None) -> float | None:
    return None if figure is None else figure.macro
