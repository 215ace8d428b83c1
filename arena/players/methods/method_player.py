"""Base of players with a method: steps before a reply, and rules about them."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random

from arena.core.action_validation import Invalid, validate
from arena.core.actions import Action, Reply, Skip, UnparsedReply
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.core.specs import ActionSpec
from arena.models.chat import ChatModel
from arena.players.methods.method_steps import StepMemory, Turn
from arena.players.model_limits import ModelLimits
from arena.players.model_player import ModelPlayer, is_own_answer
from arena.players.player import Answer
from arena.players.prompting import PromptingOptions
from arena.players.seat_model import SeatModel

Method = Callable[[Turn], Awaitable[Action]]
"""Answers one request with steps and rules."""


class MethodPlayer:
    """A player with a method for some requests; it answers all others like `direct`.

    Its memory between turns must follow from its observations and the replies to its calls, so that
    a resumed match gives it the same memory: `restore` replays every turn with the recorded calls.
    """

    def __init__(self, model: ChatModel, options: PromptingOptions, limits: ModelLimits) -> None:
        """Play with `model`; `limits` already reflect the options for pictures and context."""
        self.seat = SeatModel(model, options, limits)
        self.direct = ModelPlayer(model, options, limits, seat=self.seat)
        self._steps = StepMemory()

    @abstractmethod
    def method(self, observation: Observation, request: DecisionRequest) -> Method | None:
        """Return the method for a request; None: answer it like `direct`."""
        raise NotImplementedError

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the answer of the method, or raise `ModelError` if the model gives none."""
        is_silent = request.is_probe or request.onlooker
        method = None if is_silent else self.method(observation, request)
        if method is None:
            return await self.direct.act(observation, request, chance)
        turn = Turn(self.seat, self._steps, observation, request, chance)
        action = await method(turn)
        return Answer(action=action, reports=turn.reports)

    async def reply(
        self,
        turn: Turn,
        instruction: str | None = None,
        spec: ActionSpec | None = None,
        seen: Observation | None = None,
    ) -> Action:
        """Return the model's reply to the request of `turn`; it enters the prompt log.

        `instruction` replaces the game's instruction; `spec` narrows the legal answers, and others
        are rejected. Use this only for replies that are played unchanged; all others are steps.
        `seen`: the only part of the observation in the prompt, which then enters no log.
        """
        request = turn.request if spec is None else replace(turn.request, spec=spec)
        answer = await self.direct.answer(turn.observation, request, instruction, seen)
        turn.report(*answer.reports)
        result = validate(request, answer.action)
        if isinstance(result, Invalid) and not isinstance(
            validate(turn.request, answer.action), Invalid
        ):
            error = result.error
            return UnparsedReply(missing=error.field, text=error.text, partial=result.partial)
        return answer.action

    async def restore(
        self,
        observation: Observation,
        request: DecisionRequest,
        chance: Random,
        *,
        accepted: Reply | Skip | None,
    ) -> None:
        """Rebuild the memory of an earlier decision from its recorded calls."""
        if not await is_own_answer(self, observation, request, chance, accepted):
            self.direct.mark_answered_elsewhere(observation, request)
