"""Model that is a function, for tests of players and runs."""

from collections.abc import Callable

from arena.models.chat import Completion, Request


class FunctionModel:
    """Chat model that computes its text with a function."""

    def __init__(self, reply: Callable[[Request], str]) -> None:
        self._reply = reply

    async def complete(self, request: Request) -> Completion:
        """Return the function's text, with estimated token counts; its errors propagate."""
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
