"""A key opens a door and is seen nowhere else."""

import html
import json
import re
import traceback
from base64 import b64encode, urlsafe_b64encode
from contextlib import suppress
from urllib.parse import quote, unquote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.errors import ArenaError, ConfigError, EndpointUnavailableError
from arena.models.api.chat_api import OpenAIChat
from arena.models.http.address import EndpointAddress, parse_address
from arena.models.http.endpoint import CHAT, open_endpoint
from arena.models.http.http_transport import open_http_transport
from arena.models.http.redaction import KeyRedactor
from arena.models.recording import RecordedCall, RecordingModel
from arena.models.retrying import RetryingModel
from tests.arena.models.conversation import PNG, asked, run
from tests.fakes.faults import Faults
from tests.fakes.openai_server import FakeServer, fake_server
from tests.fakes.raw_server import http, raw_server
from tests.long_texts import PIECES, slow_pieces

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
            said += [endpoint, chat, model, address, endpoint.probe_result, vars(chat), vars(model)]
            assert server.keys[-1] == f"Bearer {key}"
    return "\n".join(map(repr, [*said, *calls]))


@pytest.mark.slow
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


KEY = 'a<b"c/d\\e&f~'
BASE64 = b64encode(KEY.encode()).decode()
QUOTED = (
    KEY,
    json.dumps(KEY),
    json.dumps(json.dumps(KEY)),
    json.dumps(KEY).replace("/", "\\/"),
    html.escape(KEY),
    json.dumps(html.escape(KEY)),
    html.escape(KEY).replace("&", "\\u0026"),
    "".join(f"&#{ord(character)};" for character in KEY),
    "".join(f"&#x{ord(character):04X};" for character in KEY),
    "".join(f"\\u{ord(character):04x}" for character in KEY),
    "".join(f"\\u{ord(character):04X}" for character in KEY),
    "".join(f"\\\\u{ord(character):04x}" for character in KEY),
    KEY[:5] + "".join(f"\\u{ord(character):04x}" for character in KEY[5:]),
    quote(KEY),
    quote(KEY, safe=""),
    quote(quote(KEY, safe=""), safe=""),
    "".join(f"%{ord(character):02x}" for character in KEY),
    BASE64,
    BASE64.replace("/", "\\/"),
    quote(BASE64, safe=""),
    urlsafe_b64encode(KEY.encode()).decode(),
    b64encode(f"Bearer {KEY}".encode()).decode(),
    b64encode(f"somebody:{KEY}".encode()).decode(),
    b64encode(f"x{KEY}xyz".encode()).decode(),
    b64encode(f"xy{KEY}xyz".encode()).decode(),
)


def strip_spelling(text: str) -> str:
    """Return `text` decoded in all these ways, so that no part of a key can hide in it."""
    for _ in range(3):
        text = re.sub(r"\\+u00(..)", lambda found: chr(int(found[1], 16)), text)
        text = unquote(html.unescape(text))
    return text.replace("\\", "")


@pytest.mark.parametrize("quoted", QUOTED)
def test_a_key_is_struck_out_however_it_is_written(quoted: str) -> None:
    redactor = KeyRedactor(KEY)
    body = redactor.redact_body(f"no such key: {quoted}, or so".encode()).decode()
    assert body == redactor.redact_text(f"no such key: {quoted}, or so")
    assert "***" in body
    assert body.startswith("no such key: ")
    assert body.endswith(", or so")
    left = strip_spelling(body)
    assert not any(KEY.replace("\\", "")[at : at + 4] in left for at in range(len(KEY) - 4))
    assert not any(BASE64[at : at + 6] in left for at in range(len(BASE64) - 6))


def test_a_body_that_quoted_the_key_is_json_as_before() -> None:
    redactor = KeyRedactor(KEY)
    for ensure_ascii in (True, False):
        body = json.dumps({KEY: [f"钥匙 {KEY}\n{KEY}"]}, ensure_ascii=ensure_ascii).encode()
        assert json.loads(redactor.redact_body(body)) == {"***": ["钥匙 ***\n***"]}


LONG_KEY = "sk-0123456789abcdefXYZ"


@pytest.mark.parametrize("form", [LONG_KEY.encode().hex(), LONG_KEY.encode().hex().upper()])
def test_a_key_in_hex_is_struck_out(form: str) -> None:
    redactor = KeyRedactor(LONG_KEY)
    assert redactor.redact_body(f"no key {form}!".encode()) == b"no key ***!"
    assert redactor.redact_text(f"no key 00{form}00!") == "no key 00***00!"


