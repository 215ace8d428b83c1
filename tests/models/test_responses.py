"""What is made of an error, whatever it looks like."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.models import responses

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
