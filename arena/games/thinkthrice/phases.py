"""Steps of a match as data, and the requests of each step."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from arena.core.events import RequestMode
from arena.games.thinkthrice.options import ThinkThriceOptions

Kind = Literal["introduce", "ask_first", "ask", "answer", "vote"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a match: a phase, a round of it, or a part of a round."""

    phase: Literal["introduction", "first_questions", "discussion", "clues", "voting"]
    round: int = 1
    """Number of the round; in introductions and first questions, of the introduced seat, from 1."""
    step: Literal["", "ask", "answer"] = ""
    kind: Kind | None = None
    """Kind of the requests; None: the host shows the clue cards."""
    mode: RequestMode = "turns"


@cache
def list_steps(options: ThinkThriceOptions, seats: int) -> tuple[Step, ...]:
    """Return the steps of a match with `seats` seats, without revotes."""
    return tuple(_steps(options, seats))


def _steps(options: ThinkThriceOptions, seats: int) -> Iterator[Step]:
    for number in range(1, seats + 1):
        yield Step(phase="introduction", round=number, kind="introduce")
        yield from _first_questions(options, number)
    before, after = options.rounds_before, options.rounds_after
    for number in range(1, before + 1):
        yield Step(phase="discussion", round=number, kind="ask")
    yield Step(phase="clues")
    for number in range(before + 1, before + after + 1):
        yield Step(phase="discussion", round=number, kind="ask")
    yield Step(phase="voting", kind="vote", mode="simultaneous")


def _first_questions(options: ThinkThriceOptions, number: int) -> Iterator[Step]:
    """Yield the steps after one introduction: a chain of questions, or two waves."""
    if options.first_questions == "chain":
        yield Step(phase="first_questions", round=number, kind="ask_first")
        return
    waves: tuple[tuple[Literal["ask", "answer"], Kind], ...] = (
        ("ask", "ask_first"),
        ("answer", "answer"),
    )
    for step, kind in waves:
        yield Step(phase="first_questions", round=number, step=step, kind=kind, mode="simultaneous")
