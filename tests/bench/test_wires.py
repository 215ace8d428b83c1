"""A replay against the stand-in engine: in this process, and over HTTP with real token ids."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from arena.bench.arms import ARMS
from arena.bench.compare import Compared, Plan, compare
from arena.bench.emptying import TRIES, emptied
from arena.bench.http_wire import Http, Place, open_http
from arena.bench.in_process import InProcess
from arena.bench.measure import bounds
from arena.bench.offers import Stage, staged
from arena.bench.replay import Replayed, Setting, replay
from arena.bench.synthetic import synthetic_trace
from arena.bench.trace import Piece, Trace, reply_key
from arena.bench.wires import Counts
from arena.bench.words import Words
from arena.errors import ConfigError, ModelError
from arena.models.address import parse_address
from arena.models.responses import HttpResponse as Reply
from arena.schedule.admission import AdmissionPolicy
from serving.engine_sim.profile import load_engine_profile
from serving.engine_sim.server import serving_simulator, simulator
from serving.engine_sim.virtual import run_virtual
from serving.standin.cache import standin_folder
from tests.bench.wiring import TINY
from tests.fakes.openai_server import fake_server

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
    assert seconds("ours_without_media_once", byte=1e-3) > 2 * seconds("ours", byte=1e-3)


def test_prompts_that_come_as_text_cost_the_server_their_tokens() -> None:
    slow, fast = seconds("ours_without_token_in", tokenise=1e-3), seconds("ours", tokenise=1e-3)
    assert slow > 2 * fast


def test_a_match_that_outgrows_its_forecast_is_paused_between_its_turns() -> None:
    tight, wrong = 3000, staged(TRACE, peaks=0.1, exact=True)
    stopping = seconds("ours", stage=wrong, kv_tokens=tight)
    running = seconds("ours", AdmissionPolicy(pause=False), stage=wrong, kv_tokens=tight)
    assert stopping != running


def test_the_engine_is_empty_at_the_beginning_of_every_replay() -> None:
    async def twice() -> list[float]:
        wire = InProcess(TRACE, replace(PROFILE, kv_tokens=1_000_000))
        return [await once(wire), await once(wire)]

    first, second = run_virtual(twice())
    assert first == second


async def once(wire: InProcess | Http) -> float:
    await wire.begin()
    arm = ARMS["sequential"]
    return achieved(await replay(staged(TRACE), arm, wire, Setting(), ended=_nothing))


def seconds(
    arm: str,
    policy: AdmissionPolicy | None = None,
    *,
    stage: Stage | None = None,
    kv_tokens: int = 100_000,
    **terms: float,
) -> float:
    profile = replace(PROFILE, kv_tokens=kv_tokens, terms=replace(PROFILE.terms, **terms))

    async def play() -> float:
        wire = InProcess(TRACE, profile)
        await wire.begin()
        setting = Setting(policy=policy or AdmissionPolicy())
        done = await replay(stage or staged(TRACE), ARMS[arm], wire, setting, ended=_nothing)
        return done.seconds

    return run_virtual(play())


@asynccontextmanager
async def served(
    trace: Trace = TRACE, *, tokenizer: bool = True, **words: object
) -> AsyncGenerator[Http]:
    folder = standin_folder() if tokenizer else None
    state = simulator("instant", tokenizer=folder, block=16, **words)  # type: ignore[arg-type]
    async with serving_simulator(state, port=0) as url:
        place = Place(address=parse_address(url))
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
            return [await once(wire), await once(wire)]

    first, second = asyncio.run(twice())
    assert first == second


@pytest.mark.parametrize("arm", ["ours", "ours_without_token_in"])
def test_replies_have_the_lengths_of_the_trace(arm: str) -> None:
    async def lengths() -> dict[str, int]:
        async with served() as wire:
            await wire.begin()
            done = await replay(staged(TRACE), ARMS[arm], wire, Setting(), ended=_nothing)
            return {one.reply: one.answer.output_tokens for one in done.sent}

    assert asyncio.run(lengths()) == {
        reply_key(match.id, turn.seat, turn.number): turn.output
        for match in TRACE.matches
        for turn in match.turns
    }


def test_where_caches_cannot_be_emptied_every_replay_has_a_salt_of_its_own() -> None:
    trace = synthetic_trace(replace(TINY, matches=1, pictures=0))

    async def salts() -> list[set[str]]:
        async with fake_server() as server:
            place = Place(address=parse_address(server.url))
            async with open_http(place, trace) as wire:
                assert wire.facts.salted
                found: list[set[str]] = []
                for _ in range(2):
                    server.bodies.clear()
                    await wire.begin()
                    await replay(staged(trace), ARMS["gather_32"], wire, Setting(), ended=_nothing)
                    found.append({body["cache_salt"] for body in server.bodies})
                return found

    first, second = asyncio.run(salts())
    assert len(first) == len(second) == 1
    assert first != second


def test_a_reply_stands_in_prompts_with_its_tokens_or_by_its_words_alone() -> None:
    words = Words(TRACE)
    piece = Piece(key="m/seat/0", tokens=3, role="assistant")
    assert words.message(piece, ids=True).ids == ()
    words.keep("m/seat/0", "as it was said", (7, 8, 9))
    with_ids, bare = words.message(piece, ids=True), words.message(piece, ids=False)
    assert (with_ids.text, with_ids.ids) == ("as it was said", (7, 8, 9))
    assert (bare.text, bare.ids) == ("as it was said", ())
    told = Piece(key="m/told", tokens=12)
    assert words.message(told, ids=True) is words.message(told, ids=False)


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
        place = Place(address=parse_address("http://127.0.0.1:9/v1"))
        async with open_http(place, TRACE):
            raise AssertionError("somebody is there")

    with pytest.raises(ConfigError, match="connection refused"):
        asyncio.run(nobody())


def test_pictures_are_not_sent_in_an_open_loop_for_it_is_a_bound() -> None:
    assert seconds("open_trie", byte=1e-3) == seconds("open_trie")
    assert seconds("ours", byte=1e-3) > seconds("ours")


class Resets:
    """A server whose prefix cache is held for the first so many tries."""

    def __init__(self, held: int, status: int = 200) -> None:
        self.held, self.status, self.paths = held, status, list[str]()

    async def post(self, body: bytes, path: str) -> Reply:
        self.paths.append(path)
        if self.status != 200 or "prefix" not in path:
            return Reply(status=self.status, content=b"")
        self.held -= 1
        return Reply(status=200, content=b'{"success":%s}' % (b"true", b"false")[self.held >= 0])


def test_a_cache_that_is_still_held_is_emptied_again_until_it_is_empty() -> None:
    server = Resets(held=3)
    assert asyncio.run(emptied(server, pause=0.0))
    assert [path for path in server.paths if "prefix" in path] == server.paths[:4]
    assert server.paths[4:] == ["/reset_mm_cache", "/reset_encoder_cache"]
    assert not asyncio.run(emptied(Resets(held=0, status=404), pause=0.0))
    with pytest.raises(ModelError, match=f"refused {TRIES} times"):
        asyncio.run(emptied(Resets(held=TRIES), pause=0.0))


def _nothing() -> None:
    """Hear nothing of the end of a match."""


def _leaves(error: BaseException) -> list[BaseException]:
    if not isinstance(error, BaseExceptionGroup):
        return [error]
    inner: tuple[BaseException, ...] = error.exceptions  # type: ignore[reportUnknownMemberType]
    return [leaf for one in inner for leaf in _leaves(one)]
