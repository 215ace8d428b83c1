"""A person plays whole matches on a real terminal, leaves, and goes on."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.core.events import Said, VoteCast
from arena.records.run_config import HUMAN
from arena.records.run_record import open_run
from scripts_mm.catalog import find_script
from tests.arena.cli.conftest import Told
from tests.arena.cli.play.terminal import Terminal, terminal

CHOICES = {"Target", "Culprit", "Your choice", "对象", "凶手", "你的选择"}


def play_to_the_end(program: Terminal, words: str, end: str) -> list[str]:
    """Answer every prompt until the verdict; return what was asked."""
    labels: list[str] = []
    while (label := program.wait_for_prompt(end)) != end:
        labels.append(label)
        name = label.split(" (")[0].split("（")[0]
        program.type("2" if name in CHOICES else f"{words} {len(labels)}")
    return labels


@pytest.mark.slow
def test_a_whole_match_in_english_left_and_continued(tmp_path: Path) -> None:
    words = ("play", "first-night", "--as", "Nell Ashby", "--against", "random", "--out", "run")
    with terminal(tmp_path, *words, "-o", "rounds=1", "--human-id", "kim") as program:
        assert program.wait_for_prompt() == "Your words"
        assert "Your script (only you see it)" in program.text
        assert "run/pictures/" in program.text
        program.type("I am Nell, and I count the weights.")
        assert program.wait_for_prompt() == "Statement"
        assert "The clues you have seen" not in program.text
        program.type("/clues")
        program.wait_for("The clues you have seen")
        assert program.wait_for_prompt() == "Statement"
        program.type("/leave")
        program.wait_for("arena resume run")
        assert program.finish() == 130
    record = open_run(tmp_path / "run")
    assert record.find_results() is None
    with terminal(tmp_path, "resume", "run") as program:
        program.wait_for("The match continues where you left it.")
        assert "I am Nell, and I count the weights." in program.text
        labels = play_to_the_end(program, "Said", "Verdict")
        assert labels[:3] == ["Statement", "Target", "Question"]
        assert labels[-1] == "Your choice"
        program.wait_for("A person played in this match")
        assert program.finish() == 0
    [match] = record.matches()
    summary = match.summary()
    assert summary is not None
    assert HUMAN in summary.flags
    spoken = [one for one in match.events() if isinstance(one, Said) and one.seat == "Nell Ashby"]
    assert spoken[0].text == "I am Nell, and I count the weights."
    assert any(isinstance(one, VoteCast) and one.seat == "Nell Ashby" for one in match.events())


@pytest.mark.slow
def test_a_whole_match_in_chinese_left_with_ctrl_c_and_continued(tmp_path: Path) -> None:
    words = ("play", "osmanthus-feast", "--language", "zh", "--against", "random", "--out", "run")
    role = find_script("osmanthus-feast", "zh").script.roles[0].name
    with terminal(tmp_path, *words, "-o", "rounds=1", "--as", role) as program:
        assert program.wait_for_prompt() == "你要说的话"
        assert "你的剧本（只有你能看到）" in program.text
        program.type("各位好，我先说说那晚的事。")
        assert program.wait_for_prompt() == "发言"
        program.press("\x03")
        program.wait_for("接着玩")
        assert program.finish() == 130
    with terminal(tmp_path, "resume", "run") as program:
        program.wait_for("对局从你离开的地方继续。")
        assert "各位好，我先说说那晚的事。" in program.text
        assert play_to_the_end(program, "我说", "真人")[-1] == "你的选择"
        program.wait_for("本局有真人参与")
        assert program.finish() == 0


@pytest.mark.slow
def test_werewolf_needs_no_script_and_no_model(tmp_path: Path) -> None:
    words = ("play", "--game", "werewolf5", "--as", "agnes", "--against", "random")
    with terminal(tmp_path, *words, "--out", "run") as program:
        program.wait_for("you are     Agnes")
        asked: set[str] = set()
        while (label := program.wait_for_prompt("Verdict")) != "Verdict":
            asked.add(label)
            program.type("" if "optional" in label else "1")
        assert {"Your words", "What do you want to do?"} <= asked
        assert program.finish() == 0


@pytest.mark.slow
def test_the_time_runs_out_at_the_prompt_and_the_match_goes_on(tmp_path: Path) -> None:
    words = ("play", "first-night", "--as", "Iris Vane", "--against", "random", "--out", "run")
    with terminal(tmp_path, *words, "-o", "rounds=1", "--time-limit", "0.4") as program:
        program.wait_for("time left 0:00")
        program.wait_for("Time is up.")
        program.wait_for("(Iris Vane, introduction: no answer in time)")
        program.wait_for("Verdict")
        assert program.finish() == 0


@pytest.mark.slow
def test_a_signal_while_the_person_types_leaves_the_match_too(tmp_path: Path) -> None:
    words = ("play", "first-night", "--as", "Iris Vane", "--against", "random", "--out", "run")
    with terminal(tmp_path, *words) as program:
        program.wait_for_prompt()
        os.kill(program.pid, signal.SIGINT)
        program.wait_for("arena resume run")
        assert program.finish() == 130
    assert "Traceback" not in program.text


@pytest.mark.slow
def test_pictures_are_drawn_and_a_dumb_terminal_has_none(tmp_path: Path) -> None:
    words = ("play", "first-night", "--as", "Nell Ashby", "--against", "random", "--pictures")
    for term, drawn in (("xterm-256color", True), ("dumb", False)):
        with terminal(tmp_path, *words, "--out", term, term=term) as program:
            program.wait_for(f"{term}/pictures/")
            program.wait_for_prompt()
            assert ("▀" in program.text) is drawn
            program.type("/leave")
            program.wait_for("continue with")
            assert program.finish() == 130


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [(), ("--pictures",)])
def test_a_match_that_goes_on_draws_pictures_where_it_is_asked_to(
    tmp_path: Path, wanted: tuple[str, ...]
) -> None:
    words = ("play", "first-night", "--as", "Nell Ashby", "--against", "random", "--out", "run")
    with terminal(tmp_path, *words) as program:
        program.wait_for_prompt()
        assert "▀" not in program.text
        program.type("/leave")
        assert program.finish() == 130
    with terminal(tmp_path, "resume", "run", *wanted) as program:
        program.wait_for("run/pictures/")
        program.wait_for_prompt()
        assert ("▀" in program.text) is bool(wanted)
        program.type("/leave")
        assert program.finish() == 130


def test_without_a_terminal_nobody_can_play(program: Callable[..., Told]) -> None:
    told = program("play", "first-night", "--as", "Nell Ashby", "--against", "random")
    assert told.status == 2
    assert told.err.count("\n") == 1
    assert "a person plays at a terminal" in told.err
    assert not Path("runs").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("first-night", "--as", "Nel Ashby"), "did you mean 'Nell Ashby'?"),
        (("first-night",), "has no role ''"),
        (("--as", "Agnes"), "needs a script"),
        (("first-night", "--game", "werewolf5", "--as", "Agnes"), "generates its own script"),
        (("first-night", "--as", "Nell Ashby", "--time-limit", "0"), "time limit must be > 0"),
        (("first-night", "--as", "Nell Ashby", "--against", "naive:x=1"), "no option"),
        (("first-night", "--as", "Nell Ashby", "--against", "human"), "other seats"),
    ],
)
def test_wrong_words_are_one_line_and_exit_status_2(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    default = () if "--against" in words else ("--against", "random")
    with terminal(tmp_path, "play", *words, *default) as program:
        assert program.finish() == 2
    assert said in program.text
    assert "Traceback" not in program.text
    assert not (tmp_path / "runs").exists()
