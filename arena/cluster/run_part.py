"""Part of a run for one worker: its blocks, and the matches that others have finished."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from arena.cluster.block_claims import block_of
from arena.cluster.shard_records import find_parts, is_finished, part_path
from arena.cluster.shards import ShardRun
from arena.records.run_config import MatchSpec, match_specs
from arena.records.run_record import RunRecord
from arena.tournament.folder import TournamentFolder, is_run


@dataclass(frozen=True, kw_only=True)
class RunPart:
    """The part of a run that one worker plays, or takes over."""

    folder: TournamentFolder
    worker: int
    run: ShardRun
    finished_elsewhere: set[str] = field(default_factory=set[str], init=False)
    """Matches that are known to be finished in another record."""
    _read_blocks: set[str] = field(default_factory=set[str], init=False)
    """Blocks whose other records have been read."""
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    """Several threads query matches."""

    @property
    def path(self) -> Path:
        """Return the folder in which the worker records the part."""
        return part_path(self.folder, self.worker, self.run.shard.index, self.run.run)

    @cached_property
    def blocks(self) -> Mapping[str, Sequence[MatchSpec]]:
        """Return the matches of each block of the part, by its name."""
        found: dict[str, list[MatchSpec]] = {}
        for spec in match_specs(self.run.config):
            found.setdefault(block_of(spec), []).append(spec)
        return found

    def is_finished_elsewhere(self, spec: MatchSpec) -> bool:
        """Tell whether a match is merged, or another worker has finished it.

        Called after this worker claimed the match's block, because others cannot start a match of
        it then.
        """
        block = block_of(spec)
        with self._lock:
            if block not in self._read_blocks:
                others = [one for one in self._records() if one.path != self.path]
                self.finished_elsewhere.update(
                    one.id
                    for one in self.blocks[block]
                    if any(is_finished(record, one.id) for record in others)
                )
                self._read_blocks.add(block)
            return spec.id in self.finished_elsewhere

    def is_whole(self, specs: Sequence[MatchSpec]) -> bool:
        """Tell whether each of the matches is finished and readable in some record."""
        records = tuple(self._records())
        return all(any(is_finished(record, one.id) for record in records) for one in specs)

    def _records(self) -> Iterator[RunRecord]:
        """Yield the records of the part by all workers, and the merged run."""
        yield from find_parts(self.folder, self.run.run, self.run.shard.index)
        merged = self.folder.run_path(self.run.run)
        if is_run(merged):
            yield RunRecord(path=merged)
