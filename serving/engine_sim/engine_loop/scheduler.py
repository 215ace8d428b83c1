"""vLLM's scheduler without a clock: it composes each step and applies its outcome."""

import heapq
from itertools import count

from serving.engine_sim.caches.block_cache import BlockCache
from serving.engine_sim.caches.encoder_cache import EncoderCache, EncoderPlan
from serving.engine_sim.cost_model.engine_profile import EngineProfile
from serving.engine_sim.cost_model.step_cost import prefill_pairs
from serving.engine_sim.engine_loop.scheduler_steps import (
    EngineCounters,
    RequestState,
    SchedulerStep,
)

_DECODE = EncoderPlan(tokens=1)


class Scheduler:
    """Scheduling by arrival or priority, with chunked prefill and preemption by recomputation.

    The rules are those of v1/core/sched/scheduler.py. Running requests come first, in order; each
    gets its missing tokens within the step's budget. If blocks are short, the request admitted last
    (or of least priority) releases all its blocks and waits again, and the step admits no waiting
    request. Otherwise waiting requests are admitted while budget, places and blocks for the whole
    prompt last; the first that does not fit ends the scan.
    """

    def __init__(self, profile: EngineProfile, cache: BlockCache) -> None:
        self.cache = cache
        self.encoder = EncoderCache(profile.encoder_tokens)
        self.counters = EngineCounters()
        self.running: list[RequestState] = []
        self._waiting: list[tuple[tuple[int, int], RequestState]] = []
        self._budget = profile.max_batched_tokens
        self._places = profile.max_seqs
        self._by_priority = profile.policy == "priority"
        self._watermark = int(profile.watermark * cache.blocks)
        self._comers = count()

    @property
    def waiting(self) -> int:
        """Return the number of waiting requests."""
        return len(self._waiting)

    @property
    def head(self) -> RequestState | None:
        """Return the request that is admitted next."""
        return self._waiting[0][1] if self._waiting else None

    def add(self, sequence: RequestState) -> None:
        """Add a waiting request; at equal priority the lower number is served first.

        Under fcfs only the order of arrival counts.
        """
        first = sequence.priority if self._by_priority else next(self._comers)
        sequence.rank = (first, sequence.number)
        heapq.heappush(self._waiting, (sequence.rank, sequence))

    def remove(self, sequence: RequestState) -> None:
        """Remove a request, running or waiting."""
        if sequence in self.running:
            self.running.remove(sequence)
        else:
            self._waiting = [entry for entry in self._waiting if entry[1] is not sequence]
            heapq.heapify(self._waiting)
        self.encoder.free(sequence.number)
        sequence.allocation.release()

    def schedule(self) -> SchedulerStep:
        """Return the next step; it has no parts if nothing can run."""
        step = SchedulerStep(tokens_left=self._budget, pictures_left=self.encoder.size)
        self._schedule_running(step)
        if not step.preempted:
            self._schedule_waiting(step)
        step.pure &= not step.preempted and len(step.parts) == len(self.running)
        step.work.sequences = len(step.parts)
        return step

    def finish_step(self, step: SchedulerStep, steps: int) -> list[RequestState]:
        """Apply a step `steps` times (more than once only if pure); return those that finished."""
        ended = list[RequestState]()
        self.counters.steps += steps
        block = self.cache.block
        for sequence, tokens in step.parts.items():
            done = sequence.computed = sequence.computed + (steps if step.pure else tokens)
            if sequence.pictures and not step.pure:
                self.encoder.release_computed(sequence.number, done)
            # A chunk before the last one samples no token.
            if done < sequence.prompt + sequence.made:
                continue
            if sequence.needs_blocks(done, block):
                sequence.allocation.extend(done)
            sequence.made += steps
            if sequence.made >= sequence.output:
                ended.append(sequence)
        for sequence in ended:
            self._finish(sequence)
        return ended

    def steps_ahead(self, step: SchedulerStep) -> int:
        """Return how often a pure step can repeat before a request ends or blocks are short."""
        steps = min(sequence.output - sequence.made for sequence in step.parts)
        free, block = self.cache.free, self.cache.block
        # An upper bound of the new blocks first; only if it fails, search the largest count.
        if len(step.parts) * -(-steps // block) <= free:
            return steps
        low = 1
        while low < steps:
            middle = (low + steps + 1) // 2
            need = sum(
                -(-(sequence.computed + middle) // block) - sequence.allocation.held
                for sequence in step.parts
            )
            low, steps = (middle, steps) if need <= free else (low, middle - 1)
        return low

    def _schedule_running(self, step: SchedulerStep) -> None:
        """Schedule the missing tokens of running requests."""
        running = self.running
        at = 0
        while at < len(running) and step.tokens_left > 0:
            sequence = running[at]
            decodes = sequence.made and sequence.computed == sequence.token_count - 1
            plan = _DECODE if decodes else self._chunk(sequence, sequence.computed, step)
            if not plan.tokens:
                at += 1
                continue
            if sequence.needs_blocks(sequence.computed + plan.tokens, self.cache.block):
                while not sequence.allocation.extend(sequence.computed + plan.tokens):
                    if self._preempt(step) is sequence:
                        return
                    # By priority the preempted request can precede this one.
                    at = running.index(sequence)
            self._add_to_step(step, sequence, plan)
            at += 1

    def _schedule_waiting(self, step: SchedulerStep) -> None:
        """Admit waiting requests, up to the first one that does not fit."""
        cache = self.cache
        while step.tokens_left > 0 and self._waiting and len(self.running) < self._places:
            sequence = self._waiting[0][1]
            known, lease = sequence.token_count, sequence.allocation
            found, idle = lease.match_prefix(known)
            plan = self._chunk(sequence, found * cache.block, step)
            if not plan.tokens:
                return
            # Idle hits leave the free queue too. With nothing running no block becomes free later,
            # so the watermark must not block the only request.
            spare = self._watermark if self.running else 0
            if -(-known // cache.block) - found + idle + spare > cache.free:
                self.encoder.free(sequence.number)  # `plan` has held cached outputs for it
                return
            lease.acquire()
            sequence.computed = found * cache.block
            lease.extend(sequence.computed + plan.tokens)
            heapq.heappop(self._waiting)
            self.running.append(sequence)
            if not sequence.preempted:
                sequence.cached = sequence.computed
                self.counters.queries += known
                self.counters.hits += sequence.computed
            self._add_to_step(step, sequence, plan)

    def _chunk(self, sequence: RequestState, done: int, step: SchedulerStep) -> EncoderPlan:
        """Return how many tokens of a request the step can compute, and the pictures to encode."""
        tokens = min(sequence.prompt + sequence.made - done, step.tokens_left)
        if not sequence.pictures:
            return EncoderPlan(tokens=tokens)
        return self.encoder.plan(
            sequence.number, sequence.pictures, done, tokens, step.pictures_left
        )

    def _add_to_step(self, step: SchedulerStep, sequence: RequestState, plan: EncoderPlan) -> None:
        """Add a request's tokens to the step."""
        tokens = step.parts[sequence] = plan.tokens
        work, done = step.work, sequence.computed
        work.tokens += tokens
        step.tokens_left -= tokens
        if plan.encode or plan.again:
            encoded = self.encoder.encode(sequence.number, plan)
            step.pictures_left -= encoded
            work.pictures += encoded
        if sequence.made and tokens == 1:
            work.context += done
        else:
            work.pairs += prefill_pairs(tokens, done)
            self.counters.computed += tokens
            step.pure = False

    def _preempt(self, step: SchedulerStep) -> RequestState:
        """Release all blocks of the last running request and return it to the queue."""
        running = self.running
        step.preempted = True
        if self._by_priority:
            victim = max(running, key=lambda sequence: sequence.rank)
            running.remove(victim)
        else:
            victim = running.pop()
        if victim in step.parts:
            tokens = step.parts.pop(victim)
            step.tokens_left += tokens
            step.work.tokens -= tokens
            if victim.made and tokens == 1:
                step.work.context -= victim.computed
            else:
                step.work.pairs -= prefill_pairs(tokens, victim.computed)
        self.encoder.free(victim.number)
        victim.allocation.release()
        victim.computed = 0
        victim.preempted += 1
        self.counters.preemptions += 1
        heapq.heappush(self._waiting, (victim.rank, victim))
        return victim

    def _finish(self, sequence: RequestState) -> None:
        self.running.remove(sequence)
        self.encoder.free(sequence.number)
        sequence.allocation.release()
        self.counters.outputs += sequence.made
