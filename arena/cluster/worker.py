"""Worker: plays one shard of a tournament, then what slow or dead workers have not started."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field

from arena.cluster.block_claims import BlockClaims
from arena.cluster.run_part import RunPart
from arena.cluster.shard_records import is_being_played
from arena.cluster.shards import ShardRun, other_shards, shard_runs
from arena.cluster.worker_lease import LEASE_SECONDS, WorkerLease, this_process
from arena.errors import ArenaError, ClusterError
from arena.records.match_summary import MatchSummary
from arena.records.run_config import MatchSpec, Shard, match_specs
from arena.run.match_batch import MatchCrash
from arena.run.observer import RunObserver
from arena.tournament.folder import TournamentFolder
from arena.tournament.play_runs import play_run
from serving.process.supervisor import run_in_background

_START_PAUSE = 1.0
"""Seconds between two attempts to become the worker of the shard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerResult:
    """Matches that a worker has played, or found finished, since its start."""

    matches: int
    errors: tuple[MatchSummary | MatchCrash, ...]
    """Matches that ended as an error; the same command plays them again."""


@dataclass(slots=True, kw_only=True)
class Worker:
    """Worker of one shard of a tournament, in a folder that it shares with the other workers."""

    folder: TournamentFolder
    shard: Shard
    observer: Callable[[str], RunObserver]
    """Creates the observer of one run."""
    serve: Callable[[], AbstractAsyncContextManager[None]] = nullcontext
    """Serves the models, if there is something to play."""
    concurrency: int | None = None
    lease: float = LEASE_SECONDS
    """Seconds without a heartbeat after which others consider this worker dead."""
    _claims: BlockClaims = field(init=False)
    _worker_lease: WorkerLease = field(init=False)
    _failure: ArenaError | None = field(default=None, init=False)
    """Why nothing more can be claimed."""

    def __post_init__(self) -> None:
        """Prepare the claims of this worker."""
        path, worker = self.folder.path, self.shard.index
        self._claims = BlockClaims(path=path, worker=worker)
        self._worker_lease = WorkerLease(path=path, worker=worker, process=this_process(self.lease))

    async def play(self) -> WorkerResult:
        """Play the worker's own shard, then what is left of the others.

        If cancelled, it keeps all answers, and the next worker of the shard continues. Raises
        `ClusterError` if the shared folder fails or another process is this worker.
        """
        results: list[MatchSummary | MatchCrash] = []
        async with self._hold_lease():
            if await asyncio.to_thread(self._has_any_work):
                async with self.serve():
                    for run in self._runs():
                        results += await self._play(run)
        if self._failure is not None:
            raise self._failure
        errors = tuple(one for one in results if _is_error(one))
        return WorkerResult(matches=len(results), errors=errors)

    def _runs(self) -> Iterator[ShardRun]:
        for shard in (self.shard, *other_shards(self.folder.runs, self.shard)):
            yield from shard_runs(self.folder.runs, shard)

    async def _play(self, run: ShardRun) -> tuple[MatchSummary | MatchCrash, ...]:
        """Play the matches of a run's part that this worker can claim; empty if there are none."""
        if not await asyncio.to_thread(self._has_work, run):
            return ()
        part = self._make_part(run)
        result = await play_run(
            self.folder,
            run.config,
            part.path,
            concurrency=self.concurrency,
            observer=self.observer(run.run),
            claim=lambda spec: self._claim(run.run, spec) and not part.is_finished_elsewhere(spec),
        )
        played = {
            one.match
            for one in result.results
            if isinstance(one, MatchSummary) and not _is_error(one)
        }
        await asyncio.to_thread(self._finish, part, played)
        return result.results

    def _make_part(self, run: ShardRun) -> RunPart:
        return RunPart(folder=self.folder, worker=self.shard.index, run=run)

    def _has_any_work(self) -> bool:
        """Claim a first block, before engines are started."""
        self._reopen()
        return any(map(self._has_work, self._runs()))

    def _has_work(self, run: ShardRun) -> bool:
        """Claim a block of a part, before its folder is created."""
        return any(self._claim(run.run, spec) for spec in match_specs(run.config))

    def _reopen(self) -> None:
        """Reopen the blocks of the worker's own shard that have damaged matches."""
        for run in shard_runs(self.folder.runs, self.shard):
            part = self._make_part(run)
            for block, specs in part.blocks.items():
                if self._claims.is_finished(run.run, block) and not part.is_whole(specs):
                    self._claims.reopen(run.run, block)

    def _finish(self, part: RunPart, played: set[str]) -> None:
        """Mark the finished blocks of a part."""
        over = [
            block
            for block, specs in part.blocks.items()
            if all(spec.id in played or spec.id in part.finished_elsewhere for spec in specs)
        ]
        self._claims.mark_finished(part.run.run, over)

    def _claim(self, run: str, spec: MatchSpec) -> bool:
        if self._failure is not None:
            return False
        try:
            return self._claims.claim(run, spec)
        except ArenaError as error:
            self._failure = error
            return False

    @asynccontextmanager
    async def _hold_lease(self) -> AsyncGenerator[None]:
        """Hold the worker's lease while the block runs."""
        if await asyncio.to_thread(is_being_played, self.folder, self.shard.index):
            # Its process may be paused: it would then write to the runs that the new one continues.
            raise ClusterError(
                f"shard {self.shard.index} is being played by another process, which has locked "
                "its runs; stop it first"
            )
        while not await asyncio.to_thread(self._worker_lease.acquire, self.shard.count):  # noqa: ASYNC110 - the state is in a file
            await asyncio.sleep(_START_PAUSE)
        try:
            async with run_in_background(self._renew_lease()):
                yield
        finally:
            self._worker_lease.release()

    async def _renew_lease(self) -> None:
        """Renew the lease until it is lost; then nothing more is claimed."""
        while self._failure is None:
            await asyncio.sleep(self._worker_lease.beat_seconds)
            try:
                await asyncio.to_thread(self._worker_lease.renew)
            except ArenaError as error:
                self._failure = error


def _is_error(result: MatchSummary | MatchCrash) -> bool:
    return isinstance(result, MatchCrash) or result.outcome == "error"
