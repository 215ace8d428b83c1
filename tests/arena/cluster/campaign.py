"""Fault campaign of shards and workers: workers of one tournament are hurt while they play.

    python -m tests.arena.cluster.campaign --trials 40 --seed 1
    python -m tests.arena.cluster.campaign --kinds kill,stop --keep failed/

A trial plays a small tournament with three workers, each with a simulated engine of its own, hurts
them in one way at moments that its seed draws, starts every ended worker again until all is played,
and merges. What must hold: documented exit statuses, no traceback, nothing finished lost, and the
merged events and standings equal to those of one undisturbed host, byte for byte.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Final

from tests.arena.run.stage import save_case
from tests.campaign.processes import (
    ROOT,
    Child,
    free_port,
    wait_until_up,
)
from tests.table import case

WORKERS: Final = 3
LEASE: Final = 3.0
"""Seconds: short, so that a trial sees claims being taken over."""
SITTING: Final = 90.0
WHOLE, UNFINISHED, REFUSED, STOPPED = 0, 1, 2, 75
_MOST_SITTINGS: Final = 12
_TRACES: Final = ("Traceback (most recent call last)", "a bug in the arena")
_STARTS: Final = (0.3, 2.0)
"""Seconds after its start in which a worker is hurt that does not play yet."""
_PLAYED: Final = 0.7
"""Most of the matches that are over when a worker is hurt."""


class Stage:
    """The engines, and a tournament that was played undisturbed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = [free_port() for _ in range(WORKERS)]
        self.engines = [self.start_engine(number) for number in range(WORKERS)]
        scripts = [
            save_case(folder / "scripts" / name, replace(case(), id=name))
            for name in ("harbour", "lighthouse")
        ]
        self.planned = folder / "planned"
        words = [word for one in scripts for word in ("--script", str(one.folder))]
        self.arena(
            *("tournament", "plan", str(self.planned), *words, "--preset", "short"),
            *("-p", "sim", "-p", "naive", "--seeds", "6"),
        )
        alone = folder / "alone"
        shutil.copytree(self.planned, alone)
        self.arena("tournament", "run", str(alone), "--quiet")
        self.events = events(alone)
        self.standings = self.arena("tournament", "standings", str(alone), "--json")

    def start_engine(self, number: int) -> Child:
        """Start the engine of a worker, with an empty cache."""
        port = self.ports[number]
        words = ["-m", "serving.engine_sim", "--profile", "cpu-stand-in", "--model", "m"]
        child = Child([*words, "--port", str(port)], self.folder, f"engine-{number}-{port}")
        wait_until_up(f"http://127.0.0.1:{port}", child)
        return child

    def environment(self, number: int) -> Mapping[str, str]:
        """Return the endpoints of a worker."""
        url = f"http://127.0.0.1:{self.ports[number]}/v1"
        return {"ARENA_ENDPOINTS": json.dumps({"sim": {"url": url, "model": "m"}})}

    def arena(self, *words: str, status: int = WHOLE) -> str:
        """Run a command of the arena to its end, and return what it prints."""
        ended = subprocess.run(
            [sys.executable, "-m", "arena", *words],
            cwd=ROOT,
            env={**os.environ, **self.environment(0)},
            capture_output=True,
            text=True,
            check=False,
        )
        if ended.returncode != status:
            raise AssertionError(f"{' '.join(words)} ended with {ended.returncode}: {ended.stderr}")
        return ended.stdout

    def close(self) -> None:
        """End the engines."""
        for engine in self.engines:
            engine.kill()


