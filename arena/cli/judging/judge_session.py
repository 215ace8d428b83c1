"""Session of a judge: connects it and judges tasks, in idle time of its servers."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.cli.judging.judge_requests import JudgeRequest
from arena.models.retrying import RetryingModel, exponential_backoff
from arena.players.contestants import read_contestant
from arena.run.servers.connected_model import ConnectedModel, connect_model
from eval.judges import word_judge
from eval.judges.idle_gate import IdleGate
from eval.judges.judge_model import JudgeEndpoint, JudgeModel, Sampling
from eval.judges.judge_runner import JudgeJob, JudgeSetup, judge_all
from eval.judges.judging_results import JudgingCost, sum_cost
from eval.judges.reply_cache import ReplyCache
from eval.judges.tasks import Task
from eval.judges.verdicts import JudgeVerdict

_TRIES: Final = 8
"""Maximum attempts of one call while its server is unavailable; with the pauses about two minutes.
"""
_LOG_SECONDS: Final = 10.0
"""Seconds between two lines of progress."""

LogLine = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingOutput:
    """Verdicts of a judge, and their cost."""

    judge: JudgeModel
    verdicts: tuple[tuple[JudgeJob, JudgeVerdict], ...]
    cost: JudgingCost


def judge_tasks(
    request: JudgeRequest,
    tasks: Sequence[Task],
    plan: Callable[[JudgeModel], Sequence[JudgeJob]],
    cache: ReplyCache,
    *,
    folder: Path,
    tell: LogLine,
) -> JudgingOutput:
    """Judge the jobs that `plan` makes once the judge is known; raises what connecting raises."""

    async def run() -> JudgingOutput:
        started = time.monotonic()
        gates: list[IdleGate] = []
        async with _open_judge(request, tasks, gates, folder, tell) as judge:
            sampling = Sampling(samples=request.samples, temperature=request.temperature)
            bench = JudgeSetup(judge=judge, sampling=sampling, cache=cache, at_once=request.at_once)
            jobs = plan(judge)
            progress = _JudgingProgress(len(jobs), tell)
            await judge_all(jobs, bench, progress.take)
        found = tuple((job, progress.found[job.repeat, job.task.key]) for job in jobs)
        wall, pauses = time.monotonic() - started, sum(gate.pauses for gate in gates)
        cost = sum_cost([one for _, one in found], wall, pauses)
        return JudgingOutput(judge=judge, verdicts=found, cost=cost)

    return asyncio.run(run())


@asynccontextmanager
async def _open_judge(
    request: JudgeRequest, tasks: Sequence[Task], gates: list[IdleGate], folder: Path, tell: LogLine
) -> AsyncGenerator[JudgeModel]:
    if request.model == word_judge.NAME:
        yield word_judge.make_word_judge(tasks)
        return
    name = read_contestant(f"{request.model}+direct").model or request.model
    async with connect_model(name, folder, max_requests=request.at_once, log=tell) as found:
        yield _make_judge(found, gates, busy=request.busy)


def _make_judge(found: ConnectedModel, gates: list[IdleGate], *, busy: bool) -> JudgeModel:
    places: list[JudgeEndpoint] = []
    for replica in found.handle.replicas:
        chat = RetryingModel(replica.chat, max_attempts=_TRIES, backoff=exponential_backoff())
        gate = IdleGate(replica.read_metrics)
        gates.append(gate)
        places.append(JudgeEndpoint(chat=chat, enter=nullcontext if busy else gate.enter))
    return JudgeModel(
        model=found.handle.served_name,
        identity=found.identity,
        endpoints=tuple(places),
        flags=found.handle.flags,
    )


class _JudgingProgress:
    """Collector of judgements that reports progress at intervals."""

    def __init__(self, count: int, tell: LogLine) -> None:
        self.found: dict[tuple[int, tuple[str, ...]], JudgeVerdict] = {}
        self._count, self._tell, self._told = count, tell, time.monotonic()

    def take(self, job: JudgeJob, verdict: JudgeVerdict) -> None:
        """Store a judgement."""
        self.found[job.repeat, job.task.key] = verdict
        if time.monotonic() - self._told >= _LOG_SECONDS:
            self._told = time.monotonic()
            self._tell(f"{len(self.found)} of {self._count} judgements")
