"""`arena eval`, `arena report` and `arena compare`: what they print, and what they refuse."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from eval.report.evaluation import evaluate_runs
from tests.arena.cli.conftest import Told, program

__all__ = ["program"]

Program = Callable[..., Told]


@pytest.fixture
def run(program: Program, tmp_path: Path) -> Path:
    """Two matches of scripted players."""
    words = ("--civ", "random", "--murderer", "naive", "--script", "last-tram")
    told = program("match", *words, "-n", "2", "--ballots", "--out", "r", "-q")
    assert told.status == 0, told.err
    return tmp_path / "r"


def refused(told: Told) -> str:
    assert told.status == 2, told
    [line] = told.err.splitlines()
    assert line.startswith("error: ")
    return line


@pytest.mark.slow
def test_a_run_becomes_figures_a_report_with_tables_and_a_comparison(
    program: Program, run: Path, tmp_path: Path
) -> None:
    told = program("eval", "r", "--json", "--metric", "win_rate", "--by", "script")
    assert (told.status, told.err) == (0, "")
    [value] = [json.loads(line) for line in told.out.splitlines()]
    assert (value["metric"], value["group"], value["n"]) == (
        "win_rate",
        {"script": "last-tram"},
        2,
    )
    assert "win_rate" in program("eval", "r", "--metric", "win_rate").out
    told = program("report", "r", "--out", "a.html", "--tables", "t", "--language", "zh")
    assert (told.status, told.err) == (0, "")
    assert told.out.startswith("wrote 'a.html': 2 matches")
    assert '<html lang="zh">' in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert str(tmp_path) not in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert (tmp_path / "t" / "win_matrix_whodunit.tex").is_file()
    assert "already" in refused(program("report", "r", "--out", "a.html"))
    assert program("report", "r", "--out", "a.html", "--overwrite").status == 0
    words = ("--civ", "first", "--murderer", "naive", "--script", "last-tram")
    assert program("match", *words, "-n", "2", "--out", "s", "-q").status == 0
    told = program("compare", "r", "s", "--json", "--metric", "win_rate")
    assert told.status == 0
    assert json.loads(told.out)["pairs"] == 2


@pytest.mark.slow
def test_an_unfinished_run_is_refused_and_a_half_finished_one_is_told(
    program: Program, run: Path
) -> None:
    first, second = sorted((run / "matches").iterdir())
    (first / "done.json").unlink()
    told = program("eval", "r", "--metric", "win_rate")
    line = f"left out as unfinished or damaged: 1 (first: r/{first.name}: the match is not finished"
    assert (told.status, told.err.startswith(line), told.err.count("\n")) == (0, True, 1)
    (second / "done.json").unlink()
    assert "no finished match" in refused(program("eval", "r"))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("eval", "nowhere"), "no run at"),
        (("report", "nowhere", "--out", "x.html"), "no run at"),
        (("report", "nowhere", "--out", "."), "is a folder"),
        (("report", "nowhere", "--out", "no/such/x.html"), "no such folder"),
        (("report", "nowhere", "--out", "/dev/null", "--overwrite"), "is not a regular file"),
        (
            ("report", "nowhere", "--out", "x.html", "--prices", "/dev/null"),
            "is not a regular file",
        ),
        (("report", "nowhere", "--out", "x.html", "--language", "fr"), "--language must be one of"),
        (("eval", "nowhere", "--by", "colour"), "--by takes"),
        (("eval", "nowhere", "--metric", "magic"), "unknown metric"),
        (("eval", "a", "./a"), "named twice"),
        (("compare", "a", "a"), "compared with itself"),
    ],
)
def test_bad_input_is_one_line(
    program: Program, tmp_path: Path, words: tuple[str, ...], reason: str
) -> None:
    assert reason in refused(program(*words))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_comparison_tells_what_was_left_out_and_which_games_differ(
    program: Program, run: Path, tmp_path: Path
) -> None:
    words = ("--civ", "first", "--murderer", "naive", "--script", "last-tram")
    assert program("match", *words, "-n", "2", "--out", "s", "-q").status == 0
    first, _ = sorted((tmp_path / "s" / "matches").iterdir())
    (first / "done.json").unlink()
    told = program("compare", "r", "s", "--metric", "win_rate")
    assert told.status == 0
    unpaired, unread = told.err.splitlines()
    assert unpaired == "not in both runs: 1 and 0 matches"
    assert unread.startswith(f"left out as unfinished or damaged: 1 (first: s/{first.name}: ")
    words = ("--game", "werewolf5", "--civ", "random", "--murderer", "random")
    assert program("match", *words, "--out", "w", "-q").status == 0
    assert "the games are whodunit and werewolf5" in refused(program("compare", "r", "w"))


def _may_read(path: str | Path, mode: int) -> bool:
    return mode == 0 or Path(path).name != "matches"


@pytest.mark.slow
def test_a_match_that_cannot_be_read_is_told_apart_from_one_that_never_started(
    program: Program, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = sorted((run / "matches").iterdir())
    first.rename(run / first.name)
    told = program("eval", "r", "--metric", "win_rate")
    assert told.err.endswith(f"(first: r/{first.name}: never started)\n")
    second.rename(run / second.name)
    monkeypatch.setattr(os, "access", _may_read)
    assert "no permission to read 'matches'" in refused(program("eval", "r"))


@pytest.mark.slow
def test_the_table_of_figures_shows_the_chance_level_in_the_unit_of_the_rate(run: Path) -> None:
    found = evaluate_runs([run], "contestant", ["win_rate"])
    [one], [row] = found.objects, found.table.rows
    keys = [column.key for column in found.table.columns]
    assert isinstance(one["chance"], float)
    assert row[keys.index("chance")] == pytest.approx(100 * one["chance"])
