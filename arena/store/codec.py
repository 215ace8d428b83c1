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
    """One line of calls.jsonl. Of the messages, those that the call before it did not end with."""

    model_config = ConfigDict(extra="forbid")
    label: Label
    shared: int
    """Messages at the beginning that the seat's last call, reply included, had as well."""
    messages: tuple[_Said, ...]
    max_tokens: int
    temperature: float
    constraint: Constraint | None
    completion: Completion | None
    error: str


class CallCodec:
    """Calls of one match, each written as what it adds to its seat's call before.

    A reading or a summary is written whole: the seat's log goes on as if it had not been.
    """

    def __init__(self) -> None:
        self._last: dict[str, tuple[Message, ...]] = {}

    def encode(self, call: Call) -> str:
        """Return `call` as one line of JSON."""
        request = call.request
        shared = _common(self._before(request.label), request.messages)
        self._follow(call)
        return _CallLine(
            label=request.label,
            shared=shared,
            messages=tuple(_said(message) for message in request.messages[shared:]),
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            constraint=request.constraint,
            completion=call.completion,
            error=call.error,
        ).model_dump_json()

    def decode(self, line: str) -> Call:
        """Return the call of the next line, with all its messages, or raise `StoreError`."""
        try:
            read = _CallLine.model_validate_json(line)
        except ValidationError as error:
            raise StoreError(f"not a call: {line[:80]!r}") from error
        before = self._before(read.label)[: read.shared]
        if len(before) != read.shared:
            raise StoreError(f"the call before is missing: {line[:80]!r}")
        request = Request(
            label=read.label,
            messages=(*before, *map(_message, read.messages)),
            max_tokens=read.max_tokens,
            temperature=read.temperature,
            constraint=read.constraint,
        )
        call = Call(request=request, completion=read.completion, error=read.error)
        self._follow(call)
        return call

    def _before(self, label: Label) -> tuple[Message, ...]:
        """Return the messages with which the call may begin as the one before it."""
        return () if label.aside else self._last.get(label.seat, ())

    def _follow(self, call: Call) -> None:
        if call.request.label.aside:
            return
        reply = call.completion
        answer = (Message(role="assistant", text=reply.text),) if reply is not None else ()
        self._last[call.request.label.seat] = (*call.request.messages, *answer)


def _common(before: tuple[Message, ...], messages: tuple[Message, ...]) -> int:
    if messages[: len(before)] == before:
        return len(before)
    pairs = zip(before, messages, strict=False)
    return next(
        (n for n, (old, new) in enumerate(pairs) if old != new), min(len(before), len(messages))
    )


def _said(message: Message) -> _Said:
    picture = message.picture.sha256 if message.picture else None
    return _Said(role=message.role, text=message.text, picture=picture)


def _message(said: _Said) -> Message:
    message = Message(role=said.role, text=said.text)
    if said.picture is None:
        return message
    named = Picture(sha256=said.picture, file="", mime="image/png", width=0, height=0)
    return replace(message, picture=named)
