"""What is made of a reply, whatever it looks like."""

import json
import re
from typing import Any

import pytest

from arena.models.api.completions import ReplyContext, parse_chat, parse_generate
from arena.models.chat import Completion
from arena.models.http.responses import HttpResponse
from arena.models.recording import RecordedCall
from arena.records.call_codec import CallCodec
from tests.arena.models.conversation import asked

CONTEXT = ReplyContext(max_tokens=100, model="asked", seconds=1)


def parse(reply: object, *, is_truncated: bool = False, is_redacted: bool = False) -> Completion:
    content = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
    response = HttpResponse(
        status=200, content=content, is_truncated=is_truncated, is_redacted=is_redacted
    )
    return parse_chat(response, CONTEXT)


def reply(content: str = "Ben", **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": content}, "finish_reason": "stop", **more}]}


def test_a_reply_is_read_with_all_that_it_costs() -> None:
    choice = {"message": {"content": "Ben", "role": "assistant"}, "finish_reason": "length"}
    usage: dict[str, Any] = {
        "prompt_tokens": 9,
        "completion_tokens": 2,
        "prompt_tokens_details": {"cached_tokens": 0},
    }
    assert parse({"model": "served", "choices": [choice], "usage": usage, "extra": 1}) == (
        Completion(
            text="Ben",
            finish="length",
            prompt_tokens=9,
            output_tokens=2,
            cached_tokens=0,
            seconds=1,
            model="served",
        )
    )


def test_an_empty_reply_is_a_reply() -> None:
    found = parse({"choices": []})
    assert (found.text, found.finish, found.cached_tokens, found.model) == ("", "", None, "asked")
    silent = {"message": {"content": None}, "finish_reason": None}
    assert parse({"choices": [silent], "usage": {"prompt_tokens_details": None}}).text == ""


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b'"hi"', b"null", b'{"choices": null}', b'{"choices": [{}]}']
)
def test_what_is_no_reply_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="validation error"):
        parse(content)


@pytest.mark.parametrize(
    "finish",
    ["abort", "error", "cancelled", "canceled", "timeout", "internal_error", "server_error"],
)
def test_a_reply_that_the_server_gave_up_is_no_reply(finish: str) -> None:
    with pytest.raises(ValueError, match=f"ended the reply: {finish}"):
        parse(reply("I was in the", finish_reason=finish))


@pytest.mark.parametrize("error", [{"message": "out of memory"}, "overloaded", [1], True])
def test_an_error_makes_a_reply_none_even_with_a_text(error: object) -> None:
    generated = {"choices": [{"text": "Ben", "error": error}]}
    for found in (reply() | {"error": error}, reply(error=error)):
        with pytest.raises(ValueError, match="an error, with or without text"):
            parse(found)
    with pytest.raises(ValueError, match="an error, with or without text"):
        parse_generate(HttpResponse(status=200, content=json.dumps(generated).encode()), CONTEXT)


@pytest.mark.parametrize("error", [None, {}, ""])
def test_an_empty_error_is_none(error: object) -> None:
    assert parse(reply(error=error) | {"error": error}).text == "Ben"
    assert parse(reply("", error=error) | {"error": error}).text == ""


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ({"prompt_tokens": 10**30, "completion_tokens": 2}, (0, 2, None)),
        ({"prompt_tokens": -(10**6), "completion_tokens": 2}, (0, 2, None)),
        ({"prompt_tokens": 9, "completion_tokens": float("nan")}, (9, 0, None)),
        ({"prompt_tokens": "nine", "completion_tokens": True}, (0, 0, None)),
        ({"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 10}}, (9, 0, None)),
        ({"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": -1}}, (9, 0, None)),
        ([9, 2], (0, 0, None)),
        (9, (0, 0, None)),
    ],
)
def test_counts_that_cannot_be_are_dropped_and_marked(
    usage: object, counts: tuple[int, int, int | None]
) -> None:
    found = parse(reply() | {"usage": usage})
    assert (found.prompt_tokens, found.output_tokens, found.cached_tokens) == counts
    assert (found.text, found.repairs) == ("Ben", ("usage",))


def test_counts_in_floating_point_and_missing_ones_need_no_repair() -> None:
    found = parse(reply() | {"usage": {"prompt_tokens": 9.0, "completion_tokens": None}})
    assert (found.prompt_tokens, found.output_tokens, found.repairs) == (9, 0, ())


