"""Tasks: what a judge is shown and asked, of one seat of one match in one metric."""

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
    """One judgement to make. Nothing in its texts names a contestant."""

    metric: str
    match: str = ""
    seat: str = ""
    """Empty: the whole table."""
    about: str = ""
    """What of the seat is judged, as in `Judgement`."""
    language: Language
    material: str
    """What the judge is shown."""
    demand: str
    """What it is asked."""
    scale: Scale
    is_silent: bool = False
    """Nothing was said that could be judged: the value is 0, and no model is asked."""
    samples: int = 1
    """How many are wanted where nothing else is said."""
    given: str = field(default="", compare=False)
    """The words that are judged, alone."""
    points: tuple[str, ...] = field(default=(), compare=False)
    """What they are compared with, alone."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Its place among the judgements of a run."""
        return (self.match, self.metric, self.seat, self.about)


def render_messages(task: Task, *, again: bool = False) -> tuple[Message, ...]:
    """Return the prompt; the material comes first, so that tasks on one seat share beginnings.

    `again`: the last reply was not in the wanted form.
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
    """Return a hash of everything that the judge reads."""
    text = "\0".join(f"{one.role}\0{one.text}" for one in render_messages(task))
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:_HASH]
