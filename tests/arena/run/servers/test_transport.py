"""How an endpoint is asked: by what the server offers and what lies on this machine."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Literal

import pytest

import serving
from arena.errors import ConfigError
from arena.models.api.reply_format import ReplyFormat
from arena.models.chat import Message
from arena.models.http.address import parse_address
from arena.models.http.endpoint import open_endpoint
from arena.models.http.server_identity import read_identity
from arena.models.tokens.token_counter import load_token_counter
from arena.models.tokens.tokenizer import load_tokenizer
from arena.players.model_limits import ModelLimits
from arena.records.run_config import MAX_MATCHES
from arena.run.match.call_stack import build_replica_model
from arena.run.process_limits import (
    DEFAULT_LIVE_MATCHES,
    MAX_LIVE_PER_REPLICA,
    admission_policy,
    process_limits,
)
from arena.run.servers.endpoint_transport import (
    EndpointHints,
    EndpointTransport,
    choose_transport,
    detect_reply_format,
)
from arena.run.servers.model_handle import ModelHandle, Replica
from arena.run.servers.server_monitor import ServerMonitor
from arena.schedule.cache_prediction import WarmPrefixes
from scripts_mm.script import Picture
from serving.engine_sim.cost_model.engine_profile import load_engine_profile
from serving.engine_sim.sim_server import serve_simulator
from serving.engine_sim.simulator import SimOptions, Simulator
from tests.arena.models.conversation import CHOICE, asked
from tests.arena.models.tokens.models import FORGETS_THOUGHTS, PLAIN_WORDS, make_folder
from tests.fakes.openai_server import fake_server
from tests.table import picture

YI = Path(serving.__file__).with_name("yi_vl") / "chat_template.jinja"
Wanted = Literal["auto", "chat", "tokens"]


def unread(picture: Picture) -> bytes:
    raise AssertionError(picture)


def chosen(
    wanted: Wanted,
    folder: Path | None,
    *,
    serves: Path | None,
    token_in: bool = True,
    template: Path | None = None,
) -> EndpointTransport:
    """Choose for a simulated server that serves the model in `serves`; `folder` is known here."""

    async def run() -> EndpointTransport:
        state = Simulator(
            load_engine_profile("instant"), SimOptions(tokenizer=serves, token_in=token_in)
        )
        async with (
            serve_simulator(state) as url,
            open_endpoint(parse_address(url), max_requests=1) as endpoint,
        ):
            await endpoint.probe()
            known = EndpointHints(
                picture_tokens=lambda _: 100, tokenizer_folder=folder, template=template
            )
            return await choose_transport(endpoint, requested=wanted, hints=known)

    return asyncio.run(run())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_folder(tmp_path / "model")


@pytest.mark.slow
def test_token_ids_are_taken_where_server_and_tokenizer_allow_them(folder: Path) -> None:
    assert chosen("auto", None, serves=folder).name == "tokens"
    assert chosen("tokens", folder, serves=folder).exact


@pytest.mark.slow
def test_messages_are_taken_where_something_lacks_and_the_record_says_what(folder: Path) -> None:
    without = chosen("auto", None, serves=folder, token_in=False)
    assert (without.name, "--enable-scale-out" in without.reason) == ("chat", True)
    nowhere = chosen("auto", None, serves=None)
    assert (nowhere.name, "not on this machine" in nowhere.reason) == ("chat", True)
    assert chosen("chat", None, serves=folder).name == "chat"


def test_a_tokenizer_that_is_not_the_server_s_is_not_believed(folder: Path) -> None:
    other = chosen("auto", folder, serves=None)
    assert (other.name, other.exact) == ("chat", False)
    assert "tokenises differently" in other.reason


@pytest.mark.slow
def test_a_template_that_rewrites_history_is_named_where_tokens_are_wanted(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "model", FORGETS_THOUGHTS)
    assert chosen("auto", None, serves=folder).name == "chat"
    with pytest.raises(ConfigError, match="cannot be queried with token ids"):
        chosen("tokens", None, serves=folder)


@pytest.mark.slow
def test_tokens_are_counted_exactly_with_a_tokenizer_and_high_without(folder: Path) -> None:
    messages = (
        Message(role="system", text="The rules are these."),
        Message(role="user", text="A picture of the yard.", picture=picture()),
    )
    exact, guess = chosen("auto", None, serves=folder), chosen("auto", None, serves=None)
    assert (exact.exact, guess.exact) == (True, False)
    assert exact.count(messages) > 100
    assert guess.count(messages) > 100


@pytest.mark.slow
def test_prompts_that_cannot_be_spelt_are_counted_by_the_tokenizer(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "model", PLAIN_WORDS)
    way = chosen("auto", None, serves=folder)
    assert (way.name, way.exact, "special token" in way.reason) == ("chat", True, True)
    talk = (Message(role="system", text="Rules."), Message(role="user", text="Who? 谁？"))
    assert way.count(talk) == len(load_token_counter(folder).encode(talk))
    # A template that takes no pictures still tells about how long a message with one would be.
    assert way.count((Message(role="user", text="Look", picture=picture()),)) > 100


@pytest.mark.slow
def test_a_counter_is_believed_only_where_the_server_counts_alike(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "model", PLAIN_WORDS)
    other = tmp_path / "other.jinja"
    other.write_text(PLAIN_WORDS.replace("Human", "Person"), encoding="utf-8")
    way = chosen("auto", folder, serves=folder, template=other)
    assert (way.name, way.exact, "tokenises differently" in way.reason) == ("chat", False, True)
    same = chosen("auto", folder, serves=folder, template=folder / "chat_template.jinja")
    assert (same.name, same.exact) == ("chat", True)
    gone = chosen("auto", folder, serves=folder, template=tmp_path / "gone.jinja")
    assert (gone.name, gone.exact, "chat template" in gone.reason) == ("chat", False, True)
    with pytest.raises(ConfigError, match="cannot be queried with token ids"):
        chosen("tokens", folder, serves=folder, template=folder / "chat_template.jinja")


def told_late(folder: Path, failures: int, status: int) -> tuple[EndpointTransport, int]:
    """Choose for a server whose /tokenize fails at first; return also how often it was asked."""

    async def run() -> tuple[EndpointTransport, int]:
        async with (
            fake_server(tokenizing=status) as server,
            open_endpoint(parse_address(server.url), max_requests=1) as endpoint,
        ):
            await endpoint.probe()
            asked = 1

            async def pause(failed: int, wished: float | None) -> None:
                nonlocal asked
                asked += 1
                server.tokenizing = status if failed < failures else 200

            known = EndpointHints(picture_tokens=lambda _: 100, tokenizer_folder=folder)
            way = await choose_transport(endpoint, requested="auto", hints=known, backoff=pause)
            return way, asked

    return asyncio.run(run())


def test_a_server_that_cannot_tokenise_now_is_asked_again(folder: Path) -> None:
    # The fake server's tokens are its own, so what it told is known by the reason.
    way, asked = told_late(folder, 3, 503)
    assert (asked, "tokenises differently" in way.reason) == (4, True)
    way, asked = told_late(folder, 99, 503)
    assert (asked, "does not show how it tokenises" in way.reason) == (5, True)
    way, asked = told_late(folder, 99, 400)
    assert (asked, "does not show how it tokenises" in way.reason) == (1, True)


def test_a_server_that_is_gone_before_it_tokenised_is_one_line_of_what_to_do(folder: Path) -> None:
    async def run() -> None:
        async def pause(failed: int, wished: float | None) -> None:
            del failed, wished

        async with AsyncExitStack() as stack:
            async with fake_server() as server:
                endpoint = await stack.enter_async_context(
                    open_endpoint(parse_address(server.url), max_requests=1)
                )
                await endpoint.probe()
            known = EndpointHints(picture_tokens=lambda _: 100, tokenizer_folder=folder)
            with pytest.raises(ConfigError, match=r"POST /tokenize.*restart it"):
                await choose_transport(endpoint, requested="auto", hints=known, backoff=pause)

    asyncio.run(run())


@pytest.mark.slow
def test_words_by_themselves_are_counted_where_the_tokenizer_is_believed(
    folder: Path, tmp_path: Path
) -> None:
    plain = make_folder(tmp_path / "plain", PLAIN_WORDS)
    for serves in (folder, plain):
        words = chosen("auto", None, serves=serves).count_text
        assert words is not None
        assert words("Who was in\nthe garden?\n\n谁？") == len(
            load_tokenizer(serves).encode("Who was in\nthe garden?\n\n谁？")
        )
    assert chosen("auto", None, serves=None).count_text is None
    assert chosen("auto", folder, serves=None).count_text is None


def test_the_space_before_an_option_is_told_by_the_template_alone(tmp_path: Path) -> None:
    colon = tmp_path / "colon.jinja"
    colon.write_text("{{ messages[0].content }}\n### Assistant:", encoding="utf-8")

    def replies(template: Path | None) -> ReplyFormat:
        known = EndpointHints(picture_tokens=lambda _: 100, template=template, stop=("###",))
        return detect_reply_format(None, known)

    assert replies(YI) == ReplyFormat(prefix=" ", stop=("###",), markers=("<image_placeholder>",))
    assert replies(colon) == ReplyFormat(prefix=" ", stop=("###",))
    assert replies(None) == replies(tmp_path / "gone.jinja") == ReplyFormat(stop=("###",))

    async def run(template: Path | None) -> list[str]:
        async with (
            fake_server() as server,
            open_endpoint(parse_address(server.url), max_requests=1) as endpoint,
        ):
            await endpoint.probe()
            known = EndpointHints(picture_tokens=lambda _: 100, template=template)
            way = await choose_transport(endpoint, requested="auto", hints=known)
            assert not way.exact
            identity = await read_identity(endpoint)
            monitor = ServerMonitor(endpoint, identity, WarmPrefixes(), log=print)
            model = build_replica_model(endpoint, monitor, way, unread)
            await model.complete(asked(constraint=CHOICE))
            return server.tokenized

    assert asyncio.run(run(colon)) == [f" {option}" for option in CHOICE.options]
    assert asyncio.run(run(None)) == list(CHOICE.options)
    assert asyncio.run(run(tmp_path / "gone.jinja")) == list(CHOICE.options)


def model(kv_tokens: int) -> ModelHandle:
    replica = Replica(url="u", chat=None, health=None, kv_tokens=kv_tokens)  # type: ignore[arg-type]
    means = ModelLimits(reply_tokens=1, context_tokens=None, count=len, exact=False)
    return ModelHandle(replicas=(replica,), served_name="m", limits=means)


def test_the_number_of_matches_is_left_to_admission_where_all_servers_tell_their_memory() -> None:
    found = process_limits(100, 5, None)
    assert (found.live, found.requests) == (100, 500)

    def most(matches: int, **models: int) -> int | None:
        """Return the limit for matches on servers of these KV capacities."""
        handles = {name: model(tokens) for name, tokens in models.items()}
        policy = admission_policy(process_limits(matches, 5, None), handles, None)
        assert policy.limit_kv
        assert policy.adapt
        return policy.max_live

    assert most(100, m=1000) == 100
    assert most(100, m=1000, n=0) == DEFAULT_LIVE_MATCHES
    assert most(2000, m=1000) == MAX_LIVE_PER_REPLICA
    assert most(2000, m=1, n=1) == 2 * MAX_LIVE_PER_REPLICA
    assert most(2000) == MAX_LIVE_PER_REPLICA
    assert most(3, m=0) == 3


@pytest.mark.parametrize("kv_tokens", [0, 1, 1_000_000])
def test_a_number_of_live_matches_replaces_admission_control(kv_tokens: int) -> None:
    for wanted, live in ((300, 300), (20, 20), (MAX_MATCHES, 400)):
        limits = process_limits(400, 5, wanted)
        policy = admission_policy(limits, {"m": model(kv_tokens)}, wanted)
        assert (policy.max_live, policy.limit_kv, policy.adapt) == (live, False, False)


def test_no_more_matches_are_alive_than_there_are_files_for() -> None:
    found = process_limits(10_000_000, 6, None)
    assert 100 < found.live < 10_000_000
    assert found.requests == found.live * 6
