"""What one replay cost: rates, hit rates and their bounds, latencies, and the client's own work."""

import asyncio
import math
import time
import tracemalloc
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import psutil

from arena.bench.ideal import Dispatch, Ideal
from arena.bench.offers import Stage, staged
from arena.bench.replay import Replayed
from arena.bench.trace import Trace
from arena.bench.wires import SERVER, Counts, Wire
from arena.schedule.admission import AdmissionController
from arena.schedule.capacity import KvCapacity

_TICK = 0.01
_LOOK = 0.5
_LIVE_ENOUGH = 16
"""Fewer live matches say nothing of what one of them costs."""
_PARKED_ENOUGH = 512
_KIB = 1024


def _rss() -> int:
    return psutil.Process().memory_info().rss


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One replay in figures; None: not known here."""

    seconds: float
    turns_per_s: float
    matches_per_h: float
    prefill_tokens_per_s: float | None
    """Useful ones: prompt tokens that even an endless cache would not have held."""
    decode_tokens_per_s: float
    hit_rate: float | None
    """Cached tokens over prompt tokens, as the server reports them."""
    hit_rate_infinite: float | None
    hit_rate_lru: float | None
    """Of the same requests in the order in which this arm sent them, at the server's capacity."""
    hit_rate_belady: float | None
    lost_to_capacity: float | None
    lost_to_order: float | None
    lost_to_drift: float | None
    """Parts of the prompt tokens that an endless cache had found: see `ideal.Losses`."""
    cpu_ms_per_turn: float
    """Of the whole process: in virtual time the stand-in engine's work too."""
    turn_p50_s: float
    turn_p95_s: float
    turn_p99_s: float
    match_p50_s: float
    match_p95_s: float
    match_p99_s: float
    loop_lag_p99_ms: float | None
    kib_per_live_match: float | None
    """What the process grew by until its first match was over, by live match; in virtual time with
    the stand-in engine's own memory."""
    live_most: float
    alpha: float | None
    preemptions: float | None
    batch_mean: float | None
    batch_most: float | None
    retries: float
    lengths_off: float | None
    """Prompts that were of another length on the server than computed here."""


@dataclass(slots=True)
class Meter:
    """What this process did while a replay ran."""

    cpu: float = field(default_factory=time.process_time)
    rss: int = field(default_factory=_rss)
    first_rss: int = 0
    lags: list[float] = field(default_factory=list[float])

    def ended(self) -> None:
        """Look at the memory when the first match is over: later the record of turns prevails."""
        self.first_rss = self.first_rss or _rss()

    def stop(self) -> None:
        """Set the processor's seconds since the start."""
        self.cpu = time.process_time() - self.cpu

    async def tick(self) -> None:
        """Note how late the event loop wakes a sleeper, for ever."""
        while True:
            due = time.perf_counter() + _TICK
            await asyncio.sleep(_TICK)
            self.lags.append(max(0.0, time.perf_counter() - due))


@asynccontextmanager
async def metered(wire: Wire) -> AsyncGenerator[Meter]:
    """Yield a meter that runs while the block does."""
    meter = Meter()
    if wire.facts.virtual:
        yield meter
        meter.stop()
        return
    async with asyncio.TaskGroup() as group:
        beside = (group.create_task(meter.tick()), group.create_task(_looking(wire)))
        try:
            yield meter
        finally:
            meter.stop()
            for task in beside:
                task.cancel()


