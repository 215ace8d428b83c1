"""The engine against a clock."""

import asyncio
import random
import time
from collections.abc import Sequence as Many
from dataclasses import astuple, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serving.engine_sim.caches.block_cache import BlockCache
from serving.engine_sim.caches.encoder_cache import PlacedPicture
from serving.engine_sim.caches.prompt_segments import PromptSegment, SegmentPrompt
from serving.engine_sim.cost_model.engine_profile import (
    CostTerms,
    EngineProfile,
    load_engine_profile,
)
from serving.engine_sim.engine_loop.scheduler import Scheduler, SchedulerStep
from serving.engine_sim.engine_loop.sim_engine import EngineRequest, EngineResult, SimEngine
from serving.engine_sim.engine_loop.virtual_time import run_virtual
from serving.errors import EngineError
from tests.serving.engine_sim.segments import make_request

PROFILE = EngineProfile(
    name="small",
    basis="a test",
    kv_tokens=4_000,
    block=10,
    max_batched_tokens=100,
    max_seqs=8,
    encoder_tokens=100,
    context_tokens=2_000,
    terms=CostTerms(step=0.01, token=0.001),
)
"""Arithmetic is easy: a step of n tokens takes 10 + n ms."""


class OneByOne(Scheduler):
    """A scheduler that lets no two steps be taken as one."""

    def schedule(self) -> SchedulerStep:
        step = super().schedule()
        step.pure = False
        return step


def engine(profile: EngineProfile = PROFILE) -> SimEngine:
    return SimEngine(profile)


def asking(prompt: SegmentPrompt, output: int, **more: Any) -> EngineRequest:
    return make_request(prompt, output, PROFILE.block, **more)


def job(
    key: str, tokens: int, output: int, priority: int = 0, text_in: bool = False
) -> EngineRequest:
    return asking((PromptSegment(key, tokens),), output, priority=priority, text_in=text_in)


async def at(made: SimEngine, when: float, wanted: EngineRequest) -> EngineResult:
    await asyncio.sleep(when)
    return await made.generate(wanted)


async def all_of(made: SimEngine, wanted: Many[tuple[float, EngineRequest]]) -> list[EngineResult]:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(at(made, when, one)) for when, one in wanted]
    return [task.result() for task in tasks]


def served(
    wanted: Many[tuple[float, EngineRequest]], made: SimEngine | None = None
) -> list[EngineResult]:
    return run_virtual(all_of(made or engine(), wanted))


def test_a_request_alone_takes_its_prefill_and_its_steps() -> None:
    (done,) = served([(1.0, job("a", 150, 5))])
    assert (done.prompt_tokens, done.cached_tokens, done.output_tokens) == (150, 0, 5)
    assert done.seconds == pytest.approx(0.110 + 0.060 + 4 * 0.011)


def test_a_reply_and_its_prompt_are_found_by_the_next_turn() -> None:
    made = engine()

    async def turns() -> EngineResult:
        await made.generate(asking((PromptSegment("a", 35),), 16, reply="r"))
        prompt = (PromptSegment("a", 35), PromptSegment("r", 16), PromptSegment("b", 20))
        return await made.generate(asking(prompt, 1))

    assert run_virtual(turns()).cached_tokens == 50
    assert (made.counters.hits, made.counters.queries) == (50, 35 + 71)


def test_one_that_comes_while_others_decode_starts_at_the_next_boundary() -> None:
    one, two = served([(0, job("a", 40, 101)), (0.0715, job("b", 20, 1))])
    assert two.seconds == pytest.approx(0.050 + 2 * 0.011 - 0.0715 + 0.031)
    assert one.seconds == pytest.approx(0.050 + 99 * 0.011 + 0.031)


def test_requests_of_one_moment_share_their_first_step() -> None:
    one, two = served([(0, job("a", 40, 1)), (0, job("b", 20, 1))])
    assert one.seconds == two.seconds == pytest.approx(0.070)


def test_an_important_request_is_served_before_those_that_wait_longer() -> None:
    profile = replace(PROFILE, max_seqs=1)
    wanted = [(0, job("a", 40, 9)), (0.01, job("b", 20, 1)), (0.02, job("c", 20, 1, priority=-1))]
    _, late, early = served(wanted, engine(profile))
    assert early.seconds + 0.02 < late.seconds + 0.01
    _, first, second = served(wanted, engine(replace(profile, policy="fcfs")))
    assert first.seconds + 0.01 < second.seconds + 0.02


