"""Prompting: the options of a contestant with the limits of its model. Pure."""

from dataclasses import dataclass

from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.core.specs import FreeText
from arena.models.chat import Constraint, Message
from arena.players import prompts
from arena.players.context.prompt_builder import PromptRequest
from arena.players.decoding import is_choice, reply_constraint, reply_token_limit
from arena.players.model_limits import ModelLimits, Overflow, PictureMode
from arena.players.wording import find_wording

THOUGHT_TOKENS = 512
_MAX_TEMPERATURE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptingOptions:
    """Prompting options of a contestant."""

    cot: bool = False
    """Whether the seat thinks before each reply, in a separate call that no other seat hears."""
    keep_thought: bool = True
    """Whether thoughts stay in later prompts; dropping them breaks the cached prefix."""
    temperature: float = 0.7
    reply_tokens: int = 1024
    picture_mode: PictureMode | None = None
    """None: that of the model's profile."""
    overflow: Overflow | None = None
    """None: that of the model's profile, else `drop_oldest`."""
    context_budget: int = 0
    """Tokens of a prompt and its reply together; 0: that of the profile, else the whole context."""

    def __post_init__(self) -> None:
        """Refuse values that no server accepts."""
        if not 0 <= self.temperature <= _MAX_TEMPERATURE or self.reply_tokens < 1:
            raise ValueError(
                f"temperature must be in [0, {_MAX_TEMPERATURE}] and reply_tokens >= 1, got "
                f"{self.temperature:g} and {self.reply_tokens}"
            )
        if self.context_budget < 0:
            raise ValueError(f"context_budget must be >= 0 tokens, got {self.context_budget}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompting:
    """Prompting options with the limits of a model."""

    options: PromptingOptions
    limits: ModelLimits

    def prompt_request(self, observation: Observation, request: DecisionRequest) -> PromptRequest:
        """Return what the prompt of a request must contain, and the tokens of its replies."""
        speech = DecisionRequest(
            id="", seat=observation.seat, kind="", phase="", spec=FreeText()
        )  # of any game
        return PromptRequest(
            instruction=self._instruction(observation, request),
            reply=self._reply_tokens(observation, request),
            usual_reply=self._reply_tokens(observation, speech),
        )

    def constraint(self, observation: Observation, request: DecisionRequest) -> Constraint | None:
        """Return the constraint of the reply."""
        return reply_constraint(
            request.spec, observation.language, reply_tokens=self.options.reply_tokens
        )

    @property
    def thought_tokens(self) -> int:
        """Tokens of a thought, at most."""
        return min(THOUGHT_TOKENS, self.options.reply_tokens)

    def max_tokens(self, observation: Observation, request: DecisionRequest) -> int:
        """Return the tokens of the last reply, at most."""
        return reply_token_limit(
            request.spec, observation.language, reply_tokens=self.options.reply_tokens
        )

    def temperature(self, request: DecisionRequest) -> float:
        """Return the temperature of the last reply: 0 for a choice."""
        return 0.0 if is_choice(request.spec) else self.options.temperature

    def _reply_tokens(self, observation: Observation, request: DecisionRequest) -> int:
        """Return the tokens that replies may add, a thought before the last included."""
        last = self.max_tokens(observation, request)
        if not self.options.cot:
            return last
        now = Message(role="user", text=find_wording(observation.language)("cot.now"))
        return self.thought_tokens + self.limits.count((now, now)) + last

    def _instruction(self, observation: Observation, request: DecisionRequest) -> str:
        instruction = prompts.instruction(observation, request)
        if not self.options.cot:
            return instruction
        return f"{instruction}\n{prompts.thought(observation, request)}"
