"""What is made of an answer, whatever it looks like."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.models import responses


def read(reply: object) -> tuple[str, str, int, int, int | None, str]:
    found = responses.parse_chat(json.dumps(reply).encode(), model="asked", seconds=1)
    return (
        found.text,
        found.finish,
        found.prompt_tokens,
        found.output_tokens,
        found.cached_tokens,
        found.model,
    )


def test_a_reply_is_read_with_all_that_it_costs() -> None:
    choice = {"message": {"content": "Ben", "role": "assistant"}, "finish_reason": "length"}
    usage: dict[str, Any] = {
        "prompt_tokens": 9,
        "completion_tokens": 2,
        "prompt_tokens_details": {"cached_tokens": 0},
    }
    reply = {"model": "served", "choices": [choice], "usage": usage, "extra": 1}
    assert read(reply) == ("Ben", "length", 9, 2, 0, "served")


def test_an_empty_reply_is_a_reply() -> None:
    assert read({"choices": []}) == ("", "", 0, 0, None, "asked")
    silent = {"message": {"content": None}, "finish_reason": None}
    assert read({"choices": [silent], "usage": {"prompt_tokens_details": None}})[0] == ""


@pytest.mark.parametrize(
    "reply", [b"", b"{}", b"[]", b'"hi"', b"null", b'{"choices": null}', b'{"choices": [{}]}']
)
def test_what_is_no_reply_is_refused(reply: bytes) -> None:
    with pytest.raises(ValueError, match="validation error"):
        responses.parse_chat(reply, model="asked", seconds=1)


PLACE = {"loc": ["body", "uuid"], "msg": "Extra inputs", "input": "a whole private script"}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": "Unauthorized"}, "Unauthorized"),
        ({"error": {"message": "no such\nfield", "param": "uuid"}}, "no such field (uuid)"),
        ({"error": {"message": "no uuid", "param": "uuid", "code": 400}}, "no uuid"),
        ({"detail": "Not Found"}, "Not Found"),
        ({"detail": [PLACE, PLACE]}, "body.uuid: Extra inputs; body.uuid: Extra inputs"),
        ({"message": "overloaded", "error": None}, "overloaded"),
        ({"status": "down"}, '{"status": "down"}'),
        ([1, 2], "[1, 2]"),
    ],
)
def test_the_fault_is_taken_from_where_the_server_puts_it(body: Any, said: str) -> None:
    assert responses.parse_error(json.dumps(body).encode()) == said


@given(st.binary(max_size=300))
def test_whatever_a_server_sends_becomes_one_clean_line(content: bytes) -> None:
    said = responses.parse_error(content)
    assert said.isprintable()
    assert said == said.strip()


@pytest.mark.parametrize(
    ("content", "is_json"), [(b"{}", True), (b"<html>", False), (b"[]", False)]
)
def test_a_web_page_is_no_api(content: bytes, is_json: bool) -> None:
    assert responses.is_json(content) is is_json
