"""Tables and charts of matches made by hand: every number in its own column."""

from collections import Counter
from dataclasses import replace
from typing import TypeVar

import pytest

from arena.core.actions import Skip
from arena.core.events import ActionAccepted, ActionRejected
from arena.core.requests import ActionError
from arena.core.seats import SeatId
from arena.games.whodunit.options import WhodunitOptions
from eval.claims.audited_claim import AuditedClaim
from eval.metrics.fact_spread.propagation import FactEdge
from eval.metrics.guards.detectors import FATAL, DetectorHit
from eval.report.build import make_report
from eval.report.collection.match_facts import MatchFacts
from eval.report.collection.request_outcomes import count_request_outcomes
from eval.report.elements import FigureCell, GraphChart, LineChart, RunReport
from eval.report.report_context import ReportContext, figure_cell
from eval.scores import MetricFigure, Score
from tests.eval.made import made
from tests.eval.report.made_reports import (
    ballot,
    collected,
    facts,
    report,
    rows,
    said,
    series,
    table,
)
from tests.table import MURDERER, NAMES

Chart = TypeVar("Chart", LineChart, GraphChart)


def chart(found: RunReport, section: str, kind: type[Chart]) -> Chart:
    [part] = [one for one in found.sections if one.name == section]
    return next(one for one in part.blocks if isinstance(one, kind))


def pair(civilians: str, murderer: str, won: int, lost: int) -> tuple[MatchFacts, ...]:
    return series(
        (("civ_win", won), ("murderer_win", lost)), civilians=civilians, murderer=murderer
    )


def test_averages_of_a_row_are_of_civilians_and_those_of_a_column_of_a_murderer() -> None:
    found = table(report(*pair("a", "b", 2, 2), *pair("a", "d", 1, 0)), "averages_whodunit")
    values = {
        (row["contestant"], row["faction"]): (row["consistent"], row["pooled"], row["cells"])
        for row in rows(found)
    }
    assert values == {
        ("a", "civilians"): (75, 60, 2),
        ("b", "murderer"): (50, 50, 1),
        ("d", "murderer"): (100, 100, 1),
    }


def test_claims_are_counted_by_the_side_of_their_speaker() -> None:
    seats = (NAMES[0], MURDERER, MURDERER)
    claims = (
        AuditedClaim(event=1, seat=SeatId(seat), text="x", kind="told", category="lie")
        for seat in seats
    )
    found = rows(table(report(replace(facts(), claims=tuple(claims))), "claims"))
    assert [(row["contestant"], row["faction"], row["count_lie"]) for row in found] == [
        ("alpha", "civilians", 1),
        ("beta", "murderer", 2),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("cached", [None, 40])
def test_tokens_of_a_run_stand_in_their_columns_and_unknown_ones_are_none(
    cached: int | None,
) -> None:
    one = replace(
        facts(prompt_tokens=100, cached_tokens=cached, output_tokens=7, turns=2),
        run="x",
    )
    [row] = rows(table(report(one, one), "cost"))
    assert (row["prompt_tokens"], row["output_tokens"], row["turns"]) == (200, 14, 4)
    assert row["cached_tokens"] == (None if cached is None else 80)
    assert row["tokens_per_turn"] == 53.5


def test_every_figure_is_listed_in_the_unit_of_its_metric() -> None:
    found = rows(table(report(*pair("a", "b", 1, 3)), "figures"))
    [row] = [row for row in found if row["metric"] == "win_rate"]
    assert isinstance(row["macro"], FigureCell)
    assert (row["macro"].value, row["pooled"], row["matches"], row["scripts"]) == (25, 25, 4, 1)


def test_a_figure_shows_its_values_as_n_and_its_interval_from_low_to_high() -> None:
    figure = MetricFigure(
        metric="win_rate",
        group=(),
        macro=0.5,
        pooled=None,
        scores=10,
        missing=0,
        matches=2,
        scripts=1,
        clusters=1,
        low=0.25,
        high=0.75,
    )
    cell = figure_cell(figure)
    assert cell is not None
    assert (cell.text, cell.at(cell.low), cell.at(cell.high)) == (
        "50.0 [25.0, 75.0] (n 10)",
        25,
        75,
    )


def test_a_bar_begins_at_the_least_value_of_its_metric() -> None:
    cell = FigureCell(value=3, least=1, most=5)
    assert [cell.at(value) for value in (1, 3, 5, 9)] == [0, 50, 100, 100]


def test_two_judges_never_share_a_column() -> None:
    one = facts()
    base = replace(one.scores[0], metric="persona", game="werewolf5", numerator=None)
    scores: list[Score] = [replace(base, judge=judge, value=v) for judge, v in (("a", 2), ("b", 4))]
    [row] = rows(table(report(replace(one, scores=tuple(scores))), "werewolf"))
    cells = [row[key] for key in ("persona_a", "persona_b")]
    assert [cell.value for cell in cells if isinstance(cell, FigureCell)] == [2, 4]


def test_the_share_of_rejected_answers_is_over_all_answers() -> None:
    one = replace(facts(), faults={"civilians": Counter(accepted=3, rejected=1)})
    [row] = rows(table(report(one), "reliability"))
    assert (row["kind_accepted"], row["kind_rejected"], row["rejected_share"]) == (3, 1, 25)


def test_an_arrow_of_clues_goes_from_who_had_one_to_who_used_it() -> None:
    edge = FactEdge(fact="k", owner=SeatId(NAMES[1]), user=SeatId(NAMES[3]), event=4)
    drawn = chart(report(replace(facts(), edges=(edge,))), "clue_travel", GraphChart)
    assert [(arc.source, arc.target, arc.weight) for arc in drawn.arcs] == [(1, 3, 1)]


@pytest.mark.slow
def test_calibration_shows_what_was_stated_and_what_came_true() -> None:
    one = replace(
        facts(said("One."), probes=(ballot(NAMES[3], 2, MURDERER),)),
        choices=((0.9, 1), (0.5, 0)),
    )
    [row] = rows(table(report(one), "calibration"))
    assert (row["suspicion"], row["stated"], row["right"]) == (2, pytest.approx(0.7), 0.5)
    assert chart(report(one), "suspicion", LineChart).level == 0.25


def test_an_option_is_listed_with_its_value_before_its_default() -> None:
    found = collected(facts())
    [run] = found.runs
    config = replace(run.manifest.config, options=WhodunitOptions(rounds=2))
    changed = replace(run, manifest=replace(run.manifest, config=config))
    shown = make_report(ReportContext(collected=replace(found, runs=(changed,)), language="en"))
    assert table(shown, "options").rows == (("whodunit", "rounds", "2", "3", "x"),)


def test_a_request_is_repaired_only_where_an_answer_to_it_was_rejected_before() -> None:
    seat, error = SeatId(NAMES[0]), ActionError(code="empty", field="text")

    def accepted(request: str) -> ActionAccepted:
        return ActionAccepted(seat=seat, request=request, action=Skip())

    found = count_request_outcomes(
        made(accepted("a"), ActionRejected(seat=seat, request="b", error=error), accepted("b"))
    )
    counts = found["civilians"]
    assert (counts["accepted"], counts["rejected"], counts["repaired"]) == (2, 1, 1)
    assert not found["murderer"]


def test_the_alarm_counts_every_breach_and_names_the_first_twenty() -> None:
    hits = tuple(DetectorHit(detector=FATAL, seat=SeatId(NAMES[0]), event=n) for n in range(25))
    first, *named, rest = report(replace(facts(), hits=hits)).alarms
    assert ": 25." in first
    assert len(named) == 20
    assert "5 more" in rest
