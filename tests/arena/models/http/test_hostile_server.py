"""Whatever a server sends, a call ends with a completion that can be kept or a `ModelError`."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.errors import ConfigError, ContextLengthError, ModelError
from arena.models.api.chat_api import OpenAIChat
from arena.models.http.address import parse_address
from arena.models.http.endpoint import open_endpoint
from arena.models.http.http_errors import ContextContradictionError, MalformedResponseError
from arena.models.retrying import RetryingModel, exponential_backoff
from tests.arena.models.conversation import (
    CHOICE,
    PICTURE,
    PNG,
    asked,
    run,
    talking,
)
from tests.arena.models.raw_calls import (
    answer,
    ask,
    kept,
    reply,
)
from tests.fakes.openai_server import fake_server
from tests.fakes.raw_server import http, http_json, raw_server
from tests.fakes.tokens import ids_of

HUGE = "9" * 5000
TEXTS = st.text(st.characters(exclude_categories=[]), max_size=30) | st.sampled_from(
    ["\ud83d", "a\udc00b", "\x00", "\u2028", "abort", "token_id:7", "x" * 3000, HUGE]
)
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-10, 10)
    | st.sampled_from([10**30, -(10**6), 2**31, 2**63, 10**4000, 1e308, float("nan"), -1e999])
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)
COUNTS = st.sampled_from([0, 7, -1, -(10**6), 2**31, 10**30, 1.5, 7.0, True, "7", None, [7]])
IDS = st.lists(COUNTS | st.integers(0, 10**6), max_size=12)
USAGE = st.fixed_dictionaries(
    {"prompt_tokens": COUNTS, "completion_tokens": COUNTS},
    optional={"prompt_tokens_details": st.fixed_dictionaries({"cached_tokens": COUNTS}) | COUNTS},
)
FIRST = [{"token": f"token_id:{ids_of(option)[0]}"} for option in CHOICE.options]
LOGPROBS = st.lists(st.floats() | st.just(10**400), min_size=4, max_size=4).map(
    lambda found: {
        "content": [
            {
                **FIRST[0],
                "logprob": found[0],
                "top_logprobs": [
                    {**one, "logprob": number} for one, number in zip(FIRST, found[1:], strict=True)
                ],
            }
        ]
    }
)


def mostly(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return `usual`, and now and then anything at all."""
    return st.integers(0, 7).flatmap(lambda number: usual if number else ANYTHING)


CHOICES = st.fixed_dictionaries(
    {"message": mostly(st.fixed_dictionaries({"content": mostly(TEXTS)}))},
    optional={
        "finish_reason": mostly(TEXTS),
        "token_ids": mostly(IDS),
        "logprobs": mostly(LOGPROBS),
    },
)
REPLIES = st.fixed_dictionaries(
    {"choices": mostly(st.lists(CHOICES, min_size=1, max_size=2))},
    optional={"usage": mostly(USAGE), "model": mostly(TEXTS), "error": ANYTHING},
)
BODIES = (
    st.binary(max_size=200)
    | (REPLIES | ANYTHING).map(lambda value: json.dumps(value).encode())
    | REPLIES.map(lambda value: json.dumps(value).encode()[:-9])
    | REPLIES.map(lambda value: json.dumps(value).replace("null", HUGE).encode())
    | REPLIES.map(lambda value: json.dumps(value).encode("utf-16"))
)
HEADERS = st.sampled_from(
    [
        (),
        ("Content-Encoding: gzip",),
        ("Content-Encoding: deflate", "Retry-After: 99999999999999999999"),
        ("Retry-After: nan",),
        (f"Retry-After: {HUGE}",),
        ("Transfer-Encoding: chunked",),
        ("Content-Type: text/html; charset=utf-16",),
        ("X-Odd: \u00e9\u4e2d",),
        (f"X-Long: {'x' * 9000}",),
        ("No colon",),
    ]
)


