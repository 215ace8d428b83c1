"""Games that make their own script at the command line: no `--script`, and what is refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.core.game import SelfContained
from arena.games.game_registry import all_games
from tests.arena.cli.conftest import Told

Program = Callable[..., Told]
OWN = sorted(name for name, game in all_games().items() if isinstance(game, SelfContained))
RANDOM = ("--civ", "random", "--murderer", "random")


@pytest.mark.parametrize("game", OWN)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_match_needs_no_script(program: Program, game: str, language: str) -> None:
    words = ("match", "--game", game, *RANDOM, "--language", language, "--out", "run", "--json")
    told = program(*words, "--seed", "5")
    assert told.status == 0, told.err
    found = json.loads(told.out)
    assert (found["script"], found["language"], found["seed"]) == (game, language, 5)
    [script] = json.loads(Path("run/run.json").read_text("utf-8"))["config"]["scripts"]
    assert script["path"] == "", "a script that a game makes lies in no folder"


def test_many_matches_are_played_swapped_resumed_and_replayed(program: Program) -> None:
    words = ("match", "--game", "werewolf5", *RANDOM, "--out", "run", "--preset", "paper")
    told = program(*words, "-n", "3", "--swap", "-q")
    assert told.status == 0, told.err
    assert len(told.out.splitlines()) == 6
    folder = Path("run/matches/werewolf5-en-s1")
    events = (folder / "events.jsonl").read_bytes()
    lines = events.splitlines(keepends=True)
    (folder / "events.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    (folder / "done.json").unlink()
    resumed = program("resume", "run", "-q")
    assert resumed.status == 0, resumed.err
    assert (folder / "events.jsonl").read_bytes() == events
    shown = program("replay", "run", "werewolf5-en-s1", "--truth")
    assert shown.status == 0, shown.err
    assert "Day 1" in shown.out
    assert "(werewolf)" in shown.out


def test_a_plan_needs_no_script_and_takes_none(program: Program) -> None:
    plan = ("plan", "qwen2.5-vl-7b", "h200")
    told = program(*plan, "--game", "werewolf5", "-n", "2", "--json")
    assert told.status == 0, told.err
    assert json.loads(told.out)["scripts"] == ["werewolf5"]
    refused = program(*plan, "first-night", "--game", "werewolf5")
    assert refused.status == 2
    assert "generates its own script" in refused.err


def test_a_script_is_refused_in_one_sentence(program: Program) -> None:
    told = program("match", "--game", "werewolf5", *RANDOM, "--script", "first-night")
    assert (told.status, told.out) == (2, "")
    assert told.err == (
        "error: game 'werewolf5' generates its own script and plays no other; "
        "leave out 'first-night'\n"
    )


@pytest.mark.parametrize("player", ["naive", "naive-data", "naive:votes=random"])
@pytest.mark.parametrize("side", ["--civ", "--murderer"])
def test_a_player_that_lives_on_its_script_is_refused_before_anything_is_made(
    program: Program, player: str, side: str
) -> None:
    told = program("match", "--game", "werewolf5", *RANDOM, side, player, "--out", "run")
    assert (told.status, told.out) == (2, "")
    [line] = told.err.splitlines()
    assert line.startswith(f"error: player {player.partition(':')[0]!r} only repeats what its")
    assert not Path("run").exists()


def test_a_third_contestant_for_the_possessed_is_refused(program: Program) -> None:
    told = program("match", "--game", "werewolf5", *RANDOM, "-o", "possessed=third")
    assert told.status == 2
    assert "'possessed' must be murderer | civ, got 'third'" in told.err
    listed = program("games", "--no-color")
    assert "it cannot be a third one" in " ".join(listed.out.split())
