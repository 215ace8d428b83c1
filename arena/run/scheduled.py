"""A model behind the scheduler: priorities go out with a request, what it found comes back."""

from dataclasses import replace

from arena.errors import DownError
from arena.models.chat import Completion, Request
from arena.run.gate import Gate
from arena.run.open_model import Replica
from arena.schedule.book import Turn
from arena.schedule.forecast import Forecast


class Scheduled:
    """The model of one match at one server."""

    def __init__(self, replica: Replica, gate: Gate, forecast: Forecast, *, match: str) -> None:
        self._replica, self._gate, self._forecast = replica, gate, forecast
        self._match = match

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion; the scheduler hears what was cached of its prompt."""
        probe = request.label.ask.startswith("probe/")
        predicted = self._forecast.cached(request)
        priority = self._gate.priority(self._match, probe=probe)
        try:
            completion = await self._replica.chat.complete(replace(request, priority=priority))
        except DownError:
            self._replica.warm.forget()
            raise
        if completion.retries:
            self._replica.warm.forget()
        self._forecast.keep(request, completion)
        turn = Turn(
            prompt=completion.prompt_tokens,
            output=completion.output_tokens,
            predicted=min(predicted, completion.prompt_tokens),
            # What a server lost that was away says nothing of how much it can hold.
            reported=None if completion.retries else completion.cached_tokens,
        )
        self._gate.learn(self._match, request.label.seat, self._replica.url, turn)
        return completion
