"""Matches played live, with what each seat saw, to compare their records with."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_origin, get_type_hints

from hypothesis import assume
from hypothesis import strategies as st

from arena.core.actions import Action
from arena.core.chance import generator
from arena.core.events import Event, PlayerEvent, PromptAdjusted
from arena.core.observation import Observation, observe
from arena.core.options import GameOptions
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState, pending, reduce
from arena.games.whodunit.options import WhodunitOptions
from tests.table import (
    act,
    begin,
    hostile,
    setup,
)


@dataclass(kw_only=True)
class Live:
    """A match while it is played."""

    state: MatchState
    seed: int
    observed: list[tuple[int, DecisionRequest, Observation]] = field(
        default_factory=list[tuple[int, DecisionRequest, Observation]]
    )
    """For each attempt: how many events came before, the request, and what its seat saw."""

    def go_on(self, recorded: tuple[PlayerEvent, ...] = ()) -> tuple[Event, ...]:
        """Play to the end; adjustments that are `recorded` are not told again."""
        while waiting := pending(self.state):
            for first in waiting:
                request: DecisionRequest | None = first
                while request is not None and self.state.ended is None:
                    self.observed.append(
                        (len(self.state.history), request, observe(self.state, request.seat))
                    )
                    for event in adjustments(request, self.seed)[len(recorded) :]:
                        self.state = reduce(self.state, event)
                    recorded = ()
                    self.state = act(self.state, request, answer(request, self.seed))
                    request = next((r for r in pending(self.state) if r.id == first.id), None)
        return self.state.history


def answer(request: DecisionRequest, seed: int) -> Action | None:
    """Return what a seat answers: legal or not, always the same for the same attempt."""
    return hostile(request, generator(seed, request.id, request.attempts_left))


def adjustments(request: DecisionRequest, seed: int) -> tuple[PlayerEvent, ...]:
    """Return how the prompt of an attempt was adjusted: often not at all, at most twice."""
    chance = generator(seed, "adjust", request.id, request.attempts_left)
    count = chance.choice((0, 0, 0, 1, 2))
    return tuple(
        PromptAdjusted(
            seat=request.seat, request=request.id, adjustment="log_dropped", lines=number + 1
        )
        for number in range(count)
    )


def play_live(options: GameOptions | None = None, seed: int = 1) -> Live:
    """Return a match of the small case after its end."""
    live = Live(state=begin(setup(options, seed=seed)), seed=seed)
    live.go_on()
    return live


@st.composite
def options(draw: Callable[[st.SearchStrategy[Any]], Any]) -> WhodunitOptions:
    """Return any options of the first game, with a match that is not too long."""
    values: dict[str, object] = {}
    for name, hint in get_type_hints(WhodunitOptions).items():
        if get_origin(hint) is Literal:
            values[name] = draw(st.sampled_from(get_args(hint)))
        elif hint is bool:
            values[name] = draw(st.booleans())
    values |= {
        "rounds": draw(st.integers(1, 2)),
        "attempts": draw(st.integers(1, 3)),
        "max_chars": draw(st.sampled_from((40, 4000))),
        "max_faults": draw(st.sampled_from((None, 0, 5))),
    }
    try:
        return WhodunitOptions(**values)  # pyright: ignore[reportArgumentType]
    except ValueError:
        assume(False)
        raise
