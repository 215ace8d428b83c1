"""How an endpoint is asked: by what the server offers and what lies on this machine."""

import asyncio
from pathlib import Path
from typing import Literal

import pytest

from arena.errors import ConfigError
from arena.models.address import read_address
from arena.models.chat import Message
from arena.models.endpoint import open_endpoint
from arena.run.limits import UNKNOWN_LIVE, limits, most_live
from arena.run.open_model import OpenModel, Replica
from arena.run.transport import Way, choose
from scripts_mm.script import Picture
from tests.fakes.openai_server import FakeServer, fake_server
from tests.models.tokens.models import FORGETS_THOUGHTS, make_folder
from tests.table import picture

Wanted = Literal["auto", "chat", "tokens"]


def unread(picture: Picture) -> bytes:
    raise AssertionError(picture)


def chosen(server: FakeServer, wanted: Wanted, folder: Path | None) -> Way:
    async def run() -> Way:
        async with (
            fake_server(server) as serving,
            open_endpoint(read_address(serving.url), concurrency=1) as endpoint,
        ):
            await endpoint.probe()
            return choose(
                endpoint, unread, wanted=wanted, folder=folder, picture_tokens=lambda _: 100
            )

    return asyncio.run(run())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_folder(tmp_path / "model")


def test_token_ids_are_taken_where_server_and_tokenizer_allow_them(folder: Path) -> None:
    assert chosen(FakeServer(), "auto", folder).name == "tokens"
    assert chosen(FakeServer(root=str(folder)), "auto", None).name == "tokens"


def test_messages_are_taken_where_something_lacks_and_the_record_says_what(folder: Path) -> None:
    without = chosen(FakeServer(token_in=False), "auto", folder)
    assert (without.name, "--enable-scale-out" in without.why) == ("chat", True)
    nowhere = chosen(FakeServer(), "auto", None)
    assert (nowhere.name, "not on this machine" in nowhere.why) == ("chat", True)
    assert chosen(FakeServer(), "chat", folder).name == "chat"


def test_a_template_that_rewrites_history_is_named_where_tokens_are_wanted(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "model", FORGETS_THOUGHTS)
    assert chosen(FakeServer(), "auto", folder).name == "chat"
    with pytest.raises(ConfigError, match="cannot be asked with token ids"):
        chosen(FakeServer(), "tokens", folder)


def test_tokens_are_counted_exactly_with_a_tokenizer_and_high_without(folder: Path) -> None:
    messages = (
        Message(role="system", text="The rules are these."),
        Message(role="user", text="A picture of the yard.", picture=picture()),
    )
    exact = chosen(FakeServer(), "auto", folder).count(messages)
    guess = chosen(FakeServer(), "auto", None).count(messages)
    assert exact > 100
    assert guess > 100


def model(kv_tokens: int) -> OpenModel:
    replica = Replica(url="u", chat=None, health=None, kv_tokens=kv_tokens)  # type: ignore[arg-type]
    return OpenModel(replicas=(replica,), served="m", reply_tokens=1, count=len)


def test_the_number_of_matches_is_left_to_admission_where_all_servers_tell_their_memory() -> None:
    found = limits(100, 5, None)
    assert (found.live, found.requests) == (100, 500)
    assert most_live(found, {"m": model(1000)}, None) == 100
    assert most_live(found, {"m": model(1000), "n": model(0)}, None) == UNKNOWN_LIVE
    assert most_live(limits(100, 5, 20), {"m": model(0)}, 20) == 20
    assert most_live(limits(3, 5, None), {"m": model(0)}, None) == 3


def test_no_more_matches_are_alive_than_there_are_files_for() -> None:
    found = limits(10_000_000, 6, None)
    assert 100 < found.live < 10_000_000
    assert found.requests == found.live * 6
