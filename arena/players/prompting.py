"""How a model is asked: its style, and what that makes of an ask. Pure."""

from dataclasses import dataclass
from typing import Literal

from arena.core.actions import Ask
from arena.core.views import View
from arena.models.chat import ChoiceConstraint, Constraint, Message
from arena.players import prompts
from arena.players.fitting.fitter import Wanted
from arena.players.means import Means, Overflow, PictureMode
from arena.players.parsing import constraint
from arena.players.wording import wording
from scripts_mm.script import Language

THOUGHT_TOKENS = 512
_HOTTEST = 2
_CHOICES = {"vote", "ballot", "quiz"}
_FORM_TOKENS = 24
"""What the form of a structured reply takes: braces, names of properties, a target."""
_CHARS_A_TOKEN: dict[Language, int] = {"en": 2, "zh": 1}
"""Low, so that a text that is as long as it may be still fits the reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a model is asked."""

    cot: bool = False
    cot_calls: Literal[1, 2] = 2
    """Of an ask with options: a free thought and then a choice, or both in one reply."""
    keep_thought: bool = True
    """Whether thoughts stay in the own later prompts; without them the log does not only grow."""
    temperature: float = 0.7
    reply_tokens: int = 1024
    picture_mode: PictureMode | None = None
    """None: what the model's profile says."""
    overflow: Overflow | None = None
    """None: what the model's profile says, else `drop_oldest`."""
    context_budget: int = 0
    """Tokens of a prompt and its reply together; 0: what the profile says, else all there are."""

    def __post_init__(self) -> None:
        """Refuse what no server would take."""
        if not 0 <= self.temperature <= _HOTTEST or self.reply_tokens < 1:
            raise ValueError(
                f"temperature must be in [0, {_HOTTEST}] and reply_tokens >= 1, got "
                f"{self.temperature:g} and {self.reply_tokens}"
            )
        if self.context_budget < 0:
            raise ValueError(f"context_budget must be >= 0 tokens, got {self.context_budget}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A style with a model of certain means."""

    style: Style
    means: Means

    def wanted(self, view: View, ask: Ask) -> Wanted:
        """Return what an ask puts to the seat, and the tokens of its replies."""
        speech = Ask(id="", seat=view.seat, verb="speak", phase="discussion")
        return Wanted(
            action=self._action(view, ask),
            reply=self._reply(view, ask),
            usual_reply=self._reply(view, speech),
        )

    def rule(self, view: View, ask: Ask) -> Constraint | None:
        """Return what the reply must obey."""
        room = max(self.style.reply_tokens - _FORM_TOKENS, 1)
        return constraint(ask, chars=room * _CHARS_A_TOKEN[view.language])

    def twice(self, rule: Constraint | None) -> bool:
        """Tell whether the seat thinks in a call of its own.

        One whose replies end at a text does so always: the marks of a thought and a response in one
        reply hold that text, and half of such a reply would be a thought said aloud.
        """
        if not self.style.cot:
            return False
        return bool(self.means.stop) or (self.style.cot_calls == 2 and rule is not None)  # noqa: PLR2004

    @property
    def thought(self) -> int:
        """Tokens of a thought, at most."""
        return min(THOUGHT_TOKENS, self.style.reply_tokens)

    def most(self, ask: Ask, rule: Constraint | None) -> int:
        """Return the tokens of a reply, at most."""
        if not chooses(ask, rule):
            return self.style.reply_tokens
        return max(8, max(len(option.encode()) for option in ask.options) + 1)

    def _reply(self, view: View, ask: Ask) -> int:
        """Return the tokens that replies to an ask may add, a thought before the last included."""
        rule = self.rule(view, ask)
        last = self.most(ask, rule)
        if not self.twice(rule):
            return last
        now = Message(role="user", text=wording(view.language)("cot.now"))
        return self.thought + self.means.count((now, now)) + last

    def _action(self, view: View, ask: Ask) -> str:
        action, say = prompts.action(view, ask), wording(view.language)
        if not self.style.cot:
            return action
        return f"{action}\n{say('cot.thought' if self.twice(self.rule(view, ask)) else 'cot.text')}"


def chooses(ask: Ask, rule: Constraint | None) -> bool:
    """Tell whether an ask is a choice between options and nothing else."""
    return ask.verb in _CHOICES and isinstance(rule, ChoiceConstraint)
