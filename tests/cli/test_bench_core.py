"""`arena bench overhead` and `arena bench alpha`, as a user calls them."""

import json
from collections.abc import Callable

import pytest

from tests.cli.conftest import Told

Program = Callable[..., Told]


def test_the_overhead_of_a_few_real_matches_is_measured_in_figures(program: Program) -> None:
    told = program("bench", "overhead", "-n", "4", "--transport", "chat", "--live", "2", "--json")
    assert told.status == 0, told.err
    for words, line in zip((100, 9000), told.out.splitlines(), strict=True):
        found = json.loads(line)
        assert found["finished"] == found["matches"] == 4
        assert found["turns"] >= 4 * 12
        assert found["prompt_tokens"] > words
        assert 0 < found["cpu_ms_per_turn"] < 1000
        assert found["turns_per_s"] > 0


def test_the_sweep_finds_that_promising_everything_is_worse_than_admission(
    program: Program,
) -> None:
    shape = (
        "synthetic:scripts=2,matches=10,seats=3,rounds=1,pictures=1,script_tokens=3000,output=40"
    )
    told = program("bench", "alpha", "--trace", shape, "--kv-tokens", "40000", "--json")
    assert told.status == 0, told.err
    rows = [json.loads(line) for line in told.out.splitlines()]
    ours = max(row["matches_per_h"] for row in rows if row["arm"] == "ours")
    [everything] = [row for row in rows if row["arm"] == "ours_without_admission"]
    assert ours > everything["matches_per_h"]
    assert {row["peaks"] for row in rows if row["adapts"]} == {0.5, 1.0, 1.5}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("overhead", "--matches", "0"), "--matches must be >= 1, got 0"),
        (("overhead", "--words", "-3"), "--words must be >= 1, got -3"),
        (("overhead", "--live", "0"), "--live must be >= 1"),
        (("overhead", "--transport", "pigeon"), "got 'pigeon'"),
        (("alpha", "--profile", "h900"), "no engine profile 'h900'"),
        (("alpha", "--kv-tokens", "3"), "--kv-tokens must be >= 32, got 3"),
        (("alpha", "--trace", "nowhere.jsonl"), "no trace 'nowhere.jsonl'"),
    ],
)
def test_bad_input_is_one_line_and_exit_status_2(
    words: tuple[str, ...], said: str, program: Program
) -> None:
    told = program("bench", *words)
    assert told.status == 2
    [line] = told.err.splitlines()
    assert said in line
    assert not told.out
