"""How far each worker is, read from the shared folder while they play."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Final, Literal

from arena.cluster.claims import LEASE, Claims, known_shards, known_workers
from arena.cluster.parts import finished_matches, recorded_parts, worker_of
from arena.records.config import Shard, match_specs
from arena.records.run_record import RunRecord
from arena.tournament.folder import TournamentFolder, is_run

State = Literal["finished", "playing", "silent", "stopped", "never started"]

FRESH: Final = LEASE / 3
"""Seconds since a sign of life: three are due in this time, so that a worker is playing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerProgress:
    """What one worker has played, and what is left of its shard."""

    worker: int
    state: State
    count: int | None
    """Of all shards; None: its record says nothing yet."""
    left: int | None
    """Matches of its shard that no worker has finished; None: the count is not known."""
    finished: int
    """Matches in its folder that are complete."""
    begun: int
    """Matches in its folder that are not."""
    holder: str
    """Host and process that plays the shard now; empty: nobody does."""
    silent: float | None
    """Seconds since its last sign of life; None: nobody plays the shard."""

    @property
    def is_alive(self) -> bool:
        """Whether a worker may be playing: its last sign of life is younger than a lease."""
        return self.silent is not None and self.silent < LEASE

    @property
    def is_idle(self) -> bool:
        """Whether matches of its shard are left, and no worker is alive to play them."""
        return not self.is_alive and self.left != 0

    def as_object(self) -> dict[str, object]:
        """Return the object of `--json`."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What all workers have played of a tournament."""

    workers: tuple[WorkerProgress, ...]
    """With those that have never started, where the number of shards is known."""
    planned: int
    finished: int
    """Distinct matches that are complete, those that were merged among them."""
    merged: int


def read_progress(folder: TournamentFolder) -> Progress:
    """Return what the workers of a tournament have played until now."""
    reader = _Reader(folder)
    return Progress(
        workers=tuple(reader.workers()),
        planned=sum(len(match_specs(config)) for config in folder.runs.values()),
        finished=sum(map(len, reader.finished.values())),
        merged=sum(map(len, reader.merged.values())),
    )


def count_unmerged(folder: TournamentFolder) -> int:
    """Return how many matches the shards have finished that no merge has copied yet."""
    reader = _Reader(folder)
    return sum(len(reader.finished[run] - reader.merged[run]) for run in reader.finished)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """The record of a worker's part of a run."""

    run: str
    worker: int
    begun: int
    finished: set[str]


class _Reader:
    """Reads the records of all shards, each once."""

    def __init__(self, folder: TournamentFolder) -> None:
        self._folder = folder
        self._parts = [
            _read_part(folder, name, record)
            for name in folder.runs
            for record in recorded_parts(folder, name)
        ]

    @cached_property
    def merged(self) -> Mapping[str, set[str]]:
        """By run: the matches that are complete in it."""
        paths = {name: self._folder.run_path(name) for name in self._folder.runs}
        return {
            name: finished_matches([RunRecord(path=path)] if is_run(path) else [])
            for name, path in paths.items()
        }

    @cached_property
    def finished(self) -> Mapping[str, set[str]]:
        """By run: the matches that are complete in it or in a shard."""
        return {
            name: done.union(*(part.finished for part in self._parts if part.run == name))
            for name, done in self.merged.items()
        }

    def workers(self) -> Iterator[WorkerProgress]:
        path = self._folder.path
        count = known_shards(path)
        known = {part.worker for part in self._parts} | known_workers(path)
        for worker in sorted(known.union(range(count or 0))):
            yield self._worker(worker, count)

    def _worker(self, worker: int, count: int | None) -> WorkerProgress:
        parts = [part for part in self._parts if part.worker == worker]
        left = None
        if count is not None and worker < count:
            left = self._count_left(Shard(index=worker, count=count))
        holder, silent = Claims(path=self._folder.path, worker=worker).sign_of_life()
        finished = sum(len(part.finished) for part in parts)
        return WorkerProgress(
            worker=worker,
            state=_state_of(parts, left, silent),
            count=count,
            left=left,
            finished=finished,
            begun=sum(part.begun for part in parts) - finished,
            holder=holder,
            silent=silent,
        )

    def _count_left(self, shard: Shard) -> int:
        return sum(
            spec.id not in self.finished[name]
            for name, config in self._folder.runs.items()
            for spec in match_specs(replace(config, shard=shard))
        )


def _read_part(folder: TournamentFolder, run: str, record: RunRecord) -> _Part:
    return _Part(
        run=run,
        worker=worker_of(folder, record),
        begun=len(record.matches()),
        finished=finished_matches([record]),
    )


def _state_of(parts: Sequence[_Part], left: int | None, silent: float | None) -> State:
    if left == 0 and (silent is None or silent >= LEASE):
        return "finished"
    if silent is not None:
        return "playing" if silent < FRESH else "silent"
    return "stopped" if parts else "never started"
