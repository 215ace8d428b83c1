"""Convert model calls of a match to Inspect's messages and model events."""

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Literal

from inspect_ai.event import ModelEvent
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
)

from arena.models.chat import Completion, Message
from arena.models.recording import RecordedCall
from eval.played_match import PlayedMatch
from scripts_mm.image_headers import detect_mime

ReadUri = Callable[[str], str]
"""A function from a picture's content hash to its data URI; raises `RecordError`."""
_MESSAGES = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}
_STOPS: dict[str, Literal["stop", "max_tokens", "unknown"]] = {
    "stop": "stop",
    "length": "max_tokens",
}


def data_uri(data: bytes) -> str:
    """Return a picture as a data URI."""
    return f"data:{detect_mime(data) or 'image/png'};base64,{b64encode(data).decode()}"


class CallEvents:
    """Builder of the model events of one match; equal messages share one object."""

    def __init__(self, match: PlayedMatch, read: ReadUri) -> None:
        """Read pictures with `read`, by their content hash."""
        self._match = match
        self._read = read
        self._messages: dict[tuple[Message, int], ChatMessage] = {}

    def make(self, call: RecordedCall, span: str, when: datetime) -> ModelEvent:
        """Return the event of `call`; raises `RecordError` if one of its pictures is missing."""
        request, completion = call.request, call.completion
        name = request.call_id
        part = next(one for one in self._match.started.parts if one.seat == name.seat)
        served = self._match.summary.model_served.get(part.faction, "")
        model = completion.model if completion and completion.model else served
        return ModelEvent(
            model=model,
            role=f"{name.seat}, {part.faction}",
            input=self._input(request.messages),
            tools=[],
            tool_choice="none",
            config=GenerateConfig(max_tokens=request.max_tokens, temperature=request.temperature),
            output=_output(model, completion, call.error),
            error=call.error or None,
            retries=completion.retries if completion else None,
            working_time=completion.seconds if completion else None,
            span_id=span,
            timestamp=when,
            completed=when,
            metadata={
                "seat": name.seat,
                "request": name.request,
                "attempt": name.attempt,
                "kind": name.kind,
                "chunk": name.chunk,
                "level": name.level,
                "off_path": name.off_path,
            },
        )

    def _input(self, messages: Iterable[Message]) -> list[ChatMessage]:
        """Return the messages of a prompt; equal ones share an id, but only across prompts."""
        seen: Counter[Message] = Counter()
        found: list[ChatMessage] = []
        for message in messages:
            found.append(self._message(message, seen[message]))
            seen[message] += 1
        return found

    def _message(self, message: Message, copy: int) -> ChatMessage:
        key = (message, copy)
        if key not in self._messages:
            made = _MESSAGES[message.role]
            self._messages[key] = made(id=f"m{len(self._messages)}", content=self._content(message))
        return self._messages[key]

    def _content(self, message: Message) -> str | list[Content]:
        if message.picture is None:
            return message.text
        image = ContentImage(image=self._read(message.picture.sha256))
        return [ContentText(text=message.text), image] if message.text else [image]


def model_usage(completion: Completion) -> ModelUsage:
    """Return the tokens of a completion."""
    return ModelUsage(
        input_tokens=completion.prompt_tokens,
        output_tokens=completion.output_tokens,
        total_tokens=completion.prompt_tokens + completion.output_tokens,
        input_tokens_cache_read=completion.cached_tokens,
    )


def _output(model: str, completion: Completion | None, error: str) -> ModelOutput:
    if completion is None:
        return ModelOutput(model=model, error=error)
    said = ChatMessageAssistant(content=completion.text, model=model, source="generate")
    stop = _STOPS.get(completion.finish, "unknown")
    return ModelOutput(
        model=model,
        choices=[ChatCompletionChoice(message=said, stop_reason=stop)],
        usage=model_usage(completion),
        time=completion.seconds,
    )
