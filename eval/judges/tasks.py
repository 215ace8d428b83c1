"""Tasks: the material and question for a judge, on one seat, match and metric."""

import hashlib
from dataclasses import dataclass, field
from typing import Final

from arena.models.chat import Message
from eval.judges.scales import Scale
from eval.judges.wording import find_wording
from scripts_mm.script import Language

_HASH: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One judgement to make. Its texts name no contestant."""

    metric: str
    match: str = ""
    seat: str = ""
    """Empty: all seats together."""
    about: str = ""
    """The judged part of the seat's play, as in `Judgement`."""
    language: Language
    material: str
    """The text shown to the judge."""
    demand: str
    """The question to the judge."""
    scale: Scale
    is_silent: bool = False
    """There is no speech to judge: the value is 0, without a model call."""
    samples: int = 1
    """The default number of samples."""
    given: str = field(default="", compare=False)
    """Only the judged words."""
    points: tuple[str, ...] = field(default=(), compare=False)
    """Only the reference that they are compared with."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Its unique key within a run."""
        return (self.match, self.metric, self.seat, self.about)


def render_messages(task: Task, *, again: bool = False) -> tuple[Message, ...]:
    """Return the prompt; the material comes first, so that tasks on one seat share a prefix.

    `again`: the last reply was malformed.
    """
    say, scale = find_wording(task.language), task.scale
    form = say(f"form.{scale.form}", low=scale.low, high=scale.high).strip()
    correction = f"{say('form.again')} " if again else ""
    text = f"{task.material}\n\n{task.demand.strip()}\n\n{correction}{form}"
    return (
        Message(role="system", text=say("judge.system").strip()),
        Message(role="user", text=text),
    )


def prompt_hash(task: Task) -> str:
    """Return a hash of the whole prompt."""
    text = "\0".join(f"{one.role}\0{one.text}" for one in render_messages(task))
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:_HASH]
