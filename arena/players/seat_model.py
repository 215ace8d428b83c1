"""Model of one seat: its prompt log, and prompts that fit its context."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.errors import ContextLengthError, UnanswerableError
from arena.models.chat import ChatModel, Message, Request
from arena.players.context.prompt_builder import MAX_SHRINKS, PromptBuilder, PromptRequest
from arena.players.model_limits import ModelLimits
from arena.players.prompt_log import Prompt
from arena.players.prompting import Prompting, PromptingOptions

T = TypeVar("T")


class SeatModel:
    """A model with the prompt log of a seat; one object per seat and match.

    Excerpts of an observation, and observations of an onlooker, have separate prompt builders:
    their prompts never enter the log of the seat.
    """

    def __init__(self, model: ChatModel, options: PromptingOptions, limits: ModelLimits) -> None:
        """Call `model`; `limits` already reflect the options for pictures and context."""
        self.model = model
        self.prompting = Prompting(options=options, limits=limits)
        self._log = PromptBuilder(model, limits)
        self._apart = {
            "onlooker": PromptBuilder(model, limits, reader="onlooker"),
            "excerpt": PromptBuilder(model, limits, share_with=self._log),
        }

    def builder(self, observation: Observation, *, excerpt: bool = False) -> PromptBuilder:
        """Return the prompt builder for an observation, or for an `excerpt` of one."""
        if observation.is_onlooker:
            return self._apart["onlooker"]
        return self._apart["excerpt"] if excerpt else self._log

    async def with_prompt(
        self,
        builder: PromptBuilder,
        observation: Observation,
        request: DecisionRequest,
        wanted: PromptRequest,
        use: Callable[[Prompt], Awaitable[T]],
    ) -> tuple[Prompt, T]:
        """Return a prompt that the server accepts, and the result of `use` on it.

        Raises `ModelError` if no prompt fits, or if the model gives no reply.
        """
        while True:
            prompt: Prompt | None = None
            try:
                prompt = await builder.build(observation, request, wanted)
                return prompt, await use(prompt)
            except ContextLengthError as error:
                wanted = _shrink(builder, request, wanted, prompt, error)

    async def complete(self, call: Request) -> Message:
        """Return the model's reply to one call."""
        completion = await self.model.complete(call)
        return Message(role="assistant", text=completion.text, ids=completion.ids)


def _shrink(
    builder: PromptBuilder,
    request: DecisionRequest,
    wanted: PromptRequest,
    prompt: Prompt | None,
    error: ContextLengthError,
) -> PromptRequest:
    """Return the request after a refusal; without `prompt` the server refused an auxiliary call."""
    level = max(1, wanted.level) if prompt is None else prompt.level
    if level == MAX_SHRINKS:
        raise UnanswerableError(
            f"{request.seat}'s prompt does not fit even with little of the log: {error}"
        ) from error
    refused = wanted.refused
    if not wanted.refusals and prompt is not None:
        refused = builder.count_tokens(prompt) + wanted.reply
    return replace(wanted, level=level + 1, refused=refused, refusals=wanted.refusals + 1)
