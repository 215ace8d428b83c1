"""A worker: plays one shard of a tournament, then what slow or dead workers have not started."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field

from arena.cluster.claims import Claims, block_of
from arena.cluster.parts import finished_matches, part_path, recorded_parts
from arena.cluster.shards import ShardRun, other_shards, shard_runs
from arena.errors import ArenaError
from arena.records.config import MatchSpec, Shard, match_specs
from arena.records.run_record import RunRecord
from arena.records.summary import MatchSummary
from arena.run.batch import MatchCrash
from arena.run.observer import RunObserver
from arena.tournament.folder import TournamentFolder, is_run
from arena.tournament.play import play_run
from serving.supervise import beside

_START_PAUSE = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerResult:
    """What a worker has played, or found finished, since it was started."""

    matches: int
    errors: tuple[MatchSummary | MatchCrash, ...]
    """Matches that ended as an error; the same command plays them again."""


@dataclass(slots=True, kw_only=True)
class Worker:
    """Plays one shard of a tournament in a folder that it shares with the other workers."""

    folder: TournamentFolder
    shard: Shard
    claims: Claims
    observer: Callable[[str], RunObserver]
    """Makes the observer of one run."""
    serve: Callable[[], AbstractAsyncContextManager[None]] = nullcontext
    """Serves the models, where there is something to play."""
    concurrency: int | None = None
    _failure: ArenaError | None = field(default=None, init=False)
    """Why nothing more can be claimed."""

    async def play(self) -> WorkerResult:
        """Play the own shard, then what is left of the others.

        Cancelled, it keeps all answers, and the next worker of the shard goes on. Raises
        `ClusterError` where the shared folder fails or another process is this worker.
        """
        results: list[MatchSummary | MatchCrash] = []
        async with self._alive():
            if await asyncio.to_thread(self._has_any_work):
                async with self.serve():
                    for part in self._parts():
                        results += await self._play(part)
        if self._failure is not None:
            raise self._failure
        errors = tuple(one for one in results if _is_error(one))
        return WorkerResult(matches=len(results), errors=errors)

    def _parts(self) -> Iterator[ShardRun]:
        for shard in (self.shard, *other_shards(self.folder.runs, self.shard)):
            yield from shard_runs(self.folder.runs, shard)

    async def _play(self, part: ShardRun) -> tuple[MatchSummary | MatchCrash, ...]:
        """Play what is this worker's in a part of a run; nothing where all is taken or done."""
        path = part_path(self.folder, self.shard.index, part.shard.index, part.run)
        if not await asyncio.to_thread(self._has_work, part):
            return ()
        done = await asyncio.to_thread(self._done_elsewhere, part)
        result = await play_run(
            self.folder,
            part.config,
            path,
            concurrency=self.concurrency,
            observer=self.observer(part.run),
            claim=lambda spec: spec.id not in done and self._claim(part.run, spec),
        )
        played = {
            one.match
            for one in result.results
            if isinstance(one, MatchSummary) and not _is_error(one)
        }
        await asyncio.to_thread(self._finish, part, done | played)
        return result.results

    def _done_elsewhere(self, part: ShardRun) -> set[str]:
        """Return the matches of a part that are merged, or that another worker has finished."""
        own = part_path(self.folder, self.shard.index, part.shard.index, part.run)
        recorded = recorded_parts(self.folder, part.run, part.shard.index)
        others = [one for one in recorded if one.path != own]
        merged = self.folder.run_path(part.run)
        return finished_matches([*others, *([RunRecord(path=merged)] if is_run(merged) else [])])

    def _has_any_work(self) -> bool:
        """Claim a first block, before engines are started."""
        return any(map(self._has_work, self._parts()))

    def _has_work(self, part: ShardRun) -> bool:
        """Claim a block of a part, before a folder is made for it."""
        return any(self._claim(part.run, spec) for spec in match_specs(part.config))

    def _finish(self, part: ShardRun, finished: set[str]) -> None:
        """Note which blocks of a part are over."""
        blocks: dict[str, bool] = {}
        for spec in match_specs(part.config):
            block = block_of(spec)
            blocks[block] = blocks.get(block, True) and spec.id in finished
        self.claims.finish(part.run, (block for block, is_over in blocks.items() if is_over))

    def _claim(self, run: str, spec: MatchSpec) -> bool:
        if self._failure is not None:
            return False
        try:
            return self.claims.take(run, spec)
        except ArenaError as error:
            self._failure = error
            return False

    @asynccontextmanager
    async def _alive(self) -> AsyncGenerator[None]:
        """Hold the worker's place while the block runs."""
        while not await asyncio.to_thread(self.claims.start, self.shard.count):  # noqa: ASYNC110 - a file tells it
            await asyncio.sleep(_START_PAUSE)
        try:
            async with beside(self._beat()):
                yield
        finally:
            self.claims.stop()

    async def _beat(self) -> None:
        """Renew the lease until it is lost; then nothing more is claimed."""
        while self._failure is None:
            await asyncio.sleep(self.claims.pause)
            try:
                await asyncio.to_thread(self.claims.beat)
            except ArenaError as error:
                self._failure = error


def _is_error(result: MatchSummary | MatchCrash) -> bool:
    return isinstance(result, MatchCrash) or result.outcome == "error"