def figures(replayed: Replayed, meter: Meter, counts: Counts, ideal: Ideal | None) -> Figures:
    """Return a replay in figures."""
    answers = [sent.answer for sent in replayed.sent]
    seconds, turns = max(replayed.seconds, 1e-9), len(answers)
    late = sorted(sent.answered - sent.asked for sent in replayed.sent)
    spans = sorted(over - begun for begun, over in replayed.matches.values())
    prompts = sum(answer.prompt_tokens for answer in answers)
    infinite = ideal.infinite.rate if ideal else None
    hits = _hit_rate(replayed, counts)
    lost = ideal.losses(hits) if ideal and hits is not None else None
    return Figures(
        seconds=replayed.seconds,
        turns_per_s=turns / seconds,
        matches_per_h=3600 * len(spans) / seconds,
        prefill_tokens_per_s=None if infinite is None else prompts * (1 - infinite) / seconds,
        decode_tokens_per_s=sum(answer.output_tokens for answer in answers) / seconds,
        hit_rate=hits,
        hit_rate_infinite=infinite,
        hit_rate_lru=ideal.lru.rate if ideal else None,
        hit_rate_belady=ideal.belady.rate if ideal else None,
        lost_to_capacity=lost.capacity if lost else None,
        lost_to_order=lost.order if lost else None,
        lost_to_drift=lost.drift if lost else None,
        cpu_ms_per_turn=1000 * meter.cpu / max(turns, 1),
        turn_p50_s=percentile(late, 0.50),
        turn_p95_s=percentile(late, 0.95),
        turn_p99_s=percentile(late, 0.99),
        match_p50_s=percentile(spans, 0.50),
        match_p95_s=percentile(spans, 0.95),
        match_p99_s=percentile(spans, 0.99),
        loop_lag_p99_ms=1000 * percentile(sorted(meter.lags), 0.99) if meter.lags else None,
        kib_per_live_match=_live_kib(replayed, meter),
        live_most=replayed.live_most,
        alpha=replayed.alpha,
        preemptions=counts.preemptions,
        batch_mean=counts.batch_mean,
        batch_most=counts.batch_most,
        retries=sum(answer.retries for answer in answers),
        lengths_off=counts.lengths_off,
    )


def bounds(replayed: Replayed, capacity: KvCapacity | None) -> Ideal | None:
    """Return what caches could reach on what was sent; None where it cannot be told.

    That is where prompts were not kept, the capacity is not known, or one request alone needs more.
    """
    if capacity is None or not all(sent.prompt for sent in replayed.sent):
        return None
    dispatch = Dispatch(capacity.block_size)
    for sent in replayed.sent:
        dispatch.add(sent.prompt, sent.answer.output_tokens, sent.reply)
    try:
        return dispatch.ideal(capacity.tokens)
    except ValueError:
        return None


def parked_kib(trace: Trace) -> float:
    """Return the KiB that a parked match takes, on average over the first hundreds of `trace`."""
    part = min(len(trace.matches), _PARKED_ENOUGH)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        kept = _parked(trace, part)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (after - before) / _KIB / max(1, len(kept[1].queued))


def percentile(rising: Sequence[float], share: float) -> float:
    """Return the smallest of the `rising` values that `share` of them do not exceed; 0 of none."""
    if not rising:
        return 0.0
    return rising[max(0, math.ceil(share * len(rising)) - 1)]


def _parked(trace: Trace, part: int) -> tuple[Stage, AdmissionController]:
    stage = staged(trace, part=part)
    controller = AdmissionController(
        {SERVER: KvCapacity(endpoint=SERVER, tokens=1 << 40, block_size=16)}
    )
    controller.enqueue(stage.offers)
    return stage, controller


def _hit_rate(replayed: Replayed, counts: Counts) -> float | None:
    told = [
        (sent.answer.cached_tokens, sent.answer.prompt_tokens)
        for sent in replayed.sent
        if sent.answer.cached_tokens is not None
    ]
    if told:
        return _share(told)
    if counts.queries and counts.hits is not None:
        return counts.hits / counts.queries
    return None


def _share(told: Iterable[tuple[int, int]]) -> float:
    cached = prompts = 0
    for found, prompt in told:
        cached, prompts = cached + found, prompts + prompt
    return cached / prompts if prompts else 0.0


def _live_kib(replayed: Replayed, meter: Meter) -> float | None:
    grown = meter.first_rss - meter.rss
    if replayed.live_most < _LIVE_ENOUGH or grown <= 0:
        return None
    return grown / _KIB / replayed.live_most


async def _looking(wire: Wire) -> None:
    while True:
        await asyncio.sleep(_LOOK)
        await wire.sample()
