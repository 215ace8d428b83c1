"""The player `hybrid`: its method for each request."""

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from arena.core.actions import Action
from arena.core.observation import Observation
from arena.core.purposes import OVER_VARIANT, Purpose
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice, FreeText, variants
from arena.models.chat import ChatModel
from arena.players import prompts
from arena.players.hybrid.cases.case_talker import CaseTalker
from arena.players.hybrid.hybrid_phrases import HybridPhrases
from arena.players.hybrid.options import HybridOptions
from arena.players.hybrid.powers import SEER, WEREWOLF
from arena.players.hybrid.talks.talker import Talker
from arena.players.methods.inquiry import find_question_choices
from arena.players.methods.method_player import Method, MethodPlayer
from arena.players.methods.method_steps import STEP_TOKENS, Turn
from arena.players.methods.turn_cost import TurnCost, Wave
from arena.players.model_limits import ModelLimits

_CALLS: Final = MappingProxyType(
    {
        Purpose.INTRODUCE: "2, in a game of secret roles 0",
        Purpose.SPEAK: "3 + guard, in a talk with `over` 3 or 4, 0 once closed",
        Purpose.ASK: "3 + guard",
        Purpose.ACT: "3 + guard",
        Purpose.ANSWER: "3 + guard",
        Purpose.ACCUSE: "0 to 2",
        Purpose.VOTE: "0 to 2, in a game of secret roles 0 or 1",
        Purpose.POWER: "0 or 1",
        "any": "1",
    }
)
"""`guard`: 1 if a text contradicts the table, else 0. Without a backup one call less."""
_PROMPT_TOKENS: Final = 240
"""Prompt tokens of the main reply, and of the analysis with the seat's own facts."""


def count_cost(options: HybridOptions) -> TurnCost:
    """Return the cost of a turn: in a case the guard can add a call, in a talk all run together."""
    backups = int(options.backup != "off")
    together = Wave(calls=2 + backups, prompt=_PROMPT_TOKENS, reply=options.reply_tokens)
    guard = replace(together, calls=1)
    listed = max(options.talk_tokens, options.backup_tokens, STEP_TOKENS)
    talk = replace(together, calls=3 + backups, reply=listed)
    return TurnCost(calls=_CALLS, chains=lambda _: ((together, guard), (talk,)))


class HybridPlayer(MethodPlayer):
    """A model that analyses the talk, and rules with templates for 14 situations.

    A game in which the seat has a power is one of secret roles; all others are murder mysteries.
    """

    def __init__(self, model: ChatModel, options: HybridOptions, limits: ModelLimits) -> None:
        """Play with `model` under `options`."""
        super().__init__(model, options, limits)
        self._options = options
        self._village = Talker(options, self.seat.prompting)
        self._case = CaseTalker(options, self.seat.prompting)

    def method(self, observation: Observation, request: DecisionRequest) -> Method | None:
        """Return the method for a request; None: answer it like `direct`."""
        if any(one.name == OVER_VARIANT for one in variants(request.spec)):
            return self._village.talk
        if observation.own.part.power:
            return self._in_village(observation, request)
        return self._in_case(observation, request)

    def _in_village(self, observation: Observation, request: DecisionRequest) -> Method | None:
        match request.purpose, request.spec:
            case Purpose.INTRODUCE, FreeText():
                return self._village.welcome
            case Purpose.VOTE, Choice():
                return self._village.vote
            case Purpose.POWER, Choice() if observation.own.part.power in {SEER, WEREWOLF}:
                return self._village.use_power
            case _:
                return None

    def _in_case(self, observation: Observation, request: DecisionRequest) -> Method | None:
        match request.purpose:
            case Purpose.INTRODUCE if isinstance(request.spec, FreeText):
                return self._case.introduce
            case Purpose.SPEAK | Purpose.ANSWER:
                return self._case.speak
            case Purpose.ASK | Purpose.ACT if (
                find_question_choices(observation, request) is not None
            ):
                return self._case.speak
            case Purpose.ACCUSE | Purpose.VOTE if isinstance(request.spec, Choice):
                return self._choose
            case Purpose.CONCLUDE:
                return self._conclude
            case _:
                return None

    async def _choose(self, turn: Turn) -> Action:
        return await self._case.choose(turn) or await self.reply(turn)

    async def _conclude(self, turn: Turn) -> Action:
        """Return the model's conclusion; its prompt has the suspect that the seat named."""
        phrases = HybridPhrases(turn.observation, self._options.persona)
        demand = prompts.write_demand(turn.observation, turn.request)
        declared = self._case.describe_suspects(turn, phrases, turn.request.about)
        return await self.reply(turn, "\n".join(filter(None, (demand, declared))))
