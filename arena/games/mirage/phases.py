"""Steps of a match as data, and the requests of each step."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from arena.core.events import PhaseStarted, RequestMode
from arena.core.state import MatchState
from arena.games.mirage.options import MirageOptions
from arena.games.shared.script_stages import count_stages

Kind = Literal["introduce", "speak", "act", "accuse", "vote"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a match: a phase, or a part of a round."""

    phase: Literal["introduction", "conversation", "search", "accusation", "voting"]
    kind: Kind
    round: int = 1
    step: str = ""
    mode: RequestMode = "simultaneous"
    stage: int = 1
    """Stage of the script; the first step of each later stage deals it."""


def steps_of(state: MatchState) -> tuple[Step, ...]:
    """Return the steps of a match, without revotes."""
    options = state.started.options
    assert isinstance(options, MirageOptions), f"{type(options).__name__} of another game"
    return list_steps(options, count_stages(state.script))


@cache
def list_steps(options: MirageOptions, stages: int) -> tuple[Step, ...]:
    """Return the steps of a match of a script with `stages` stages."""
    return tuple(_steps(options, stages))


def find_step(state: MatchState) -> int:
    """Return the index of the current step, from the started phases without revotes."""
    started = (event for event in state.history if isinstance(event, PhaseStarted))
    return sum(not event.candidates for event in started) - 1


def stage_rounds(options: MirageOptions, stages: int, stage: int) -> range:
    """Return the numbers of the rounds of one stage; numbers continue through the match."""
    if options.rounds_in == "stage":
        return range((stage - 1) * options.rounds + 1, stage * options.rounds + 1)
    # If rounds do not divide evenly, earlier stages get more: stage boundaries are rounded up.
    first, last = (-(-options.rounds * number // stages) for number in (stage - 1, stage))
    return range(first + 1, last + 1)


def _steps(options: MirageOptions, stages: int) -> Iterator[Step]:
    for stage in range(1, stages + 1):
        if stage == 1 or options.introductions == "each_stage":
            yield Step(phase="introduction", kind="introduce", round=stage, stage=stage)
        for number in stage_rounds(options, stages, stage):
            yield from _round(options, number, stage)
        first = (stage - 1) * options.forced_investigations + 1
        for number in range(first, first + options.forced_investigations):
            yield Step(phase="search", kind="act", round=number, mode="turns", stage=stage)
    if options.vote == "accuse_then_vote":
        yield Step(phase="accusation", kind="accuse", stage=stages)
    yield Step(phase="voting", kind="vote", stage=stages)


def _round(options: MirageOptions, number: int, stage: int) -> Iterator[Step]:
    kinds: tuple[Kind, ...] = ("act",) if options.duties == "merged" else ("speak", "act")
    for kind in kinds:
        yield Step(
            phase="conversation",
            kind=kind,
            round=number,
            step=kind if len(kinds) > 1 else "",
            mode="turns",
            stage=stage,
        )
