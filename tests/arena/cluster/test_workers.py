"""Workers of one tournament: what they play together equals what one host plays alone."""

import asyncio
import json
import os
import shutil
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from arena.cluster.merge import MergeResult, merge_shards
from arena.cluster.run_part import RunPart
from arena.cluster.shards import shard_runs
from arena.cluster.worker import Worker, WorkerResult
from arena.cluster.worker_lease import read_heartbeat
from arena.cluster.worker_progress import read_progress
from arena.core.events import Event
from arena.core.state import MatchState
from arena.errors import ClusterError, RecordError
from arena.records.run_config import Shard, match_specs
from arena.records.run_folder import hold_folder
from arena.run.observer import BaseObserver
from arena.tournament.folder import TournamentFolder, open_tournament
from eval.standings import make_standings
from scripts_mm.script_folder import LoadedScript
from tests.arena.run.stage import save_case
from tests.arena.tournament.made import events_of, planned, play


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedScript:
    return save_case(tmp_path_factory.mktemp("scripts") / "harbour")


@pytest.fixture(scope="module")
def undisturbed(loaded: LoadedScript, tmp_path_factory: pytest.TempPathFactory) -> TournamentFolder:
    folder = planned(tmp_path_factory.mktemp("alone") / "out", [loaded], seeds=4)
    play(folder)
    return folder


class StopsAfter(BaseObserver):
    """Cancels the worker after so many events, in the middle of matches."""

    def __init__(self, events: int) -> None:
        self._left = events
        self._task = asyncio.current_task()

    def on_event(self, match: str, state: MatchState, event: Event) -> None:
        self._left -= 1
        if not self._left and self._task is not None:
            self._task.cancel()


def make_worker(
    folder: TournamentFolder,
    index: int,
    count: int,
    observer: Callable[[str], BaseObserver] = lambda _: BaseObserver(),
) -> Worker:
    shard = Shard(index=index, count=count)
    return Worker(folder=folder, shard=shard, observer=observer, concurrency=4, lease=60)


def work(folder: TournamentFolder, *indices: int, count: int) -> list[WorkerResult]:
    async def together() -> list[WorkerResult]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(make_worker(folder, one, count).play()) for one in indices]
        return [task.result() for task in tasks]

    return asyncio.run(together())


def check_equal(folder: TournamentFolder, other: TournamentFolder) -> None:
    assert events_of(folder) == events_of(other)
    one, two = (
        make_standings(each.runs, each.load_started_runs(), resamples=50)
        for each in (folder, other)
    )
    assert list(one.as_objects()) == list(two.as_objects())


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 3, 7])
def test_shards_and_a_merge_equal_one_host(
    loaded: LoadedScript, undisturbed: TournamentFolder, tmp_path: Path, count: int
) -> None:
    folder = planned(tmp_path / "out", [loaded], seeds=4)
    results = work(folder, *range(count), count=count)
    assert sum(one.matches for one in results) == 36
    assert not any(one.errors for one in results)
    assert not list(folder.path.rglob("*.sqlite*"))
    [merged] = merge_shards(folder)
    assert (merged.planned, merged.copied, merged.missing) == (36, 36, ())
    assert (merged.duplicates, merged.conflicts, merged.damaged) == ((), (), ())
    check_equal(open_tournament(folder.path), undisturbed)
    [summary] = {
        Path(match.summary().record).parent  # pyright: ignore[reportOptionalMemberAccess]
        for record in folder.load_started_runs().values()
        for match in record.matches()
    }
    assert summary == folder.run_path("whodunit") / "matches"


@pytest.mark.slow
def test_one_worker_plays_what_the_others_never_started(
    loaded: LoadedScript, undisturbed: TournamentFolder, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], seeds=4)
    [result] = work(folder, 1, count=4)
    assert result.matches == 36
    merge_shards(folder)
    check_equal(folder, undisturbed)


