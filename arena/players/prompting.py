"""Prompting: a contestant's options, combined with the limits of its model. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from arena.core.observation import Observation
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.specs import FreeText, spec_fields, variants
from arena.models.chat import Constraint, Message
from arena.players import prompts
from arena.players.context.prompt_builder import PromptRequest
from arena.players.model_limits import ModelLimits, Overflow, PictureMode, Replies
from arena.players.personas import PersonaOption, find_persona
from arena.players.replies.decoding import is_choice, reply_constraint, reply_token_limit
from arena.players.replies.extraction import find_sentences, restrict_to
from arena.players.replies.extractive_thought import restrict_thought

Memory = Literal["log", "none"]

THOUGHT_TOKENS = 512
NGRAMS_OPTION = "ngrams"
"""Value of the option `embedding` that needs neither weights nor a server."""
_MAX_TEMPERATURE = 2
_UNHEARD = frozenset({Purpose.ACCUSE, Purpose.VOTE, Purpose.POWER, Purpose.RATE})
"""Purposes whose answer is a choice; a text next to it is a reason or a thought, which no other
seat hears."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptingOptions:
    """Prompting options of a contestant."""

    thought: bool = False
    """Whether the seat thinks before each reply, in a separate call that no other seat hears."""
    keep_thought: bool = True
    """Whether thoughts stay in later prompts; dropping them breaks the cached prefix."""
    memory: Memory = "log"
    """Content of prompts: all of the seat's observations, or only its script."""
    notes: bool = False
    """Whether the seat writes private notes before it speaks, in a separate call."""
    together: bool = True
    """Whether independent calls of one turn run concurrently."""
    temperature: float = 0.7
    reply_tokens: int = 1024
    picture_mode: PictureMode | None = None
    """None: that of the model's profile."""
    overflow: Overflow | None = None
    """None: that of the model's profile, else `drop_oldest`."""
    replies: Replies | None = None
    """None: that of the model's profile, else `free`."""
    context_budget: int = 0
    """Tokens of a prompt and its reply together; 0: that of the profile, else the whole context."""
    persona: PersonaOption = "none"
    """Manner of speech that the instruction requests."""
    embedding: str = NGRAMS_OPTION
    """Embedder of searches: `ngrams`, a server's URL, its name in ARENA_ENDPOINTS, or the folder of
    a sentence-transformers model."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for values that no server accepts."""
        if not 0 <= self.temperature <= _MAX_TEMPERATURE or self.reply_tokens < 1:
            raise ValueError(
                f"temperature must be in [0, {_MAX_TEMPERATURE}] and reply_tokens >= 1, got "
                f"{self.temperature:g} and {self.reply_tokens}"
            )
        if self.context_budget < 0:
            raise ValueError(f"context_budget must be >= 0 tokens, got {self.context_budget}")
        if not self.embedding:
            raise ValueError(f"embedding must be {NGRAMS_OPTION}, a URL, a name or a folder")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompting:
    """Prompting options with the limits of a model."""

    options: PromptingOptions
    limits: ModelLimits

    def prompt_request(
        self, observation: Observation, request: DecisionRequest, instruction: str | None = None
    ) -> PromptRequest:
        """Return the prompt request: the instruction, and the tokens of its replies.

        `instruction` replaces the game's instruction.
        """
        return PromptRequest(
            instruction=self._instruction(observation, request, instruction),
            reply=self._reply_tokens(observation, request),
            usual_reply=self.speech_tokens(observation),
        )

    def speech_tokens(self, observation: Observation) -> int:
        """Return the maximal tokens of the replies to a request for a speech, in any game."""
        speech = DecisionRequest(id="", seat=observation.seat, kind="", phase="", spec=FreeText())
        return self._reply_tokens(observation, speech)

    def add_persona(
        self, instruction: str, observation: Observation, request: DecisionRequest
    ) -> str:
        """Return `instruction` with the seat's persona if the request is for speech."""
        persona = find_persona(self.options.persona, observation)
        if persona is None or not is_spoken(request):
            return instruction
        return f"{instruction}\n{persona.style()}"

    def constraint(
        self, observation: Observation, request: DecisionRequest, prompt: Sequence[Message]
    ) -> Constraint | None:
        """Return the constraint of the reply to `prompt`."""
        found = reply_constraint(
            request.spec, observation.language, reply_tokens=self.options.reply_tokens
        )
        if self.limits.replies == "free":
            return found
        return restrict_to(found, find_sentences(observation, request, prompt))

    def thought_constraint(
        self, observation: Observation, request: DecisionRequest, prompt: Sequence[Message]
    ) -> Constraint | None:
        """Return the constraint of the thought before the reply to `prompt`."""
        if self.limits.replies == "free":
            return None
        return restrict_thought(observation, request, prompt)

    @property
    def thought_tokens(self) -> int:
        """Tokens of a thought, at most."""
        return min(THOUGHT_TOKENS, self.options.reply_tokens)

    def max_tokens(self, observation: Observation, request: DecisionRequest) -> int:
        """Return the maximal tokens of the last reply."""
        return reply_token_limit(
            request.spec, observation.language, reply_tokens=self.options.reply_tokens
        )

    def temperature(self, request: DecisionRequest) -> float:
        """Return the temperature of the last reply: 0 for a choice that is not sampled."""
        is_certain = is_choice(request.spec) and not request.sampled
        return 0.0 if is_certain else self.options.temperature

    def _reply_tokens(self, observation: Observation, request: DecisionRequest) -> int:
        """Return the maximal tokens of all replies, including a thought before the last one."""
        last = self.max_tokens(observation, request)
        if not self.options.thought:
            return last
        now = prompts.ask_reply(observation.language)
        return self.thought_tokens + self.limits.count((now, now)) + last

    def _instruction(
        self, observation: Observation, request: DecisionRequest, demand: str | None
    ) -> str:
        instruction = prompts.instruction(observation, request, demand)
        instruction = self.add_persona(instruction, observation, request)
        if not self.options.thought:
            return instruction
        return f"{instruction}\n{prompts.thought(observation, request)}"


def is_spoken(request: DecisionRequest) -> bool:
    """Return whether the answer contains speech that others can hear."""
    fields = (field for way in variants(request.spec) for field in spec_fields(way.spec))
    has_text = any(isinstance(field.spec, FreeText) for field in fields)
    return has_text and not request.off_path and request.purpose not in _UNHEARD
