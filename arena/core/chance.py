"""Chance: every draw comes from a generator that is named after its decision."""

from random import Random

from arena.core.events import MatchStarted
from arena.core.options import GameOptions
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN


def generator(seed: int, *names: object) -> Random:
    """Return the generator of one decision of one match; equal names give equal draws."""
    name = "/".join(map(str, (seed, *names)))
    # A seat's name can contain a lone surrogate, which plain UTF-8 cannot encode.
    return Random(name.encode(errors="surrogatepass"))


def seat_order(
    seats: tuple[SeatId, ...], started: MatchStarted, phase: str, number: int
) -> tuple[SeatId, ...]:
    """Return the order in which `seats` are asked in round `number` (from 1) of a phase.

    Matches that differ only in their rotation begin with different seats.
    """
    order = seats
    start = started.rotation
    if started.options.order == "rotated":
        start += number - 1
    elif started.options.order == "shuffled":
        chance = generator(started.seed, "order", phase, number)
        order = tuple(chance.sample(seats, k=len(seats)))
    start %= max(1, len(order))
    return (*order[start:], *order[:start])


def option_order(
    choices: tuple[str, ...], options: GameOptions, seed: int, request: str, *, is_vote: bool
) -> tuple[str, ...]:
    """Return `choices` in the order in which the seat of `request` sees them.

    An abstention stays last. A random order prevents a model's position bias from becoming a bias
    for a seat.
    """
    if options.option_order == "script" or (options.option_order == "votes" and not is_vote):
        return choices
    named = [choice for choice in choices if choice != ABSTAIN]
    generator(seed, "options", request).shuffle(named)
    return (*named, *(choice for choice in choices if choice == ABSTAIN))
