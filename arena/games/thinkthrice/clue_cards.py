"""Clue cards, and the later stages of a script, which are dealt with them."""

from arena.core.events import Announced, Event, StageStarted
from arena.core.state import MatchState
from arena.games.shared.clues import deal_round_robin, deal_to_owners, show_clue
from arena.games.shared.script_stages import clues_of, count_stages
from arena.games.thinkthrice.requests import options_of

NO_CARDS = "no_cards"
"""The topic of the announcement that a script has no common clues."""


def deal_first(state: MatchState) -> tuple[Event, ...]:
    """Return the events before the introductions: the first stage, and the owned clues."""
    if not _is_apart(state):
        return deal_to_owners(state.script.clues)
    return (StageStarted(stage=1), *deal_to_owners(clues_of(state.script, 1)))


def reveal_cards(state: MatchState) -> tuple[Event, ...]:
    """Return the later stages of the script, then the clue cards of all stages."""
    cards = tuple(clue for clue in state.script.clues if clue.owner is None)
    if not cards:
        return (*_later_stages(state), Announced(topic=NO_CARDS, audience="all"))
    if options_of(state).cards == "dealt":
        return (*_later_stages(state), *deal_round_robin(state, cards, "cards"))
    return (*_later_stages(state), *map(show_clue, cards))


def _later_stages(state: MatchState) -> tuple[Event, ...]:
    if not _is_apart(state):
        return ()
    return tuple(
        event
        for stage in range(2, count_stages(state.script) + 1)
        for event in (StageStarted(stage=stage), *deal_to_owners(clues_of(state.script, stage)))
    )


def _is_apart(state: MatchState) -> bool:
    return options_of(state).stages == "apart" and count_stages(state.script) > 1
