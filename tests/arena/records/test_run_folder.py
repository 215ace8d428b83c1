"""The folder of a run: who may take it, who holds it, and what a killed process left in it."""

import fcntl
import os
import socket
from collections.abc import Callable
from contextlib import chdir, suppress
from pathlib import Path

import pytest

from arena.errors import RecordError
from arena.records import run_folder
from arena.records.record_files import atomic_write
from arena.records.run_folder import check_new, hold_folder, is_held
from arena.records.run_record import create_run, open_run
from tests.arena.records.made import (
    MATCH,
    SHA256,
    make_run,
    manifest,
    play_recorded,
    summary,
)
from tests.table import case

LEFT = {
    "nothing": (),
    "a lock": (".lock",),
    "a draft of a script": (".lock", f"scripts/.{SHA256}.json.4711"),
    "a script": (".lock", f"scripts/{SHA256}.json"),
    "a draft of a picture": (".lock", f"scripts/{SHA256}.json", f"pictures/.{'0' * 64}.4711"),
    "a picture": (".lock", f"scripts/{SHA256}.json", f"pictures/{'0' * 64}"),
    "a draft of run.json": (".lock", f"scripts/{SHA256}.json", ".run.json.4711"),
}
"""What a start leaves that is killed, one step after the other."""


def leave(path: Path, *names: str) -> None:
    """Leave empty files in the folder `path`."""
    path.mkdir()
    for name in names:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).touch()


def tree(path: Path) -> set[str]:
    """Return the names of all that is in a folder."""
    return {str(one.relative_to(path)) for one in path.rglob("*")}