@pytest.mark.parametrize("key", [LONG_KEY, LONG_KEY[:16]])
@pytest.mark.parametrize("cut", [1, 2, 3, 4])
def test_a_long_key_without_its_last_characters_is_struck_out(key: str, cut: int) -> None:
    redactor = KeyRedactor(key)
    for part in (key[:-cut], "".join(f"\\u{ord(one):04x}" for one in key[:-cut])):
        for end in ("", "...", "*" * cut, '"'):
            assert redactor.redact_text(f"no key {part}{end}") == f"no key ***{end}"
            assert redactor.redact_body(f"no key {part}{end}".encode()).decode() == (
                f"no key ***{end}"
            )


def test_a_part_that_any_text_may_hold_stays() -> None:
    for key, part in ((LONG_KEY, LONG_KEY[:-5]), (LONG_KEY[:15], LONG_KEY[:14])):
        assert KeyRedactor(key).redact_text(f"no key {part}.") == f"no key {part}."


@pytest.mark.parametrize("end", ['"xyz', "\\xyz", 'x"yz', 'x\\"z'])
def test_a_body_that_quoted_a_part_of_the_key_is_json_as_before(end: str) -> None:
    redactor, key = KeyRedactor("0123456789ab" + end), "0123456789ab" + end
    for length in range(12, len(key) + 1):
        for after in ("", '"', "\n", "\\", "é"):
            body = json.dumps({"a": key[:length] + after, "b": [key[:length]]}).encode()
            struck = json.loads(redactor.redact_body(body))
            assert set(struck) == {"a", "b"}
            assert "0123456789ab" not in json.dumps(struck)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_a_key_in_wide_characters_is_struck_out(encoding: str) -> None:
    for end in ("", "!"):
        body = KeyRedactor(KEY).redact_body(f"no such key: {KEY}{end}".encode(encoding))
        assert KEY.encode(encoding)[-8:] not in body


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda data: data.decode("latin-1")))
def test_a_body_without_the_key_stays_as_it_is(text: str) -> None:
    assert KeyRedactor(KEY).redact_body(text.encode()) == text.encode()
    assert KeyRedactor(None).redact_text(text) == text


@pytest.mark.parametrize("key", ["EMPTY", "none", "1", "abcdefg"])
def test_a_short_key_is_no_secret_but_is_struck_out_of_errors(key: str) -> None:
    redactor = KeyRedactor(key)
    assert redactor.redact_body(f"It was {key}.".encode()) == f"It was {key}.".encode()
    assert redactor.redact_text(f"no key {key}") == "no key ***"


@pytest.mark.slow
@pytest.mark.parametrize("start", ["", KEY[:-1], '{"a": "'])
def test_a_key_is_looked_for_in_linear_time(start: str) -> None:
    redactor = KeyRedactor(KEY)
    pieces = (
        *PIECES,
        KEY,
        KEY[:-1],
        "\\u00",
        "\\u0061",
        "%25",
        "%61",
        "&#",
        "&#0000",
        "&#x0",
        BASE64,
    )
    assert (
        slow_pieces(lambda text: redactor.redact_body(text.encode(errors="replace")), pieces) == []
    )
    assert slow_pieces(redactor.redact_text, pieces, start=start) == []


@pytest.mark.slow
@pytest.mark.parametrize("key", [LONG_KEY, "a" * 16 + "b"])
def test_a_part_of_a_long_key_is_looked_for_in_linear_time(key: str) -> None:
    pieces = (key, key[:-1], key[:-5], "a", "\\u0061", key.encode().hex(), "%61", "\\")
    assert slow_pieces(KeyRedactor(key).redact_text, pieces) == []


@pytest.mark.slow
def test_a_body_that_is_cut_does_not_end_in_a_part_of_the_key() -> None:
    async def play() -> None:
        async with raw_server(b"") as server:
            address = parse_address(server.url, key=KEY)
            async with open_http_transport(address, max_requests=1) as transport:
                for quoted in QUOTED:
                    for before in range(0, 200, 7):
                        body = b"-" * before + quoted.encode() * 40
                        server.answers["/x"] = http(body)
                        found = await transport.request("/x", max_bytes=300)
                        assert found.is_redacted
                        assert found.is_truncated == (len(body) > 300 + 16 * len(KEY))
                        left = found.content.decode()
                        assert BASE64[:4] not in left
                        assert KEY[:4] not in strip_spelling(left)

    run(play)


def test_no_key_is_in_the_traceback_of_a_broken_response() -> None:
    async def play() -> None:
        for head in (f"HTTP/1.1 {KEY}", f"HTTP/1.1 200 OK\r\n{KEY}", f"{KEY} 200 OK"):
            async with raw_server(f"{head}\r\n\r\n".encode()) as server:
                address = parse_address(server.url, key=KEY)
                async with open_http_transport(address, max_requests=1) as transport:
                    with pytest.raises(EndpointUnavailableError) as caught:
                        await transport.request(CHAT, b"{}")
                    said = "".join(traceback.format_exception(caught.value))
                    assert KEY[:4] not in said

    run(play)


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
