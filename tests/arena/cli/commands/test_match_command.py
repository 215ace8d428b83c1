"""`arena match` and `arena replay` with players that need no model."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli.commands.match import default_preset
from arena.games.game_registry import find_game
from serving.host.hardware import detect
from tests.arena.cli.conftest import Told
from tests.arena.run.stage import save_case

Program = Callable[..., Told]
NOTICE = "preset short, because you chose it; --preset default plays the whole game"


@pytest.fixture
def harbour(tmp_path: Path) -> str:
    return str(save_case(tmp_path / "harbour").folder)


def match(harbour: str, *more: str) -> tuple[str, ...]:
    words = ("--civ", "random", "--murderer", "naive", "--script", harbour, "--out", "run")
    return ("match", *words, *more)


def test_json_has_one_object_and_the_preset_is_named_on_standard_error(
    program: Program, harbour: str
) -> None:
    told = program(*match(harbour, "--preset", "short", "--json"))
    assert told.status == 0, told.err
    [line] = told.out.splitlines()
    found = json.loads(line)
    assert (found["game"], found["flags"]) == ("whodunit", [])
    assert told.err.splitlines()[0] == NOTICE


def test_without_a_model_on_this_host_the_whole_game_is_played_and_no_preset_is_named(
    program: Program, harbour: str
) -> None:
    told = program(*match(harbour))
    assert told.status == 0, told.err
    assert "preset" not in told.err
    assert "round 3 of 3" in told.out


def test_the_truth_is_shown_from_the_start_where_it_is_wanted(
    program: Program, harbour: str
) -> None:
    played = program(*match(harbour, "--preset", "short"))
    plain, whole = program("replay", "run"), program("replay", "run", "--truth")
    assert plain.out.split("Verdict")[0] == played.out.split("Verdict")[0]
    assert "CLUE-OF-BRAM" not in plain.out
    assert "CLUE-OF-BRAM" in whole.out
    assert "Cleo Marsh (murderer)" in whole.out.split("Introduction")[0]


def test_the_command_below_a_replayed_match_of_several_names_the_match(
    program: Program, harbour: str
) -> None:
    assert program(*match(harbour, "--preset", "short", "-n", "2")).status == 0
    second = sorted(path.name for path in Path("run", "matches").iterdir())[1]
    shown = program("replay", "run", second).out.splitlines()
    [command] = [line for line in shown if line.startswith("arena replay ")]
    assert command.split() == ["arena", "replay", "run", second]
    assert program(*command.split()[1:]).out.splitlines() == shown


def test_the_verdict_says_who_voted_for_whom(program: Program, harbour: str) -> None:
    told = program(*match(harbour, "--preset", "short"))
    verdict = told.out.split("Verdict")[1]
    assert "Ada Quill -> " in verdict


def test_a_model_that_must_be_fetched_first_plays_the_short_preset_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "ARENA_FETCH", "ARENA_MODELS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    local = "default" if detect(tmp_path).gpus else "short"
    assert default_preset(find_game("whodunit"), ("smolvlm-256m", "naive"), tmp_path) == local


def test_a_model_on_this_host_without_a_gpu_plays_the_short_preset(tmp_path: Path) -> None:
    whodunit = find_game("whodunit")
    local = "default" if detect(tmp_path).gpus else "short"
    assert default_preset(whodunit, ("qwen", "naive"), tmp_path) == local
    assert default_preset(whodunit, ("random", "naive"), tmp_path) == "default"
    served = "http://127.0.0.1:9/v1#model"
    assert default_preset(whodunit, (served, "naive"), tmp_path) == "default"
