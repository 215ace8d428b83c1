"""Claims: every block has one worker, and a dead worker's blocks find another."""

import errno
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import pytest

from arena.cluster.block_claims import BlockClaims, block_of
from arena.cluster.shared_files import create_exclusive, read_line
from arena.cluster.worker_lease import WorkerLease, read_heartbeat, this_process
from arena.errors import ClusterError
from arena.records.run_config import MatchSpec
from tests.arena.records.made import REF

SPEC = MatchSpec(id="m", script=REF, seed=1, civilians="a", murderer="b")


def worker(path: Path, number: int, *, lease: float = 60.0) -> BlockClaims:
    """Return the claims of a worker that is alive."""
    place = WorkerLease(path=path, worker=number, process=this_process(lease))
    sign = read_heartbeat(path, number)
    if sign is None or not sign.is_alive:
        assert place.acquire(3)
    return BlockClaims(path=path, worker=number)


def age(claims: BlockClaims, seconds: float) -> None:
    """Let the worker's last sign of life be `seconds` ago; 0: it has left its place."""
    then = time.time() - seconds if seconds else 0
    folder = claims.path / "claims" / "workers" / str(claims.worker)
    for file in folder.glob("[0-9]*"):
        os.utime(file, (then, then))


def test_one_of_many_workers_gets_a_block(tmp_path: Path) -> None:
    workers = [worker(tmp_path, number) for number in range(16)]

    def take(one: BlockClaims) -> list[bool]:
        return [one.claim("run", SPEC) for _ in range(3)]

    with ThreadPoolExecutor(16) as pool:
        won = list(pool.map(take, workers))
    assert sorted(won) == [[False] * 3] * 15 + [[True] * 3]


def test_matches_of_one_block_go_to_one_worker_and_other_blocks_to_others(tmp_path: Path) -> None:
    first, second = worker(tmp_path, 0), worker(tmp_path, 1)
    assert first.claim("run", SPEC)
    assert first.claim("run", replace(SPEC, id="n", civilians="c", rotation=1))
    assert not second.claim("run", SPEC)
    assert second.claim("run", replace(SPEC, seed=2))
    assert second.claim("other", SPEC)


def test_a_worker_that_comes_back_has_its_claims(tmp_path: Path) -> None:
    assert worker(tmp_path, 3).claim("run", SPEC)
    assert worker(tmp_path, 3).claim("run", SPEC)


def test_claims_of_a_dead_worker_are_taken_over_once(tmp_path: Path) -> None:
    dead = worker(tmp_path, 0)
    assert dead.claim("run", SPEC)
    others = [worker(tmp_path, number) for number in range(1, 9)]
    assert not any(one.claim("run", SPEC) for one in others)
    age(dead, 61)

    def take(one: BlockClaims) -> bool:
        return one.claim("run", SPEC)

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, others)) == 1
    assert not worker(tmp_path, 0).claim("run", SPEC)


def test_a_stopped_worker_gives_its_claims_back_at_once(tmp_path: Path) -> None:
    first, second = worker(tmp_path, 0), worker(tmp_path, 1)
    assert first.claim("run", SPEC)
    age(first, 0)
    assert second.claim("run", SPEC)


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    claims = worker(tmp_path, 0)
    (tmp_path / "claims").rename(tmp_path / "away")
    (tmp_path / "claims").touch()
    with pytest.raises(ClusterError, match="cannot claim"):
        claims.claim("run", SPEC)


def test_a_block_that_is_over_is_nobodys_any_more(tmp_path: Path) -> None:
    first, second = worker(tmp_path, 0), worker(tmp_path, 1)
    assert first.claim("run", SPEC)
    first.mark_finished("run", [block_of(SPEC)])
    age(first, 0)
    assert not second.claim("run", SPEC)
    assert not worker(tmp_path, 0).claim("run", SPEC)


@pytest.mark.parametrize("text", ["", "abc", "-1", "1e3"])
def test_a_claim_that_names_nobody_is_taken_over(tmp_path: Path, text: str) -> None:
    first = worker(tmp_path, 0)
    file = tmp_path / "claims" / "run" / block_of(SPEC) / "0"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    assert first.claim("run", SPEC)
    assert not worker(tmp_path, 1).claim("run", SPEC)


def test_a_folder_that_is_away_is_not_made_again(tmp_path: Path) -> None:
    away = tmp_path / "out"
    with pytest.raises(ClusterError, match="cannot claim"):
        BlockClaims(path=away, worker=0).claim("run", SPEC)
    assert not away.exists()


def test_a_block_with_a_damaged_match_is_open_again(tmp_path: Path) -> None:
    first = worker(tmp_path, 0)
    assert first.claim("run", SPEC)
    first.mark_finished("run", [block_of(SPEC)])
    assert first.is_finished("run", block_of(SPEC))
    first.reopen("run", block_of(SPEC))
    assert not first.is_finished("run", block_of(SPEC))
    assert worker(tmp_path, 0).claim("run", SPEC)


def test_a_link_that_a_file_server_has_made_but_refuses_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = os.link

    def repeated(source: Path, target: Path) -> None:
        link(source, target)
        raise FileExistsError

    monkeypatch.setattr(os, "link", repeated)
    assert create_exclusive(tmp_path / "claim", "7")
    monkeypatch.undo()
    assert not create_exclusive(tmp_path / "claim", "8")
    assert (tmp_path / "claim").read_text() == "7\n"


def test_a_file_that_was_replaced_while_it_is_read_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("7\n")
    fails = [1, 2]
    opened = Path.open

    def stale(path: Path, mode: str = "r") -> IO[Any]:
        if fails:
            raise OSError(errno.ESTALE, f"stale {fails.pop()}")
        return opened(path, mode)

    monkeypatch.setattr(Path, "open", stale)
    assert read_line(tmp_path / "file") == "7"
    fails.extend([1, 2, 3])
    with pytest.raises(OSError, match="file") as caught:
        read_line(tmp_path / "file")
    assert caught.value.errno == errno.ESTALE
