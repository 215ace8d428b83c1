"""Events and calls as lines of JSON. The only file that knows how they look on disk."""

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from arena.core.events import Event
from arena.errors import StoreError
from arena.models.chat import Completion, Constraint, Label, Message, Request
from arena.models.recording import Call
from scripts_mm.script import Picture

_EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])


def encode_event(event: Event) -> str:
    """Return `event` as one line of JSON."""
    return _EVENT.dump_json(event).decode()


def decode_event(line: str) -> Event:
    """Return the event of one line, or raise `StoreError`."""
    try:
        return _EVENT.validate_json(line)
    except ValidationError as error:
        raise StoreError(f"not an event: {line[:80]!r}") from error


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid")
    role: Literal["system", "user", "assistant"]
    text: str
    picture: str | None = None
    """Its content hash."""


class _CallLine(BaseModel):
    """One line of calls.jsonl. Of the messages, those that the log did not hold before."""

    model_config = ConfigDict(extra="forbid")
    label: Label
    shared: int
    messages: tuple[_Said, ...]
    max_tokens: int
    temperature: float
    constraint: Constraint | None
    completion: Completion | None
    error: str


def encode_call(call: Call) -> str:
    """Return `call` as one line of JSON; of its messages only those that are new."""
    request = call.request
    return _CallLine(
        label=request.label,
        shared=request.shared,
        messages=tuple(_said(message) for message in request.messages[request.shared :]),
        max_tokens=request.max_tokens,
        temperature=request.temperature,
        constraint=request.constraint,
        completion=call.completion,
        error=call.error,
    ).model_dump_json(exclude_none=False)


def decode_call(line: str) -> Call:
    """Return the call of one line, with the new messages alone, or raise `StoreError`."""
    try:
        read = _CallLine.model_validate_json(line)
    except ValidationError as error:
        raise StoreError(f"not a call: {line[:80]!r}") from error
    request = Request(
        label=read.label,
        messages=tuple(_message(said) for said in read.messages),
        shared=read.shared,
        max_tokens=read.max_tokens,
        temperature=read.temperature,
        constraint=read.constraint,
    )
    return Call(request=request, completion=read.completion, error=read.error)


def _said(message: Message) -> _Said:
    picture = message.picture.sha256 if message.picture else None
    return _Said(role=message.role, text=message.text, picture=picture)


def _message(said: _Said) -> Message:
    message = Message(role=said.role, text=said.text)
    if said.picture is None:
        return message
    named = Picture(sha256=said.picture, file="", mime="image/png", width=0, height=0)
    return replace(message, picture=named)
