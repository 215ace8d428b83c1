"""What `arena cluster status` makes of records and signs of life."""

import os
import time
from pathlib import Path

import pytest

from arena.cli.console.screens import open_screen
from arena.cli.rendering.cluster_status import status_lines, worker_table
from arena.cli.rendering.named_rows import print_rows
from arena.cluster.merge import merge_shards
from arena.cluster.worker_lease import LEASE_SECONDS, this_process
from arena.cluster.worker_progress import FRESH_SHARE, count_unmerged, read_progress
from arena.tournament.folder import TournamentFolder
from scripts_mm.script_folder import LoadedScript
from tests.arena.cluster.test_workers import work
from tests.arena.run.stage import save_case
from tests.arena.tournament.made import planned


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedScript:
    return save_case(tmp_path_factory.mktemp("scripts") / "harbour")


@pytest.fixture
def folder(loaded: LoadedScript, tmp_path: Path) -> TournamentFolder:
    return planned(tmp_path / "out", [loaded], ("naive",), seeds=4)


def unfinish(folder: TournamentFolder, *shards: str) -> None:
    """Remove the last summary of the parts that `shards` are the paths of."""
    for shard in shards:
        run = folder.path / "shards" / shard / "whodunit" / "matches"
        sorted(run.glob("*/done.json"))[-1].unlink()


def hold(folder: TournamentFolder, worker: int, age: float) -> None:
    """Let `worker` have given its last sign of life `age` seconds ago."""
    file = folder.path / "claims" / "workers" / str(worker) / "9"
    file.parent.mkdir(parents=True, exist_ok=True)
    process = this_process(LEASE_SECONDS).model_copy(update={"host": f"node{worker}", "pid": 7})
    file.write_text(process.model_dump_json())
    then = time.time() - age
    os.utime(file, (then, then))


def tell(folder: TournamentFolder) -> list[str]:
    return list(status_lines(read_progress(folder), Path("OUT")))


@pytest.mark.slow
def test_workers_are_told_apart(folder: TournamentFolder) -> None:
    work(folder, 0, count=4)
    unfinish(folder, "0/taken/1", "0/taken/2", "0/taken/3")
    hold(folder, 1, 1)
    hold(folder, 2, LEASE_SECONDS * FRESH_SHARE + 10)
    found = read_progress(folder)
    assert [(one.worker, one.state, one.left) for one in found.workers] == [
        (0, "finished", 0),
        (1, "playing", 1),
        (2, "silent", 1),
        (3, "never started", 1),
    ]
    assert (found.planned, found.finished, found.merged) == (4, 1, 0)
    assert (found.workers[0].finished, found.workers[0].begun) == (1, 3)
    assert [one.is_idle for one in found.workers] == [False, False, False, True]
    console = open_screen((folder.path / "screen").open("w+", encoding="utf-8"), env={})
    with console.file as stream:
        print_rows(console, worker_table(found))
        stream.seek(0)
        rows = [line.split(None, 4) for line in stream.read().splitlines()]
    assert rows[2][4].strip() == "playing: node1-7"
    assert rows[3][4].startswith("silent 70 s: node2-7")


def test_a_worker_that_left_its_place_with_work_is_stopped(folder: TournamentFolder) -> None:
    work(folder, 0, count=1)
    unfinish(folder, "0")
    [one] = read_progress(folder).workers
    assert (one.state, one.left, one.finished, one.begun) == ("stopped", 1, 3, 1)


def test_a_worker_that_is_silent_for_a_lease_counts_as_dead(folder: TournamentFolder) -> None:
    work(folder, 0, count=2)
    unfinish(folder, "0/taken/1")
    hold(folder, 0, LEASE_SECONDS + 5)
    hold(folder, 1, LEASE_SECONDS + 5)
    first, second = read_progress(folder).workers
    assert (first.state, first.is_idle) == ("finished", False)
    assert (second.state, second.is_idle) == ("silent", True)
    assert tell(folder)[-1].startswith("no worker is playing; next, start shard 1: ")


def test_without_records_the_number_of_shards_is_not_known(folder: TournamentFolder) -> None:
    assert read_progress(folder).workers == ()
    assert "--shard 0/N" in tell(folder)[-1]
    hold(folder, 2, 1)
    [one] = read_progress(folder).workers
    assert (one.worker, one.state, one.left, one.count) == (2, "playing", None, None)


def test_the_last_line_is_the_next_step(folder: TournamentFolder) -> None:
    work(folder, 0, count=4)
    assert count_unmerged(folder) == 4
    assert tell(folder)[-1] == "all are played; next: `arena cluster merge OUT`"
    unfinish(folder, "0/taken/1", "0/taken/3")
    assert tell(folder)[-1] == (
        "no worker is playing; next, start shard 1: `arena cluster worker OUT --shard 1/4`; "
        "likewise 3"
    )
    hold(folder, 1, 1)
    assert tell(folder)[-2:] == [
        "workers are playing, and take over what others have left; then: `arena cluster merge OUT`",
        "to be faster, start shard 3: `arena cluster worker OUT --shard 3/4`",
    ]


def test_merged_matches_are_not_told_as_new(folder: TournamentFolder) -> None:
    work(folder, 0, count=4)
    merge_shards(folder)
    assert count_unmerged(folder) == 0
    assert tell(folder) == [
        "4 of 4 matches are finished, 4 of them merged",
        "all are merged; next: `arena tournament standings OUT`",
    ]


def test_shards_without_a_block_that_never_started_have_no_row(folder: TournamentFolder) -> None:
    work(folder, 0, count=200_000)
    found = read_progress(folder)
    assert len(found.workers) == 5
    assert [one.left for one in found.workers] == [0] * 5
    assert sum(one.finished for one in found.workers) == 4


def test_a_place_that_holds_garbage_is_nobodys(folder: TournamentFolder) -> None:
    work(folder, 0, count=2)
    unfinish(folder, "0/taken/1")
    for file in (folder.path / "claims" / "workers" / "0").iterdir():
        file.write_bytes(b"\xff")
    hold(folder, 1, 1)
    first, second = read_progress(folder).workers
    assert (first.state, first.holder) == ("finished", "")
    assert second.state == "playing"
