"""The scheduler: one rule of vLLM's a test."""

from dataclasses import replace

from serving.engine_sim.caches.block_cache import BlockCache
from serving.engine_sim.caches.encoder_cache import PlacedPicture
from serving.engine_sim.caches.prompt_segments import PromptSegment
from serving.engine_sim.cost_model.engine_profile import CostTerms, EngineProfile
from serving.engine_sim.engine_loop.scheduler import RequestState, Scheduler
from tests.serving.engine_sim.segments import allocate

PROFILE = EngineProfile(
    name="small",
    basis="a test",
    kv_tokens=44,
    block=4,
    max_batched_tokens=16,
    max_seqs=4,
    encoder_tokens=16,
    context_tokens=1_000,
    terms=CostTerms(),
)


def scheduler(profile: EngineProfile = PROFILE) -> Scheduler:
    return Scheduler(profile, BlockCache(profile.blocks, profile.block))


def request(
    cache: BlockCache, number: int, tokens: int, output: int = 3, key: str = "", priority: int = 0
) -> RequestState:
    prompt = (PromptSegment(key or f"p{number}", tokens),)
    return RequestState(
        number=number,
        allocation=allocate(cache, prompt, f"r{number}", output),
        prompt=tokens,
        output=output,
        priority=priority,
    )


def waiting(engine: Scheduler, *sequences: RequestState) -> list[RequestState]:
    for sequence in sequences:
        engine.add(sequence)
    return list(sequences)


def numbers(parts: dict[RequestState, int]) -> dict[int, int]:
    return {sequence.number: tokens for sequence, tokens in parts.items()}


def test_decodes_come_first_and_prefill_fills_the_budget_in_chunks() -> None:
    engine = scheduler()
    waiting(engine, request(engine.cache, 0, 4), request(engine.cache, 1, 20))
    step = engine.schedule()
    assert numbers(step.parts) == {0: 4, 1: 12}
    assert not step.pure
    engine.finish_step(step, 1)
    step = engine.schedule()
    assert numbers(step.parts) == {0: 1, 1: 8}
    assert (step.work.tokens, step.work.context, step.work.sequences) == (9, 4, 2)
    assert step.work.pairs == 8 * (12 + 4)


def test_a_request_scheduled_later_in_a_step_finds_the_blocks_of_one_before_it() -> None:
    engine = scheduler()
    one, two = waiting(
        engine, request(engine.cache, 0, 8, key="same"), request(engine.cache, 1, 12, key="same")
    )
    step = engine.schedule()
    assert numbers(step.parts) == {0: 8, 1: 4}
    assert (one.cached, two.cached) == (0, 8)
    assert (engine.counters.queries, engine.counters.hits) == (20, 8)


def test_the_first_that_does_not_fit_ends_the_scan() -> None:
    engine = scheduler()
    waiting(
        engine,
        request(engine.cache, 0, 8),
        request(engine.cache, 1, 40),
        request(engine.cache, 2, 4),
    )
    step = engine.schedule()
    assert numbers(step.parts) == {0: 8}
    assert engine.waiting == 2
    assert engine.head is not None
    assert engine.head.number == 1


def test_the_whole_prompt_must_fit_though_only_a_chunk_is_computed() -> None:
    engine = scheduler()
    waiting(engine, request(engine.cache, 0, 10), request(engine.cache, 1, 32))
    assert numbers(engine.schedule().parts) == {0: 10}


def test_the_watermark_binds_only_while_something_runs() -> None:
    engine = scheduler(replace(PROFILE, watermark=0.5))
    waiting(engine, request(engine.cache, 0, 36), request(engine.cache, 1, 4))
    engine.finish_step(engine.schedule(), 1)
    engine.finish_step(engine.schedule(), 1)
    assert numbers(engine.schedule().parts) == {0: 4}
    assert engine.waiting == 1


def test_no_more_sequences_run_than_there_are_places() -> None:
    engine = scheduler(replace(PROFILE, max_seqs=2))
    waiting(engine, *(request(engine.cache, number, 2) for number in range(3)))
    assert numbers(engine.schedule().parts) == {0: 2, 1: 2}