@pytest.mark.parametrize("names", LEFT.values(), ids=LEFT)
def test_a_folder_that_a_start_left_is_taken_and_its_drafts_are_removed(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    path = tmp_path / "run"
    leave(path, *names)
    with pytest.raises(RecordError, match="never started; start it with `arena match --out "):
        open_run(path)
    check_new(path)
    make_run(path)
    assert open_run(path).script(manifest().config.scripts[0]) == case()
    assert not [name for name in tree(path) if "4711" in name]


FOREIGN = {
    "no lock": (f"scripts/{SHA256}.json",),
    "another file": (".lock", "notes.txt"),
    "another hidden file": (".lock", ".notes.4711"),
    "another folder": (".lock", "data/one"),
    "a file among the scripts": (".lock", "scripts/mine.json"),
    "a file among the pictures": (".lock", "pictures/mine.png"),
    "a folder among the scripts": (".lock", "scripts/mine/one"),
    "matches": (".lock", f"scripts/{SHA256}.json", "matches/one"),
}


@pytest.mark.parametrize("names", FOREIGN.values(), ids=FOREIGN)
def test_a_folder_with_anything_else_is_refused_without_advice_that_does_not_help(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    path = tmp_path / "run"
    leave(path, *names)
    before = tree(path)
    with pytest.raises(RecordError, match="is not empty") as refused, create_run(path):
        pass
    assert "resume" not in str(refused.value)
    with pytest.raises(RecordError, match=r"wanted a folder with 'run\.json'"):
        open_run(path)
    assert tree(path) == before


def test_a_lock_or_a_folder_that_leads_elsewhere_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "precious").write_text("precious")
    leave(tmp_path / "linked", ".lock")
    (tmp_path / "linked" / "scripts").symlink_to(tmp_path / "scripts")
    (tmp_path / "locked").mkdir()
    (tmp_path / "locked" / ".lock").symlink_to(tmp_path / "precious")
    leave(tmp_path / "written")
    (tmp_path / "written" / ".lock").write_text("of another program")
    for name in ("linked", "locked", "written"):
        with pytest.raises(RecordError, match="is not empty"), create_run(tmp_path / name):
            pass
    assert (tmp_path / "precious").read_text() == "precious"
    assert not tree(tmp_path / "scripts")


def test_a_folder_with_a_run_is_refused_with_the_command_that_continues_it(tmp_path: Path) -> None:
    run = make_run(tmp_path / "my run")
    with pytest.raises(RecordError, match=rf"`arena resume '{run.path}'`"):
        check_new(run.path)


def test_of_two_starts_in_one_folder_the_first_to_hold_it_wins(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with create_run(path) as first:
        with pytest.raises(RecordError, match="another process is playing"), create_run(path):
            pass
        first.write_manifest(manifest())
    with pytest.raises(RecordError, match="is not empty"), create_run(path):
        pass
    assert open_run(path).manifest == manifest()


def test_a_start_that_fails_leaves_no_new_folder_but_keeps_one_that_was_there(
    tmp_path: Path,
) -> None:
    (tmp_path / "there").mkdir()
    for name in ("there", "new"):
        with suppress(RecordError), create_run(tmp_path / name) as run:
            run.save_script(SHA256, case())
            run.save_script("no hash", case())
    assert tree(tmp_path) == {
        "there",
        "there/.lock",
        "there/scripts",
        f"there/scripts/{SHA256}.json",
    }
    check_new(tmp_path / "there")


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_a_name_that_no_folder_can_have_is_one_line(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with pytest.raises(RecordError, match="no run at") as opened:
        open_run(path)
    with pytest.raises(RecordError, match="cannot create") as made, create_run(path):
        pass
    assert "\n" not in f"{opened.value}{made.value}"


def _fifo(path: Path, outside: Path) -> None:
    del outside
    os.mkfifo(path)


def _socket(path: Path, outside: Path) -> None:
    del outside
    with chdir(path.parent), socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


KINDS: dict[str, Callable[[Path, Path], None]] = {
    "a link": lambda path, outside: path.symlink_to(outside),
    "a link to nothing": lambda path, outside: path.symlink_to(f"{outside}-missing"),
    "a hard link": lambda path, outside: path.hardlink_to(outside),
    "a folder": lambda path, outside: path.mkdir(),
    "a pipe": _fifo,
    "a socket": _socket,
}


@pytest.mark.slow
@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("name", [".lock", "events.jsonl", "calls.jsonl"])
def test_a_file_to_be_written_that_is_no_file_of_its_own_is_refused_and_not_touched(
    tmp_path: Path, name: str, make: Callable[[Path, Path], None]
) -> None:
    run, outside = make_run(tmp_path / "run"), tmp_path / "precious"
    outside.write_text("precious")
    play_recorded(run)
    match = run.match(MATCH)
    path = run.path / name if name == ".lock" else match.path / name
    path.unlink(missing_ok=True)
    make(path, outside)
    refused = pytest.raises(
        RecordError, match=r"is a link|hard link|regular file|a folder|cannot (open|read)"
    )
    with refused as told, run.lock() if name == ".lock" else match.open_writer():
        pass
    assert "\n" not in str(told.value)
    assert outside.read_text() == "precious"
    assert not (tmp_path / "precious-missing").exists()


@pytest.mark.parametrize("name", ["matches", f"matches/{MATCH}", "scripts", "pictures"])
def test_a_folder_of_a_run_that_is_a_link_is_neither_read_nor_written(
    tmp_path: Path, name: str
) -> None:
    run = make_run(tmp_path / "run")
    events = play_recorded(run).state.history
    match = run.match(MATCH)
    match.write_summary(summary(events=len(events)))
    run.save_picture(SHA256, b"any")
    (run.path / name).rename(tmp_path / "elsewhere")
    (run.path / name).symlink_to(tmp_path / "elsewhere")
    before = tree(tmp_path)
    uses: dict[str, tuple[Callable[[], object], ...]] = {
        "matches": (run.matches, match.summary, match.events, match.calls, match.probes),
        f"matches/{MATCH}": (match.summary, match.events, lambda: match.write_summary(summary())),
        "scripts": (match.script, lambda: run.save_script(SHA256, case())),
        "pictures": (lambda: run.read_picture(SHA256), lambda: run.save_picture("1" * 64, b"")),
    }
    for use in uses[name]:
        with pytest.raises(RecordError, match="is a link, but must be a regular folder"):
            use()
    if name.startswith("matches"):
        with pytest.raises(RecordError, match="is a link"), match.open_writer():
            pass
    assert tree(tmp_path) == before


def test_drafts_of_dead_processes_are_removed_and_nothing_else(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    play_recorded(run)
    folder = run.match(MATCH).path
    drafts = (
        run.path / ".run.json.1",
        run.path / ".index.sqlite.22",
        run.path / "scripts" / f".{SHA256}.json.333",
        folder / ".done.json.4444",
        folder / ".probes.jsonl.5",
        folder / ".events.jsonl.7",
        folder / ".calls.jsonl.8",
    )
    kept = (
        run.path / ".notes.2024",
        run.path / "run.json.1",
        run.path / ".run.json.old",
        folder / ".notes.jsonl.7",
        folder / ".done.json",
    )
    for path in (*drafts, *kept):
        path.write_text("{")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / ".done.json.9").touch()
    (run.path / "matches" / "other").symlink_to(outside)
    (folder / ".done.json.6").symlink_to(outside / ".done.json.9")
    with run.lock():
        pass
    assert not any(path.exists() for path in drafts)
    assert all(path.exists() for path in kept)
    assert (folder / ".done.json.6").is_symlink()
    assert (outside / ".done.json.9").exists()


def test_a_link_in_the_place_of_a_draft_leads_no_write_outside(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    path = tmp_path / "done.json"
    (tmp_path / f".done.json.{os.getpid()}").symlink_to(tmp_path / "precious")
    atomic_write(path, "text")
    assert path.read_text() == "text"
    assert not path.is_symlink()
    assert (tmp_path / "precious").read_text() == "precious"


def test_a_match_is_complete_only_once_its_events_and_calls_are_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(tmp_path / "run")
    play_recorded(run)
    match = run.match(MATCH)
    ended = summary(events=len(match.events()))
    (match.path / "done.json").unlink(missing_ok=True)
    synced: list[int] = []
    sync = os.fsync

    def note(handle: int) -> None:
        synced.append(os.fstat(handle).st_ino)
        sync(handle)

    monkeypatch.setattr(os, "fsync", note)
    match.write_summary(ended)
    *before, done = synced
    assert done == (match.path / "done.json").stat().st_ino
    files = [match.path / name for name in ("events.jsonl", "calls.jsonl")]
    assert {file.stat().st_ino for file in files if file.exists()} == set(before)


def test_a_process_that_only_looks_keeps_nobody_from_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave(tmp_path / "run", ".lock")
    looking = os.open(tmp_path / "run" / ".lock", os.O_RDONLY)
    fcntl.flock(looking, fcntl.LOCK_SH)

    def stop_looking(_: float) -> None:
        os.close(looking)

    monkeypatch.setattr(run_folder, "sleep", stop_looking)
    with hold_folder(tmp_path / "run"):
        assert is_held(tmp_path / "run")
    assert not is_held(tmp_path / "run")
