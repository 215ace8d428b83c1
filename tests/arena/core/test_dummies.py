"""Dummy players answer everything legally, so that the length of any match can be told."""

from dataclasses import replace
from typing import Any

import pytest

from arena.core.events import ActionRejected, MatchEnded, QuestionAsked, TurnSkipped
from arena.core.game import Game
from arena.core.options import GameOptions
from arena.core.playouts.dummy_players import DummyPlayers
from arena.core.playouts.playout import play_out
from arena.core.state import MatchState
from arena.core.transitions import MatchSetup
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from tests.arena.games.one_night.one_night import GAME, OneNightOptions
from tests.table import NAMES, case


def play(game: Game, options: GameOptions, dummies: DummyPlayers) -> MatchState:
    return play_out(game, MatchSetup(script=case(), options=options, seed=1), dummies.decide)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (WHODUNIT, WhodunitOptions()),
        (WHODUNIT, WhodunitOptions(tie="revote", revotes=3, option_order="shuffled")),
        (WHODUNIT, WhodunitOptions(duties="two_asks", answers="batched", vote_with_reason=True)),
        (GAME, OneNightOptions()),
    ],
)
def test_a_match_of_dummies_ends_without_a_rejected_answer(
    game: Game, options: GameOptions
) -> None:
    dummies = DummyPlayers()
    state = play(game, options, dummies)
    assert isinstance(state.ended, MatchEnded)
    assert not [event for event in state.history if isinstance(event, ActionRejected)]
    assert sum(len(dummies.decisions_of(seat)) for seat in state.started.seats) == len(
        dummies.decisions
    )


@pytest.mark.parametrize("shift", [1, 2])
def test_every_seat_is_questioned_as_often_as_it_questions(shift: int) -> None:
    state = play(WHODUNIT, WhodunitOptions(), DummyPlayers(shift=lambda _: shift))
    asked = [event for event in state.history if isinstance(event, QuestionAsked)]
    for seat in NAMES:
        assert sum(event.to == seat for event in asked) == 3
    first = asked[0]
    assert NAMES.index(first.to) == (NAMES.index(first.seat) + shift) % len(NAMES)


def test_a_skipped_request_is_answered_with_its_texts_alone() -> None:
    dummies = DummyPlayers(skipped={"discussion-1/share_and_ask/Ada Quill"})
    state = play(WHODUNIT, WhodunitOptions(rounds=1), dummies)
    [skipped] = [event for event in state.history if isinstance(event, TurnSkipped)]
    assert skipped.cause == "declined"
    assert sum(isinstance(event, QuestionAsked) for event in state.history) == len(NAMES) - 1


def test_of_several_ways_to_answer_each_is_taken_in_turn() -> None:
    dummies = DummyPlayers()
    options: dict[str, Any] = {"talk_rounds": 50}
    state = play(GAME, replace(OneNightOptions(), **options), dummies)
    rounds = {one.request.round for one in dummies.decisions if one.request.kind == "talk"}
    assert max(rounds) <= 2, "talk ends once every seat took the second way"
    assert state.ended is not None
