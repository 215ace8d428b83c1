"""Model calls as JSON lines; each line stores only what it adds to the seat's previous call."""

from dataclasses import dataclass, replace
from typing import Final, Literal

from arena.errors import RecordError
from arena.models.chat import CallId, Completion, Constraint, Message, Request
from arena.models.recording import RecordedCall
from arena.records.record_schema import JsonCodec
from scripts_mm.script import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class _MessageLine:
    role: Literal["system", "user", "assistant"]
    text: str
    picture: str | None = None
    """Content hash of the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _CallLine:
    call_id: CallId
    shared: int
    """Number of leading messages that equal those of the seat's last call and its reply."""
    messages: tuple[_MessageLine, ...]
    """Messages after the shared ones."""
    max_tokens: int
    temperature: float
    constraint: Constraint | None
    completion: Completion | None
    error: str


_MAX_MESSAGES: Final = 20_000_000
"""Maximum messages over all calls of a match, each counted with its whole prompt: 160 MB of
references.
"""

_CALL: Final = JsonCodec[_CallLine](_CallLine, "a call")


class CallCodec:
    """Codec of one match's calls, in file order.

    A call of kind `reading` or `summary` is written in full: it is not part of the seat's log. A
    `step` shares the messages of the log, but the next call does not continue it.
    """

    def __init__(self) -> None:
        """Begin at the first call."""
        self._last: dict[str, tuple[Message, ...]] = {}
        self._decoded = 0
        """Messages of all decoded calls."""

    def encode(self, call: RecordedCall) -> str:
        """Return `call` as one line of JSON."""
        request = call.request
        shared = _count_shared(self._before(request.call_id), request.messages)
        self._follow(call)
        return _CALL.encode(
            _CallLine(
                call_id=request.call_id,
                shared=shared,
                messages=tuple(map(_to_line, request.messages[shared:])),
                max_tokens=request.max_tokens,
                temperature=request.temperature,
                constraint=request.constraint,
                completion=call.completion,
                error=call.error,
            )
        )

    def decode(self, line: str) -> RecordedCall:
        """Return the call of the next line, with all its messages, or raise `RecordError`."""
        found = _CALL.decode(line)
        if (found.completion is None) == (found.error == ""):
            raise RecordError("a call needs a completion or an error, and not both")
        before = self._before(found.call_id)
        if not 0 <= found.shared <= len(before):
            raise RecordError(
                f"a call shares {found.shared} messages with the one before, which has "
                f"{len(before)}"
            )
        self._decoded += found.shared + len(found.messages)
        if self._decoded > _MAX_MESSAGES:
            raise RecordError(f"the calls have more than {_MAX_MESSAGES} messages")
        request = Request(
            call_id=found.call_id,
            messages=(*before[: found.shared], *map(_from_line, found.messages)),
            max_tokens=found.max_tokens,
            temperature=found.temperature,
            constraint=found.constraint,
        )
        call = RecordedCall(request=request, completion=found.completion, error=found.error)
        self._follow(call)
        return call

    def _before(self, call_id: CallId) -> tuple[Message, ...]:
        """Return the messages of the previous call that this call can share."""
        return () if call_id.is_auxiliary else self._last.get(call_id.seat, ())

    def _follow(self, call: RecordedCall) -> None:
        if call.request.call_id.is_auxiliary or call.request.call_id.kind == "step":
            return
        reply = call.completion
        answer = (Message(role="assistant", text=reply.text),) if reply is not None else ()
        self._last[call.request.call_id.seat] = (*call.request.messages, *answer)


def _count_shared(before: tuple[Message, ...], messages: tuple[Message, ...]) -> int:
    pairs = zip(before, messages, strict=False)
    return next(
        (n for n, (old, new) in enumerate(pairs) if old != new), min(len(before), len(messages))
    )


def _to_line(message: Message) -> _MessageLine:
    picture = message.picture.sha256 if message.picture else None
    return _MessageLine(role=message.role, text=message.text, picture=picture)


def _from_line(line: _MessageLine) -> Message:
    message = Message(role=line.role, text=line.text)
    if line.picture is None:
        return message
    picture = Picture(sha256=line.picture, file="", mime="image/png", width=0, height=0)
    return replace(message, picture=picture)
