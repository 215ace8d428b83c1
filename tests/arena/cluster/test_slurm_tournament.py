"""A tournament of models on a real Slurm, disturbed in every way, equals one on a quiet host."""

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cluster.merge import merge_shards
from arena.cluster.slurm import BATCH_FILE
from arena.tournament.folder import TournamentFolder
from eval.standings import make_standings
from tests.arena.cluster.slurm_host import SlurmHost
from tests.arena.cluster.test_real_slurm import (
    log,
    restarts,
    submit,
    wait_until_begun,
    worker_of,
)
from tests.arena.run.stage import save_case
from tests.arena.tournament.made import events_of, planned, play
from tests.campaign.processes import Child, free_port, wait_until_up

SHARDS = 3


class ModelTournament:
    """A tournament of the simulated model, whose answers take long until `release`."""

    def __init__(self, folder: TournamentFolder, url: str) -> None:
        self.folder, self._url = folder, url
        self.out = folder.path
        self.command = (sys.executable, "-m", "arena", "cluster", "worker", str(self.out))
        self.slow(0.5)

    def slow(self, seconds: float) -> None:
        """Let every answer take so much longer."""
        request = urllib.request.Request(
            f"{self._url}/faults",
            data=json.dumps({"seconds": seconds}).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert answer.status == 200

    def has_begun(self, shard: int) -> bool:
        """Return whether a match of the shard has some calls."""
        calls = (self.out / "shards" / str(shard)).rglob("calls.jsonl")
        return sum(file.stat().st_size > 0 for file in calls) > 0

    def is_finished(self, shard: int) -> bool:
        """Return whether the worker has finished a match."""
        return any((self.out / "shards" / str(shard)).rglob("done.json"))

    def release(self) -> None:
        """Let the shards come to their ends."""
        self.slow(0)


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield the URL of a simulated engine, which contestants call `sim`."""
    port = free_port()
    found = f"http://127.0.0.1:{port}"
    words = ["-m", "serving.engine_sim", "--profile", "instant", "--model", "m"]
    engine = Child([*words, "--port", str(port)], tmp_path, "engine")
    wait_until_up(found, engine)
    monkeypatch.setenv("ARENA_ENDPOINTS", json.dumps({"sim": {"url": f"{found}/v1", "model": "m"}}))
    yield found
    engine.kill()


def submit_again(tournament: ModelTournament, shard: int) -> str:
    """Submit one shard a second time, as a user does, and return the job's number."""
    words = ["sbatch", "--parsable", f"--array={shard}", str(tournament.out / BATCH_FILE)]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def test_a_tournament_survives_stops_kills_and_a_lost_node(
    slurm: SlurmHost, url: str, tmp_path: Path
) -> None:
    script = save_case(tmp_path / "scripts" / "harbour")
    alone = planned(tmp_path / "alone", [script], ("sim", "naive"), seeds=6)
    play(alone)
    folder = planned(tmp_path / "out", [script], ("sim", "naive"), seeds=6)
    tournament = ModelTournament(folder, url)
    job = submit(tournament, shards=SHARDS)
    wait_until_begun(slurm, tournament, 0, 1, 2)

    slurm.run("scancel", "--signal=TERM", "--batch", f"{job}_0")
    slurm.wait_for("shard 0 is requeued", lambda: restarts(slurm, job, 0) == 1)
    assert "shard 0: the worker ended with status 75" in log(tournament, 0)

    worker_of(tournament, 1).send_signal(signal.SIGKILL)
    slurm.wait_for("shard 1 fails", lambda: slurm.tasks(job)["1"] == "FAILED")
    again = submit_again(tournament, 1)

    node = slurm.show(f"{job}_2")["BatchHost"]
    slurm.kill_node(node)
    slurm.wait_for("shard 2 starts again", lambda: "restart 1" in log(tournament, 2), seconds=120)

    tournament.release()
    slurm.wait_for_tasks(again, {"1": "COMPLETED"})
    slurm.wait_for_tasks(job, {"0": "COMPLETED", "1": "FAILED", "2": "COMPLETED"})
    [merged] = merge_shards(folder)
    assert (merged.planned, merged.missing, merged.conflicts) == (24, (), ())
    assert events_of(folder) == events_of(alone)
    one, two = (make_standings(each.runs, each.load_started_runs()) for each in (folder, alone))
    assert list(one.as_objects()) == list(two.as_objects())
