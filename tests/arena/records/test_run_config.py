"""What a run is asked for: seats of persons, shards, ids of matches."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from arena.core.seats import SeatId
from arena.errors import ConfigError, RecordError
from arena.records.run_config import MOST_SHARDS, HumanSeat, Shard, make_pairs, match_specs
from arena.records.run_record import create_run
from tests.arena.records.made import make_run, run_config


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


def test_persons_without_a_name_are_not_taken_for_one() -> None:
    seats = [HumanSeat(seat=SeatId(name)) for name in ("Ada", "Bram")]
    run_config(humans=tuple(seats)).check_for_humans()
    named = tuple(replace(seat, human_id="me") for seat in seats)
    with pytest.raises(ConfigError, match="'me' is named twice"):
        run_config(humans=named).check_for_humans()


@pytest.mark.parametrize(
    ("index", "count"), [(0, 0), (0, -1), (0, MOST_SHARDS + 1), (-1, 3), (3, 3)]
)
def test_a_shard_that_there_is_not_is_refused(index: int, count: int) -> None:
    with pytest.raises(ConfigError, match="shard"):
        Shard(index=index, count=count)


@pytest.mark.parametrize("count", [1, 2, 7, 50])
def test_the_shards_of_a_run_play_each_match_once(count: int) -> None:
    whole = run_config(matches=20)
    parts = [
        match_specs(replace(whole, shard=Shard(index=index, count=count))) for index in range(count)
    ]
    assert [one for part in parts for one in part] == list(match_specs(whole))


def test_the_ids_of_matches_never_change() -> None:
    pairs = (*make_pairs("naive", "random", swap=True), *make_pairs("cot", "naive"))
    assert [spec.id for spec in match_specs(run_config(pairs=pairs))] == [
        "harbour-en-s1",
        "harbour-en-s1-swap",
        "harbour-en-s1-ad8125ca",
    ]


def test_the_folders_above_a_new_run_are_made_unless_that_is_not_wanted(tmp_path: Path) -> None:
    assert make_run(tmp_path / "a" / "run").path.is_dir()
    with pytest.raises((RecordError, OSError)), create_run(tmp_path / "b" / "run", parents=False):
        pass
    assert not (tmp_path / "b").exists()
