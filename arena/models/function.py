"""A model that is a function: what tests of players and runners stand on."""

from collections.abc import Callable

from arena.models.chat import Completion, Request


class FunctionModel:
    """Answers with whatever `reply` makes of the request."""

    def __init__(self, reply: Callable[[Request], str]) -> None:
        self._reply = reply

    async def complete(self, request: Request) -> Completion:
        """Return the reply at once, with invented token counts; `reply`'s errors pass through."""
        text = self._reply(request)
        return Completion(
            text=text,
            finish="stop",
            prompt_tokens=sum(1 + len(message.text) // 4 for message in request.messages),
            output_tokens=1 + len(text) // 4,
            cached_tokens=None,
            seconds=0.0,
            model="function",
        )