def test_a_lower_priority_is_served_first_but_not_under_fcfs() -> None:
    for policy, first in (("priority", 1), ("fcfs", 0)):
        engine = scheduler(replace(PROFILE, policy=policy, max_seqs=1))
        waiting(engine, request(engine.cache, 0, 2, priority=5), request(engine.cache, 1, 2))
        assert list(numbers(engine.schedule().parts)) == [first]


def fill(engine: Scheduler, priorities: tuple[int, int, int]) -> list[RequestState]:
    """Run three requests of three blocks each; one block is free, and each wants one."""
    three = [
        request(engine.cache, number, 12, output=9, priority=priority)
        for number, priority in enumerate(priorities)
    ]
    waiting(engine, *three)
    engine.finish_step(engine.schedule(), 1)
    assert engine.cache.free == 1
    engine.running.sort(key=lambda sequence: sequence.number)
    return three


def test_under_fcfs_the_latest_admitted_is_preempted_and_waits_at_the_head() -> None:
    engine = scheduler(replace(PROFILE, policy="fcfs", max_batched_tokens=64))
    three = fill(engine, (0, 0, 0))
    waiting(engine, request(engine.cache, 9, 2))
    step = engine.schedule()
    assert [one.number for one in engine.running] == [0, 1]
    assert numbers(step.parts) == {0: 1, 1: 1}
    assert not step.pure
    assert engine.head is three[2]
    assert (three[2].computed, three[2].preempted) == (0, 1)
    assert engine.counters.preemptions == 1


def test_under_priority_the_least_important_is_preempted_even_if_in_the_step() -> None:
    engine = scheduler(replace(PROFILE, max_batched_tokens=64))
    three = fill(engine, (7, 0, 0))
    waiting(engine, request(engine.cache, 9, 2, priority=9))
    step = engine.schedule()
    assert numbers(step.parts) == {1: 1, 2: 1}
    assert (step.work.tokens, step.work.context) == (2, 24)
    assert engine.head is three[0]


def test_nothing_is_admitted_in_a_step_that_preempts() -> None:
    engine = scheduler(replace(PROFILE, max_batched_tokens=64))
    fill(engine, (7, 0, 0))
    waiting(engine, request(engine.cache, 9, 2, priority=-1))
    assert numbers(engine.schedule().parts) == {1: 1, 2: 1}
    assert numbers(engine.schedule().parts) == {1: 1, 2: 1, 9: 2}


def test_cached_blocks_that_are_free_count_as_room_only_once() -> None:
    engine = scheduler(replace(PROFILE, max_batched_tokens=64))
    (before,) = waiting(engine, request(engine.cache, 0, 16, output=1, key="same"))
    engine.finish_step(engine.schedule(), 1)
    assert before.made == 1
    waiting(engine, request(engine.cache, 1, 20, output=5))
    engine.finish_step(engine.schedule(), 1)
    waiting(engine, request(engine.cache, 2, 24, key="same"))
    assert engine.cache.free == 5
    assert numbers(engine.schedule().parts) == {1: 1}


def test_a_request_that_does_not_fit_holds_no_encoder_output() -> None:
    engine = scheduler(replace(PROFILE, max_batched_tokens=64, encoder_tokens=4))
    picture = PlacedPicture(key="a", start=0, tokens=4)
    seen, large = request(engine.cache, 0, 8, output=1), request(engine.cache, 1, 40)
    seen.pictures = large.pictures = (picture,)
    waiting(engine, seen)
    engine.finish_step(engine.schedule(), 1)
    waiting(engine, request(engine.cache, 2, 8, output=9, priority=-1), large)
    engine.finish_step(engine.schedule(), 1)
    assert engine.waiting == 1
    other = PlacedPicture(key="b", start=0, tokens=4)
    assert engine.encoder.plan(9, (other,), 0, 8, 4).tokens == 8