@pytest.mark.slow
@settings(max_examples=150)
@given(body=BODIES, status=st.sampled_from([200] * 6 + [400, 413, 429, 500, 999]), headers=HEADERS)
@example(body=b"", status=200, headers=())
@example(body=b"[" * 100_000, status=200, headers=())
@example(body=b'{"choices":' * 50_000, status=200, headers=())
@example(body=f'{{"error": {HUGE}}}'.encode(), status=400, headers=())
@example(
    body=f"maximum context length is {HUGE} ({HUGE} in the messages".encode(),
    status=400,
    headers=(),
)
@example(body=f"max_model_len={HUGE} logprob greater than".encode(), status=400, headers=())
@example(body=b"logprob" * 9000, status=400, headers=())
def test_whatever_comes_is_a_completion_that_can_be_kept_or_a_model_error(
    body: bytes, status: int, headers: tuple[str, ...]
) -> None:
    for request in (asked(max_tokens=8), asked(constraint=CHOICE)):
        with suppress(ModelError):
            completion = answer(http(body, status, headers), request)
            assert kept(completion) == completion
            assert len(completion.text) <= 16 * 100
            assert len(completion.ids) <= 101
            counts = (completion.prompt_tokens, completion.output_tokens, *completion.ids)
            assert all(0 <= one < 2**31 for one in counts)
            assert 0 <= (completion.cached_tokens or 0) <= completion.prompt_tokens


@pytest.mark.slow
@settings(max_examples=50)
@given(st.binary(max_size=200).map(b"HTTP/1.1 ".__add__) | st.binary(max_size=200))
@example(b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}")
@example(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}")
@example(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n")
@example(b"HTTP/0.9 200 OK\r\n\r\n")
@example(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")
@example(b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc")
def test_what_is_hardly_http_is_a_model_error(said: bytes) -> None:
    with pytest.raises(ModelError):
        answer(said)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"error": "overloaded"}', "'overloaded'"),
        (b'{"error": {"message": "the engine is gone"}, "choices": []}', "the engine is gone"),
        (b'{"object": "error", "message": "no", "code": 500}', "'no'"),
        (b"<html>a proxy's page</html>", "a proxy's page"),
        (json.dumps(reply()).encode()[:-9], "choices"),
        (b"", "''"),
        (b"null", "null"),
        (b'{"choices": {}}', "choices"),
        (b'{"error": "x", "choices": [{"message": {"content": "a"}}]}', "'x'"),
        (b'{"choices": [{"message": {"content": "a"}, "error": "lost"}]}', "lost"),
        (b'{"choices": [{"message": {"content": ["a"]}}]}', "content"),
        (b'{"choices": [{"message": {"content": "a"}, "finish_reason": "abort"}]}', "abort"),
    ],
)
def test_what_is_no_completion_is_a_fault_of_the_server_and_asked_again(
    body: bytes, words: str
) -> None:
    with pytest.raises(MalformedResponseError, match=f"chat completion, but sent .*{words}"):
        answer(http(body))


def test_a_model_that_says_nothing_is_left_to_the_rules() -> None:
    for body in (
        b'{"choices": [], "error": null}',
        b'{"choices": [{"message": {"content": null}}]}',
        b'{"choices": [{"message": {}}]}',
    ):
        completion = answer(http(body))
        assert (completion.text, completion.repairs) == ("", ())


def test_a_reply_cut_within_a_character_is_marked_and_can_be_kept() -> None:
    whole = answer(http(rb'{"choices": [{"message": {"content": "I saw \ud83d\ude00 \\ud83d"}}]}'))
    assert (whole.text, whole.repairs) == ("I saw \U0001f600 \\ud83d", ())
    for half in (rb"\ud83d", rb"\uD83D", rb"\udc00", b"\xed\xa0\xbd", b"\xff"):
        body = b'{"choices": [{"message": {"content": "I saw ' + half + b'"}}]}'
        completion = answer(http(body))
        assert completion.text.rstrip("\ufffd") == "I saw "
        assert completion.text.endswith("\ufffd")
        assert completion.repairs == ("surrogates",)
        assert kept(completion) == completion


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ({"id": "m", "max_model_len": -5}, "reports a context of -5 tokens; fix the server"),
        ({"id": "m", "max_model_len": 0}, "reports a context of 0 tokens"),
        ({"id": "m", "max_model_len": 10**30}, "reports a context of 1000"),
        ({"id": "m" * 9999}, "reports a name of more than 512 characters"),
        ({"id": "m", "root": "/" * 9999}, "reports a name of more than 512 characters"),
        ({"id": "\ud83d"}, "gave something else"),
    ],
)
def test_a_model_that_cannot_be_is_refused_before_the_match(
    card: dict[str, Any], words: str
) -> None:
    async def play() -> None:
        async with raw_server(b"", v1__models=http_json({"data": [card]})) as server:
            with pytest.raises(ConfigError, match=words):
                await ask(server)

    run(play)


