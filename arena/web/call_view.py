"""Model calls of one request: the seat's prompt, thought and reply."""

from dataclasses import dataclass

from arena.models.chat import Message
from arena.models.recording import RecordedCall
from arena.records.match_record import MatchRecord
from arena.web.page_messages import PAGE_MESSAGES
from scripts_mm.script import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class CallView:
    """One call on a page."""

    title: str
    cost: str
    """Empty: the model did not answer."""
    messages: tuple[Message, ...]
    reply: str
    is_thought: bool


def calls_of(record: MatchRecord, request: str, language: Language) -> tuple[CallView, ...]:
    """Return the calls of a request, in order; raises `RecordError`."""
    return tuple(
        _view(call, language) for name, call in record.calls().items() if name.request == request
    )


def _view(call: RecordedCall, language: Language) -> CallView:
    name, done = call.request.call_id, call.completion
    kind = name.kind if not name.chunk else f"{name.kind} {name.chunk}"
    cost = ""
    if done is not None:
        cached = "?" if done.cached_tokens is None else f"{done.cached_tokens:,}"
        cost = PAGE_MESSAGES["tokens"][language].format(
            prompt=f"{done.prompt_tokens:,}",
            cached=cached,
            output=f"{done.output_tokens:,}",
            seconds=f"{done.seconds:.1f}",
        )
    return CallView(
        title=f"{name.seat}: {kind}, {name.attempt}",
        cost=cost,
        messages=call.request.messages,
        reply=done.text if done else f"{PAGE_MESSAGES['refused'][language]}: {call.error}",
        is_thought=name.kind == "thought",
    )
