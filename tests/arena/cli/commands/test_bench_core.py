"""`arena bench overhead`, as a user calls it."""

import json
from collections.abc import Callable

import pytest

from arena.errors import ModelError
from tests.arena.cli.conftest import Told

Program = Callable[..., Told]


@pytest.mark.slow
def test_the_overhead_of_a_few_real_matches_is_measured_in_figures(program: Program) -> None:
    words = ("-n", "4", "--transport", "chat", "--live", "2", "--repeat", "2", "--json")
    told = program("bench", "overhead", *words)
    assert told.status == 0, told.err
    for size, line in zip((100, 9000), told.out.splitlines(), strict=True):
        found = json.loads(line)
        assert found["finished"] == found["matches"] == 4
        assert found["turns"] >= 4 * 12
        assert found["prompt_tokens"] > size
        assert 0 < found["bare_cpu_ms_per_turn"] < found["cpu_ms_per_turn"] < 1000
        assert 1 < found["cpu_ratio_low"] < found["cpu_ratio"] < found["cpu_ratio_high"]
        assert found["turns_per_s"] > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("overhead", "--matches", "0"), "--matches must be >= 1, got 0"),
        (("overhead", "--words", "-3"), "--words must be >= 1, got -3"),
        (("overhead", "--live", "0"), "--live must be >= 1"),
        (("overhead", "--repeat", "0"), "--repeat must be >= 1, got 0"),
        (("overhead", "--transport", "pigeon"), "got 'pigeon'"),
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


def test_a_fault_beside_the_matches_is_one_line(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(load: object, tokenizer: object, **given: object) -> None:
        raise ExceptionGroup("tasks", [ModelError("the wire is cut")])

    monkeypatch.setattr("arena.cli.commands.bench_overhead.measure_simulated", broken)
    told = program("bench", "overhead", "--transport", "chat", "--matches", "1")
    assert (told.status, told.out) == (2, "")
    [line] = told.err.splitlines()
    assert "the wire is cut" in line
