"""Win rates in three conventions, and averages over opponents."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.events import Outcome
from eval.metrics.win_rates import (
    LABELS,
    OutcomeCounts,
    average_column,
    average_of_printed,
    average_row,
    count_outcomes,
    measure_outcome_shares,
    measure_win_rate,
    measure_win_rate_decided,
    measure_win_rate_half,
)
from eval.played_match import PlayedMatch
from eval.scores import macro_mean, pooled_rate
from tests.eval.made import made

COUNTS = st.integers(0, 50)
OUTCOMES: tuple[Outcome, ...] = ("civ_win", "murderer_win", "draw", "forfeit", "error")


def matches(**numbers: int) -> list[PlayedMatch]:
    """Return so many matches of each outcome."""
    return [
        made(outcome=label, match=f"{label}-{number}")
        for label in OUTCOMES
        for number in range(numbers.get(label, 0))
    ]


def value(measure: Any, played: list[PlayedMatch]) -> float | None:
    return macro_mean(score for match in played for score in measure(match))


def test_the_three_conventions_differ_by_draws_alone() -> None:
    played = matches(civ_win=12, murderer_win=30, draw=6, error=2, forfeit=1)
    assert value(measure_win_rate, played) == 12 / 48
    assert value(measure_win_rate_decided, played) == 12 / 42
    assert value(measure_win_rate_half, played) == 15 / 48
    counts = count_outcomes(match.summary for match in played)
    assert (counts.decisive, counts.with_result, counts.total) == (42, 48, 51)
    assert counts.including_draws == 12 / 48


def test_the_pooled_rate_is_the_same() -> None:
    played = matches(civ_win=1, murderer_win=2, draw=1, forfeit=5)
    assert pooled_rate(one for match in played for one in measure_win_rate(match)) == 1 / 4
    assert pooled_rate(one for match in played for one in measure_win_rate_half(match)) == 1.5 / 4


def test_forfeits_and_errors_are_in_no_rate_and_are_counted() -> None:
    played = matches(forfeit=2, error=1)
    assert value(measure_win_rate, played) is None
    assert value(measure_win_rate_half, played) is None
    shares = [score for match in played for score in measure_outcome_shares(match)]
    by_label = {label: [one for one in shares if one.group == label] for label in LABELS}
    assert {label: pooled_rate(some) for label, some in by_label.items()} == {
        "civ_win": 0,
        "murderer_win": 0,
        "draw": 0,
        "forfeit": 2 / 3,
        "error": 1 / 3,
        "uncounted": 0,
    }


def test_a_reference_row_is_in_no_rate_and_is_counted() -> None:
    row = made(outcome="murderer_win", uncounted="nobody talked")
    for measure in (measure_win_rate, measure_win_rate_decided, measure_win_rate_half):
        assert value(measure, [row]) is None
    counts = count_outcomes([row.summary])
    assert counts == OutcomeCounts(uncounted=1)
    assert (counts.with_result, counts.total) == (0, 1)


def test_draws_alone_leave_the_decided_rate_undefined() -> None:
    played = matches(draw=3)
    assert value(measure_win_rate_decided, played) is None
    assert value(measure_win_rate, played) == 0
    assert value(measure_win_rate_half, played) == 0.5


def test_the_civilians_are_scored_against_their_opponent() -> None:
    [score] = measure_win_rate(made())
    assert (score.contestant, score.opponent, score.seat) == ("alpha", "beta", "")


def test_matches_with_a_person_are_a_group_of_their_own() -> None:
    assert [score.group for score in measure_win_rate(made(flags=("human",)))] == ["human"]
    assert [score.group for score in measure_win_rate(made())] == [""]


def test_averages_leave_out_the_contestant_itself_and_cells_without_decided_matches() -> None:
    cells = {
        "a": {
            "a": OutcomeCounts(civ_win=9, murderer_win=1),
            "b": OutcomeCounts(civ_win=5, murderer_win=29),
            "c": OutcomeCounts(civ_win=1, murderer_win=1),
            "d": OutcomeCounts(draw=4),
        },
        "b": {"c": OutcomeCounts(murderer_win=3)},
    }
    row = average_row(cells, "a")
    assert row.consistent == pytest.approx((100 * 5 / 34 + 50) / 2)
    assert row.as_printed == 32.4, "14.7 and 50.0, and a half goes up"
    assert row.pooled == pytest.approx(100 * 6 / 36)
    assert (row.cells, row.missing) == (2, 1)
    column = average_column(cells, "c")
    assert column.as_printed == 25.0
    assert column.pooled == pytest.approx(20)
    assert average_row(cells, "z").as_printed is None


def test_a_mean_of_printed_cells_rounds_a_half_up() -> None:
    assert average_of_printed([16.2, 16.3]) == 16.3
    assert average_of_printed([]) is None


@given(win=COUNTS, loss=COUNTS, draw=COUNTS)
def test_half_draws_lie_between_including_draws_and_one(win: int, loss: int, draw: int) -> None:
    counts = OutcomeCounts(civ_win=win, murderer_win=loss, draw=draw)
    if counts.with_result:
        assert counts.including_draws is not None
        assert counts.half_draws is not None
        assert 0 <= counts.including_draws <= counts.half_draws <= 1
    if counts.decisive:
        assert counts.excluding_draws is not None
        assert counts.including_draws is not None
        assert counts.excluding_draws >= counts.including_draws
