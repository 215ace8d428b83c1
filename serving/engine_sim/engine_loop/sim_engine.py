"""The simulated engine: vLLM's scheduler with a real or virtual clock and no model."""

import asyncio
from dataclasses import dataclass
from itertools import count

from serving.engine_sim.caches.block_cache import BlockAllocation, BlockCache
from serving.engine_sim.cost_model.engine_profile import EngineProfile
from serving.engine_sim.cost_model.step_cost import (
    decode_seconds,
    decode_steps,
    picture_seconds,
    step_seconds,
    text_seconds,
)
from serving.engine_sim.engine_loop.engine_request import EngineRequest, EngineResult
from serving.engine_sim.engine_loop.scheduler import Scheduler
from serving.engine_sim.engine_loop.scheduler_steps import (
    EngineCounters,
    RequestState,
    SchedulerStep,
)
from serving.errors import EngineError


@dataclass(slots=True, kw_only=True)
class _PendingCall:
    """A pending call of `generate`."""

    sequence: RequestState
    future: asyncio.Future[EngineResult]
    called: float


@dataclass(slots=True, kw_only=True)
class _StepInFlight:
    """The step in flight, repeated `steps` times from `began` on."""

    step: SchedulerStep
    began: float
    steps: int
    seconds: float
    timer: asyncio.TimerHandle | None = None


