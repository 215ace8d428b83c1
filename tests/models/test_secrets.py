"""A key opens a door and is seen nowhere else."""

import traceback
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.errors import ArenaError, ConfigError
from arena.models.address import EndpointAddress, parse_address
from arena.models.endpoint import open_endpoint
from arena.models.http_transport import open_http_transport
from arena.models.openai_http import OpenAIChat
from arena.models.recording import RecordedCall, RecordingModel
from arena.models.retrying import RetryingModel
from tests.fakes.faults import Faults
from tests.fakes.openai_server import FakeServer, fake_server
from tests.models.conversation import PNG, asked, run

MARK = "Zq7~"
"""What every key here begins with, and nothing else that is ever said."""
KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=40).map(MARK.__add__)


async def everything_said(key: str, faults: Faults) -> str:
    """Return all that a person could be shown while these things go wrong."""
    calls: list[RecordedCall] = []
    said: list[object] = []

    async def pause(failed: int, seconds: float | None) -> None:
        said.append(failed)

    faults.quote_key = True
    async with fake_server(FakeServer(key="another", faults=faults)) as server:
        address = parse_address(server.url, key=key)
        async with open_endpoint(address, max_requests=1) as endpoint:
            with suppress(ArenaError):
                await endpoint.probe()
            server.key = key
            await endpoint.probe()
            chat = OpenAIChat(endpoint, lambda picture: PNG)
            model = RecordingModel(
                RetryingModel(chat, max_attempts=2, backoff=pause), save=calls.append
            )
            try:
                await model.complete(asked())
            except ArenaError as error:
                said += [repr(error), *traceback.format_exception(error)]
            server.faults.failing = server.faults.garbage = 0
            await model.complete(asked())
            said += [endpoint, chat, model, address, endpoint.served, vars(chat), vars(model)]
            assert server.keys[-1] == f"Bearer {key}"
    return "\n".join(map(repr, [*said, *calls]))


@settings(max_examples=60, deadline=None)
@given(
    key=KEYS,
    status=st.sampled_from([400, 401, 403, 404, 418, 422, 500, 503]),
    garbage=st.integers(0, 1),
    before=st.integers(0, 210),
)
@example(key=MARK + "k" * 40, status=400, garbage=0, before=170)
def test_no_key_is_in_an_error_a_repr_or_a_record(
    key: str, status: int, garbage: int, before: int
) -> None:
    failing = 0 if garbage else 2
    faults = Faults(failing=failing, status=status, garbage=garbage, words="w" * before)
    assert MARK not in run(lambda: everything_said(key, faults))


@pytest.mark.parametrize(
    "quoted", ['a<b"c/d e', 'a<b\\"c/d', "a&lt;b&quot;c/d", "a%3Cb%22c%2Fd", "a%3Cb%22c/d"]
)
def test_a_key_is_struck_out_however_it_is_written(quoted: str) -> None:
    async def play() -> str:
        async with open_http_transport(
            EndpointAddress(url="http://host", key='a<b"c/d'), max_requests=1
        ) as door:
            return door.redact(f"no such key: {quoted}")

    assert run(play).startswith("no such key: ***")


@given(key=KEYS)
def test_no_key_is_in_the_repr_of_an_address(key: str) -> None:
    address = EndpointAddress(url="http://host", key=key)
    assert MARK not in repr(address) + str(address)


@pytest.mark.parametrize(
    "text",
    [
        "http://user:hunter2hunter2@host:8000/v1",
        "http://user:hunter2hunter2@host:eight/v1",
        "http://user:hunter2/hunter2hunter2@host",
        "http://host:8000/v1?api_key=hunter2hunter2",
        "ftp://hunter2hunter2@host",
    ],
)
def test_a_secret_in_the_url_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_address(text)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "clé", "\x00"])
def test_a_key_that_no_header_may_hold_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(ConfigError, match="key of 'host'") as caught:
        parse_address("http://host", key=key)
    assert key not in str(caught.value)


def test_a_key_from_a_file_may_end_with_a_line() -> None:
    assert parse_address("http://host", key="abc\n").key == "abc"
    assert parse_address("http://host", key=" ").key is None
