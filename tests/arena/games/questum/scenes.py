"""Matches of small cases with several victims up to a moment, and votes by name."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

from arena.core.actions import choose
from arena.core.events import Event, RequestsOpened
from arena.core.playouts.playout import start_state
from arena.core.requests import DecisionRequest
from arena.core.seats import Faction
from arena.core.state import MatchState, pending
from arena.games.questum.game import QUESTUM
from arena.games.questum.options import QuestumOptions
from scripts_mm.script import Killing, Part, Script, Truth
from tests.table import (
    act,
    case,
    legal,
    play,
    setup,
)

E = TypeVar("E", bound=Event)
SIX = ("Ada", "Bram", "Cleo", "Dirk", "Edda", "Finn")
FOUR = SIX[:4]


def crime(names: tuple[str, ...] = FOUR, **killings: tuple[str, ...]) -> Script:
    """Return a case of `names` in which each victim was killed by those named; none: by nobody."""
    killings = killings or {"Otto": (names[0],)}
    killers = {one for culprits in killings.values() for one in culprits}
    script = case(names, tuple(name for name in names if name in killers))
    return replace(
        script,
        roles=tuple(replace(role, parts=()) for role in script.roles),
        victims=tuple(killings),
        truth=Truth(
            culprits=tuple(sorted(killers)),
            not_playable=tuple(sorted(killers - {*names})),
            killings=tuple(
                Killing(victim=victim, culprits=culprits) for victim, culprits in killings.items()
            ),
        ),
    )


def staged(script: Script, stages: int) -> Script:
    """Return `script` with something new in every stage of each role."""
    roles = tuple(
        replace(
            role,
            parts=tuple(
                Part(name="script", text=f"PART-{number} of {role.name}", stage=number)
                for number in range(1, stages + 1)
            ),
        )
        for role in script.roles
    )
    return replace(script, roles=roles)


def start(
    script: Script | None = None, *, silent: tuple[Faction, ...] = (), seed: int = 1, **options: Any
) -> MatchState:
    """Return a match before its first answer."""
    given = setup(QuestumOptions(**options), script=script or crime(), silent=silent, seed=seed)
    return start_state(QUESTUM, given)


def finish(state: MatchState, seed: int = 3) -> MatchState:
    """Play on legally until the end."""
    chance = Random(seed)
    return play(state, lambda request: legal(request, chance))


def until(state: MatchState, kind: str) -> MatchState:
    """Play on legally until a request of `kind` is pending, or the match ends."""
    chance = Random(3)
    while (waiting := pending(state)) and waiting[0].kind != kind:
        state = act(state, waiting[0], legal(waiting[0], chance))
    return state


def vote(state: MatchState, ballots: Mapping[str, Mapping[Any, str]]) -> MatchState:
    """Return the match after one ballot: by victim, what each seat chose; all others abstain."""
    assert state.phase is not None
    number = state.phase.round
    while waiting := [one for one in pending(state) if one.round == number]:
        choice = ballots.get(waiting[0].about, {}).get(waiting[0].seat, "abstain")
        state = act(state, waiting[0], choose(choice))
    return state


def outcome(state: MatchState) -> str:
    """Return how the match ended."""
    assert state.ended is not None
    return state.ended.outcome


def results(state: MatchState) -> dict[str, str | None]:
    """Return how the vote on each victim ended."""
    assert state.ended is not None
    return {one.about: one.outcome for one in state.ended.results}


def events_of(state: MatchState, kind: type[E]) -> list[E]:
    """Return the events of one kind."""
    return [event for event in state.history if isinstance(event, kind)]


def requests_of(state: MatchState, kind: str = "") -> list[DecisionRequest]:
    """Return the requests that were opened, in order."""
    opened = (one for event in events_of(state, RequestsOpened) for one in event.requests)
    return [one for one in opened if kind in {"", one.kind}]
