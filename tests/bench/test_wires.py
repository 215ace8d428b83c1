"""A replay against the stand-in engine: in this process, and over HTTP with real token ids."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from arena.bench.arms import ARMS
from arena.bench.compare import Compared, Plan, compare
from arena.bench.http_wire import Http, Place, open_http
from arena.bench.in_process import InProcess
from arena.bench.measure import bounds
from arena.bench.offers import staged
from arena.bench.replay import Replayed, Setting, replay
from arena.bench.synthetic import synthetic_trace
from arena.bench.trace import Trace
from arena.bench.wires import Counts
from arena.errors import ConfigError, ModelError
from arena.models.address import read_address
from serving.engine_sim.profile import load_engine_profile
from serving.engine_sim.server import serving_simulator, simulator
from serving.engine_sim.virtual import run_virtual
from serving.standin.cache import standin_folder
from tests.bench.wiring import TINY

TRACE = synthetic_trace(TINY)
PROFILE = replace(load_engine_profile("h200-qwen2.5-vl-7b"), kv_tokens=2600)


def simulated(arm: str, *, kv_tokens: int = 2600) -> tuple[Replayed, Counts, InProcess]:
    async def play() -> tuple[Replayed, Counts, InProcess]:
        wire = InProcess(TRACE, replace(PROFILE, kv_tokens=kv_tokens))
        await wire.begin()
        replayed = await replay(
            staged(TRACE), ARMS[arm], wire, Setting(static=2), ended=lambda: None
        )
        return replayed, await wire.counts(), wire

    return run_virtual(play())


def achieved(replayed: Replayed) -> float:
    cached = sum(one.answer.cached_tokens or 0 for one in replayed.sent)
    return cached / sum(one.answer.prompt_tokens for one in replayed.sent)


def test_one_request_after_the_other_hits_what_lru_hits() -> None:
    replayed, counts, wire = simulated("sequential")
    ideal = bounds(replayed, wire.facts.capacity)
    assert ideal is not None
    assert ideal.lru.rate < ideal.infinite.rate
    assert achieved(replayed) == pytest.approx(ideal.lru.rate)
    assert counts.batch_most == 1
    assert (counts.queries, counts.hits) == (
        sum(one.answer.prompt_tokens for one in replayed.sent),
        sum(one.answer.cached_tokens or 0 for one in replayed.sent),
    )


def test_with_room_for_all_everything_that_could_be_cached_is() -> None:
    replayed, _, wire = simulated("sequential", kv_tokens=1_000_000)
    ideal = bounds(replayed, wire.facts.capacity)
    assert ideal is not None
    assert achieved(replayed) == ideal.infinite.rate == ideal.belady.rate


def test_a_prompt_that_never_fits_is_an_error_of_one_line() -> None:
    with pytest.raises(BaseExceptionGroup) as raised:
        simulated("gather_32", kv_tokens=400)
    [error] = _leaves(raised.value)[:1]
    assert isinstance(error, ModelError)
    assert "does not fit" in str(error)


def test_bytes_with_every_request_cost_the_server_more_than_once() -> None:
    slow = replace(PROFILE, kv_tokens=100_000)
    slow = replace(slow, terms=replace(slow.terms, byte=1e-3))

    async def seconds(arm: str) -> float:
        wire = InProcess(TRACE, slow)
        await wire.begin()
        done = await replay(staged(TRACE), ARMS[arm], wire, Setting(), ended=lambda: None)
        return done.seconds

    assert run_virtual(seconds("ours_without_media_once")) > 2 * run_virtual(seconds("ours"))


@asynccontextmanager
async def served(
    trace: Trace = TRACE, *, tokenizer: bool = True, **words: object
) -> AsyncGenerator[Http]:
    folder = standin_folder() if tokenizer else None
    state = simulator("instant", tokenizer=folder, block=16, **words)  # type: ignore[arg-type]
    async with serving_simulator(state, port=0) as url:
        place = Place(address=read_address(url))
        async with open_http(place, trace) as wire:
            yield wire


async def over_http(arms: Iterable[str], **words: object) -> Compared:
    async with served(**words) as wire:  # type: ignore[arg-type]
        plan = Plan(trace=TRACE, arms=tuple(ARMS[arm] for arm in arms), repeat=1)
        return await compare(plan, wire, lambda line: None)


def test_over_http_lengths_and_hits_are_exact_on_both_transports_with_pictures() -> None:
    told = asyncio.run(over_http(("sequential", "ours", "ours_without_token_in")))
    assert told.skipped == {}
    for arm in ("sequential", "ours", "ours_without_token_in"):
        [figures] = told.runs[arm]
        assert figures.lengths_off == 0, arm
        assert figures.hit_rate == pytest.approx(figures.hit_rate_infinite, abs=0.01), arm
    [alone] = told.runs["sequential"]
    # To the block, but for words that happen to be the same at a fork.
    assert alone.hit_rate == pytest.approx(alone.hit_rate_lru, abs=5e-4)
    assert alone.hit_rate_lru == alone.hit_rate_infinite


def test_caches_are_empty_at_the_beginning_of_every_replay() -> None:
    async def twice() -> list[float]:
        async with served() as wire:
            rates: list[float] = []
            for _ in range(2):
                await wire.begin()
                stage, arm = staged(TRACE), ARMS["sequential"]
                rates.append(achieved(await replay(stage, arm, wire, Setting(), ended=_nothing)))
            return rates

    first, second = asyncio.run(twice())
    assert first == second


def test_a_server_without_token_ids_skips_the_arm_that_needs_them_and_says_so() -> None:
    told = asyncio.run(over_http(("gather_32", "ours_without_token_in"), token_in=False))
    assert set(told.runs) == {"gather_32"}
    assert told.skipped == {"ours_without_token_in": "the server takes no token ids"}
    assert any("no token ids" in remark for remark in told.facts.remarks)


def test_without_the_model_s_tokenizer_lengths_are_a_guess_and_the_report_says_so() -> None:
    told = asyncio.run(over_http(("gather_32",), tokenizer=False))
    assert not told.facts.exact
    assert any("tokenizer is not on this machine" in remark for remark in told.facts.remarks)


def test_nobody_at_the_url_is_answered_in_one_line() -> None:
    async def nobody() -> None:
        place = Place(address=read_address("http://127.0.0.1:9/v1"))
        async with open_http(place, TRACE):
            raise AssertionError("somebody is there")

    with pytest.raises(ConfigError, match="connection refused"):
        asyncio.run(nobody())


def _nothing() -> None:
    """Hear nothing of the end of a match."""


def _leaves(error: BaseException) -> list[BaseException]:
    if not isinstance(error, BaseExceptionGroup):
        return [error]
    inner: tuple[BaseException, ...] = error.exceptions  # type: ignore[reportUnknownMemberType]
    return [leaf for one in inner for leaf in _leaves(one)]
