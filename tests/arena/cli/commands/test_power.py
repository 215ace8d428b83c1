"""`arena power`: how many matches a question needs."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from eval.stats.power import power_of_pairs
from tests.arena.cli.conftest import Told

Program = Callable[..., Told]


def answer(told: Told) -> dict[str, Any]:
    assert (told.status, told.err) == (0, "")
    [line] = told.out.splitlines()
    return json.loads(line)


def test_an_interval_of_5_points_at_a_quarter_needs_289_matches(program: Program) -> None:
    found = answer(program("power", "--rate", "0.25", "--half-width", "0.05", "--json"))
    assert found["matches"] == 289
    words = ("--rate", "0.25", "--half-width", "0.05", "--design-effect", "2")
    assert answer(program("power", *words, "--json"))["matches"] == 577
    assert "matches 577" in program("power", *words).out


def test_the_matches_for_a_difference_have_the_power_that_was_asked(program: Program) -> None:
    words = ("--rate", "0.35", "--other", "0.2", "--json")
    count = answer(program("power", *words, "--power", "0.9"))["matches"]
    found = answer(program("power", *words, "--matches", str(count)))
    assert found["power"] == pytest.approx(0.9, abs=0.005)


@pytest.mark.slow
def test_pairs_need_fewer_matches_where_most_end_alike(program: Program) -> None:
    words = ("--rate", "0.2", "--other", "0.05")
    pairs = answer(program("power", *words, "--paired", "--json"))["matches"]
    assert power_of_pairs(0.2, 0.05, pairs) >= 0.8 > power_of_pairs(0.2, 0.05, pairs - 4)
    found = answer(program("power", *words, "--paired", "--matches", "40", "--json"))
    assert found["power"] == pytest.approx(power_of_pairs(0.2, 0.05, 40))


@pytest.mark.slow
def test_a_run_says_how_much_its_matches_vary(program: Program) -> None:
    words = ("--civ", "random", "--murderer", "random", "--out", "r", "-q", "-n", "6")
    assert program("match", *words, "--script", "last-tram").status == 0
    told = program("power", "r", "--half-width", "0.1", "--json")
    assert told.status == 0, told.err
    found = answer(told)
    assert (found["metric"], found["contestant"]) == ("win_rate", "random")
    assert (found["matches"], found["works"], found["icc"]) == (6, 1, None)
    won = round(found["mean"] * 6)
    assert 0 < won < 6
    spread = won * (6 - won) / 30
    assert found["needed"] == pytest.approx(1.959964**2 * spread / 0.01, abs=1)


@pytest.mark.slow
def test_matches_that_do_not_differ_cannot_say_how_many_are_needed(program: Program) -> None:
    words = ("--civ", "first", "--murderer", "first", "--out", "r", "-q", "-n", "2")
    assert program("match", *words, "--script", "last-tram").status == 0
    words = ("power", "r", "--half-width", "0.1", "--metric", "deadline_misses")
    rows = [json.loads(line) for line in program(*words, "--json").out.splitlines()]
    assert {row["faction"] for row in rows} == {"civilians", "murderer"}
    assert all(row["needed"] is None for row in rows)
    assert program(*words).out.count("needed unknown") == len(rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "--rate with --half-width or --other"),
        (("--rate", "0.2"), "--rate with --half-width or --other"),
        (("--rate", "0.2", "--other", "0.3", "--half-width", "0.1"), "wanted"),
        (("--rate", "20", "--half-width", "0.1"), "--rate must be between 0 and 1, got 20"),
        (("--rate", "0.2", "--half-width", "0"), "--half-width must be between"),
        (("--rate", "0.2", "--other", "0.2"), "must differ"),
        (("--rate", "0.2", "--other", "0.3", "--matches", "0"), "--matches must be from 1"),
        (("--rate", "0.2", "--half-width", "0.1", "--design-effect", "0.5"), "at least 1"),
        (("--rate", "0.2", "--half-width", "0.1", "--design-effect", "nan"), "at least 1"),
        (("--rate", "0.6", "--other", "0.5", "--paired"), "shares of the same pairs"),
        (("--rate", "0.5", "--half-width", "0.1", "--paired"), "--other, which is missing"),
        (("--rate", "0.101", "--other", "0.1", "--paired"), "more than 4096 pairs"),
        (("nowhere", "--half-width", "0.1"), "no run at"),
        (("nowhere", "--rate", "0.1"), "with runs, give --half-width"),
        (("nowhere", "--half-width", "0.1", "--metric", "luck"), "unknown metric 'luck'"),
    ],
)
def test_what_cannot_be_planned_is_refused(
    program: Program, words: tuple[str, ...], reason: str
) -> None:
    told = program("power", *words)
    assert told.status == 2
    [line] = told.err.splitlines()
    assert line.startswith("error: ")
    assert reason in line
