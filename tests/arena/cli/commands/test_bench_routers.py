"""`arena bench routers`, as a user calls it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bench.simulation.virtual_run import VirtualRun
from tests.arena.bench.routers import install_router, small_load
from tests.arena.cli.conftest import Told


@pytest.mark.slow
def test_the_command_reports_one_object_an_arm(
    tmp_path: Path, program: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(replicas: int, matches: int) -> VirtualRun:
        assert (replicas, matches) == (2, 9)
        return small_load()

    monkeypatch.setattr("arena.cli.commands.bench_routers.make_router_run", load)
    words = (
        "--router",
        install_router(tmp_path),
        "--arms",
        "ours,router_sticky",
        "--repeat",
        "2",
    )
    told = program("bench", "routers", *words, "--replicas", "2", "-n", "9", "--json")
    assert told.status == 0, told.err
    rows = [json.loads(line) for line in told.out.splitlines()]
    assert [(row["arm"], row["repeats"]) for row in rows] == [
        ("ours", 2),
        ("router_sticky", 2),
    ]
    assert rows[0]["ours_times"] == 1
    assert rows[1]["ours_times_95"][0] < rows[1]["ours_times"] < rows[1]["ours_times_95"][1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--router", "no-such-router"), "pip install vllm-router"),
        (("--replicas", "0"), "--replicas must be >= 1, got 0"),
        (("--matches", "0"), "--matches must be >= 1, got 0"),
        (("--repeat", "0"), "--repeat must be >= 1, got 0"),
        (("--arms", "psychic"), "no arm 'psychic'"),
    ],
)
def test_bad_input_is_one_line_and_exit_status_2(
    words: tuple[str, ...], said: str, program: Callable[..., Told]
) -> None:
    told = program("bench", "routers", *words)
    assert told.status == 2
    [line] = told.err.splitlines()
    assert said in line
    assert not told.out
