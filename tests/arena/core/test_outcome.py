"""Forfeits: a contestant that fails more than half of its requests, or more than a number."""

from collections.abc import Callable

import pytest

from arena.core.actions import Action, Skip, say
from arena.core.events import MatchEnded, PhaseStarted
from arena.core.options import GameOptions
from arena.core.outcome import abort
from arena.core.playouts.playout import play_out
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState
from tests.arena.core.tiny_game import (
    TinyGame,
    opened,
    request,
    tiny_setup,
)
from tests.table import MURDERER, NAMES

CIVILIANS = tuple(name for name in NAMES if name != MURDERER)


def end(failed: dict[str, int], asked: dict[str, int], options: GameOptions) -> MatchEnded:
    """Play a match in which each seat fails the first `failed` of its `asked` requests."""
    requests = [
        request(seat, f"{seat}/{number}", attempts=options.attempts)
        for seat, most in asked.items()
        for number in range(most)
    ]
    game = TinyGame(steps=((PhaseStarted(phase="one"), opened(*requests)),))
    state = play_with(game, options, failed)
    assert state.ended is not None
    return state.ended


def play_with(game: TinyGame, options: GameOptions, failed: dict[str, int]) -> MatchState:
    def answer(one: DecisionRequest) -> Action:
        number = int(one.id.rpartition("/")[2])
        return say("" if number < failed.get(one.seat, 0) else "Yes.")

    return play_tiny(game, options, answer)


def play_tiny(
    game: TinyGame, options: GameOptions, answer: Callable[[DecisionRequest], Action]
) -> MatchState:
    return play_out(game, tiny_setup(options), lambda _, one: answer(one))


@pytest.mark.parametrize(
    ("failed", "outcome"), [(0, "civ_win"), (2, "civ_win"), (3, "forfeit"), (4, "forfeit")]
)
@pytest.mark.parametrize("seat", [MURDERER, CIVILIANS[0]])
def test_half_is_no_forfeit_and_more_than_half_is(seat: str, failed: int, outcome: str) -> None:
    ended = end({seat: failed}, {seat: 4}, GameOptions())
    assert ended.outcome == outcome
    if outcome == "forfeit":
        assert ended.forfeit_seat == seat
        assert ended.cause == f"{failed} of 4 requests ended without a valid answer"
        assert ended.murderers == (MURDERER,)


def test_all_seats_of_a_contestant_count_together() -> None:
    first, second = CIVILIANS[:2]
    asked = {first: 2, second: 2, MURDERER: 4}
    assert end({first: 2}, asked, GameOptions()).outcome == "civ_win"
    ended = end({first: 1, second: 2}, asked, GameOptions())
    assert (ended.outcome, ended.forfeit_seat) == ("forfeit", second)


def test_where_both_failed_too_often_the_larger_share_forfeits() -> None:
    first = CIVILIANS[0]
    asked = {first: 10, MURDERER: 4}
    assert end({first: 9, MURDERER: 3}, asked, GameOptions()).forfeit_seat == first
    assert end({first: 7, MURDERER: 3}, asked, GameOptions()).forfeit_seat == MURDERER


@pytest.mark.parametrize("most", [0, 1, 2])
def test_a_budget_given_as_a_number_ends_the_match_with_the_next_fault(most: int) -> None:
    seat = CIVILIANS[0]
    options = GameOptions(max_faults=most)
    assert end({seat: most}, {seat: 9, MURDERER: 1}, options).outcome == "civ_win"
    game = TinyGame(
        steps=(
            (
                PhaseStarted(phase="one"),
                opened(*(request(seat, f"{seat}/{number}") for number in range(9))),
            ),
        )
    )
    state = play_with(game, options, {seat: 9})
    assert state.ended is not None
    assert (state.ended.outcome, state.ended.forfeit_seat) == ("forfeit", seat)
    assert sum(event.kind == "turn_skipped" for event in state.history) == most + 1


def test_a_large_budget_lets_more_than_half_pass() -> None:
    seat = CIVILIANS[0]
    assert end({seat: 4}, {seat: 4}, GameOptions(max_faults=4)).outcome == "civ_win"


def test_what_a_player_skips_by_design_is_no_fault() -> None:
    game = TinyGame(
        steps=((PhaseStarted(phase="one"), opened(*(request(seat) for seat in NAMES))),)
    )
    state = play_tiny(game, GameOptions(max_faults=0), lambda _: Skip())
    assert state.ended is not None
    assert state.ended.outcome == "civ_win"


def test_silent_requests_cost_no_fault_budget() -> None:
    silent = opened(*(request(CIVILIANS[0], f"silent/{n}") for n in range(9)), mode="off_path")
    game = TinyGame(steps=((PhaseStarted(phase="one"), silent),))
    for options in (GameOptions(attempts=1), GameOptions(attempts=1, max_faults=0)):
        state = play_tiny(game, options, lambda _: say(""))
        assert state.ended is not None
        assert state.ended.outcome == "civ_win"


def test_an_error_is_a_loss_of_no_side() -> None:
    ended = abort(cause="the server is gone")
    assert (ended.outcome, ended.winners, ended.cause) == ("error", (), "the server is gone")
    assert ended.murderers == (), "the match can go on, so the truth stays hidden"