@pytest.mark.slow
def test_a_stopped_worker_goes_on_and_nothing_is_lost(
    loaded: LoadedScript, undisturbed: TournamentFolder, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], seeds=4)

    async def stop() -> None:
        with pytest.raises(asyncio.CancelledError):
            await make_worker(folder, 0, 2, lambda _: StopsAfter(100)).play()

    asyncio.run(stop())
    [partly] = merge_shards(folder)
    assert 0 < len(partly.missing) <= 36
    finished = events_of(folder)
    work(folder, 0, 1, count=2)
    [merged] = merge_shards(folder)
    assert merged.there == len(finished)
    assert (merged.missing, merged.conflicts) == ((), ())
    check_equal(folder, undisturbed)


@pytest.mark.slow
def test_a_worker_plays_again_what_a_dead_one_had_begun(
    loaded: LoadedScript, undisturbed: TournamentFolder, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], seeds=4)

    async def stop() -> None:
        with pytest.raises(asyncio.CancelledError):
            await make_worker(folder, 0, 2, lambda _: StopsAfter(100)).play()

    asyncio.run(stop())
    work(folder, 1, count=2)
    [merged] = merge_shards(folder)
    assert (merged.missing, merged.duplicates, merged.conflicts) == ((), (), ())
    check_equal(folder, undisturbed)


def merged_after(folder: TournamentFolder, change: Callable[[Path], None]) -> MergeResult:
    """Let worker 1 have finished everything that worker 0 has, changed, and merge."""
    work(folder, 0, count=1)
    shutil.copytree(folder.path / "shards" / "0", folder.path / "shards" / "1")
    change(folder.path / "shards" / "1" / "whodunit")
    [merged] = merge_shards(folder)
    return merged


def test_matches_that_were_finished_twice_alike_are_told(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    merged = merged_after(planned(tmp_path / "out", [loaded], ("naive",)), lambda _: None)
    assert len(merged.duplicates) == merged.copied == 2
    assert merged.conflicts == ()


def test_matches_that_were_finished_twice_and_differ_are_told(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    def change(run: Path) -> None:
        match = sorted((run / "matches").iterdir())[0]
        events = match / "events.jsonl"
        events.write_text(events.read_text().replace('"cause":"dealt"', '"cause":"found"', 1))

    folder = planned(tmp_path / "out", [loaded], ("naive",))
    merged = merged_after(folder, change)
    assert len(merged.conflicts) == len(merged.duplicates) == 1


def test_a_damaged_match_is_told_and_taken_from_another_shard(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    def change(run: Path) -> None:
        for match in (run / "matches").iterdir():
            (match / "events.jsonl").write_text("")

    merged = merged_after(planned(tmp_path / "out", [loaded], ("naive",)), change)
    assert (merged.copied, len(merged.damaged), merged.missing) == (2, 2, ())


def test_a_shard_of_another_configuration_is_refused(loaded: LoadedScript, tmp_path: Path) -> None:
    def change(run: Path) -> None:
        found = json.loads((run / "run.json").read_text())
        found["config"]["deadline"] = 5.0
        (run / "run.json").write_text(json.dumps(found))

    with pytest.raises(RecordError, match="played with another configuration"):
        merged_after(planned(tmp_path / "out", [loaded], ("naive",)), change)


def test_a_shard_of_another_model_is_refused(loaded: LoadedScript, tmp_path: Path) -> None:
    def change(run: Path) -> None:
        for shard, served in (("0", "vl-7b"), ("1", "vl-3b")):
            path = run.parent.parent / shard / "whodunit" / "run.json"
            found = json.loads(path.read_text())
            found["servers"] = {"m": {"served": served}}
            path.write_text(json.dumps(found))

    with pytest.raises(RecordError, match="its name is vl-7b and vl-3b"):
        merged_after(planned(tmp_path / "out", [loaded], ("naive",)), change)


@pytest.mark.slow
def test_a_merge_that_broke_off_goes_on(
    loaded: LoadedScript, undisturbed: TournamentFolder, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], seeds=4)
    work(folder, 0, count=1)
    merge_shards(folder)
    for match in sorted((folder.run_path("whodunit") / "matches").iterdir())[::3]:
        (match / "done.json").unlink()
        (match / "events.jsonl").write_text("")
    [merged] = merge_shards(folder)
    assert (merged.copied, merged.there) == (12, 24)
    check_equal(folder, undisturbed)


def test_a_worker_that_lost_its_place_stops(loaded: LoadedScript, tmp_path: Path) -> None:
    folder = planned(tmp_path / "out", [loaded])
    (folder.path / "claims").touch()
    with pytest.raises(ClusterError, match=r"cannot write .*claims"):
        asyncio.run(make_worker(folder, 0, 1).play())


@pytest.mark.slow
def test_a_worker_that_finds_all_finished_opens_no_run(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded])
    work(folder, 0, count=2)
    [late] = work(folder, 1, count=2)
    assert late.matches == 0
    assert not (folder.path / "shards" / "1").exists()


@pytest.mark.slow
def test_engines_are_started_only_where_there_is_something_to_play(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded])
    started: list[int] = []

    @asynccontextmanager
    async def serve(index: int) -> AsyncGenerator[None]:
        started.append(index)
        yield

    for index in (0, 1):
        worker = make_worker(folder, index, 2)
        worker.serve = partial(serve, index)
        asyncio.run(worker.play())
    assert started == [0]


