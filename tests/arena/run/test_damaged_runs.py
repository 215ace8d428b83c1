"""Runs that were damaged, and plans that no record can hold: told in one line, never counted."""

import json
import shutil
from pathlib import Path

import pytest

from arena.errors import RecordError
from arena.records.run_record import open_run
from scripts_mm.script_folder import LoadedScript
from tests.arena.run.arena_command import ArenaCommand, indexed_matches, match_words
from tests.arena.run.stage import config, save_case, start


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedScript:
    return save_case(tmp_path_factory.mktemp("scripts") / "harbour")


@pytest.fixture(scope="module")
def played(loaded: LoadedScript, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a finished run of three matches."""
    out = tmp_path_factory.mktemp("runs") / "run"
    start(config(loaded, "random", "naive", matches=3), loaded, out)
    return out


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """Return a copy of the finished run."""
    return Path(shutil.copytree(played, tmp_path / "run"))


def halve(run: Path, match: str) -> bytes:
    """Leave half of the events of a match; return all of them."""
    path = run / "matches" / match / "events.jsonl"
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    return data


FIRST, SECOND, THIRD = (f"harbour-en-s{seed}" for seed in range(3))


def test_a_damaged_match_is_told_by_file_and_is_never_counted_as_whole(
    run: Path, command: ArenaCommand
) -> None:
    data = halve(run, SECOND)
    for line in (command.refused("resume", run), command.refused("replay", run, SECOND)):
        assert f"matches/{SECOND}/events.jsonl' has " in line
        assert "remove done.json to play what is missing" in line
    assert command("replay", run, FIRST).status == 0
    (run / "matches" / SECOND / "done.json").unlink()
    assert command("resume", run, "--quiet").status == 0
    assert (run / "matches" / SECOND / "events.jsonl").read_bytes() == data
    assert indexed_matches(run) == [FIRST, SECOND, THIRD]


def test_a_damaged_match_stops_no_other(run: Path, command: ArenaCommand) -> None:
    halve(run, SECOND)
    done = (run / "matches" / SECOND / "done.json").read_bytes()
    (run / "matches" / THIRD / "done.json").unlink()
    ended = command("resume", run, "--json")
    assert ended.status == 1
    found = {one["match"]: one for one in map(json.loads, ended.out.splitlines())}
    assert found[SECOND]["outcome"] == "error"
    assert "events.jsonl" in found[SECOND]["error_cause"]
    assert "error" not in {found[FIRST]["outcome"], found[THIRD]["outcome"]}
    assert indexed_matches(run) == [FIRST, THIRD]
    assert (run / "matches" / SECOND / "done.json").read_bytes() == done, "nothing is lost"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"phase":"discussion"', '"phase":"opera"', "differs from what the rules produce"),
        ('"kind":"match_started"', '"kind":"said"', "events.jsonl"),
        ('"seat":"Ada Quill"', '"seat":"Nobody"', "does not fit"),
    ],
)
@pytest.mark.parametrize("is_complete", [True, False])
def test_events_that_the_rules_do_not_give_are_neither_shown_nor_continued(
    run: Path, command: ArenaCommand, is_complete: bool, old: str, new: str, told: str
) -> None:
    folder = run / "matches" / FIRST
    text = (folder / "events.jsonl").read_text("utf-8")
    assert old in text
    (folder / "events.jsonl").write_text(text.replace(old, new), "utf-8")
    if not is_complete:
        (folder / "done.json").unlink()
        ended = command("resume", run, "--json")
        assert ended.status == 1
        [cause] = [c for line in ended.out.splitlines() if (c := json.loads(line)["error_cause"])]
        assert told in cause
    assert told in command.refused("replay", run, FIRST)


def test_a_record_without_its_first_event_is_refused(run: Path, command: ArenaCommand) -> None:
    folder = run / "matches" / FIRST
    (folder / "done.json").unlink()
    lines = (folder / "events.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "events.jsonl").write_bytes(b"".join(lines[1:]))
    assert "does not start with a match" in command.refused("replay", run, FIRST)
    assert command("resume", run, "--quiet").status == 1


def test_a_match_of_a_run_with_other_players_is_not_taken_for_its_own(
    loaded: LoadedScript, run: Path, tmp_path: Path, command: ArenaCommand
) -> None:
    start(config(loaded, "random", "first"), loaded, tmp_path / "other")
    shutil.rmtree(run / "matches" / FIRST)
    shutil.copytree(tmp_path / "other" / "matches" / FIRST, run / "matches" / FIRST)
    assert "belongs to another match than the run's" in command.refused("resume", run)
    (run / "matches" / THIRD / "done.json").unlink()
    assert command("resume", run, "--quiet").status == 1


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("-n", "99999999999"), "at most 100000 matches"),
        (("--seed", "9223372036854775808"), "seeds must be >= 0 and < 2**63"),
        (("--seed", "9223372036854775807", "-n", "2"), "seeds must be >= 0 and < 2**63"),
        (("--seed", "-1"), "seeds must be >= 0"),
        (("--deadline", "inf"), "must be > 0 seconds and finite"),
        (("--deadline", "nan"), "must be > 0 seconds and finite"),
    ],
)
def test_a_run_that_no_record_can_hold_is_refused_before_it_is_made(
    loaded: LoadedScript,
    tmp_path: Path,
    command: ArenaCommand,
    more: tuple[str, ...],
    told: str,
) -> None:
    out = tmp_path / "run"
    assert told in command.refused(*match_words(loaded, out), *more)
    assert not out.exists()


def test_the_last_seed_that_there_is_can_be_played(
    loaded: LoadedScript, tmp_path: Path, command: ArenaCommand
) -> None:
    out = tmp_path / "run"
    assert command(*match_words(loaded, out), "--seed", str(2**63 - 1)).status == 0
    assert indexed_matches(out) == [f"harbour-en-s{2**63 - 1}"]
    assert command("resume", out, "--quiet").status == 0


def test_a_plan_of_ten_million_matches_in_a_record_is_refused_at_once(
    run: Path, command: ArenaCommand
) -> None:
    path = run / "run.json"
    values = json.loads(path.read_text("utf-8"))
    values["config"]["matches"] = 10**7
    path.write_text(json.dumps(values), "utf-8")
    for name in ("resume", "replay"):
        assert "at most 100000 matches" in command.refused(name, run)
    with pytest.raises(RecordError, match="at most 100000 matches"):
        open_run(run)
