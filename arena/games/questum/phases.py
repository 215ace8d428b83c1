"""Steps of a match as data, and the mode of the questions in each step."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from arena.core.events import RequestMode
from arena.games.questum.options import QuestumOptions
from arena.games.shared.victims import VOTING


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a match: a phase, or a part of a round of questions."""

    phase: str
    round: int = 1
    step: Literal["", "ask", "answer"] = ""
    """The wave of a round with simultaneous questions."""
    mode: RequestMode = "simultaneous"
    stage: int = 1
    """Stage of the script; the first step of each later stage deals it."""


@cache
def list_steps(options: QuestumOptions, stages: int) -> tuple[Step, ...]:
    """Return the steps of a match of a script with `stages` stages, without revotes."""
    steps = [Step(phase="introduction")]
    for number in range(1, stages * options.rounds + 1):
        steps += _round(options, number, (number - 1) // options.rounds + 1)
    if options.vote != "none":
        steps.append(Step(phase=VOTING, stage=stages))
    return tuple(steps)


def _round(options: QuestumOptions, number: int, stage: int) -> tuple[Step, ...]:
    if options.snapshot == "off":
        return (Step(phase="questioning", round=number, mode="turns", stage=stage),)
    return (
        Step(phase="questioning", round=number, step="ask", stage=stage),
        Step(phase="questioning", round=number, step="answer", stage=stage),
    )
