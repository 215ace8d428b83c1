"""A large tournament on a real Slurm on this host, disturbed while it plays, against a quiet host.

    python -m tests.arena.cluster.rehearsal OUT --shards 8 --nodes 8 -- -p sim -p naive ...

What follows `--` is given to `arena tournament plan`. Unless `--real`, the model `sim` is a
simulated engine; with it, contestants name models that the workers serve themselves. While the
array plays, a task is stopped, a worker is killed, a node is lost, a task is requeued and a merge
is made. Where OUT has what one host played, that is used again.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil

from tests.arena.cluster.campaign import events
from tests.arena.cluster.slurm_host import CPUS, SlurmHost, open_slurm
from tests.campaign.processes import (
    ROOT,
    Child,
    free_port,
    wait_until_up,
)

_HOURS: Final = "02:00:00"
_POLL_SECONDS: Final = 0.5
_LONGEST: Final = 6000.0


def arena(*words: str) -> str:
    """Run a command of the arena, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"arena {' '.join(words)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


@dataclass(slots=True, kw_only=True)
class Rehearsal:
    """An array of shards on its way to its end."""

    out: Path
    slurm: SlurmHost
    job: str
    shards: int
    total: int
    began: float = field(default_factory=time.monotonic)
    hurt: set[str] = field(default_factory=set[str])
    again: list[str] = field(default_factory=list[str])

    def say(self, text: str) -> None:
        """Print a line with the time and the matches that are over."""
        seconds = time.monotonic() - self.began
        sys.stdout.write(f"{seconds:7.1f} s {self.finished():5} of {self.total}  {text}\n")
        sys.stdout.flush()

    def finished(self) -> int:
        """Return how many matches are over in all shards."""
        return len(list(self.out.glob("shards/**/matches/*/done.json")))

    def wait(self, is_true: Callable[[], bool]) -> bool:
        """Wait until `is_true`; False: it never came."""
        ends = time.monotonic() + _LONGEST
        while not (found := is_true()) and time.monotonic() < ends:
            time.sleep(_POLL_SECONDS)
        return found

    def take(self) -> str:
        """Return a shard that is being played and was not hurt yet, or end where none is left."""

        def playing() -> str:
            tasks = self.slurm.tasks(self.job)
            return next(
                (
                    one
                    for one, state in sorted(tasks.items())
                    if state == "RUNNING" and self.plays(one)
                ),
                "",
            )

        self.wait(lambda: bool(playing()) or self.is_over())
        shard = playing()
        if not shard:
            raise SystemExit("no shard is left to disturb; wanted longer matches, or more")
        self.hurt.add(shard)
        return shard

    def plays(self, shard: str) -> bool:
        """Return whether a worker that was not hurt yet has finished a match of this shard."""
        if shard in self.hurt or self.worker(shard) is None:
            return False
        return any((self.out / "shards" / shard).glob("**/done.json"))

    def worker(self, shard: str) -> psutil.Process | None:
        """Return the process of a shard's worker."""
        for one in psutil.process_iter():
            with suppress(psutil.Error):
                words = one.cmdline()
                if str(self.out) in words and f"{shard}/{self.shards}" in words and "-m" in words:
                    return one
        return None

    def stop(self) -> None:
        """Send a task TERM, as at the end of its time."""
        shard = self.take()
        # A task that is requeued at once may keep scancel asking, although its signal has arrived.
        with suppress(subprocess.TimeoutExpired):
            self.slurm.run("scancel", "--signal=TERM", "--batch", f"{self.job}_{shard}")
        self.say(f"shard {shard}: TERM to the batch script")

    def kill(self) -> None:
        """Kill a worker; a user submits its shard again."""
        shard = self.take()
        worker = self.worker(shard)
        if worker is not None:
            worker.send_signal(signal.SIGKILL)
        self.say(f"shard {shard}: kill -9 of the worker")
        failed = self.wait(lambda: self.slurm.tasks(self.job)[shard] == "FAILED")
        words = ("sbatch", "--parsable", f"--array={shard}", str(self.out / "job.sbatch"))
        self.again.append(self.slurm.run(*words))
        self.say(f"shard {shard}: {'FAILED' if failed else 'not FAILED'}, submitted again")

    def lose(self) -> None:
        """Lose a node with all it runs; it comes back later."""
        shard = self.take()
        node = self.slurm.show(f"{self.job}_{shard}")["BatchHost"]
        self.slurm.kill_node(node)
        self.say(f"shard {shard}: {node} is lost")
        self.wait(lambda: "restart 1" in self.log(shard) or self.finished() == self.total)
        self.slurm.start_node(node)
        self.say(f"shard {shard}: started on another node; {node} is back")

    def requeue(self) -> None:
        """Requeue a task, as an administrator does."""
        shard = self.take()
        self.slurm.run("scontrol", "requeue", f"{self.job}_{shard}")
        self.say(f"shard {shard}: requeued")

    def merge(self) -> None:
        """Merge while the workers play."""
        [merged] = map(json.loads, arena("cluster", "merge", str(self.out), "--json").splitlines())
        self.say(
            f"merged in the middle: {merged['copied']} copied, {len(merged['missing'])} missing"
        )

    def log(self, shard: str) -> str:
        """Return the log of a shard."""
        return (self.out / "logs" / f"{shard}.log").read_text(errors="replace")

    def is_over(self) -> bool:
        """Return whether no task waits or runs."""
        tasks = [
            state for job in (self.job, *self.again) for state in self.slurm.tasks(job).values()
        ]
        return not {"PENDING", "RUNNING", "COMPLETING", "REQUEUED"} & set(tasks)


