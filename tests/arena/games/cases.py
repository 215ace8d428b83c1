"""A small script for every game, and options under which a match of it is short."""

from collections.abc import Callable, Mapping

from arena.core.game import Game, SelfContained
from arena.core.options import GameOptions
from arena.core.transitions import MatchSetup
from scripts_mm.script import Script
from tests.arena.games.mirage.scenes import table_case
from tests.arena.games.reading.scenes import table_case as reading_case
from tests.table import case

SCRIPTS: Mapping[str, Callable[[], Script]] = {
    "reading": reading_case,
    "mirage": table_case,
}
"""By game, where the plain case cannot be played."""
SHORT: Mapping[str, Mapping[str, object]] = {
    "mirage": {"rounds": 1},
    "thinkthrice": {"rounds_before": 1, "rounds_after": 1, "ballots": 2},
    "questum": {"rounds": 1},
    "werewolf5": {"days": "whole", "talk_turns": 2},
}
"""By game: options that make its matches short."""


def case_of(game: Game) -> Script:
    """Return a script that `game` can be played with."""
    if isinstance(game, SelfContained):
        return game.make_script("en")
    return SCRIPTS.get(game.name, case)()


def short_options(game: Game) -> GameOptions:
    """Return options under which a match is short."""
    values = SHORT.get(game.name, {})
    return game.options(**dict(values))  # pyright: ignore[reportArgumentType]


def setup_of(game: Game, seed: int = 1, options: GameOptions | None = None) -> MatchSetup:
    """Return the setup of a match of `game`."""
    return MatchSetup(script=case_of(game), options=options or short_options(game), seed=seed)
