"""`arena export`: one line for whatever is wrong, and a folder that is whole or not there."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.errors import RecordError
from eval.export import extras, parquet, trajectories
from eval.export.export_command import ExportOptions, export_runs
from eval.export.export_folder import REPORT
from eval.export.run_source import open_runs, visit_matches
from eval.played_match import PlayedMatch
from tests.arena.cli.conftest import Told
from tests.eval.export.played_runs import copy_run, match_folder

ROOT = Path(__file__).parents[3]
TARGETS = ("parquet", "inspect", "trajectories")


def refused(told: Told) -> str:
    assert told.status == 2, told
    [line] = told.err.splitlines()
    assert line.startswith("error: ")
    return line


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_a_run_is_exported_and_the_command_says_what(
    run: Path, program: Callable[..., Told], tmp_path: Path, target: str
) -> None:
    told = program("export", str(run), "--to", target, "out")
    assert (told.status, told.err) == (0, "")
    assert "exported 2 matches to 'out'" in told.out
    assert left(tmp_path) == ["out"]
    report = json.loads((tmp_path / "out" / REPORT).read_text(encoding="utf-8"))
    assert (report["target"], report["matches"]) == (target, 2)


@pytest.mark.slow
def test_json_tells_the_rows_and_what_is_missing(run: Path, program: Callable[..., Told]) -> None:
    told = program("export", str(run), "out", "--to", "parquet", "--json")
    found = json.loads(told.out)
    assert (found["matches"], found["rows"]["matches"], found["left_out"]) == (2, 2, [])


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_unfinished_damaged_and_missing_matches_are_counted_and_named(
    run: Path, program: Callable[..., Told], tmp_path: Path, target: str
) -> None:
    copy = copy_run(run, tmp_path)
    (match_folder(copy) / "done.json").unlink()
    told = program("export", str(copy), "out", "--to", target)
    assert told.status == 0
    [line] = told.err.splitlines()
    assert line.startswith("left out 1 of 2 matches: copy/harbour-en-s0: the match is not finished")
    [_, lost] = (tmp_path / "out" / REPORT).read_text(encoding="utf-8").splitlines()
    assert json.loads(lost)["match"] == "harbour-en-s0"


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_a_match_whose_calls_are_damaged_leaves_no_row_behind(
    run: Path, program: Callable[..., Told], tmp_path: Path, target: str
) -> None:
    copy = copy_run(run, tmp_path)
    calls = match_folder(copy) / "calls.jsonl"
    calls.write_text(calls.read_text(encoding="utf-8").replace('"schema"', "schema", 1))
    told = program("export", str(copy), "out", "--to", target)
    assert "left out 1 of 2 matches: copy/harbour-en-s0:" in told.err
    assert str(tmp_path) not in (tmp_path / "out" / REPORT).read_text(encoding="utf-8")
    for path in (tmp_path / "out").glob("t*.jsonl"):
        assert "harbour-en-s0" not in path.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("target", ["inspect", "trajectories"])
def test_a_match_whose_picture_is_gone_is_left_out(run: Path, tmp_path: Path, target: str) -> None:
    copy = copy_run(run, tmp_path)
    next((copy / "pictures").iterdir()).unlink()
    with pytest.raises(RecordError, match=r"left out 2 of 2 matches.*has no picture"):
        export_runs([copy], tmp_path / "out", ExportOptions(target=target))
    assert left(tmp_path) == ["copy"]


def test_a_match_that_was_never_started_is_named(run: Path, tmp_path: Path) -> None:
    copy = copy_run(run, tmp_path)
    match_folder(copy).rename(tmp_path / "elsewhere")
    exported = export_runs([copy], tmp_path / "out", ExportOptions(target="parquet"))
    assert [(one.match, one.reason) for one in exported.left_out] == [
        ("harbour-en-s0", "never started")
    ]


def test_a_run_without_a_finished_match_makes_no_folder(
    run: Path, program: Callable[..., Told], tmp_path: Path
) -> None:
    copy = copy_run(run, tmp_path)
    for number in (0, 1):
        (match_folder(copy, number) / "done.json").unlink()
    line = refused(program("export", str(copy), "out", "--to", "parquet"))
    assert "no finished match" in line
    assert left(tmp_path) == ["copy"]


def test_a_folder_that_holds_something_is_kept(
    run: Path, program: Callable[..., Told], tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    assert "--overwrite" in refused(program("export", str(run), "out", "--to", "parquet"))
    line = refused(program("export", str(run), "out", "--to", "parquet", "--overwrite"))
    assert "is not an export" in line
    assert (tmp_path / "out" / "mine.txt").read_text() == "mine"


@pytest.mark.slow
def test_overwrite_replaces_an_earlier_export_and_leaves_nothing_of_it(
    run: Path, program: Callable[..., Told], tmp_path: Path
) -> None:
    program("export", str(run), "out", "--to", "trajectories")
    told = program("export", str(run), "out", "--to", "parquet", "--overwrite")
    assert told.status == 0
    assert not list((tmp_path / "out").glob("train*"))
    assert left(tmp_path) == ["out"]


def test_an_export_that_fails_leaves_the_earlier_one(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    export_runs([run], out, ExportOptions(target="parquet"))
    before = left(out)

    def fail(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(parquet, "match_rows", fail)
    with pytest.raises(KeyboardInterrupt):
        export_runs([run], out, ExportOptions(target="parquet", overwrite=True))
    assert left(out) == before
    assert left(tmp_path) == ["out"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere", "out", "--to", "parquet"), "no run at 'nowhere'"),
        (("RUN", "out", "--to", "csv"), "--to must be one of parquet, inspect, trajectories"),
        (("RUN", "RUN", "out", "--to", "parquet"), "named twice"),
        (("RUN", "out", "--to", "trajectories", "--per", "day"), "got 'day'"),
        (("RUN", "out", "--to", "parquet", "--per", "seat"), "--per is for --to trajectories"),
        (("RUN", "out", "--to", "inspect", "--no-texts"), "--no-texts is for --to parquet"),
        (("RUN", "out", "--to", "parquet", "--trust"), "--trust is for --to inspect"),
        (("RUN", "RUN/out", "--to", "parquet"), "cannot be inside a run"),
        (("RUN", "--to", "parquet"), "Missing argument"),
        (("RUN", "out"), "Missing option '--to'"),
    ],
)
def test_what_is_wrong_on_the_command_line_is_one_line(
    run: Path, program: Callable[..., Told], tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    given = [word.replace("RUN", str(run)) for word in words]
    assert told in refused(program("export", *given))
    assert left(tmp_path) == []


def test_an_extra_that_is_not_installed_is_one_line(
    run: Path, program: Callable[..., Told], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(extras, "import_module", missing)
    line = refused(program("export", str(run), "out", "--to", "inspect"))
    assert "needs inspect-ai, which is not installed; install it with `" in line
    assert f"-m pip install -e '{ROOT}[export]'`" in line
    line = refused(program("export", str(run), "out", "--to", "parquet"))
    assert "needs pyarrow" in line
    assert left(tmp_path) == []


def test_two_runs_with_one_name_are_told_apart(run: Path, tmp_path: Path) -> None:
    copy = copy_run(run, tmp_path)
    other = copy.rename(tmp_path / run.name)
    assert [one.name for one in open_runs([run, other])] == ["run", "run-2"]


def test_no_match_is_kept_after_its_use(run: Path) -> None:
    import gc  # noqa: PLC0415 - only this test looks at memory
    import weakref  # noqa: PLC0415

    seen: list[weakref.ref[PlayedMatch]] = []
    alive: list[int] = []

    def use(match: PlayedMatch) -> None:
        gc.collect()
        alive.append(sum(one() is not None for one in seen))
        seen.append(weakref.ref(match))

    visit_matches(open_runs([run]), use)
    assert alive == [0, 0]


def test_targets_have_the_names_of_the_command() -> None:
    assert {parquet.TARGET, trajectories.TARGET} < set(TARGETS)