class SimEngine:
    """An engine with vLLM's behaviour, on the clock of the running event loop.

    Under `run_virtual` waiting takes no real time. It runs no task: steps are timers. Steps that
    only decode are merged into one and cut short at the next boundary when an admissible request
    arrives, so that a turn costs a few events regardless of the reply's length.
    """

    def __init__(self, profile: EngineProfile) -> None:
        self.profile = profile
        self.scheduler = Scheduler(profile, BlockCache(profile.blocks, profile.block))
        self._calls: dict[int, _PendingCall] = {}
        self._numbers = count()
        self._flight: _StepInFlight | None = None
        self._start: asyncio.Handle | None = None
        self._text_free = 0.0
        self._pictures_free = 0.0
        self._processed: set[str] = set()

    @property
    def counters(self) -> EngineCounters:
        """Return the engine's totals."""
        return self.scheduler.counters

    @property
    def running(self) -> int:
        """Return the number of requests that hold blocks."""
        return len(self.scheduler.running)

    @property
    def waiting(self) -> int:
        """Return the number of requests in the scheduler's queue."""
        return self.scheduler.waiting

    @property
    def usage(self) -> float:
        """Return the share of blocks that requests hold."""
        cache = self.scheduler.cache
        return 1 - cache.free / (cache.blocks - 1)

    def reset_prefix(self) -> bool:
        """Empty the prefix cache; return False, and do nothing, while requests hold blocks."""
        return self.scheduler.cache.reset()

    def reset_encoder(self) -> None:
        """Empty the encoder's cache."""
        self.scheduler.encoder.reset()

    def reset_processor(self) -> None:
        """Empty the processor's cache: pictures must be processed again."""
        self._processed.clear()

    async def generate(self, job: EngineRequest) -> EngineResult:
        """Serve one request; can be cancelled. Raises `EngineError` if it can never fit."""
        loop = asyncio.get_running_loop()
        call = _PendingCall(
            sequence=self._build_sequence(job), future=loop.create_future(), called=loop.time()
        )
        number = call.sequence.number
        self._calls[number] = call
        ready = self._preprocess(job, call.called)
        if ready > call.called:
            loop.call_at(ready, self._arrive, number, loop)
        else:
            self._arrive(number, loop)
        try:
            return await call.future
        finally:
            if self._calls.pop(number, None) is not None:
                self.scheduler.remove(call.sequence)
                if self._flight is not None:
                    self._flight.step.parts.pop(call.sequence, None)

    def _build_sequence(self, job: EngineRequest) -> RequestState:
        cache, tokens, output = self.scheduler.cache, job.tokens, job.output
        if min(tokens, output) < 1:
            raise EngineError(f"wanted a prompt and a reply, got {tokens} and {output} tokens")
        room = min((cache.blocks - 1) * cache.block, self.profile.context_tokens)
        if tokens + output > room:
            raise EngineError(
                f"a prompt of {tokens} tokens with a reply of {output} does not fit into {room}"
            )
        largest = max((picture.tokens for picture in job.pictures), default=0)
        if largest > self.scheduler.encoder.size:
            raise EngineError(
                f"a picture of {largest} tokens does not fit into the encoder's "
                f"{self.scheduler.encoder.size}"
            )
        return RequestState(
            number=next(self._numbers),
            allocation=BlockAllocation(cache, job.blocks),
            prompt=tokens,
            output=output,
            priority=job.priority,
            pictures=job.pictures,
        )

    def _preprocess(self, job: EngineRequest, now: float) -> float:
        """Return when the request reaches the scheduler, after one text and one picture thread."""
        terms, ready = self.profile.terms, now
        text = job.tokens - sum(picture.tokens for picture in job.pictures)
        seconds = text_seconds(terms, text, job.text_in)
        if seconds:
            ready = self._text_free = max(ready, self._text_free) + seconds
        new = 0
        for picture in job.pictures:
            if picture.key not in self._processed:
                self._processed.add(picture.key)
                new += picture.tokens
        seconds = picture_seconds(terms, job.image_bytes, new)
        if seconds:
            ready = self._pictures_free = max(ready, self._pictures_free) + seconds
        return ready

    def _arrive(self, number: int, loop: asyncio.AbstractEventLoop) -> None:
        call = self._calls.get(number)
        if call is None:
            return
        now, scheduler = loop.time(), self.scheduler
        scheduler.add(call.sequence)
        if self._flight is None:
            if self._start is None:
                self._start = loop.call_soon(self._begin, loop, None)
        elif scheduler.head is call.sequence and self.running < self.profile.max_seqs:
            self._cut_short(self._flight, now, loop)

    def _cut_short(
        self, flight: _StepInFlight, now: float, loop: asyncio.AbstractEventLoop
    ) -> None:
        """End a flight at the first boundary of a step that is not before `now`."""
        if flight.steps == 1 or flight.timer is None:
            return
        terms, work = self.profile.terms, flight.step.work
        over = now - flight.began
        steps = decode_steps(terms, work.sequences, work.context, over)
        if not 0 < steps < flight.steps:
            return
        flight.steps = steps
        flight.seconds = decode_seconds(terms, work.sequences, work.context, steps)
        flight.timer.cancel()
        flight.timer = loop.call_at(flight.began + flight.seconds, self._end, loop)

    def _begin(self, loop: asyncio.AbstractEventLoop, now: float | None) -> None:
        """Start the next step at `now`, or at the loop's time if the engine was idle."""
        self._start = None
        began = loop.time() if now is None else now
        scheduler, terms = self.scheduler, self.profile.terms
        step = scheduler.schedule()
        # Preemption alone gives an empty step, but the released blocks allow another one.
        while step.preempted and not step.parts:
            step = scheduler.schedule()
        if not step.parts:
            self._reject_head()
            return
        work = step.work
        flight = _StepInFlight(step=step, began=began, steps=1, seconds=step_seconds(terms, work))
        if step.pure:
            flight.steps = scheduler.steps_ahead(step)
            flight.seconds = decode_seconds(terms, work.sequences, work.context, flight.steps)
        self._flight = flight
        flight.timer = loop.call_at(began + flight.seconds, self._end, loop)

    def _end(self, loop: asyncio.AbstractEventLoop) -> None:
        """Apply the step in flight, answer finished requests, and start the next step."""
        flight = self._flight
        assert flight is not None
        self._flight = None
        # The planned end instead of the loop's time, so that late timers do not add up.
        now = flight.began + flight.seconds
        for sequence in self.scheduler.finish_step(flight.step, flight.steps):
            self._answer(self._calls.pop(sequence.number), now)
        if self.running or self.waiting:
            self._begin(loop, now)

    def _answer(self, call: _PendingCall, now: float) -> None:
        sequence = call.sequence
        done = EngineResult(
            prompt_tokens=sequence.prompt,
            cached_tokens=sequence.cached,
            output_tokens=sequence.made,
            seconds=now - call.called,
        )
        if not call.future.done():
            call.future.set_result(done)

    def _reject_head(self) -> None:
        """Reject the first waiting request: nothing runs, so no blocks can become free for it."""
        head = self.scheduler.head
        if head is None or self.running:
            return
        error = EngineError(f"a request of {head.token_count} tokens can never be scheduled")
        self.scheduler.remove(head)
        self._calls.pop(head.number).future.set_exception(error)