def random_jobs(seed: int) -> list[tuple[float, EngineRequest]]:
    rng = random.Random(seed)
    wanted: list[tuple[float, EngineRequest]] = []
    for number in range(25):
        shared = PromptSegment(f"s{rng.randrange(4)}", rng.randrange(1, 120))
        picture = PromptSegment(f"i{rng.randrange(5)}", 30)
        own = PromptSegment(f"o{number}", rng.randrange(1, 80))
        pictures = (picture.key,) if rng.random() < 0.5 else ()
        prompt = (shared, picture, own) if pictures else (shared, own)
        wanted.append(
            (
                rng.uniform(0, 1.5),
                asking(
                    prompt,
                    rng.randrange(1, 60),
                    reply=f"r{number}",
                    priority=rng.randrange(3),
                    pictures=pictures,
                ),
            )
        )
    return wanted


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from([400, 700, 4_000]), st.sampled_from([3, 8]))
def test_steps_taken_as_one_end_when_they_end_one_by_one(
    seed: int, kv_tokens: int, seqs: int
) -> None:
    for policy in ("fcfs", "priority"):
        profile = replace(PROFILE, kv_tokens=kv_tokens, max_seqs=seqs, policy=policy)
        profile = replace(profile, terms=replace(profile.terms, context=1e-6))
        wanted = random_jobs(seed)
        quick, slow = engine(profile), engine(profile)
        slow.scheduler = OneByOne(profile, BlockCache(profile.blocks, profile.block))
        one, two = served(wanted, quick), served(wanted, slow)
        assert [astuple(done) for done in one] == [
            pytest.approx(astuple(done), abs=1e-9) for done in two
        ]
        assert quick.counters == slow.counters
        assert quick.scheduler.cache.evicted == slow.scheduler.cache.evicted
        assert quick.scheduler.cache.free == slow.scheduler.cache.blocks - 1


def test_the_random_requests_press_each_other_enough_to_prove_something() -> None:
    made = engine(replace(PROFILE, kv_tokens=400))
    served(random_jobs(1), made)
    assert made.counters.preemptions > 0
    assert made.counters.hits > 0
    assert made.scheduler.cache.evicted > 20
    assert made.scheduler.encoder.hits > 0


def test_one_thread_tokenises_and_another_prepares_pictures() -> None:
    terms = CostTerms(tokenise=1e-3, process=1e-2, byte=1e-6)
    made = engine(replace(PROFILE, terms=terms))
    text = [(0, job("a", 100, 1, text_in=True)), (0, job("b", 50, 1, text_in=True))]
    assert [done.seconds for done in served(text, made)] == pytest.approx([0.1, 0.15])
    assert served([(0, job("c", 100, 1))], engine(made.profile))[0].seconds == 0

    def pictured(sent: int) -> EngineRequest:
        prompt = (PromptSegment("rules", 10), PromptSegment("i", 30))
        return asking(prompt, 1, pictures=["i"], image_bytes=sent)

    made = engine(made.profile)
    first, second = served([(0, pictured(100_000)), (1, pictured(0))], made)
    assert (first.seconds, second.seconds) == pytest.approx((0.4, 0.0))


def test_a_processor_that_forgot_prepares_pictures_again() -> None:
    made = engine(replace(PROFILE, terms=CostTerms(process=1e-2)))
    wanted = asking((PromptSegment("i", 30),), 1, pictures=["i"])

    async def twice() -> list[float]:
        one = await made.generate(wanted)
        made.reset_processor()
        two = await made.generate(wanted)
        return [one.seconds, two.seconds]

    assert run_virtual(twice()) == pytest.approx([0.3, 0.3])


def test_pictures_are_encoded_where_they_stand_unless_they_are_cached() -> None:
    terms = CostTerms(picture=1e-3)
    made = engine(replace(PROFILE, terms=terms, max_batched_tokens=1_000))

    def asked(more: int) -> EngineRequest:
        prompt = (PromptSegment("a", 15), PromptSegment("i", 30), PromptSegment("b", more))
        return asking(prompt, 1, pictures=["i"])

    one, two = served([(0, asked(20)), (1, asked(40))], made)
    assert (one.seconds, two.seconds) == pytest.approx((0.030, 0.0))
    assert two.cached_tokens == 60
    assert made.scheduler.encoder.encoded == 30