@dataclass(slots=True, kw_only=True)
class Trial:
    """One tournament on its way through faults."""

    kind: str
    seed: int
    stage: Stage
    folder: Path
    faults: int = 0
    problems: list[str] = field(default_factory=list[str])
    chance: Random = field(init=False)
    out: Path = field(init=False)
    workers: dict[int, Child] = field(default_factory=dict[int, Child])
    _sittings: int = 0

    def __post_init__(self) -> None:
        self.chance = Random(f"{self.kind}:{self.seed}")
        self.folder.mkdir(parents=True)
        self.out = self.folder / "out"
        shutil.copytree(self.stage.planned, self.out)

    def start(self, number: int, name: str = "worker") -> Child:
        """Start a worker."""
        self._sittings += 1
        words = ["-m", "arena", "cluster", "worker", str(self.out)]
        words += ["--shard", f"{number}/{WORKERS}", "--lease", str(LEASE), "--concurrency", "1"]
        unique = f"{name}-{number}-{self._sittings}"
        return Child(words, self.folder, unique, self.stage.environment(number))

    def start_all(self) -> None:
        """Start all workers."""
        self.workers = {number: self.start(number) for number in range(WORKERS)}

    def choose(self) -> int:
        """Wait for a moment while workers start or play, and return the number of a live one."""
        if self.chance.random() < 0.25:
            time.sleep(self.chance.uniform(*_STARTS))
        else:
            wanted = self.chance.uniform(0, _PLAYED) * len(self.stage.events)
            while self._live() and self._finished() < wanted:
                time.sleep(0.05)
        return self.chance.choice(self._live() or list(self.workers))

    def _live(self) -> list[int]:
        return [number for number, child in self.workers.items() if child.ending() is None]

    def _finished(self) -> int:
        return len(list(self.out.glob("shards/**/matches/*/done.json")))

    def end(self, child: Child, *statuses: int) -> int:
        """Wait for the end of a worker, and check how it ended."""
        ending = child.wait_ended(SITTING)
        if ending.status not in statuses:
            self.problems.append(f"{child.name} ended with {ending.status}: {ending.stderr[-300:]}")
        for trace in _TRACES:
            if trace in ending.stderr + ending.stdout:
                self.problems.append(f"{child.name}: {ending.stderr[-1500:]}")
        return ending.status

    def finish(self) -> None:
        """Let all workers play on, each started again until it has nothing left, then compare."""
        for number, child in self.workers.items():
            ended = child
            for _ in range(_MOST_SITTINGS):
                if self.end(ended, *self.allowed) == WHOLE:
                    break
                time.sleep(LEASE)
                ended = self.start(number, "again")
            else:
                self.problems.append(f"worker {number} never came to its end")
        self.compare()

    allowed: tuple[int, ...] = (WHOLE,)

    def compare(self) -> None:
        """Merge, and compare with the tournament that one host played undisturbed."""
        told = self.stage.arena("cluster", "merge", str(self.out), "--json")
        for merged in map(json.loads, told.splitlines()):
            self.problems += [
                f"{key}: {merged[key]}"
                for key in ("missing", "conflicts", "damaged")
                if merged[key]
            ]
        found = events(self.out)
        for match in sorted(self.stage.events.keys() | found.keys()):
            if found.get(match) != self.stage.events.get(match):
                self.problems.append(f"match {match} differs")
        standings = self.stage.arena("tournament", "standings", str(self.out), "--json")
        if standings != self.stage.standings:
            self.problems.append("the standings differ")


def kill(trial: Trial) -> None:
    """Kill workers; each is started again after a while."""
    trial.allowed = (WHOLE, -signal.SIGKILL)
    trial.start_all()
    for _ in range(3):
        number = trial.choose()
        trial.faults += trial.workers[number].ending() is None
        trial.workers[number].kill()
        if trial.chance.random() < 0.5:
            time.sleep(LEASE)
        trial.end(trial.workers[number], *trial.allowed)
        trial.workers[number] = trial.start(number, "again")
    # One that is dead may be within its lease: it is refused, and tried again.
    trial.allowed = (WHOLE, REFUSED)
    trial.finish()


def lose(trial: Trial) -> None:
    """Kill a worker for ever: the others play its shard."""
    trial.start_all()
    number = trial.choose()
    trial.faults += trial.workers[number].ending() is None
    trial.workers.pop(number).kill()
    for other in list(trial.workers):
        trial.end(trial.workers[other], WHOLE)
        time.sleep(LEASE)
        # What was claimed by the dead one may have been within its lease.
        trial.workers[other] = trial.start(other, "again")
    trial.finish()


def term(trial: Trial) -> None:
    """Stop workers as a cluster does before it takes their node."""
    trial.allowed = (WHOLE, STOPPED)
    trial.start_all()
    for _ in range(3):
        number = trial.choose()
        trial.faults += trial.workers[number].ending() is None
        trial.workers[number].signal(signal.SIGTERM)
        trial.end(trial.workers[number], WHOLE, STOPPED, -signal.SIGTERM)
        trial.workers[number] = trial.start(number, "again")
    trial.finish()


def stop(trial: Trial) -> None:
    """Let a worker stand still for longer than its lease: others take its claims over."""
    trial.allowed = (WHOLE, UNFINISHED, REFUSED)
    trial.start_all()
    number = trial.choose()
    child = trial.workers[number]
    trial.faults += child.ending() is None
    child.signal(signal.SIGSTOP)
    time.sleep(LEASE * trial.chance.uniform(0.3, 2.5))
    child.signal(signal.SIGCONT)
    trial.finish()


def engine(trial: Trial) -> None:
    """End the engine of a worker, and start it again on the same port."""
    trial.allowed = (WHOLE, UNFINISHED)
    trial.start_all()
    number = trial.choose()
    trial.faults += 1
    trial.stage.engines[number].kill()
    time.sleep(trial.chance.uniform(0.5, 4))
    trial.stage.engines[number] = trial.stage.start_engine(number)
    trial.finish()


