"""Claims: every block has one worker, and a dead worker's blocks find another."""

import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cluster import claims as module
from arena.cluster.claims import Claims, block_of
from arena.errors import ClusterError, ConfigError
from arena.records.config import MatchSpec
from tests.records.made import REF

SPEC = MatchSpec(id="m", script=REF, seed=1, civilians="a", murderer="b")


def worker(path: Path, number: int, *, lease: float = 60.0) -> Claims:
    claims = Claims(path=path, worker=number, lease=lease)
    assert claims.start(3)
    return claims


def age(claims: Claims, seconds: float) -> None:
    """Let the worker's last sign of life be `seconds` ago."""
    then = time.time() - seconds
    os.utime(claims.path / "claims" / "workers" / str(claims.worker), (then, then))


def test_one_of_many_workers_gets_a_block(tmp_path: Path) -> None:
    workers = [worker(tmp_path, number) for number in range(16)]

    def take(one: Claims) -> list[bool]:
        return [one.take("run", SPEC) for _ in range(3)]

    with ThreadPoolExecutor(16) as pool:
        won = list(pool.map(take, workers))
    assert sorted(won) == [[False] * 3] * 15 + [[True] * 3]


def test_matches_of_one_block_go_to_one_worker_and_other_blocks_to_others(tmp_path: Path) -> None:
    first, second = worker(tmp_path, 0), worker(tmp_path, 1)
    assert first.take("run", SPEC)
    assert first.take("run", replace(SPEC, id="n", civilians="c", rotation=1))
    assert not second.take("run", SPEC)
    assert second.take("run", replace(SPEC, seed=2))
    assert second.take("other", SPEC)


def test_a_worker_that_comes_back_has_its_claims(tmp_path: Path) -> None:
    assert worker(tmp_path, 3).take("run", SPEC)
    assert worker(tmp_path, 3).take("run", SPEC)


def test_claims_of_a_dead_worker_are_taken_over_once(tmp_path: Path) -> None:
    dead = worker(tmp_path, 0)
    assert dead.take("run", SPEC)
    others = [worker(tmp_path, number) for number in range(1, 9)]
    assert not any(one.take("run", SPEC) for one in others)
    age(dead, 61)

    def take(one: Claims) -> bool:
        return one.take("run", SPEC)

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, others)) == 1
    assert not worker(tmp_path, 0).take("run", SPEC)


def test_a_stopped_worker_gives_its_claims_back_at_once(tmp_path: Path) -> None:
    first, second = worker(tmp_path, 0), worker(tmp_path, 1)
    assert first.take("run", SPEC)
    first.stop()
    assert second.take("run", SPEC)


def test_a_second_process_is_not_the_same_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = worker(tmp_path, 0)
    monkeypatch.setattr(module, "_identity", lambda: "elsewhere-1")
    second = Claims(path=tmp_path, worker=0, lease=60)
    assert not second.start(3)
    assert not second.start(3)
    age(first, 30)
    with pytest.raises(ClusterError, match=r"shard 0 is being played by .*; stop it first"):
        second.start(3)


def test_a_process_takes_the_place_of_one_that_is_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = worker(tmp_path, 0)
    monkeypatch.setattr(module, "_identity", lambda: "elsewhere-1")
    age(first, 61)
    worker(tmp_path, 0).beat()
    monkeypatch.undo()
    with pytest.raises(ClusterError, match="shard 0 was taken over by elsewhere-1"):
        first.beat()
    first.stop()
    assert (tmp_path / "claims" / "workers" / "0").exists()


def test_a_process_of_this_host_that_has_ended_is_dead_at_once(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    worker(tmp_path, 0)
    file = tmp_path / "claims" / "workers" / "0"
    file.write_text(f"{socket.gethostname()}-{ended.pid}\n")
    assert Claims(path=tmp_path, worker=0).start(3)


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    claims = worker(tmp_path, 0)
    (tmp_path / "claims").rename(tmp_path / "away")
    (tmp_path / "claims").touch()
    with pytest.raises(ClusterError, match="cannot claim"):
        claims.take("run", SPEC)


def test_a_block_that_is_over_is_nobodys_any_more(tmp_path: Path) -> None:
    first, second = worker(tmp_path, 0), worker(tmp_path, 1)
    assert first.take("run", SPEC)
    first.finish("run", [block_of(SPEC)])
    first.stop()
    assert not second.take("run", SPEC)
    assert not worker(tmp_path, 0).take("run", SPEC)


@pytest.mark.parametrize("text", ["", "abc", "-1", "1e3"])
def test_a_claim_that_names_nobody_is_taken_over(tmp_path: Path, text: str) -> None:
    first = worker(tmp_path, 0)
    file = tmp_path / "claims" / "run" / block_of(SPEC) / "0"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    assert first.take("run", SPEC)
    assert not worker(tmp_path, 1).take("run", SPEC)


def test_a_worker_of_another_number_of_shards_is_refused(tmp_path: Path) -> None:
    worker(tmp_path, 0)
    with pytest.raises(ConfigError, match=r"played in 3 shards, not in 8; go on with 3"):
        Claims(path=tmp_path, worker=1).start(8)


def test_a_folder_that_is_away_is_not_made_again(tmp_path: Path) -> None:
    away = tmp_path / "out"
    with pytest.raises(ClusterError, match="cannot write"):
        Claims(path=away, worker=0).start(3)
    with pytest.raises(ClusterError, match="cannot claim"):
        Claims(path=away, worker=0).take("run", SPEC)
    assert not away.exists()
