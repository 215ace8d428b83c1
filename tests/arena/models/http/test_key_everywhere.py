"""A server that quotes its key in every response: the program keeps and shows it nowhere."""

import html
import json
from base64 import b64encode
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.arena.models.conversation import run
from tests.arena.models.raw_calls import play_match
from tests.arena.run.stage import save_case
from tests.fakes.raw_server import (
    Answer,
    http,
    http_json,
    raw_server,
)
from tests.fakes.replies import constraint_of, said

KEY = 'sk-Zq7~Kw"9<h&/xY_2'
MODEL = f"m {KEY}"


def escape_all(text: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in text)


SPELLINGS: tuple[Callable[[str], str], ...] = (
    str,
    lambda key: f"Bearer {key}",
    html.escape,
    lambda key: quote(key, safe=""),
    lambda key: b64encode(key.encode()).decode(),
    lambda key: b64encode(f"Bearer {key}".encode()).decode(),
    lambda key: b64encode(f"me:{key}".encode()).decode(),
)
"""What a server may put into a text; JSON then writes it in its own way."""
FORMS = sorted(
    {
        form
        for text in (KEY, *(spell(KEY) for spell in SPELLINGS))
        for form in (text, json.dumps(text)[1:-1], escape_all(text), html.escape(text))
    }
)
"""What must be found nowhere; `PARTS` are sequences that no other text here has."""
PARTS = ("Zq7~", "Kw\\u0022", "h&amp;", "h%26", *(escape_all(KEY)[:24],))


def spoil(value: object, escaped: bool = False) -> bytes:
    """Return JSON in which each KEY is written in `\\u` escapes."""
    text = json.dumps(value)
    return (text.replace(json.dumps(KEY)[1:-1], escape_all(KEY)) if escaped else text).encode()


def quoting_everywhere(*, plays: bool) -> dict[str, Answer]:
    """Return the answers of a server that has its key in all of them."""
    forms = cycle(spell(KEY) for spell in SPELLINGS)
    escaped = cycle([False, True, True])

    def chat(body: bytes) -> bytes:
        asked = json.loads(body)
        form = next(forms)
        text = said(repr(asked["messages"][-1]), constraint_of(asked))
        if text.startswith("{"):
            fields = {
                name: f"{value} {form}" if " " in value and len(value) > 20 else value
                for name, value in json.loads(text).items()
            }
            text = json.dumps(fields)
        else:
            text = f"{text} {form}"
        choice = {"message": {"content": text}, "finish_reason": form}
        usage = {"prompt_tokens": form, "completion_tokens": 2}
        reply = {"id": form, "model": MODEL, "choices": [choice], "usage": usage, "error": None}
        return http(spoil(reply, next(escaped)), 200, (f"X-Key: {KEY}", f"Retry-After: {KEY}"))

    words = f"no such key: {KEY} {quote(KEY)} {b64encode(KEY.encode()).decode()}"
    card = {"id": MODEL, "root": f"/{KEY}", "owned_by": KEY, "max_model_len": 32768}
    return {
        "/v1/models": http(spoil({"data": [card]}, escaped=True)),
        "/version": http_json({"version": f"1.0 {KEY}"}),
        "/metrics": http(f'vllm:cache_config_info{{block_size="{KEY}"}} 1.0'.encode()),
        "/health": http(KEY.encode()),
        "/v1/chat/completions": chat if plays else http_json({"error": {"message": words}}, 418),
    }


def find_forms(text: bytes) -> list[str]:
    # What a console wraps or cuts is found by its part.
    return [form for form in (*FORMS, *PARTS) if form.encode() in text]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "status", "shown"),
    [
        ({}, 0, b'"repairs":["key"'),
        ({"/v1/chat/completions": None}, 1, b"418"),
        ({"/v1/models": http(KEY.encode(), 401)}, 2, b"refuses the key"),
        ({"/v1/models": http(f"<html>{html.escape(KEY)}".encode())}, 2, b"something else"),
        (
            {"/v1/models": http_json({"data": [{"id": KEY}, {"id": f"two {KEY}"}]})},
            2,
            b"should serve one model",
        ),
        (
            {"/v1/models": http_json({"data": [{"id": KEY, "max_model_len": -5}]})},
            2,
            b"context of -5",
        ),
        ({"/v1/models": f"HTTP/1.1 {KEY}\r\n\r\n".encode()}, 2, b"does not answer"),
        ({"/v1/models": f"HTTP/1.1 200 OK\r\n{KEY}\r\n\r\n".encode()}, 2, b"does not answer"),
    ],
)
def test_a_key_that_a_server_quotes_is_kept_and_shown_nowhere(
    tmp_path: Path, changes: dict[str, Answer | None], status: int, shown: bytes
) -> None:
    async def play() -> tuple[int | None, bytes]:
        async with raw_server(b"") as server:
            refuses = "/v1/chat/completions" in changes
            server.answers |= quoting_everywhere(plays=not refuses)
            server.answers |= {path: one for path, one in changes.items() if one is not None}
            return await play_match(server, tmp_path, "--truth", key=KEY)

    save_case(tmp_path / "case")
    ended, text = run(play)
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert find_forms(b"\n".join([text, *kept])) == []
    assert ended == status, text.decode(errors="replace")
    assert shown in b"\n".join([text, *kept])
