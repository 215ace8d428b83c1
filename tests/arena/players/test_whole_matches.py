"""Players without a model play every game to its end, and no answer of theirs is illegal."""

import asyncio
from random import Random

import pytest

from arena.core.actions import Action
from arena.core.events import ActionRejected, QuestionAsked, RequestsOpened, VoteCast
from arena.core.game import SelfContained
from arena.core.observation import Observation
from arena.core.playouts.playout import play_out
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState
from arena.core.transitions import MatchSetup
from arena.errors import ConfigError
from arena.games.game_registry import all_games
from arena.players.contestants import read_contestant
from arena.players.roster import check_suits, make_player, never_votes
from tests.arena.games.cases import case_of

GAMES = [(name, preset) for name, game in all_games().items() for preset in game.presets]
CONTESTANTS = ("naive", "naive:share,asks,votes=random", "naive-data", "random", "first")


def play(game: str, preset: str, contestant: str) -> MatchState:
    found, script, who = all_games()[game], case_of(all_games()[game]), read_contestant(contestant)
    setup = MatchSetup(
        script=script,
        options=found.options(**found.presets[preset]),  # pyright: ignore[reportArgumentType]
        seed=1,
        silent=("murderer",) if never_votes(who) else (),
    )
    player = make_player(who, None, None)

    def decide(observation: Observation, request: DecisionRequest) -> Action:
        return asyncio.run(player.act(observation, request, Random(request.id))).action

    return play_out(found, setup, decide)


def asked(state: MatchState) -> list[DecisionRequest]:
    """Return all requests of a match."""
    opened = (event for event in state.history if isinstance(event, RequestsOpened))
    return [request for event in opened for request in event.requests]


@pytest.mark.slow
@pytest.mark.parametrize("contestant", CONTESTANTS)
@pytest.mark.parametrize(("game", "preset"), GAMES)
def test_every_player_plays_every_game_without_an_illegal_answer(
    game: str, preset: str, contestant: str
) -> None:
    if isinstance(all_games()[game], SelfContained) and contestant.startswith("naive"):
        with pytest.raises(ConfigError, match="has no written case"):
            check_suits(read_contestant(contestant), all_games()[game])
        return
    state = play(game, preset, contestant)
    assert state.ended is not None
    assert state.ended.outcome != "forfeit"
    assert not any(isinstance(event, ActionRejected) for event in state.history)
    votes = [one for one in asked(state) if one.purpose is Purpose.VOTE]
    assert any(isinstance(event, VoteCast) for event in state.history) or not votes
    if contestant in {"naive", "naive-data"}:
        assert not any(isinstance(event, QuestionAsked) for event in state.history)
