"""Every draw has a name: equal names draw equal things, different ones do not."""

import pytest

from arena.core.chance import generator, option_order, seat_order
from arena.core.events import MatchStarted
from arena.core.options import GameOptions, Order
from arena.core.seats import SeatId

SEATS = tuple(SeatId(name) for name in "abcdefg")


def started(options: GameOptions, seed: int = 1, rotation: int = 0) -> MatchStarted:
    return MatchStarted(
        game="",
        options=options,
        script="",
        script_sha256="",
        language="en",
        seed=seed,
        parts=(),
        civilians="",
        murderer="",
        rotation=rotation,
    )


def test_equal_names_draw_equal_numbers_and_other_names_others() -> None:
    draws = [
        generator(1, "order", "talk", 1).random(),
        generator(1, "order", "talk", 2).random(),
        generator(1, "order", "vote", 1).random(),
        generator(2, "order", "talk", 1).random(),
    ]
    assert generator(1, "order", "talk", 1).random() == draws[0]
    assert len(set(draws)) == len(draws)


def test_a_name_with_half_of_a_surrogate_pair_draws_too() -> None:
    assert generator(1, "\ud800").random() == generator(1, "\ud800").random()


def test_the_order_of_the_script_stays() -> None:
    assert all(seat_order(SEATS, started(GameOptions()), "talk", n) == SEATS for n in (1, 2, 3))


def test_a_rotated_order_starts_one_seat_later_each_round() -> None:
    options = GameOptions(order="rotated")
    orders = [
        "".join(seat_order(SEATS, started(options), "talk", number)) for number in (1, 2, 3, 8, 9)
    ]
    assert orders == ["abcdefg", "bcdefga", "cdefgab", "abcdefg", "bcdefga"]
    assert seat_order((), started(options), "talk", 1) == ()


def test_a_shuffled_order_is_drawn_for_each_phase_round_and_seed() -> None:
    options = GameOptions(order="shuffled")
    drawn = [
        seat_order(SEATS, started(options, seed), phase, number)
        for seed, phase, number in ((1, "talk", 1), (1, "talk", 2), (1, "vote", 1), (2, "talk", 1))
    ]
    assert len(set(drawn)) == len(drawn)
    assert all(sorted(order) == sorted(SEATS) for order in drawn)
    assert seat_order(SEATS, started(options), "talk", 1) == drawn[0]


@pytest.mark.parametrize("order", ["script", "rotated", "shuffled"])
def test_rotations_of_a_match_put_every_seat_first_once(order: Order) -> None:
    options = GameOptions(order=order)
    found = [
        seat_order(SEATS, started(options, rotation=number), "talk", 2)
        for number in range(len(SEATS))
    ]
    assert {one[0] for one in found} == set(SEATS)
    circles = {"".join(one[one.index(SEATS[0]) :] + one[: one.index(SEATS[0])]) for one in found}
    assert len(circles) == 1


def test_the_draws_of_a_seed_never_change() -> None:
    options = GameOptions(order="shuffled", option_order="shuffled")
    assert "".join(seat_order(SEATS, started(options), "talk", 1)) == "adbcfge"
    shown = option_order((*SEATS, "abstain"), options, 1, "vote-1/vote/a", is_vote=True)
    assert "".join(shown) == "bacdfgeabstain"
    assert generator(1, "tie", 2).random() == 0.8521582560455163


def test_a_shuffled_order_puts_every_seat_first_at_times() -> None:
    options = GameOptions(order="shuffled")
    firsts = {seat_order(SEATS, started(options, seed), "talk", 1)[0] for seed in range(100)}
    assert firsts == set(SEATS)


@pytest.mark.parametrize(
    ("chosen", "is_vote", "is_drawn"),
    [
        ("script", True, False),
        ("script", False, False),
        ("votes", True, True),
        ("votes", False, False),
        ("shuffled", True, True),
        ("shuffled", False, True),
    ],
)
def test_options_are_drawn_where_the_option_says(
    chosen: str, is_vote: bool, is_drawn: bool
) -> None:
    options = GameOptions(option_order=chosen)  # pyright: ignore[reportArgumentType]
    choices = (*SEATS, "abstain")
    shown = [option_order(choices, options, 1, f"vote/{n}", is_vote=is_vote) for n in range(20)]
    assert (len(set(shown)) > 1) == is_drawn
    assert all(sorted(one) == sorted(choices) for one in shown)
    assert all(one[-1] == "abstain" for one in shown)
    assert option_order(choices, options, 1, "vote/0", is_vote=is_vote) == shown[0]


def test_no_seat_keeps_its_place_among_drawn_options() -> None:
    shown = [option_order(SEATS, GameOptions(), n, "vote/1", is_vote=True) for n in range(200)]
    assert all({one.index(seat) for one in shown} == set(range(len(SEATS))) for seat in SEATS)
