"""How a request is written."""

import asyncio
import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.models.api.capabilities import UnsupportedFeatures
from arena.models.api.chat_serialization import MessageJsonCache, serialize
from arena.models.api.constraints import build_json_schema
from arena.models.api.media_cache import DataUrlCache
from arena.models.api.request_params import RequestParams
from arena.models.chat import JsonConstraint, JsonField, Message, Request
from scripts_mm.script import Picture
from tests.arena.models.conversation import FORM, asked

TERMS = RequestParams(unsupported=frozenset(), max_tokens=7, is_vllm=True)


def picture(number: int) -> Picture:
    return Picture(sha256=f"{number}", file=f"{number}.png", mime="image/png", width=1, height=1)


def loaded(urls: DataUrlCache, number: int) -> bytes:
    return asyncio.run(urls.load([picture(number)]))[f"{number}"]


def spelt(request: Request, *, refused: UnsupportedFeatures = frozenset()) -> dict[str, Any]:
    terms = RequestParams(unsupported=refused, max_tokens=7, is_vllm=True)
    return json.loads(serialize(request, "m", terms, {}, MessageJsonCache()).body)


def test_the_token_limit_is_that_of_the_terms_and_there_is_never_a_seed() -> None:
    body = spelt(asked(constraint=FORM))
    assert body["max_tokens"] == 7
    assert "seed" not in body


def test_the_same_request_is_always_the_same_bytes() -> None:
    first, second = (serialize(asked("谁？"), "m", TERMS, {}, MessageJsonCache()) for _ in range(2))
    assert first == second
    assert "谁？".encode() in first.body


def test_a_form_is_an_object_of_exactly_its_properties_in_order() -> None:
    form = build_json_schema(FORM)
    assert list(form["properties"]) == form["required"] == ["target", "question", "thought"]
    good = {"target": "Ben", "question": "Where?", "thought": "Hm"}
    jsonschema.validate(good, form)
    bad: list[dict[str, str]] = [
        {"target": "Ben", "question": "Where?"},
        {**good, "more": "x"},
        {**good, "target": "Dora"},
        {**good, "question": ""},
        {**good, "question": "w" * 21},
    ]
    for reply in bad:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(reply, form)
    jsonschema.validate({**good, "thought": "w" * 9999}, form)


@pytest.mark.slow
@given(st.lists(st.text(min_size=1), min_size=1, max_size=5, unique=True))
def test_every_form_is_a_valid_schema(names: list[str]) -> None:
    form = JsonConstraint(
        fields=tuple(JsonField(name=name, options=tuple(names)) for name in names)
    )
    jsonschema.Draft202012Validator.check_schema(build_json_schema(form))


def test_a_message_is_written_once_while_it_is_remembered() -> None:
    texts = MessageJsonCache(max_bytes=100)
    first, second, third = (Message(role="user", text=f"{number}" * 20) for number in range(3))
    once = texts(first)
    assert texts(Message(role="user", text="0" * 20)) is once
    texts(second)
    assert texts(first) is once
    texts(third)
    assert texts(first) is once
    for other in (second, third):
        texts(other)
    assert texts(first) is not once
    assert texts(first) == once


def test_replies_of_the_same_words_are_written_alike_whatever_their_tokens() -> None:
    said = [Message(role="assistant", text="No.", ids=(number,)) for number in range(2)]
    texts = MessageJsonCache()
    assert texts(said[0]) is texts(said[1])


def test_a_picture_is_read_once_while_it_is_remembered() -> None:
    read: list[str] = []

    def reader(picture: Picture) -> bytes:
        read.append(picture.sha256)
        return b"x" * 30

    urls = DataUrlCache(reader, max_chars=130)
    for number in (1, 2, 1, 3, 1, 2):
        assert loaded(urls, number) == b"data:image/png;base64," + b"eHh4" * 10
    assert read == ["1", "2", "3", "2"]


def test_a_picture_larger_than_the_cache_is_read_each_time() -> None:
    read: list[str] = []

    def reader(picture: Picture) -> bytes:
        read.append(picture.sha256)
        return b"x" * 3000

    urls = DataUrlCache(reader, max_chars=130)
    assert loaded(urls, 1) == loaded(urls, 1)
    assert read == ["1", "1"]


def test_a_picture_that_cannot_be_read_is_the_readers_error() -> None:
    def reader(picture: Picture) -> bytes:
        raise FileNotFoundError(picture.file)

    with pytest.raises(FileNotFoundError, match=r"1\.png"):
        loaded(DataUrlCache(reader), 1)