def test_a_server_that_always_wants_less_is_given_up() -> None:
    asks: list[int] = []

    def refuse(body: bytes) -> bytes:
        asks.append(json.loads(body)["max_tokens"])
        words = f"max_tokens={asks[-1]} cannot be greater than max_model_len={asks[-1] - 1}"
        return http_json({"message": words}, 400)

    async def play() -> None:
        listed = http_json({"data": [{"id": "m"}]})
        async with raw_server(refuse, v1__models=listed) as server:
            with pytest.raises(ContextLengthError):
                await ask(server, asked(max_tokens=4096))

    run(play)
    assert len(asks) == 256


CONTRADICTIONS = (
    "This model's maximum context length is 300 tokens. However, you requested 900 tokens (800 in "
    "the messages, 100 in the completion). Please reduce the length of the messages or completion.",
    "This model's maximum context length is 300 tokens. However, you requested 100 output tokens "
    "and your prompt contains at least 201 input tokens",
    "max_tokens=9 cannot be greater than max_model_len=300. Please request fewer output tokens.",
    "The decoder prompt (length 300) is longer than the maximum model length of 300. Make sure "
    "that `max_model_len` is no smaller than the number of text tokens",
    "The input (800 tokens) is longer than the model's context length (300 tokens).",
    "Requested token count exceeds the model's maximum context length of 300 tokens.",
)


def refused_then_answered(words: str, card: dict[str, Any]) -> int:
    """Return the requests that a server had, which refused the first of them."""
    answers = [http_json({"message": words}, 400), http_json(reply())]
    asks: list[bytes] = []

    def refuse_once(body: bytes) -> bytes:
        asks.append(body)
        return answers[min(len(asks), 2) - 1]

    async def play() -> None:
        async with (
            raw_server(
                refuse_once, v1__models=http_json({"data": [{"id": "m", **card}]})
            ) as server,
            open_endpoint(parse_address(server.url), max_requests=1) as endpoint,
        ):
            await endpoint.probe()
            chat = OpenAIChat(endpoint, lambda _: PNG)
            pauses = exponential_backoff(initial=0)
            model = RetryingModel(chat, max_attempts=2, backoff=pauses)
            assert (await model.complete(asked())).retries == 1

    run(play)
    return len(asks)


@pytest.mark.parametrize("words", CONTRADICTIONS)
def test_a_limit_below_the_servers_own_is_its_fault_and_asked_again(words: str) -> None:
    assert refused_then_answered(words, {"max_model_len": 4096}) == 2
    with pytest.raises(ContextContradictionError, match=r"4096 tokens .* context of 300; fix"):
        answer(http_json({"message": words}, 400))


@pytest.mark.parametrize("reported", [None, 300, 200])
@pytest.mark.parametrize("words", [CONTRADICTIONS[0], *CONTRADICTIONS[3:]])
def test_a_limit_that_the_server_does_not_contradict_is_the_prompts(
    words: str, reported: int | None
) -> None:
    with pytest.raises(ContextLengthError, match="the prompt does not fit"):
        refused_then_answered(words, {"max_model_len": reported})


@pytest.mark.parametrize(
    "words", ["the prompt is too long", "context length exceeded", f"max_model_len={HUGE}"]
)
def test_an_overflow_without_a_number_is_the_prompts(words: str) -> None:
    with pytest.raises(ContextLengthError, match="the prompt does not fit"):
        refused_then_answered(words, {"max_model_len": 4096})


def test_a_picture_that_may_not_have_arrived_is_sent_again() -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (endpoint, chat):
            server.faults.garbage = 1
            with pytest.raises(MalformedResponseError):
                await chat.complete(asked(picture=PICTURE))
            assert not endpoint.media.is_cached(PICTURE.sha256)
            await chat.complete(asked(picture=PICTURE))
            assert endpoint.media.is_cached(PICTURE.sha256)

    run(play)