@pytest.mark.parametrize(
    "ids", [[-1], [2**31], [1.5], ["x"], [None], [7] * 102, "77", 7, {"0": 7}, [10**30]]
)
def test_token_ids_that_cannot_be_are_dropped_and_marked(ids: object) -> None:
    # They would go back to the server as a part of every later prompt.
    found = parse(reply(token_ids=ids))
    assert (found.ids, found.repairs) == ((), ("token ids",))


def test_the_last_token_may_be_one_more_than_was_asked_for() -> None:
    found = parse(reply(token_ids=[7] * 101))
    assert (found.ids, found.repairs) == ((7,) * 101, ())


def test_a_text_is_cut_to_what_its_tokens_can_hold_and_loses_its_ids() -> None:
    found = parse(reply("x" * 1601, token_ids=[7, 8]))
    assert (found.text, found.finish, found.ids) == ("x" * 1600, "length", ())
    assert found.repairs == ("truncated",)
    assert parse(reply("x" * 1600, token_ids=[7, 8])).ids == (7, 8)


def test_a_short_choice_is_never_cut() -> None:
    response = HttpResponse(status=200, content=json.dumps(reply("名" * 512)).encode())
    assert parse_chat(response, ReplyContext(max_tokens=1, model="m", seconds=0)).repairs == ()


@pytest.mark.parametrize(
    ("end", "text"),
    [
        ("", "I saw him"),
        ("\\", "I saw him"),
        ("\\u4e", "I saw him"),
        ("\\ud83d\\ude0", "I saw him\ufffd"),
        ('", "role": "assistant"', "I saw him"),
        ('"}, "finish_reason": "stop", "logprobs": [1, 2', "I saw him"),
    ],
)
def test_of_a_response_that_was_cut_its_text_is_read(end: str, text: str) -> None:
    content = '{"choices": [{"message": {"content": "I saw him' + end
    found = parse(content.encode(), is_truncated=True)
    assert found.text == text
    assert "truncated" in found.repairs
    assert found.finish in ("length", "stop")


def test_a_character_that_was_cut_in_its_bytes_is_left_out() -> None:
    content = '{"choices": [{"message": {"content": "他说'.encode()
    found = parse(content[:-1], is_truncated=True)
    assert (found.text, found.repairs) == ("他", ("truncated",))


@pytest.mark.parametrize(
    "content", ["", '{"choices": [', '{"choices": []', '{"id": "x', '{"choices": [{"message": {}']
)
def test_a_response_that_was_cut_before_its_text_is_no_reply(content: str) -> None:
    with pytest.raises(ValueError, match=r"text|EOF|validation"):
        parse(content.encode(), is_truncated=True)


def test_a_reply_that_quoted_the_key_is_marked_and_loses_its_ids() -> None:
    found = parse(reply("It is ***.", token_ids=[7, 8]), is_redacted=True)
    assert (found.text, found.ids, found.repairs) == ("It is ***.", (), ("key",))


def test_names_of_the_server_are_short() -> None:
    found = parse(reply(finish_reason="st\x1b[31mop\n" * 99) | {"model": "m" * 9999})
    assert found.finish.startswith("st[31mop st[31mop")
    assert len(found.finish) <= 512
    assert found.model == "m" * 512
    assert parse(reply() | {"model": " two  words "}).model == " two  words "


def test_the_other_api_is_read_alike() -> None:
    def tokens(**choice: Any) -> Completion:
        content = json.dumps({"choices": [choice], "usage": {"prompt_tokens": -1}}).encode()
        return parse_generate(HttpResponse(status=200, content=content), CONTEXT)

    found = tokens(text="x\ud83d", token_ids=[7, 2**40], finish_reason="length")
    assert (found.text, found.ids, found.prompt_tokens) == ("x\ufffd", (), 0)
    assert found.repairs == ("surrogates", "token ids", "usage")
    assert tokens(token_ids=[7, 8]).ids == (7, 8)


def test_a_record_from_before_the_repairs_is_read() -> None:
    call = RecordedCall(request=asked(), completion=parse(reply()))
    line = CallCodec().encode(call)
    assert '"repairs":[]' in line
    old = re.sub(r',"repairs":\[\]|"repairs":\[\],', "", line)
    assert "repairs" not in old
    assert CallCodec().decode(old).completion == call.completion
