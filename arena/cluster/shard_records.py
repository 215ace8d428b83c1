"""Records of a tournament's workers, in the folders of their shards."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from arena.errors import RecordError
from arena.records.run_folder import MANIFEST_FILE, is_held
from arena.records.run_record import RunRecord
from arena.tournament.folder import SHARDS, TournamentFolder, is_run

TAKEN_FOLDER: Final = "taken"
"""Folder of a worker for parts of other shards: `shards/N/taken/M/RUN`."""


def part_path(folder: TournamentFolder, worker: int, shard: int, run: str) -> Path:
    """Return the folder in which a worker records its part of a run; it need not exist yet."""
    own = folder.path / SHARDS / str(worker)
    return own / run if worker == shard else own / TAKEN_FOLDER / str(shard) / run


def find_parts(folder: TournamentFolder, run: str, shard: int | None = None) -> Iterator[RunRecord]:
    """Yield the records of a run's parts, or of those of one shard; taken-over parts come last."""
    shards = folder.path / SHARDS
    which = "*" if shard is None else str(shard)
    paths = [*shards.glob(f"{which}/{run}"), *shards.glob(f"*/{TAKEN_FOLDER}/{which}/{run}")]
    for path in sorted(paths, key=lambda path: (len(path.parts), str(path))):
        if is_run(path) and path.relative_to(shards).parts[0].isdecimal():
            yield RunRecord(path=path)


def worker_of(folder: TournamentFolder, part: RunRecord) -> int:
    """Return the number of the worker that recorded a part."""
    return int(part.path.relative_to(folder.path / SHARDS).parts[0])


def is_being_played(folder: TournamentFolder, worker: int) -> bool:
    """Tell whether a process is playing a run that this worker records."""
    own = folder.path / SHARDS / str(worker)
    files = (*own.glob(f"*/{MANIFEST_FILE}"), *own.glob(f"{TAKEN_FOLDER}/*/*/{MANIFEST_FILE}"))
    return any(is_held(file.parent) for file in files)


def find_finished(records: Iterable[RunRecord]) -> set[str]:
    """Return the ids of all matches that are complete in one of `records`."""
    found: set[str] = set()
    for record in records:
        for match in record.matches():
            if match.path.name not in found and is_finished(record, match.path.name):
                found.add(match.path.name)
    return found


def is_finished(record: RunRecord, match: str) -> bool:
    """Tell whether a match is complete in a record; False if its files are damaged."""
    try:
        return record.match(match).is_complete()
    except RecordError:
        return False
