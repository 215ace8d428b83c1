"""Steps of a match as data, and the requests of each step."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from arena.core.events import RequestMode
from arena.games.whodunit.options import WhodunitOptions

Kind = Literal["introduce", "speak", "share_and_ask", "ask", "answer", "conclude", "vote"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a match: a phase, or a part of a round."""

    phase: Literal["introduction", "clues", "discussion", "reasoning", "voting"]
    round: int = 1
    step: str = ""
    kinds: tuple[Kind, ...] = ()
    """Kinds of requests to each seat, in order; empty: the game master shows the common clues."""
    mode: RequestMode = "turns"
    stage: int = 1
    """Stage of the script; the first step of each later stage deals it."""


@cache
def list_steps(options: WhodunitOptions, stages: int, *, open_vote: bool) -> tuple[Step, ...]:
    """Return the steps of a match of a script with `stages` stages, without revotes."""
    return tuple(_steps(options, stages, open_vote=open_vote))


def _steps(options: WhodunitOptions, stages: int, *, open_vote: bool) -> Iterator[Step]:
    yield Step(
        phase="introduction",
        kinds=("introduce",),
        mode=_mode(together=options.introductions == "together"),
    )
    for stage in range(1, stages + 1):
        if options.clues in {"all", "civilians"}:
            yield Step(phase="clues", round=stage, stage=stage)
        first = (stage - 1) * options.rounds + 1
        for number in range(first, first + options.rounds):
            yield from _round(options, number, stage)
    heard = options.reasoning == "heard"
    yield Step(phase="reasoning", kinds=("conclude",), mode=_mode(together=not heard), stage=stages)
    yield Step(phase="voting", kinds=("vote",), mode=_mode(together=not open_vote), stage=stages)


def _round(options: WhodunitOptions, number: int, stage: int) -> Iterator[Step]:
    kinds: tuple[Kind, ...] = (
        ("share_and_ask",) if options.duties == "one_ask" else ("speak", "ask")
    )
    if options.answers == "immediate":
        yield Step(phase="discussion", round=number, kinds=kinds, stage=stage)
        return
    for kind in (*kinds, "answer"):
        yield Step(
            phase="discussion",
            round=number,
            step=kind,
            kinds=(kind,),
            mode="simultaneous",
            stage=stage,
        )


def _mode(*, together: bool) -> RequestMode:
    return "simultaneous" if together else "turns"
