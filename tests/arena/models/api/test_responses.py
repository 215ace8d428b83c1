"""What is made of an error, whatever it looks like."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from pydantic_core import from_json

from arena.models.api.completions import ReplyContext, parse_chat, parse_generate
from arena.models.api.first_token import parse_first_token
from arena.models.http import responses

CONTEXT = ReplyContext(max_tokens=100, model="m", seconds=0)
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


def errors_of(content: bytes) -> list[int]:
    """Return the numbers of errors that the readers of a 200 find in `content`."""
    response = responses.HttpResponse(status=200, content=content)
    readers: tuple[Callable[[], object], ...] = (
        lambda: responses.ModelList.model_validate_json(content),
        lambda: responses.TokenizeResponse.model_validate_json(content),
        lambda: parse_chat(response, CONTEXT),
        lambda: parse_generate(response, CONTEXT),
        lambda: parse_first_token(response),
    )
    found: list[int] = []
    for read in readers:
        try:
            read()
        except ValidationError as error:
            found.append(error.error_count())
    return found


@pytest.mark.parametrize("item", ["{}", "1.5", '""', "[]"])
@pytest.mark.parametrize(
    "body",
    [
        '{"data": [LIST]}',
        '{"tokens": [LIST]}',
        '{"choices": [LIST]}',
        '{"choices": [{"message": {}, "logprobs": {"content": [LIST]}}]}',
        '{"choices": [{"logprobs": {"content": [{"logprob": 1, "top_logprobs": [LIST]}]}}]}',
    ],
)
def test_a_list_of_wrong_items_is_refused_at_the_first(body: str, item: str) -> None:
    errors = errors_of(body.replace("LIST", ",".join([item] * 1000)).encode())
    assert errors
    assert max(errors) < 10


@pytest.mark.slow
@pytest.mark.parametrize("body", ['{"detail": [LIST]}', '{"detail": [{"msg": "", "loc": [LIST]}]}'])
def test_a_message_with_two_million_wrong_items_is_read_in_bounded_time(body: str) -> None:
    content = body.replace("LIST", ",".join(["[]"] * 2_000_000)).encode()

    def seconds(read: Callable[[bytes], object]) -> float:
        began = time.thread_time()
        read(content)
        return time.thread_time() - began

    # Side by side, so that a busy machine slows both: an error of each item takes 15 times as long
    # as to read the JSON.
    assert seconds(responses.parse_error) < 8 * max(seconds(from_json), seconds(from_json))


def test_a_list_of_models_has_an_end() -> None:
    def listing(number: int) -> bytes:
        return json.dumps({"data": [{"id": "m"}] * number}).encode()

    assert len(responses.ModelList.model_validate_json(listing(10_000)).data) == 10_000
    with pytest.raises(ValidationError, match="at most 10000"):
        responses.ModelList.model_validate_json(listing(10_001))


def test_of_many_validation_errors_the_first_are_quoted() -> None:
    said = responses.parse_error(json.dumps({"detail": [PLACE] * 21}).encode())
    assert said.count("body.uuid: Extra inputs") == 20
    assert "script" not in said
