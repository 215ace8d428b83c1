"""What judges say becomes RP, SPC and CMD."""

from dataclasses import replace
from typing import Any

import pytest

from arena.core.actions import Action, Skip
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.games.whodunit.options import WhodunitOptions
from eval.metrics.catalogue import METRICS
from eval.metrics.judgements import (
    Judgement,
    median_sample,
    murder_detail,
    murder_detail_by_parts,
    scenario_progression,
    score_judgements,
)
from eval.played_match import PlayedMatch
from scripts_mm.script import KeyClue, Script
from tests.eval.made import drawn, made, play
from tests.table import NAMES, case

ADA, BRAM, *_ = NAMES


def with_key_clues() -> Script:
    script = case()
    holders: tuple[tuple[str, ...], ...] = ((ADA,), (BRAM,), (), (ADA, BRAM))
    keys = tuple(
        KeyClue(id=f"k{number}", text="so it was", holders=some)
        for number, some in enumerate(holders)
    )
    return replace(script, truth=replace(script.truth, key_clues=keys))


def talked(
    options: WhodunitOptions, *, silent: str = "", script: Script | None = None
) -> PlayedMatch:
    """Return a match in which one seat says and concludes nothing."""
    rest = drawn()

    def answer(request: DecisionRequest) -> Action:
        speaks = request.purpose is not Purpose.VOTE
        return Skip() if speaks and request.seat == silent else rest(request)

    return play("whodunit", script or case(), options, answer)


def only(match: PlayedMatch, **values: Any) -> tuple[float | None, ...]:
    """Return the values of the scores of one judgement."""
    return tuple(one.value for one in score_judgements(match, [Judgement(**values)]))


def test_missing_samples_are_left_out_of_the_median() -> None:
    assert median_sample([3, None, 9, 5]) == 5
    assert median_sample([None]) is None


def test_a_seat_that_never_spoke_plays_no_role() -> None:
    match = talked(WhodunitOptions(rounds=1), silent=ADA)
    assert only(match, metric="RP", seat=ADA, value=9) == (0,)
    assert only(match, metric="RP", seat=BRAM, value=9) == (9,)
    assert only(match, metric="RP", seat=BRAM) == (None,)


def test_statements_are_counted_once_and_invented_numbers_dropped() -> None:
    match = made(script=with_key_clues())
    whole, asked_for = score_judgements(
        match, [Judgement(metric="SPC", seat=ADA, values=(1, 3, 3, 9), judge="j")]
    )
    assert (whole.numerator, whole.denominator) == (2, 4)
    assert (asked_for.metric, asked_for.numerator, asked_for.denominator) == ("SPC_asked_for", 1, 2)
    assert whole.judge == "j"
    assert scenario_progression([], []) == (0, 0)
    assert scenario_progression([7], [1]) == (0, 1)


def test_a_table_is_judged_together_and_a_missing_list_is_undefined() -> None:
    match = made(script=with_key_clues())
    [table] = score_judgements(match, [Judgement(metric="SPC", seat="", values=(1, 2, 3, 4))])
    assert (table.value, table.group) == (1, "table")
    assert only(match, metric="SPC", seat=ADA) == (None, None)
    assert only(made(), metric="SPC", seat=ADA, values=(1,)) == (None, None)


@pytest.mark.parametrize("reasoning", ["heard", "secret"])
def test_a_conclusion_is_needed_for_its_detail(reasoning: Any) -> None:
    options = WhodunitOptions(rounds=1, reasoning=reasoning)
    match = talked(options, silent=ADA)
    assert only(match, metric="CMD", seat=ADA, value=80) == (0,)
    assert only(match, metric="CMD", seat=BRAM, value=80) == (80,)
    assert only(match, metric="CMD", seat=BRAM) == (None,)
    assert only(match, metric="CMD_parts", seat=BRAM, values=(80, 20)) == (50,)
    assert only(match, metric="CMD_parts", seat=BRAM) == (None,)


def test_a_game_that_asks_for_no_conclusion_may_be_judged_by_its_talk() -> None:
    assert only(made(), metric="CMD", seat=ADA, value=30) == (30,)


def test_detail_is_cut_to_its_scale() -> None:
    assert [murder_detail(one) for one in (-5, 62, 120, None)] == [0, 62, 100, None]
    assert murder_detail_by_parts([150, 50]) == 75
    assert murder_detail_by_parts([None, 50]) is None


def test_judgements_of_other_metrics_and_matches_without_judgements_give_nothing() -> None:
    assert not only(made(), metric="ICI", seat=ADA, value=3)
    for name in ("RP", "SPC", "CMD"):
        assert not list(METRICS[name].measure(made()))