@pytest.mark.slow
def test_a_damaged_match_of_an_earlier_merge_is_copied_again(
    loaded: LoadedScript, undisturbed: TournamentFolder, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], seeds=4)
    work(folder, 0, count=1)
    merge_shards(folder)
    first, second, *_ = sorted((folder.run_path("whodunit") / "matches").iterdir())
    (first / "done.json").write_text("{}")
    done = json.loads((second / "done.json").read_text())
    done["outcome"] = "civ_win" if done["outcome"] != "civ_win" else "draw"
    (second / "done.json").write_text(json.dumps(done))
    [merged] = merge_shards(folder)
    assert (merged.copied, merged.there, len(merged.damaged)) == (2, 34, 2)
    assert "has another outcome" in " ".join(merged.damaged)
    check_equal(folder, undisturbed)


def test_a_match_with_an_unreadable_event_is_not_copied(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], ("naive",))
    work(folder, 0, count=1)
    for events in (folder.path / "shards").rglob("events.jsonl"):
        lines = events.read_text().splitlines(keepends=True)
        events.write_text("".join([lines[0], "{garbage\n", *lines[2:]]))
    [merged] = merge_shards(folder)
    assert (merged.copied, len(merged.missing), len(merged.damaged)) == (0, 2, 2)
    assert "line 2" in merged.damaged[0]


@pytest.mark.slow
def test_a_match_that_was_damaged_after_it_was_finished_is_played_by_its_worker_again(
    loaded: LoadedScript, undisturbed: TournamentFolder, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], seeds=4)
    work(folder, 0, count=2)
    damaged = sorted((folder.path / "shards" / "0" / "whodunit" / "matches").iterdir())[0]
    (damaged / "done.json").unlink()
    (damaged / "events.jsonl").write_text("")
    assert [one.left for one in read_progress(folder).workers] == [1, 0]
    [other] = work(folder, 1, count=2)
    assert other.matches == 0
    work(folder, 0, count=2)
    [merged] = merge_shards(folder)
    assert (merged.missing, merged.damaged, merged.duplicates) == ((), (), ())
    check_equal(folder, undisturbed)


def test_a_match_that_cannot_be_read_is_told_by_its_worker_and_can_be_played_again(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], ("naive",))
    work(folder, 0, count=1)
    events = next((folder.path / "shards").rglob("events.jsonl"))
    os.truncate(events, events.stat().st_size - 300)
    with pytest.raises(RecordError, match=r"remove done\.json to play what is missing"):
        asyncio.run(make_worker(folder, 0, 1).play())
    (events.parent / "done.json").unlink()
    [again] = work(folder, 0, count=1)
    assert (again.matches, again.errors) == (1, ())
    [merged] = merge_shards(folder)
    assert (merged.copied, merged.damaged) == (2, ())


