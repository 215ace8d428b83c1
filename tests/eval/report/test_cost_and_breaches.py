"""What runs cost and how fast they were, and the alarm of a hole in the wall."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.core.seats import SeatId
from eval.metrics.call_costs import CostStage, Price, PriceTable
from eval.metrics.guards.detectors import FATAL, DetectorHit
from eval.played_match import PlayedMatch
from eval.report.build import make_report
from eval.report.collection import match_facts
from eval.report.collection.match_facts import MatchFacts, extract_facts
from eval.report.elements import ReportParagraph, RunReport
from eval.report.page import render_page
from eval.report.report_context import ReportContext
from tests.arena.cli.conftest import Told, program
from tests.eval.metrics.test_usage import recorded
from tests.eval.report.made_reports import (
    collected,
    facts,
    report,
    rows,
    said,
    table,
)
from tests.table import NAMES

__all__ = ["program"]

HIT = DetectorHit(detector=FATAL, seat=SeatId(NAMES[0]), event=1)
PRICES = PriceTable(currency="EUR", models={"vl": Price(prompt=1, cached=0, output=2)})
MATCH = ("match", "--civ", "random", "--murderer", "naive", "--script", "last-tram", "-q")


def priced(*found: MatchFacts) -> RunReport:
    return make_report(
        ReportContext(collected=replace(collected(*found), prices=PRICES), language="en")
    )


def found_in(_: PlayedMatch) -> tuple[DetectorHit, ...]:
    return (HIT,)


def in_run(**values: Any) -> MatchFacts:
    return replace(facts(**values), run="x")


def paid(play: float | None, model: str) -> MatchFacts:
    costs: dict[CostStage, float | None] = {"gameplay": play, "evaluation": 0.25}
    return replace(in_run(), models=frozenset({model}), costs=costs)


@pytest.mark.slow
def test_the_speed_of_one_unbroken_match_is_over_wall_time_and_of_more_over_their_sum() -> None:
    one = in_run(turns=30, seconds=10.0, output_tokens=50, flags=())
    [row] = table(report(one), "throughput").rows
    assert row == ("x", "wall time", 3, 360, 5, None)
    [row] = table(report(one, one), "throughput").rows
    assert row == ("x", "sum of match seconds", 3, 360, 5, None)
    broken = in_run(turns=30, seconds=10.0, flags=("resumed",))
    [row] = table(report(broken), "throughput").rows
    assert row[1] == "sum of match seconds"


@pytest.mark.slow
def test_tokens_of_a_run_are_those_of_play_and_silent_ones_stand_beside_them(
    tmp_path: Path,
) -> None:
    known = replace(extract_facts(recorded(tmp_path, 40, 40, 100)), run="x")
    found = report(known)
    [row] = rows(table(found, "cost"))
    assert (row["prompt_tokens"], row["cached_tokens"], row["output_tokens"]) == (200, 80, 20)
    assert (row["silent_prompt_tokens"], row["silent_output_tokens"]) == (100, 10)
    assert row["tokens_per_turn"] == 220
    assert "not kept" not in table(found, "cost").note
    [speed] = rows(table(found, "throughput"))
    assert speed["cache_hit"] == 40
    assert [one["purpose"] for one in rows(table(found, "cost_by_purpose"))] == [
        "play",
        "introduce",
        "introduce step",
        "off the path",
    ]


def test_a_run_says_of_how_many_matches_the_calls_were_not_kept() -> None:
    found = table(report(in_run(prompt_tokens=10, turns=1), in_run()), "cost")
    [row] = rows(found)
    assert (row["prompt_tokens"], row["silent_prompt_tokens"]) == (10, 0)
    assert "Calls of 1 matches were not kept" in found.note


def test_the_price_of_a_run_is_that_of_play_and_of_what_was_asked_beside_it() -> None:
    found = table(priced(paid(1.0, "vl"), paid(0.5, "vl")), "price")
    assert found.rows == (("x", 1.5, 0.5, 2.0, 1.0),)
    assert found.title == "Cost of each run (EUR)"
    assert found.note == "Calls of judges (arena judge) are not in it."


def test_a_price_that_is_unknown_is_no_number_and_its_model_is_named() -> None:
    found = priced(paid(1.0, "vl"), paid(None, "other"))
    assert table(found, "price").rows == (("x", None, 0.5, None, None),)
    assert table(found, "price").note.endswith(" No price for: other.")


def test_without_a_price_table_the_report_says_how_to_give_one() -> None:
    [section] = [one for one in report(facts()).sections if one.name == "cost"]
    [line] = [one.text for one in section.blocks if isinstance(one, ReportParagraph)]
    assert "--prices" in line


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_hole_in_the_wall_is_a_banner_above_all_else(language: str) -> None:
    page = render_page(report(replace(facts(said("x")), hits=(HIT,)), language=language))
    banner = page.index('<div class="alarm" role="alert">')
    assert banner < page.index('<p class="warning"') < page.index("<main>")
    shown = page[banner : page.index("</div>", banner)]
    assert all(one in shown for one in ("/m1", NAMES[0], "event 2" if language == "en" else "2"))
    assert 'class="alarm"' not in render_page(report(facts(said("x")), language=language))


def test_a_hole_in_the_wall_is_told_where_a_person_played_too() -> None:
    person = replace(facts(said("x"), flags=("human",)), hits=(HIT,))
    assert len(report(facts(), person).alarms) == 2


@pytest.mark.slow
def test_commands_tell_a_hole_in_the_wall_in_one_line(
    program: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert program(*MATCH, "--out", "r").status == 0
    assert program("eval", "r", "--metric", "win_rate").err == ""
    monkeypatch.setattr(match_facts, "find_hits", found_in)
    for words in (("eval", "r", "--metric", "win_rate"), ("report", "r", "--out", "a.html")):
        told = program(*words)
        [line] = told.err.splitlines()
        assert told.status == 0
        assert "(first: r/" in line
        assert f"event 2, seat {NAMES[0]}): no figure is valid" in line


@pytest.mark.slow
def test_a_price_table_is_read_and_a_bad_one_is_refused_in_one_line(
    program: Callable[..., Told], tmp_path: Path
) -> None:
    assert program(*MATCH, "--out", "r").status == 0
    path = tmp_path / "p.json"
    words = ("report", "r", "--out", "a.html", "--prices", "p.json")
    for text in (None, "{", '{"currency": "USD", "models": {"m": {"prompt": 1}}}'):
        if text is not None:
            path.write_text(text)
        told = program(*words)
        [line] = told.err.splitlines()
        assert told.status == 2
        assert line.startswith("error: the price table 'p.json' cannot be read")
        assert not (tmp_path / "a.html").exists()
    path.write_text(json.dumps({"currency": "USD"}))
    assert program(*words).status == 0
    assert "Cost of each run (USD)" in (tmp_path / "a.html").read_text(encoding="utf-8")
