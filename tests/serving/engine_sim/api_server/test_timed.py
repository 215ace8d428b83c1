"""A simulated server that takes its time, as a real one does."""

import asyncio
import time
from dataclasses import replace
from itertools import pairwise

import aiohttp
import pytest

from serving.engine_sim.cost_model.engine_profile import (
    CostTerms,
    EngineProfile,
    SchedulingPolicy,
    load_engine_profile,
)
from serving.engine_sim.engine_loop.sim_engine import EngineRequest, EngineResult, SimEngine
from serving.engine_sim.sim_server import create_simulator, serve_simulator
from tests.serving.engine_sim.api_server.asking import (
    CHAT,
    GENERATE,
    Asker,
    named,
    png,
    seeing,
    shown,
    user,
)
from tests.serving.engine_sim.api_server.test_doors import LONG, cached


def costing(**terms: float) -> EngineProfile:
    return replace(load_engine_profile("cpu-stand-in"), terms=CostTerms(**terms))


def test_a_timed_server_takes_its_time_and_lets_go_of_who_goes_away() -> None:
    async def run() -> None:
        profile = load_engine_profile("cpu-stand-in")
        state = create_simulator(profile)
        async with serve_simulator(state) as url, aiohttp.ClientSession() as http:
            ask = Asker(url, http)
            began = time.monotonic()
            said = await ask.chat([user(LONG)], max_tokens=20, ignore_eos=True)
            # 20 steps of at least 1.877 ms each, and a prompt to compute.
            assert time.monotonic() - began > 20 * profile.terms.step
            assert said["usage"]["completion_tokens"] == 20
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await ask.chat([user("Hi")], max_tokens=5000, ignore_eos=True)
            await asyncio.sleep(0.1)
            metrics = await ask.metrics()
            assert metrics["vllm:num_requests_running"] == metrics["vllm:kv_cache_usage_perc"] == 0
            assert await ask.post("/reset_prefix_cache") == (200, {"success": True})
            assert cached(await ask.chat([user(LONG)], max_tokens=1)) == 0
            assert cached(await ask.chat([user(LONG)], max_tokens=1)) == 256

    asyncio.run(run())


def test_who_is_more_urgent_is_served_earlier_where_the_policy_says_so() -> None:
    async def order(policy: SchedulingPolicy) -> list[int]:
        profile = replace(costing(step=0.01), max_seqs=1, policy=policy)
        done = list[int]()
        async with (
            serve_simulator(create_simulator(profile)) as url,
            aiohttp.ClientSession() as http,
        ):
            ask = Asker(url, http)

            async def one(path: str, priority: int) -> None:
                body = {"messages": [user("Hi")], "max_tokens": 5, "ignore_eos": True}
                if path == GENERATE:
                    body = {
                        "token_ids": [70],
                        "sampling_params": {"max_tokens": 5, "ignore_eos": True},
                    }
                status, _ = await ask.post(path, {**body, "priority": priority})
                assert status == 200
                done.append(priority)

            async with asyncio.TaskGroup() as group:
                for path, priority in ((CHAT, 0), (CHAT, 3), (GENERATE, 2), (CHAT, 1)):
                    group.create_task(one(path, priority))
                    await asyncio.sleep(0.005)
        return done

    assert asyncio.run(order("priority")) == [0, 1, 2, 3]
    assert asyncio.run(order("fcfs")) == [0, 3, 2, 1]


def test_only_text_has_to_be_tokenised() -> None:
    async def run() -> None:
        async with (
            serve_simulator(create_simulator(costing(tokenise=0.005))) as url,
            aiohttp.ClientSession() as http,
        ):
            ask = Asker(url, http)
            _, spelt = await ask.post("/tokenize", {"messages": [user("Hi. " * 20)]})
            began = time.monotonic()
            await ask.generate(spelt["tokens"], max_tokens=1)
            between = time.monotonic()
            await ask.chat([user("Hi. " * 20)], max_tokens=1)
            assert between - began < spelt["count"] * 0.005 < time.monotonic() - between

    asyncio.run(run())


def test_a_server_that_is_short_of_blocks_tells_of_preemptions() -> None:
    async def run() -> None:
        profile = replace(costing(step=0.0005), block=16)
        async with (
            serve_simulator(create_simulator(profile, kv_tokens=640)) as url,
            aiohttp.ClientSession() as http,
        ):
            ask = Asker(url, http)

            async def one(number: int) -> None:
                ids = [1000 * number + at for at in range(1000, 1199)]
                said = await ask.generate(ids, max_tokens=200, ignore_eos=True)
                assert said["usage"]["completion_tokens"] == 200

            async with asyncio.TaskGroup() as group:
                for number in range(3):
                    group.create_task(one(number))
            assert (await ask.metrics())["vllm:num_preemptions_total"] > 0

    asyncio.run(run())


def test_a_picture_is_encoded_once_in_a_timed_server() -> None:
    async def run() -> None:
        slow = load_engine_profile("cpu-stand-in")
        terms = replace(slow.terms, picture=0.01)
        async with (
            serve_simulator(create_simulator(replace(slow, terms=terms))) as url,
            aiohttp.ClientSession() as http,
        ):
            ask = Asker(url, http)

            async def seconds(*, salt: str, number: int, bytes_too: bool) -> float:
                part = shown(number) if bytes_too else named(number)
                began = time.monotonic()
                await ask.chat([seeing(part)], max_tokens=1, cache_salt=salt)
                return time.monotonic() - began

            # 50 tokens of picture are half a second, spared where the encoder still has them.
            assert await seconds(salt="a", number=1, bytes_too=True) > 0.5
            assert await seconds(salt="b", number=1, bytes_too=False) < 0.5
            await ask.post("/reset_encoder_cache")
            assert await seconds(salt="c", number=1, bytes_too=False) > 0.5

    asyncio.run(run())


class Noting(SimEngine):
    """An engine that notes its jobs."""

    def __init__(self, profile: EngineProfile) -> None:
        super().__init__(profile)
        self.jobs: list[EngineRequest] = []

    async def generate(self, job: EngineRequest) -> EngineResult:
        self.jobs.append(job)
        return await super().generate(job)


def test_the_engine_is_told_where_pictures_stand_and_what_was_sent() -> None:
    async def run() -> None:
        state = create_simulator(costing())
        state.core = engine = Noting(state.profile)
        async with serve_simulator(state) as url, aiohttp.ClientSession() as http:
            ask = Asker(url, http)
            messages = [seeing(shown(1)), seeing(named(1)), seeing(shown(2))]
            status, _ = await ask.post(CHAT, {"messages": messages[:1]})
            assert status == 200
            await ask.chat(messages, priority=7)
        job = engine.jobs[1]
        _, first, second = (png(number) for number in (0, 1, 2))
        seen = [(one.key, one.tokens) for one in job.pictures]
        assert seen == [(first[1], 50), (first[1], 50), (second[1], 50)]
        starts = [one.start for one in job.pictures]
        assert [b - a for a, b in pairwise(starts)] == [starts[1] - starts[0]] * 2
        assert starts[1] - starts[0] > 50
        assert starts[0] == engine.jobs[0].pictures[0].start < 20
        assert job.image_bytes == (len(first[0]) + len(second[0])) * 3 // 4
        assert (job.priority, job.text_in) == (7, True)

    asyncio.run(run())
