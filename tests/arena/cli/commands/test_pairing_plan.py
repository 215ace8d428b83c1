"""`arena compare --plan`: whether a pairing may stop."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.arena.cli.conftest import Told

pytestmark = pytest.mark.slow

Program = Callable[..., Told]


@pytest.fixture
def runs(program: Program) -> tuple[str, str]:
    """Two runs of the same 3 matches and of 3 with sides exchanged."""
    for name, civilians in (("a", "random"), ("b", "first")):
        words = ("--civ", civilians, "--murderer", "naive", "--script", "last-tram", "--swap")
        told = program("match", *words, "-n", "3", "--out", name, "-q")
        assert told.status == 0, told.err
    return "a", "b"


def write(path: Path, **plan: object) -> str:
    path.write_text(json.dumps(plan), encoding="utf-8")
    return str(path)


def test_a_look_at_its_number_of_pairs_decides_and_any_other_goes_on(
    program: Program, runs: tuple[str, str], tmp_path: Path
) -> None:
    plan = write(tmp_path / "p.json", looks=[6, 12], metric="win_rate")
    told = program("compare", *runs, "--plan", plan, "--json")
    assert told.status == 0, told.err
    found = json.loads(told.out)
    assert (found["pairs"], found["look"], found["looks"], found["next_look"]) == (6, 1, 2, 12)
    assert found["level"] == pytest.approx(0.975)
    assert found["verdict"] == "go on", "one script has no interval"
    plan = write(tmp_path / "p.json", looks=[6])
    assert json.loads(program("compare", *runs, "--plan", plan, "--json").out)["verdict"] == (
        "plan ends"
    )
    plan = write(tmp_path / "p.json", looks=[4, 8])
    told = program("compare", *runs, "--plan", plan)
    assert "6 pairs, no look" in told.out
    assert "go on; the next look is at 8 pairs" in told.out


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ({"looks": [4, 2]}, "looks must ascend"),
        ({"looks": []}, "looks must ascend"),
        ({}, "looks"),
        ({"looks": [6], "metric": "luck"}, "unknown metric 'luck'"),
        ({"looks": [6], "faction": "spies"}, "no value for the plan's faction 'spies'"),
    ],
)
def test_a_plan_that_cannot_be_followed_is_refused(
    program: Program,
    runs: tuple[str, str],
    tmp_path: Path,
    plan: dict[str, object],
    reason: str,
) -> None:
    told = program("compare", *runs, "--plan", write(tmp_path / "p.json", **plan))
    assert told.status == 2
    [line] = told.err.splitlines()
    assert reason in line


def test_a_plan_names_its_metric_and_must_be_there(
    program: Program, runs: tuple[str, str], tmp_path: Path
) -> None:
    told = program("compare", *runs, "--plan", "nowhere.json")
    assert (told.status, "cannot be read" in told.err) == (2, True)
    plan = write(tmp_path / "p.json", looks=[6])
    told = program("compare", *runs, "--plan", plan, "--metric", "win_rate")
    assert (told.status, "leave out --metric" in told.err) == (2, True)
