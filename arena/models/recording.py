"""Calls that are kept, and calls that are answered from what was kept."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from arena.errors import ContextError, StoreError
from arena.models.chat import ChatModel, Completion, Label, Message, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call and how it ended: a completion, or the words of a `ContextError`."""

    request: Request
    """As it was asked."""
    completion: Completion | None = None
    error: str = ""

    def __post_init__(self) -> None:
        """Refuse a call that ended in both ways or in none."""
        if (self.completion is None) == (self.error == ""):
            raise ValueError(f"call {self.request.label} needs a completion or an error")


class Recorded:
    """Hands every call that was answered, and every prompt that was too long, to `keep`.

    What was kept before the answer is used cannot be asked again after a crash.
    """

    def __init__(self, model: ChatModel, *, keep: Callable[[Call], None]) -> None:
        self._model = model
        self._keep = keep

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion, after it was kept."""
        try:
            completion = await self._model.complete(request)
        except ContextError as error:
            self._keep(Call(request=request, error=str(error)))
            raise
        self._keep(Call(request=request, completion=completion))
        return completion


class Recalled:
    """Answers from `calls`; asks `model` only for what is not among them."""

    def __init__(self, model: ChatModel, *, calls: Mapping[Label, Call]) -> None:
        self._model = model
        self._calls = calls

    async def complete(self, request: Request) -> Completion:
        """Return the completion that was kept, or the model's.

        `StoreError`: under this label something else was asked, so the record is of another run.
        """
        call = self._calls.get(request.label)
        if call is None:
            return await self._model.complete(request)
        _check(request, call.request)
        if call.completion is None:
            raise ContextError(call.error)
        return call.completion


def _check(asked: Request, kept: Request) -> None:
    if _content(asked.messages) != _content(kept.messages):
        label = asked.label
        raise StoreError(
            f"the record does not fit: seat {label.seat!r} asks the model something else for "
            f"{label.ask!r} (attempt {label.attempt}, {label.part}) than was recorded; "
            "start a new run"
        )


def _content(messages: tuple[Message, ...]) -> list[tuple[str, str, str]]:
    # A picture is named by its content: under which file name it was kept does not matter.
    return [
        (message.role, message.text, message.picture.sha256 if message.picture else "")
        for message in messages
    ]
