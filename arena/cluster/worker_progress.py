"""Progress of each worker, read from the shared folder while they play."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Final, Literal

from arena.cluster.shard_records import find_finished, find_parts, worker_of
from arena.cluster.shards import shard_of
from arena.cluster.worker_lease import Heartbeat, list_workers, read_heartbeat, read_shard_count
from arena.errors import ClusterError
from arena.records.run_config import match_specs
from arena.records.run_record import RunRecord
from arena.tournament.folder import TournamentFolder, is_run
from scripts_mm.safe_io import error_reason

WorkerState = Literal["finished", "playing", "silent", "stopped", "never started"]

FRESH_SHARE: Final = 1 / 3
"""Fraction of a lease in which three heartbeats are due; a younger one shows that a worker plays.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerProgress:
    """Matches that one worker has played, and what is left of its shard."""

    worker: int
    state: WorkerState
    count: int | None
    """Number of all shards; None: not set by a worker yet."""
    left: int | None
    """Matches of its shard that no worker has finished; None: the count is unknown."""
    finished: int
    """Complete matches in its folder."""
    begun: int
    """Incomplete matches in its folder."""
    holder: str
    """Host and process that plays the shard now; empty: none."""
    silent: float | None
    """Seconds since its last heartbeat; None: no process plays the shard."""
    is_alive: bool
    """Whether a worker may be playing: its last heartbeat is younger than its lease."""

    @property
    def is_idle(self) -> bool:
        """Return whether its shard has matches left and no live worker."""
        return not self.is_alive and self.left != 0

    def as_object(self) -> dict[str, object]:
        """Return the object of `--json`."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentProgress:
    """Progress of all workers of a tournament."""

    workers: tuple[WorkerProgress, ...]
    """Workers, including those that never started, if the number of shards is known."""
    planned: int
    finished: int
    """Distinct complete matches, including merged ones."""
    merged: int


def read_progress(folder: TournamentFolder) -> TournamentProgress:
    """Return the progress of a tournament's workers until now."""
    reader = _ProgressReader(folder)
    return TournamentProgress(
        workers=tuple(reader.iterate_workers()),
        planned=sum(len(match_specs(config)) for config in folder.runs.values()),
        finished=sum(map(len, reader.finished_by_run.values())),
        merged=sum(map(len, reader.merged_by_run.values())),
    )


def count_unmerged(folder: TournamentFolder) -> int:
    """Return the number of finished matches of shards that no merge has copied yet."""
    reader = _ProgressReader(folder)
    return sum(
        len(reader.finished_by_run[run] - reader.merged_by_run[run])
        for run in reader.finished_by_run
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PartRecord:
    """The record of a worker's part of a run."""

    run: str
    worker: int
    begun: int
    finished: set[str]


class _ProgressReader:
    """Reads the records of all shards, each once."""

    def __init__(self, folder: TournamentFolder) -> None:
        self._folder = folder
        self._parts = [
            _read_part(folder, name, record)
            for name in folder.runs
            for record in find_parts(folder, name)
        ]

    @cached_property
    def merged_by_run(self) -> Mapping[str, set[str]]:
        """By run: its complete matches."""
        paths = {name: self._folder.run_path(name) for name in self._folder.runs}
        return {
            name: find_finished([RunRecord(path=path)] if is_run(path) else [])
            for name, path in paths.items()
        }

    @cached_property
    def finished_by_run(self) -> Mapping[str, set[str]]:
        """By run: the matches that are complete in it or in a shard."""
        return {
            name: done.union(*(part.finished for part in self._parts if part.run == name))
            for name, done in self.merged_by_run.items()
        }

    def iterate_workers(self) -> Iterator[WorkerProgress]:
        path = self._folder.path
        count = read_shard_count(path)
        left = None if count is None else self._count_left(count)
        known = {part.worker for part in self._parts} | list_workers(path)
        for worker in sorted(known.union(left or ())):
            yield self._worker_progress(worker, count, left)

    def _worker_progress(
        self, worker: int, count: int | None, left: Mapping[int, int] | None
    ) -> WorkerProgress:
        parts = [part for part in self._parts if part.worker == worker]
        try:
            sign = read_heartbeat(self._folder.path, worker)
        except OSError as error:
            raise ClusterError(
                f"cannot read the heartbeat of shard {worker}: {error_reason(error)}"
            ) from error
        is_there = sign is not None and sign.silent is not None
        own = None if left is None else left.get(worker, 0)
        finished = sum(len(part.finished) for part in parts)
        return WorkerProgress(
            worker=worker,
            state=_state_of(parts, own, sign),
            count=count,
            left=own,
            finished=finished,
            begun=sum(part.begun for part in parts) - finished,
            holder=str(sign.process or "") if sign is not None and is_there else "",
            silent=sign.silent if sign is not None else None,
            is_alive=sign is not None and sign.is_alive,
        )

    def _count_left(self, count: int) -> Mapping[int, int]:
        """Return the number of remaining matches of each of `count` shards that has a block."""
        left: Counter[int] = Counter()
        for name, config in self._folder.runs.items():
            specs = match_specs(config)
            each = len(specs) // config.blocks
            for place, spec in enumerate(specs):
                left[shard_of(place // each, config.blocks, count)] += (
                    spec.id not in self.finished_by_run[name]
                )
        return left


def _read_part(folder: TournamentFolder, run: str, record: RunRecord) -> _PartRecord:
    return _PartRecord(
        run=run,
        worker=worker_of(folder, record),
        begun=len(record.matches()),
        finished=find_finished([record]),
    )


def _state_of(
    parts: Sequence[_PartRecord], left: int | None, sign: Heartbeat | None
) -> WorkerState:
    is_alive = sign is not None and sign.is_alive
    if left == 0 and not is_alive:
        return "finished"
    if sign is None or sign.silent is None or sign.process is None:
        return "stopped" if parts else "never started"
    return "playing" if sign.silent < sign.process.lease * FRESH_SHARE else "silent"