@pytest.mark.slow
def test_matches_that_a_stopped_worker_has_finished_are_not_played_again(
    loaded: LoadedScript, undisturbed: TournamentFolder, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], seeds=4)
    [run] = shard_runs(folder.runs, Shard(index=0, count=2))
    # Worker 1 knew the part before worker 0 began with it.
    part = RunPart(folder=folder, worker=1, run=run)

    async def stop() -> None:
        with pytest.raises(asyncio.CancelledError):
            await make_worker(folder, 0, 2, lambda _: StopsAfter(500)).play()

    asyncio.run(stop())
    done = (folder.path / "shards" / "0" / "whodunit" / "matches").glob("*/done.json")
    finished = {file.parent.name for file in done}
    specs = match_specs(run.config)
    assert 0 < len(finished) < len(specs)
    assert {one.id for one in specs if part.is_finished_elsewhere(one)} == finished
    work(folder, 1, count=2)
    [merged] = merge_shards(folder)
    assert (merged.missing, merged.duplicates) == ((), ())
    check_equal(folder, undisturbed)


def test_a_shard_whose_runs_another_process_holds_is_refused_and_keeps_its_worker(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], ("naive",))
    work(folder, 0, count=1)
    with (
        hold_folder(folder.path / "shards" / "0" / "whodunit"),
        pytest.raises(ClusterError, match="shard 0 is being played by another process"),
    ):
        asyncio.run(make_worker(folder, 0, 1).play())
    sign = read_heartbeat(folder.path, 0)
    assert sign is not None
    assert sign.number == 0, "the place was taken from the process that plays"


def change_manifests(folder: TournamentFolder, **changes: object) -> None:
    for path in (folder.path / "shards").rglob("run.json"):
        found = json.loads(path.read_text())
        path.write_text(json.dumps(found | changes))


def half_merged(path: Path, loaded: LoadedScript) -> TournamentFolder:
    """Return a tournament half of which is merged, its shards deleted, the rest played after it."""
    folder = planned(path, [loaded], ("naive",), seeds=4)
    work(folder, 0, count=1)
    change_manifests(folder, servers={"m": {"served": "vl-7b", "details": {"host": "one"}}})
    done = sorted((folder.path / "shards").rglob("done.json"))
    for file in done[:2]:
        shutil.rmtree(file.parent)
    merge_shards(folder)
    for name in ("shards", "claims"):
        shutil.rmtree(folder.path / name)
    work(folder, 0, count=1)
    return folder


def test_a_later_merge_of_another_model_is_refused(loaded: LoadedScript, tmp_path: Path) -> None:
    folder = half_merged(tmp_path / "out", loaded)
    change_manifests(folder, servers={"m": {"served": "vl-3b"}})
    with pytest.raises(RecordError, match="its name is vl-7b and vl-3b"):
        merge_shards(folder)


def test_a_later_merge_adds_the_servers_of_its_workers(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    folder = half_merged(tmp_path / "out", loaded)
    change_manifests(folder, servers={"m": {"served": "vl-7b", "details": {"host": "two"}}})
    [merged] = merge_shards(folder)
    assert (merged.there, merged.copied, merged.missing) == (2, 2, ())
    described = folder.run_path("whodunit") / "run.json"
    details = json.loads(described.read_text())["servers"]["m"]["details"]
    assert details == {"host": "one", "workers": [{"host": "one"}, {"host": "two"}]}
    before = described.stat().st_mtime_ns
    merge_shards(folder)
    assert described.stat().st_mtime_ns == before


def test_a_merge_copies_no_drafts_and_leaves_none(loaded: LoadedScript, tmp_path: Path) -> None:
    folder = planned(tmp_path / "out", [loaded], ("naive",))
    work(folder, 0, count=1)
    pictures = folder.path / "shards" / "0" / "whodunit" / "pictures"
    pictures.mkdir(exist_ok=True)
    (pictures / f".{'a' * 64}.77").write_text("half a picture")
    merge_shards(folder)
    target = folder.run_path("whodunit")
    match = sorted((target / "matches").iterdir())[0]
    (match / ".events.jsonl.99").write_text("of a merge that was killed")
    merge_shards(folder)
    assert not [file for file in target.rglob(".*") if file.name != ".lock"]
