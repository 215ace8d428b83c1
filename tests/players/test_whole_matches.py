"""Players without a model play every game to its end, and no answer of theirs is illegal."""

import asyncio
from random import Random

import pytest

from arena.core.actions import Action
from arena.core.events import ActionRejected, QuestionAsked, VoteCast
from arena.core.observation import Observation
from arena.core.play import MatchSetup
from arena.core.playout import play_out
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState
from arena.games.registry import all_games
from arena.players.contestants import read_contestant
from arena.players.roster import make_player, never_votes
from tests.table import case

GAMES = [(name, preset) for name, game in all_games().items() for preset in game.presets]
CONTESTANTS = ("naive", "naive:share,asks,votes=random", "naive-data", "random", "first")


def play(game: str, preset: str, contestant: str) -> MatchState:
    found, script, who = all_games()[game], case(), read_contestant(contestant)
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


@pytest.mark.parametrize("contestant", CONTESTANTS)
@pytest.mark.parametrize(("game", "preset"), GAMES)
def test_every_player_plays_every_game_without_an_illegal_answer(
    game: str, preset: str, contestant: str
) -> None:
    state = play(game, preset, contestant)
    assert state.ended is not None
    assert state.ended.outcome != "forfeit"
    assert not any(isinstance(event, ActionRejected) for event in state.history)
    assert any(isinstance(event, VoteCast) for event in state.history)
    if contestant in {"naive", "naive-data"}:
        assert not any(isinstance(event, QuestionAsked) for event in state.history)