def test_a_request_that_preempts_itself_leaves_an_empty_step() -> None:
    engine = scheduler(replace(PROFILE, kv_tokens=40, max_batched_tokens=64))
    one, two, three = (request(engine.cache, number, 12, output=9) for number in range(3))
    one.priority = 7
    waiting(engine, one, two, three)
    engine.finish_step(engine.schedule(), 1)
    engine.running.sort(key=lambda sequence: sequence.number)
    step = engine.schedule()
    assert (step.parts, step.preempted) == ({}, True)
    assert numbers(engine.schedule().parts) == {1: 1, 2: 1}


def test_a_preempted_request_finds_its_own_blocks_and_keeps_its_reply() -> None:
    engine = scheduler(replace(PROFILE, policy="fcfs", max_batched_tokens=64))
    three = fill(engine, (0, 0, 0))
    queries = engine.counters.queries
    engine.finish_step(engine.schedule(), 1)
    engine.remove(three[0])
    step = engine.schedule()
    assert (three[2].computed, step.parts[three[2]]) == (8, 5)
    engine.finish_step(step, 1)
    assert three[2].made == 2
    assert three[2].cached == 0
    assert engine.counters.queries == queries


def test_a_reply_is_whole_after_as_many_tokens_and_its_last_is_not_in_the_cache() -> None:
    engine = scheduler()
    (one,) = waiting(engine, request(engine.cache, 0, 6, output=3))
    assert engine.finish_step(engine.schedule(), 1) == []
    assert one.made == 1
    step = engine.schedule()
    assert step.pure
    assert engine.steps_ahead(step) == 2
    assert engine.finish_step(step, 2) == [one]
    assert engine.cache.free == PROFILE.blocks - 1
    prompt = (PromptSegment("p0", 6), PromptSegment("r0", 3), PromptSegment("x", 9))
    longer = allocate(engine.cache, prompt, "", 1)
    assert longer.match_prefix(18)[0] == 2
    assert (engine.counters.steps, engine.counters.outputs) == (3, 3)


def test_many_steps_at_once_are_what_they_are_one_by_one() -> None:
    for size in (44, 36, 32):
        states: list[list[object]] = []
        for quick in (False, True):
            engine = scheduler(replace(PROFILE, kv_tokens=size))
            done: list[int] = []
            waiting(
                engine,
                *(request(engine.cache, n, 5 + n, output=7 + 2 * n) for n in range(4)),
            )
            while engine.running or engine.waiting:
                step = engine.schedule()
                steps = engine.steps_ahead(step) if quick and step.pure else 1
                done += [one.number for one in engine.finish_step(step, steps)]
            counters = engine.counters
            states.append([done, counters, engine.cache.evicted, engine.cache.free])
        assert states[0] == states[1]


def test_steps_ahead_end_where_blocks_run_short() -> None:
    engine = scheduler(replace(PROFILE, max_batched_tokens=64))
    waiting(engine, *(request(engine.cache, number, 8, output=30) for number in range(3)))
    engine.finish_step(engine.schedule(), 1)
    step = engine.schedule()
    assert step.pure
    assert engine.steps_ahead(step) == 4
    engine.finish_step(step, 4)
    assert engine.counters.preemptions == 0
    engine.schedule()
    assert engine.counters.preemptions == 1


def test_a_chunk_waits_for_pictures_that_find_no_budget_in_this_step() -> None:
    engine = scheduler(replace(PROFILE, encoder_tokens=6))
    one = request(engine.cache, 0, 15)
    one.pictures = (
        PlacedPicture(key="a", start=1, tokens=4),
        PlacedPicture(key="b", start=9, tokens=4),
    )
    waiting(engine, one)
    step = engine.schedule()
    assert numbers(step.parts) == {0: 9}
    assert step.work.pictures == 4
    engine.finish_step(step, 1)
    step = engine.schedule()
    assert numbers(step.parts) == {0: 6}
    assert step.work.pictures == 4


def test_a_request_that_goes_gives_its_blocks_back() -> None:
    engine = scheduler()
    one, two = waiting(engine, request(engine.cache, 0, 16), request(engine.cache, 1, 4))
    engine.schedule()
    engine.remove(one)
    engine.remove(two)
    assert engine.waiting == 0
    assert engine.running == []
    assert engine.cache.free == PROFILE.blocks - 1