def main() -> int:
    """Plan, play alone, play on Slurm, compare; the exit status is 1 where the two differ."""
    parser = argparse.ArgumentParser(description="Disturb a large tournament on a real Slurm.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--nodes", type=int, default=8)
    parser.add_argument("--real", action="store_true", help="workers serve the models")
    parser.add_argument("plan", nargs="+")
    options = parser.parse_args()
    place: Path = options.out.resolve()
    place.mkdir(parents=True, exist_ok=True)
    planned, alone, out = place / "planned", place / "alone", place / "out"
    engine = None
    if not options.real:
        url = f"http://127.0.0.1:{(port := free_port())}"
        words = ["-m", "serving.engine_sim", "--profile", "instant", "--model", "m"]
        engine = Child([*words, "--port", str(port)], place, "engine")
        wait_until_up(url, engine)
        os.environ["ARENA_ENDPOINTS"] = json.dumps({"sim": {"url": f"{url}/v1", "model": "m"}})
    try:
        if not alone.exists():
            sys.stdout.write(arena("tournament", "plan", str(planned), *options.plan))
            shutil.copytree(planned, alone)
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(planned, out)
        began = time.monotonic()
        arena("tournament", "run", str(alone), "--quiet")
        expected = events(alone)
        seconds = time.monotonic() - began
        sys.stdout.write(f"one host: {len(expected)} matches, {seconds:.0f} s in this sitting\n")
        with open_slurm(options.nodes) as slurm:
            _disturb(slurm, out, options.shards, options.nodes, len(expected))
        for line in arena("cluster", "merge", str(out), "--json").splitlines():
            merged = json.loads(line)
            lists = ("duplicates", "conflicts", "missing", "damaged")
            counts = {**merged, **{key: len(merged[key]) for key in lists}}
            sys.stdout.write(f"merge: {json.dumps(counts)}\n")
        return _compare(alone, out)
    finally:
        if engine is not None:
            engine.kill()


def _disturb(slurm: SlurmHost, out: Path, shards: int, nodes: int, total: int) -> None:
    os.environ.update(slurm.environ)
    words = ("--shards", str(shards), "--nodes", str(nodes), "--gpus-per-node", "0")
    more = ("--cpus-per-task", str(CPUS), "--time", _HOURS, "--json")
    told = arena("cluster", "submit", str(out), *words, *more)
    job = str(json.loads(told)["job"])
    play = Rehearsal(out=out, slurm=slurm, job=job, shards=shards, total=total)
    play.say(f"job {job}: {shards} shards on {nodes} nodes")
    steps = (play.stop, play.kill, play.lose, play.merge, play.requeue)
    for number, step in enumerate(steps, start=1):
        share = number / (len(steps) + 3)
        play.wait(lambda share=share: play.finished() >= share * total)
        step()
    play.wait(play.is_over)
    play.say("no task waits or runs")
    for shard in range(shards):
        for line in play.log(str(shard)).splitlines():
            if line.startswith("shard ") or " shard " in line:
                sys.stdout.write(f"  logs/{shard}.log: {line}\n")


def _compare(alone: Path, out: Path) -> int:
    one, two = events(alone), events(out)
    equal = sum(two.get(match) == found for match, found in one.items())
    sys.stdout.write(f"events equal: {equal} of {len(one)}; merged: {len(two)}\n")
    standings = [arena("tournament", "standings", str(each), "--json") for each in (alone, out)]
    same = standings[0] == standings[1]
    sys.stdout.write(f"standings {'equal' if same else 'differ'}\n")
    return 0 if same and equal == len(one) == len(two) else 1


if __name__ == "__main__":
    sys.exit(main())
