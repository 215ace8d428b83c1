"""Who is asked first: orders drawn under names, of the script, or rotated."""

from arena.core.chance import seat_order
from arena.core.state import MatchState
from tests.arena.games.thinkthrice.scenes import finish, requests, start
from tests.table import NAMES


def orders(state: MatchState, kind: str) -> list[tuple[str, ...]]:
    """Return the seats that were asked for `kind`, round by round."""
    rounds = sorted({one.round for one in requests(state) if one.kind == kind})
    found = [one for one in requests(state) if one.kind == kind]
    return [tuple(one.seat for one in found if one.round == number) for number in rounds]


def test_orders_are_drawn_for_each_phase_and_round_under_their_names() -> None:
    state = finish(start(seed=5))
    started, seats = state.started, state.started.seats
    drawn = [seat_order(seats, started, "discussion", number) for number in range(1, 6)]
    assert orders(state, "ask") == drawn
    introduced = tuple(seat for [seat] in orders(state, "introduce"))
    assert introduced == seat_order(seats, started, "introduction", 1)
    assert orders(state, "ask_first") == [
        seat_order(tuple(s for s in seats if s != heard), started, "first_questions", number)
        for number, heard in enumerate(introduced, start=1)
    ]
    assert len({introduced, *drawn}) > 1
    assert (
        len({tuple(s for [s] in orders(start_and_finish(seed), "introduce")) for seed in range(4)})
        > 1
    )


def start_and_finish(seed: int) -> MatchState:
    return finish(start(seed=seed, ballots=1))


def test_the_order_of_the_script_is_kept_where_the_option_says() -> None:
    state = finish(start(order="script"))
    assert orders(state, "ask") == [NAMES] * 5
    assert tuple(seat for [seat] in orders(state, "introduce")) == NAMES
    rotated = finish(start(order="rotated"))
    assert [order[0] for order in orders(rotated, "ask")] == list(NAMES)
