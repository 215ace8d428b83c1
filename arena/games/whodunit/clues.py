"""Clues: those dealt at the start of a stage, and those shown later."""

from arena.core.events import Event
from arena.core.seats import Audience
from arena.core.state import MatchState
from arena.games.shared.clues import deal_round_robin, deal_to_owners, show_clue
from arena.games.shared.script_stages import clues_of
from arena.games.whodunit.requests import options_of


def deal_clues(state: MatchState, stage: int) -> tuple[Event, ...]:
    """Return the clues that seats have from the start of a stage."""
    clues = clues_of(state.script, _only(state, stage))
    common = tuple(clue for clue in clues if clue.owner is None)
    owned = deal_to_owners(clues)
    match options_of(state).clues:
        case "at_deal":
            return (*owned, *(show_clue(clue, dealt=True) for clue in common))
        case "owner":
            names = ("deal",) if stage == 1 else ("deal", stage)
            return (*owned, *deal_round_robin(state, common, *names))
        case _:
            return owned


def show_clues(state: MatchState, stage: int) -> tuple[Event, ...]:
    """Return the events that show the common clues of a stage."""
    hidden = options_of(state).clues == "civilians"
    told = tuple(one for one in state.started.seats if one not in state.knowing_murderers)
    audience: Audience = told if hidden else "all"
    return tuple(
        show_clue(clue, audience)
        for clue in clues_of(state.script, _only(state, stage))
        if clue.owner is None
    )


def _only(state: MatchState, stage: int) -> int | None:
    """Return the stage whose clues are dealt; None: those of all stages together."""
    return stage if options_of(state).stages == "apart" else None
