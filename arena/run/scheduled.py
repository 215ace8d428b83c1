"""A model behind the scheduler: priorities go out with a request, what it found comes back."""

from dataclasses import replace

from arena.models.chat import ChatModel, Completion, Request
from arena.run.gate import Gate
from arena.schedule.book import Turn
from arena.schedule.forecast import Forecast


class Scheduled:
    """The model of one match at one endpoint."""

    def __init__(
        self, model: ChatModel, gate: Gate, forecast: Forecast, *, match: str, endpoint: str
    ) -> None:
        self._model, self._gate, self._forecast = model, gate, forecast
        self._match, self._endpoint = match, endpoint

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion; the scheduler hears what was cached of its prompt."""
        probe = request.label.ask.startswith("probe/")
        predicted = self._forecast.cached(request)
        priority = self._gate.priority(self._match, probe=probe)
        completion = await self._model.complete(replace(request, priority=priority))
        self._forecast.keep(request, completion)
        turn = Turn(
            prompt=completion.prompt_tokens,
            output=completion.output_tokens,
            predicted=min(predicted, completion.prompt_tokens),
            reported=completion.cached_tokens,
        )
        self._gate.learn(self._match, request.label.seat, self._endpoint, turn)
        return completion
