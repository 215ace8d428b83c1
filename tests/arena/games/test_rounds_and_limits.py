"""What holds for the options and headings of all games: limits of numbers, rounds in stages."""

from dataclasses import fields
from typing import get_type_hints

import pytest

from arena.core.events import PhaseStarted
from arena.core.observation import observe
from arena.core.playouts.playout import start_state
from arena.core.transitions import MatchSetup
from arena.games.game_registry import all_games, find_game
from tests.arena.games.cases import case_of
from tests.arena.games.whodunit.scenes import start, until, vote
from tests.table import NAMES

NUMBERS = [
    (game, one.name)
    for game, value in all_games().items()
    for one in fields(value.options)
    if get_type_hints(value.options)[one.name] in (int, int | None)
]


@pytest.mark.parametrize("value", [-1, 10_001])
@pytest.mark.parametrize(("game", "option"), NUMBERS)
def test_no_number_of_an_option_is_negative_or_endless(game: str, option: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"option '{option}' must be"):
        find_game(game).options(**{option: value})  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("game", "phase"), [("whodunit", "discussion"), ("questum", "questioning")]
)
def test_the_rounds_of_a_stage_are_counted_from_one_in_each_stage(game: str, phase: str) -> None:
    found = find_game(game)
    options = found.options(rounds=3)  # pyright: ignore[reportCallIssue]
    setup = MatchSetup(script=case_of(found), options=options, seed=1)
    state = start_state(found, setup)
    texts = found.texts(observe(state, state.started.seats[0]))
    titles = [texts.title(PhaseStarted(phase=phase, round=number)) for number in range(1, 7)]
    assert [str(number) in title for number, title in zip((1, 2), titles, strict=False)] == [
        True
    ] * 2
    assert titles[:3] == titles[3:]
    assert len({*titles}) == 3
    lines = [texts.line(PhaseStarted(phase=phase, round=number)) for number in range(1, 7)]
    assert lines[:3] == lines[3:]
    if game == "questum":
        stepped = texts.title(PhaseStarted(phase=phase, step="answer"))
        assert stepped.startswith(f"{titles[0]} (")


def test_the_lots_of_a_tie_never_change() -> None:
    ballots = {NAMES[0]: NAMES[2], NAMES[2]: NAMES[0]}
    ended = [
        vote(until(start(tie="random", rounds=1, seed=seed), "vote"), ballots).ended
        for seed in range(8)
    ]
    assert "".join(one.outcome[0] for one in ended if one) == "cmcccmmc", (
        "first letters of outcomes"
    )


@pytest.mark.parametrize(
    ("tie", "is_said"), [("draw", True), ("none", True), ("random", False), ("any_killer", False)]
)
def test_a_tie_of_murderers_alone_is_explained_where_it_is_not_decided_otherwise(
    tie: str, is_said: bool
) -> None:
    game = find_game("whodunit")
    options = game.options(tie=tie)  # pyright: ignore[reportCallIssue]
    state = start_state(game, MatchSetup(script=case_of(game), options=options, seed=1))
    rules = game.texts(observe(state, state.started.seats[0])).rules()
    assert ("only murderers are tied" in rules) == is_said