def second(trial: Trial) -> None:
    """Start a second process for a shard that is being played: one of the two is refused."""
    trial.start_all()
    number = trial.choose()
    trial.faults += trial.workers[number].ending() is None
    other, first = trial.start(number, "second"), trial.workers[number]
    # Which of the two is refused is open where the first had not begun.
    if {trial.end(one, WHOLE, REFUSED) for one in (other, first)} == {REFUSED}:
        trial.problems.append("both processes of a shard were refused")
    trial.workers[number] = trial.start(number, "again")
    trial.finish()


def merge(trial: Trial) -> None:
    """Merge again and again while the workers play."""
    trial.start_all()
    for _ in range(4):
        time.sleep(trial.chance.uniform(0.5, 3))
        with suppress(AssertionError):
            # Before the first match there is nothing to merge, which is said and no fault.
            trial.stage.arena("cluster", "merge", str(trial.out))
            trial.faults += 1
    trial.finish()


def away(trial: Trial) -> None:
    """Take the shared folder away for a while."""
    trial.allowed = (WHOLE, UNFINISHED, REFUSED)
    trial.start_all()
    trial.choose()
    hidden = trial.folder / "away"
    trial.out.rename(hidden)
    trial.faults += 1
    time.sleep(trial.chance.uniform(0.2, 2 * LEASE))
    if trial.out.exists():
        trial.problems.append("the folder was made again while it was away")
        shutil.rmtree(trial.out)
    hidden.rename(trial.out)
    trial.finish()


def full(trial: Trial) -> None:
    """Let no file of one worker grow: as on a node whose disk is full."""
    trial.allowed = (WHOLE, UNFINISHED, REFUSED)
    trial.start_all()
    number = trial.choose()
    trial.faults += trial.workers[number].ending() is None
    trial.workers[number].limit_file_size(2_000)
    time.sleep(trial.chance.uniform(0.5, 4))
    trial.workers[number].limit_file_size(None)
    trial.finish()


KINDS: Final[Mapping[str, Callable[[Trial], None]]] = {
    one.__name__: one for one in (kill, lose, term, stop, engine, second, merge, away, full)
}


def events(out: Path) -> dict[str, bytes]:
    """Return the recorded events of all matches of the runs in a tournament."""
    return {
        f"{file.parts[-4]}/{file.parts[-2]}": file.read_bytes()
        for file in (out / "runs").glob("*/matches/*/events.jsonl")
    }


def run_trial(kind: str, seed: int, stage: Stage, folder: Path) -> Trial:
    """Run one trial; what it leaves is in `folder`."""
    trial = Trial(kind=kind, seed=seed, stage=stage, folder=folder)
    try:
        KINDS[kind](trial)
    except Exception as error:  # noqa: BLE001 - a trial that breaks off is a problem of that trial
        trial.problems.append(f"the trial broke off: {error!r}")
    finally:
        for child in trial.workers.values():
            child.kill()
    return trial


def main() -> int:
    """Run the campaign, print its table, and return the exit status."""
    parser = argparse.ArgumentParser(description="Hurt the workers of a tournament.")
    parser.add_argument("--trials", type=int, default=len(KINDS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--keep", type=Path, help="keep the folders of failed trials here")
    options = parser.parse_args()
    kinds = options.kinds.split(",")
    tries = dict.fromkeys(kinds, 0)
    faults, failures = dict(tries), dict(tries)
    with tempfile.TemporaryDirectory() as place:
        stage = Stage(Path(place))
        try:
            for number in range(options.trials):
                kind = kinds[number % len(kinds)]
                name = f"{kind}-{options.seed + number}"
                trial = run_trial(kind, options.seed + number, stage, Path(place) / name)
                tries[kind] += 1
                faults[kind] += trial.faults
                failures[kind] += bool(trial.problems)
                state = "; ".join(trial.problems)[:1500] or "as undisturbed"
                sys.stdout.write(f"{name}: {trial.faults} faults, {state}\n")
                sys.stdout.flush()
                if trial.problems and options.keep:
                    shutil.copytree(trial.folder, options.keep / name, dirs_exist_ok=True)
                shutil.rmtree(trial.folder, ignore_errors=True)
        finally:
            stage.close()
    for kind in kinds:
        sys.stdout.write(f"{kind:8} {tries[kind]:4} trials {faults[kind]:4} faults ")
        sys.stdout.write(f"{failures[kind]:4} failures\n")
    return int(any(failures.values()))


if __name__ == "__main__":
    sys.exit(main())
