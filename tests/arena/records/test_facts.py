"""The fact table in a run: kept beside the script, and missing in older runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import RecordError
from arena.records.match_record import MatchRecord
from arena.records.run_folder import SCRIPTS, is_unstarted
from arena.records.run_record import RunRecord
from arena.records.script_copies import read_facts, read_script, write_facts
from arena.run.run_scripts import copy_script, find_facts
from eval.claims.table_lookup import find_table
from scripts_mm.catalog import LIBRARY, find_script
from scripts_mm.facts.facts_file import FACTS_FILE, facts_json, load_facts, parse_facts
from tests.arena.records.made import SHA256
from tests.eval.made import made, start

TABLE = load_facts(LIBRARY / "two-tides")


def test_a_table_is_kept_whole_with_the_owners_of_clues(tmp_path: Path) -> None:
    assert TABLE is not None
    assert TABLE.owners

    write_facts(tmp_path, SHA256, facts_json(TABLE))
    kept = read_facts(tmp_path, SHA256)

    assert kept is not None
    assert parse_facts(kept, tmp_path) == TABLE
    assert read_facts(tmp_path, "0" * 64) is None


def test_a_start_that_broke_off_after_the_table_may_be_taken_again(tmp_path: Path) -> None:
    write_facts(tmp_path, SHA256, "{}")
    (tmp_path / ".lock").touch()

    assert is_unstarted(tmp_path)


def test_a_damaged_table_beside_a_script_stops_no_run(tmp_path: Path) -> None:
    loaded = find_script("last-tram")
    assert find_facts(loaded) == load_facts(loaded.folder)

    folder = tmp_path / "copy"
    folder.mkdir()
    (folder / FACTS_FILE).write_text("no table")

    assert find_facts(replace(loaded, folder=folder)) is None


def test_a_run_that_starts_keeps_script_pictures_and_table(tmp_path: Path) -> None:
    loaded = find_script("last-tram")
    run = RunRecord(path=tmp_path)

    copy_script(run, loaded)

    assert read_script(tmp_path, loaded.sha256) == loaded.script
    assert read_facts(tmp_path, loaded.sha256) is not None
    assert all(run.read_picture(one.sha256) for one in loaded.script.pictures)


def test_the_audit_reads_the_table_of_the_run_and_tells_of_a_damaged_one(tmp_path: Path) -> None:
    loaded = find_script("last-tram")
    copy_script(RunRecord(path=tmp_path), loaded)
    first = replace(start(loaded.script), script_sha256=loaded.sha256)
    record = MatchRecord(path=tmp_path / "matches" / "m", run=tmp_path)
    with record.open_writer() as writer:
        writer.events([first])
    played = replace(made(script=loaded.script, started=first), record=record)

    table = find_facts(loaded)
    assert table is not None
    (tmp_path / SCRIPTS / f"{loaded.sha256}.facts.json").write_text(facts_json(replace(table, k=1)))
    kept = find_table(played)
    assert kept is not None
    assert kept.k == 1

    (tmp_path / SCRIPTS / f"{loaded.sha256}.facts.json").write_text("{}")
    with pytest.raises(RecordError, match="restore them, or remove the file"):
        find_table(played)
