"""Judge many tasks concurrently; repeat some to measure the judge's noise."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from arena.core.seats import SeatId
from eval.judges.judge_model import JudgeEndpoint, JudgeModel, JudgeSample, Sampling, ask_sample
from eval.judges.reply_cache import ReplyCache
from eval.judges.tasks import Task
from eval.judges.verdicts import OWN_MODEL, JudgeVerdict, make_verdict
from eval.played_match import PlayedMatch

REPEATS: Final = 5
REPEATED_SHARE: Final = 0.05
_SAMPLES_OF_REPEAT: Final = 1000
"""The distance between the sample numbers of two repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeJob:
    """One judgement of one task; repeat 0 is scored, the others measure noise."""

    task: Task
    repeat: int = 0
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSetup:
    """The judge, its sampling and its cache."""

    judge: JudgeModel
    sampling: Sampling
    cache: ReplyCache
    at_once: int
    """The most concurrent judgements."""


def plan_jobs(
    tasks: Sequence[Task],
    *,
    repeats: int = REPEATS,
    share: float = REPEATED_SHARE,
    seed: int = 0,
    flags: Callable[[Task], tuple[str, ...]] = lambda _: (),
) -> tuple[JudgeJob, ...]:
    """Return a job per task, and `repeats` more for a random share of the scored ones.

    The share is drawn per metric, at least one task, so that every judged table has its noise.
    """
    jobs = [JudgeJob(task=task, flags=flags(task)) for task in tasks]
    chance, again = Random(seed), list[JudgeJob]()
    scored = [one for one in jobs if one.task.scale.form != "text" and not one.task.is_silent]
    for metric in dict.fromkeys(job.task.metric for job in scored):
        own = [job for job in scored if job.task.metric == metric]
        again += chance.sample(own, max(1, round(share * len(own))))
    more = [
        JudgeJob(task=job.task, repeat=number, flags=job.flags)
        for job in again
        for number in range(1, repeats + 1)
    ]
    return (*jobs, *more)


async def judge_all(
    jobs: Sequence[JudgeJob], bench: JudgeSetup, take: Callable[[JudgeJob, JudgeVerdict], None]
) -> None:
    """Judge all jobs; `take` receives each judgement when it is complete.

    Raises the `ModelError` of a failed server; earlier replies are in the cache.
    """
    places = bench.judge.endpoints
    waiting = iter(enumerate(jobs))

    async def work() -> None:
        for number, job in waiting:
            take(job, await judge_one(job, bench, places[number % len(places)]))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(bench.at_once, len(jobs))):
                group.create_task(work())
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed


async def judge_one(job: JudgeJob, bench: JudgeSetup, place: JudgeEndpoint) -> JudgeVerdict:
    """Return one judgement from all its samples."""
    task, temperature = job.task, bench.sampling.temperature_of(job.task, job.repeat)
    first = job.repeat * _SAMPLES_OF_REPEAT
    if task.is_silent:
        return make_verdict(
            task, bench.judge, [_silent_sample(task)], temperature=0, flags=job.flags
        )
    samples = [
        await ask_sample(
            task,
            bench.judge,
            place,
            number=first + number,
            temperature=temperature,
            cache=bench.cache,
        )
        for number in range(bench.sampling.sample_count(task))
    ]
    return make_verdict(
        task,
        bench.judge,
        samples,
        temperature=temperature,
        flags=job.flags,
        repeat=job.repeat,
    )


def _silent_sample(task: Task) -> JudgeSample:
    """Return the sample of a silent seat: 0, no key statement, or 0 for both parts."""
    values = {"points": (), "parts": (0.0, 0.0)}.get(task.scale.form, (0.0,))
    return JudgeSample(number=0, value=0.0, values=values, reason="nothing was said")


def own_model_flags(
    matches: Sequence[PlayedMatch], judge: JudgeModel
) -> Callable[[Task], tuple[str, ...]]:
    """Return a function that flags judgements of seats played by the judge's own model."""
    names = {judge.model, judge.identity} - {""}
    own = {
        (match.id, seat)
        for match in matches
        for seat in match.started.seats
        if names & set(_names_of(match, seat))
    }
    tables = {match for match, _ in own}

    def flags(task: Task) -> tuple[str, ...]:
        is_own = (task.match, task.seat) in own if task.seat else task.match in tables
        return (OWN_MODEL,) if is_own else ()

    return flags


def _names_of(match: PlayedMatch, seat: SeatId) -> Iterator[str]:
    """Yield the served names of a seat's model, and its servers' checkpoints."""
    started, manifest = match.started, match.manifest
    is_civilian = match.faction(seat) == "civilians"
    yield started.civilians_served if is_civilian else started.murderer_served
    models = {one.model for one in manifest.contestants if one.name == match.contestant(seat)}
    for name, server in manifest.servers.items():
        if name in models:
            yield server.served
            yield from (str(one.get("root", "")) for one in server.identities)
