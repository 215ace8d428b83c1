"""Places: one process is worker N, and a dead one gives its place to one other."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.cluster.worker_lease import (
    WorkerLease,
    check_shards,
    read_heartbeat,
    read_shard_count,
    this_process,
)
from arena.errors import ClusterError, ConfigError


def place(path: Path, number: int = 0, *, lease: float = 60.0, token: str = "") -> WorkerLease:
    """Return the place of a worker; with `token`, for a process of another host."""
    process = this_process(lease)
    if token:
        change = {"token": token, "host": f"node-{token}", "scope": token, "pid": 1}
        process = process.model_copy(update=change)
    return WorkerLease(path=path, worker=number, process=process)


def taken(path: Path, number: int = 0, *, lease: float = 60.0, token: str = "") -> WorkerLease:
    found = place(path, number, lease=lease, token=token)
    assert found.acquire(3)
    return found


def take(one: WorkerLease) -> bool:
    return one.acquire(3)


def age(path: Path, seconds: float, worker: int = 0) -> None:
    """Let the last sign of life of a worker be `seconds` ago."""
    folder = path / "claims" / "workers" / str(worker)
    then = time.time() - seconds
    os.utime(max(folder.glob("[0-9]*"), key=lambda file: int(file.name)), (then, then))


def test_one_of_many_processes_gets_an_empty_place(tmp_path: Path) -> None:
    places = [place(tmp_path, token=f"t{number}") for number in range(16)]
    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(take, places)) == 1


def test_one_of_many_processes_gets_the_place_of_a_dead_one(tmp_path: Path) -> None:
    taken(tmp_path, token="dead")
    age(tmp_path, 61)
    places = [place(tmp_path, token=f"t{number}") for number in range(16)]
    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(take, places)) == 1


def test_a_second_process_is_not_the_same_worker(tmp_path: Path) -> None:
    taken(tmp_path)
    second = place(tmp_path, token="other")
    assert not second.acquire(3)
    assert not second.acquire(3)
    age(tmp_path, 30)
    with pytest.raises(ClusterError, match=r"shard 0 is being played by .*; stop it first"):
        second.acquire(3)


def test_a_process_of_the_same_number_on_a_host_of_the_same_name_is_another_one(
    tmp_path: Path,
) -> None:
    taken(tmp_path)
    twin = place(tmp_path)
    twin.process = twin.process.model_copy(update={"token": "t", "scope": "container"})
    assert not twin.acquire(3)


def test_a_process_of_another_container_is_not_dead_because_its_number_is_free_here(
    tmp_path: Path,
) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    first = place(tmp_path)
    change = {"pid": ended.pid, "token": "t", "scope": "container"}
    first.process = first.process.model_copy(update=change)
    assert first.acquire(3)
    assert not place(tmp_path).acquire(3)


def test_the_lease_of_a_process_is_its_own(tmp_path: Path) -> None:
    taken(tmp_path, lease=600)
    age(tmp_path, 300)
    sign = read_heartbeat(tmp_path, 0)
    assert sign is not None
    assert sign.is_alive
    assert not place(tmp_path, lease=10, token="hasty").acquire(3)
    age(tmp_path, 601)
    assert place(tmp_path, lease=10, token="hasty").acquire(3)


def test_a_process_that_lost_its_place_is_told(tmp_path: Path) -> None:
    first = taken(tmp_path)
    age(tmp_path, 61)
    taken(tmp_path, token="b").renew()
    with pytest.raises(ClusterError, match="shard 0 was taken over by node-b-1"):
        first.renew()
    first.release()
    sign = read_heartbeat(tmp_path, 0)
    assert sign is not None
    assert sign.is_alive


def test_a_process_of_this_host_that_has_ended_is_dead_at_once(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    first = place(tmp_path)
    first.process = first.process.model_copy(update={"pid": ended.pid, "token": "t"})
    assert first.acquire(3)
    assert taken(tmp_path)


def test_a_process_that_leaves_gives_its_place_back_at_once(tmp_path: Path) -> None:
    taken(tmp_path).release()
    sign = read_heartbeat(tmp_path, 0)
    assert sign is not None
    assert (sign.silent, sign.is_alive) == (None, False)
    taken(tmp_path, token="next").renew()


@pytest.mark.parametrize("line", [b"", b"abc", b"\xff\xfe", b'{"pid": true}', b"x" * 9000])
def test_a_place_that_names_nobody_is_taken(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "claims" / "workers" / "0" / "4"
    file.parent.mkdir(parents=True)
    file.write_bytes(line)
    taken(tmp_path).renew()


def test_a_folder_that_fails_for_a_moment_costs_no_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = taken(tmp_path, lease=9)
    (tmp_path / "claims").rename(tmp_path / "away")
    held.renew()
    later = time.monotonic() + 7
    monkeypatch.setattr(time, "monotonic", lambda: later)
    with pytest.raises(ClusterError, match="cannot write"):
        held.renew()
    (tmp_path / "away").rename(tmp_path / "claims")
    held.renew()


def test_a_worker_of_another_number_of_shards_is_refused(tmp_path: Path) -> None:
    taken(tmp_path)
    with pytest.raises(ConfigError, match=r"played in 3 shards, not in 8; continue with 3"):
        place(tmp_path, 1).acquire(8)


def test_a_number_of_shards_that_is_none_is_not_known(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "shards").write_bytes(b"\xff")
    assert read_shard_count(tmp_path) is None
    check_shards(tmp_path, 3)


def test_a_folder_that_is_away_is_not_made_again(tmp_path: Path) -> None:
    away = tmp_path / "out"
    with pytest.raises(ClusterError, match="cannot write"):
        place(away).acquire(3)
    assert not away.exists()
