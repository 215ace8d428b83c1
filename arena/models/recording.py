"""Recording of model calls, and replay of recorded calls."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from arena.errors import ContextLengthError, ModelError, RecordError
from arena.models.chat import CallId, ChatModel, Completion, Message, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """Model call with its result: a completion, or the message of a `ContextLengthError`."""

    request: Request
    """Request of the player."""
    completion: Completion | None = None
    error: str = ""

    def __post_init__(self) -> None:
        """Reject a call with both results or with none."""
        if (self.completion is None) == (self.error == ""):
            raise ValueError(f"call {self.request.call_id} needs a completion or an error")


class NotRecordedError(ModelError):
    """A player that restores its memory made a call that is not in the record."""


class RecordedCalls:
    """Recorded calls of one match, which are not made again.

    They are those of earlier processes, and those of open requests: a request is tried again if the
    server fails one of its calls.
    """

    def __init__(self, calls: Mapping[CallId, RecordedCall]) -> None:
        """Store the recorded `calls` of earlier processes by their id."""
        self._calls = calls
        self._made: dict[CallId, RecordedCall] = {}
        """Calls of open requests that this process made."""
        self._is_restoring = False

    def add(self, call: RecordedCall) -> None:
        """Add a call of this process."""
        self._made[call.request.call_id] = call

    def forget_made(self) -> None:
        """Forget the added calls: their requests are decided."""
        self._made.clear()

    @contextmanager
    def restoring(self) -> Generator[None]:
        """Refuse, while the block runs, every call that is not recorded."""
        self._is_restoring = True
        try:
            yield
        finally:
            self._is_restoring = False

    def find(self, call_id: CallId) -> RecordedCall | None:
        """Return a recorded call; None: it is new.

        Raises `NotRecordedError` for a new call while players restore their memory.
        """
        call = self._calls.get(call_id) or self._made.get(call_id)
        if call is None and self._is_restoring:
            raise NotRecordedError(f"call {call_id} is not recorded")
        return call


class RecordingModel:
    """Chat model that saves every completion and every `ContextLengthError`.

    It saves a call before the player uses the result, so that a resumed match repeats no call that
    had an effect.
    """

    def __init__(self, model: ChatModel, *, save: Callable[[RecordedCall], None]) -> None:
        self._model = model
        self._save = save

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion, after saving it."""
        try:
            completion = await self._model.complete(request)
        except ContextLengthError as error:
            self._save(RecordedCall(request=request, error=str(error)))
            raise
        self._save(RecordedCall(request=request, completion=completion))
        return completion


class ReplayingModel:
    """Chat model that answers recorded calls from the record, and passes others to `model`."""

    def __init__(self, model: ChatModel, *, calls: RecordedCalls) -> None:
        self._model = model
        self._calls = calls

    async def complete(self, request: Request) -> Completion:
        """Return the recorded completion, or the model's.

        `RecordError` if the record has other messages under this id: it belongs to another run.
        """
        call = self._calls.find(request.call_id)
        if call is None:
            return await self._model.complete(request)
        _check_same(request, call.request)
        if call.completion is None:
            raise ContextLengthError(call.error)
        return call.completion


def _check_same(request: Request, recorded: Request) -> None:
    if _comparable(request.messages) != _comparable(recorded.messages):
        call = request.call_id
        raise RecordError(
            f"the record does not fit: seat {call.seat!r} sends the model other messages for "
            f"{call.request!r} (attempt {call.attempt}, {call.kind}) than were recorded; start a "
            "new run"
        )


def _comparable(messages: tuple[Message, ...]) -> list[tuple[str, str, str]]:
    # The content hash identifies a picture; its file name may differ.
    return [
        (message.role, message.text, message.picture.sha256 if message.picture else "")
        for message in messages
    ]