@pytest.mark.parametrize(("start", "seconds"), [(5, 0.0), (21, 0.020)])
def test_a_picture_in_the_cached_prefix_is_not_encoded(start: int, seconds: float) -> None:
    profile = replace(PROFILE, terms=CostTerms(picture=1e-3))
    made = SimEngine(profile)
    blocks = ("h1", "h2", "h3", "h4")

    async def twice() -> EngineResult:
        first = EngineRequest(blocks=blocks, tokens=41, output=1)
        await made.generate(first)
        picture = PlacedPicture(key="i", start=start, tokens=20)
        return await made.generate(replace(first, pictures=(picture,)))

    done = run_virtual(twice())
    assert done.cached_tokens == 40
    assert done.seconds == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (job("a", 1_990, 11), "does not fit into 2000"),
        (job("a", 0, 1), "wanted a prompt and a reply"),
        (job("a", 1, 0), "wanted a prompt and a reply"),
        (asking((PromptSegment("i", 101),), 1, pictures=["i"]), "encoder's 100"),
    ],
)
def test_what_can_never_be_served_is_refused(wanted: EngineRequest, said: str) -> None:
    with pytest.raises(EngineError, match=said):
        run_virtual(engine().generate(wanted))


def test_a_prompt_longer_than_the_memory_is_refused() -> None:
    profile = replace(PROFILE, kv_tokens=500)
    with pytest.raises(EngineError, match="does not fit into 490"):
        run_virtual(engine(profile).generate(job("a", 490, 1)))


@pytest.mark.parametrize("when", [0.005, 0.02, 0.07, 0.3])
def test_a_request_that_is_given_up_leaves_room_and_the_others_go_on(when: float) -> None:
    profile = replace(PROFILE, max_seqs=2, terms=replace(PROFILE.terms, tokenise=1e-4))
    made = engine(profile)

    async def given_up() -> None:
        async with asyncio.timeout(when):
            await made.generate(job("a", 100, 300, text_in=True))

    async def both() -> tuple[EngineResult, int]:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(made.generate(job("b", 40, 50)))
            with pytest.raises(TimeoutError):
                await given_up()
        return task.result(), made.running + made.waiting

    done, left = run_virtual(both())
    assert (done.output_tokens, left) == (50, 0)
    assert made.scheduler.cache.free == profile.blocks - 1


def test_a_reset_forgets_all_caches_but_not_while_it_works() -> None:
    made = engine()
    wanted = asking((PromptSegment("i", 50), PromptSegment("a", 9)), 4, pictures=["i"])

    async def turns() -> tuple[bool, bool, EngineResult]:
        async with asyncio.TaskGroup() as group:
            group.create_task(made.generate(wanted))
            await asyncio.sleep(0.01)
            busy = made.reset_prefix()
        idle = made.reset_prefix()
        made.reset_encoder()
        return busy, idle, await made.generate(wanted)

    busy, idle, done = run_virtual(turns())
    assert (busy, idle, done.cached_tokens) == (False, True, 0)
    assert made.scheduler.encoder.encoded == 100


def test_a_step_that_only_preempts_is_followed_by_another() -> None:
    made = engine(replace(PROFILE, kv_tokens=110))
    wanted = [
        (0, job("a", 30, 25)),
        (0.01, job("b", 21, 25, priority=-1)),
        (0.01, job("c", 21, 25, priority=-1)),
    ]
    done = served(wanted, made)
    assert [one.output_tokens for one in done] == [25, 25, 25]
    assert made.counters.preemptions > 0


def test_counters_tell_steps_and_tokens() -> None:
    made = engine()
    served([(0, job("a", 40, 3)), (0, job("b", 40, 1))], made)
    counters = made.counters
    assert (counters.steps, counters.outputs) == (3, 4)
    assert counters.computed == 80


def test_in_real_time_it_takes_its_time() -> None:
    profile = replace(PROFILE, terms=CostTerms(step=0.002))
    began = time.perf_counter()
    done = asyncio.run(engine(profile).generate(job("a", 50, 25)))
    assert done.seconds == pytest.approx(0.050, rel=0.1)
    assert 0.045 < time.perf_counter() - began < 1


def test_a_loop_that_is_late_does_not_slow_the_engine_down() -> None:
    made = engine(replace(PROFILE, terms=CostTerms(step=0.002)))

    async def late() -> list[float]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(made.generate(job(f"{n}", 50, 25 + n))) for n in range(2)]
            await asyncio.sleep(0.01)
            time.sleep(0.1)  # noqa: ASYNC251 - the loop is to be kept busy
        return [task.result().seconds for task in tasks]

    assert asyncio.run(late()) == pytest.approx([0.050, 0.052], rel=0.2)


def test_an_instant_engine_answers_at_once() -> None:
    made = engine(load_engine_profile("instant"))
    done = served([(0, job(f"{n}", 12_000, 150)) for n in range(50)], made)
    assert sum(one.output_tokens for one in done) == 50 * 150
    assert max(one.seconds for one in done) == 0
