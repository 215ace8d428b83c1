"""Lines of calls: each call comes back with all its messages."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import RecordError
from arena.models.chat import (
    CallId,
    ChoiceConstraint,
    Completion,
    JsonConstraint,
    JsonField,
    Message,
    Request,
)
from arena.models.recording import RecordedCall
from arena.records import call_codec
from arena.records.call_codec import CallCodec
from tests.table import picture

CONSTRAINTS = (
    None,
    ChoiceConstraint(options=("Ada", "Bram")),
    JsonConstraint(
        fields=(JsonField(name="share", max_chars=9), JsonField(name="to", options=("A",)))
    ),
)


def completion(text: str, **values: Any) -> Completion:
    return Completion(
        text=text,
        finish="stop",
        prompt_tokens=3,
        output_tokens=2,
        cached_tokens=None,
        seconds=0.5,
        **values,
    )


def call(messages: tuple[Message, ...], request: str = "r1") -> RecordedCall:
    asked = Request(
        call_id=CallId(seat="Ada", request=request),
        messages=messages,
        max_tokens=9,
        temperature=0.7,
    )
    return RecordedCall(request=asked, completion=completion("ok"))


def user(text: str) -> Message:
    return Message(role="user", text=text)


@st.composite
def conversations(draw: st.DrawFn) -> list[RecordedCall]:
    """Return calls of two seats whose prompts go on, begin again, or are no part of a log."""
    logs: dict[str, tuple[Message, ...]] = {"Ada": (), "Bram": ()}
    calls: list[RecordedCall] = []
    for number in range(draw(st.integers(1, 8))):
        seat = draw(st.sampled_from(sorted(logs)))
        kind = draw(st.sampled_from(("thought", "reply", "reading", "summary")))
        start = logs[seat][: draw(st.integers(0, len(logs[seat])))]
        texts = draw(st.lists(st.text(max_size=5), min_size=1, max_size=3))
        messages = (*start, *map(user, texts))
        request = Request(
            call_id=CallId(seat=seat, request=f"r{number}", kind=kind, attempt=number + 1),
            messages=messages,
            max_tokens=draw(st.integers(1, 99)),
            temperature=draw(st.floats(0, 2)),
            constraint=draw(st.sampled_from(CONSTRAINTS)),
        )
        reply = completion(
            draw(st.text(max_size=5)), ids=(1, 2), probabilities=(("Ada", 0.5),), retries=1
        )
        failed = draw(st.booleans())
        calls.append(
            RecordedCall(request=request, error="too long")
            if failed
            else RecordedCall(request=request, completion=reply)
        )
        answer = () if failed else (Message(role="assistant", text=reply.text),)
        logs[seat] = (*messages, *answer)
    return calls


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(calls=conversations())
def test_calls_come_back_as_they_were(calls: list[RecordedCall]) -> None:
    writer, reader = CallCodec(), CallCodec()
    assert [reader.decode(writer.encode(one)) for one in calls] == calls


def test_a_call_is_written_as_what_it_adds_to_the_one_before() -> None:
    codec = CallCodec()
    first = call((user("a"), user("b")))
    answered = (*first.request.messages, Message(role="assistant", text="ok"), user("c"))
    codec.encode(first)
    line = json.loads(codec.encode(call(answered, request="r2")))
    assert line["shared"] == 3
    assert [message["text"] for message in line["messages"]] == ["c"]


def test_an_auxiliary_call_is_written_in_full_and_the_log_goes_on_without_it() -> None:
    codec, log = CallCodec(), (user("a"),)
    codec.encode(call(log))
    reading = replace(
        call(log).request, call_id=CallId(seat="Ada", request="r1", kind="reading", chunk="p")
    )
    line = codec.encode(RecordedCall(request=reading, completion=completion("a boat")))
    assert json.loads(line)["shared"] == 0
    answered = (*log, Message(role="assistant", text="ok"), user("b"))
    assert json.loads(codec.encode(call(answered, request="r2")))["shared"] == 2


def test_a_picture_is_written_as_the_hash_of_its_content() -> None:
    shown = Message(role="user", text="look", picture=picture(7))
    line = CallCodec().encode(call((shown,)))
    back = CallCodec().decode(line).request.messages[0].picture
    assert picture(7).file not in line
    assert back is not None
    assert back.sha256 == picture(7).sha256


LINE = CallCodec().encode(call((user("a"),)))


def changed(**values: Any) -> str:
    return json.dumps({**json.loads(LINE), **values})


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{}",
        LINE[:-1],
        changed(schema=1),
        changed(schema=4),
        changed(shared=1),
        changed(shared=-1),
        changed(shared=10**20),
        changed(shared="0"),
        changed(messages=None),
        changed(messages=[{"role": "king", "text": "a"}]),
        changed(messages=[{"role": "user", "text": "\ud800"}]),
        changed(completion=None),
        changed(error="both"),
        changed(call_id={"seat": "Ada"}),
        changed(call_id="Ada"),
        changed(constraint={"options": "Ada"}),
        changed(constraint={"nothing": []}),
        changed(temperature="hot"),
        changed(label={}),
    ],
)
def test_a_hostile_call_is_refused_in_one_sentence(line: str) -> None:
    with pytest.raises(RecordError) as refused:
        CallCodec().decode(line)
    assert "\n" not in str(refused.value)


def test_a_call_whose_predecessor_is_missing_is_refused() -> None:
    codec = CallCodec()
    codec.encode(call((user("a"),)))
    second = codec.encode(call((user("a"), Message(role="assistant", text="ok"), user("b"))))
    with pytest.raises(RecordError, match="shares 2 messages with the one before, which has 0"):
        CallCodec().decode(second)


def test_the_messages_of_all_calls_count_shared_ones_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_codec, "_MAX_MESSAGES", 5)
    writer, codec = CallCodec(), CallCodec()
    log = (user("a"), user("b"))
    codec.decode(writer.encode(call(log)))
    last = writer.encode(call((*log, Message(role="assistant", text="ok"), user("c")), "r2"))
    with pytest.raises(RecordError, match="more than 5 messages"):
        codec.decode(last)
