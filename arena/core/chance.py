"""Chance: every draw comes from a generator with the name of the decision it makes."""

from random import Random

from arena.core.events import MatchStarted
from arena.core.options import GameOptions
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN


def generator(seed: int, *names: object) -> Random:
    """Return the generator of one decision of one match; equal names give equal draws."""
    name = "/".join(map(str, (seed, *names)))
    # A seat's name may hold half of a surrogate pair, which plain UTF-8 has no bytes for.
    return Random(name.encode(errors="surrogatepass"))


def seat_order(
    seats: tuple[SeatId, ...], started: MatchStarted, phase: str, number: int
) -> tuple[SeatId, ...]:
    """Return the order in which `seats` are asked in round `number` (from 1) of a phase.

    Matches that differ in their rotation alone begin with different seats.
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

    An abstention stays last. A drawn order keeps a model's preference for a position from becoming
    a preference for a seat.
    """
    if options.option_order == "script" or (options.option_order == "votes" and not is_vote):
        return choices
    named = [choice for choice in choices if choice != ABSTAIN]
    generator(seed, "options", request).shuffle(named)
    return (*named, *(choice for choice in choices if choice == ABSTAIN))
