"""Seats that a person plays: the time for an answer, the person's name, the flags of the match."""

import math

import pytest

from arena.core.seats import SeatId
from arena.errors import ConfigError
from arena.records.run_config import HumanSeat


@pytest.mark.parametrize("limit", [None, 0.25, 1, 3600.0])
def test_a_person_has_any_time_or_some_for_an_answer(limit: float | None) -> None:
    assert HumanSeat(seat=SeatId("Ada"), time_limit=limit).time_limit == limit


@pytest.mark.parametrize("limit", [0, -1, math.inf, math.nan])
def test_a_time_in_which_nobody_can_answer_is_refused(limit: float) -> None:
    with pytest.raises(ConfigError, match="must be > 0 seconds and finite"):
        HumanSeat(seat=SeatId("Ada"), time_limit=limit)


@pytest.mark.parametrize("name", ["x" * 81, "two\nlines", "\x1b[1m"])
def test_a_persons_name_that_no_line_can_hold_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="at most 80 printable characters"):
        HumanSeat(seat=SeatId("Ada"), human_id=name)
    assert HumanSeat(seat=SeatId("Ada"), human_id="x" * 80).human_id


def test_a_match_of_a_person_who_may_know_the_script_has_a_flag_of_its_own() -> None:
    fresh, spoiled = (HumanSeat(seat=SeatId("Ada"), spoiled=value) for value in (False, True))
    assert fresh.flags == ("human",)
    assert spoiled.flags == ("human", "human:spoiled")
