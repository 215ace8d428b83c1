"""Readers that go by one rule about a case, whatever its words: what they name should be chance."""

from random import Random

from scripts_mm.generate.world import World


def guess_far_from_reading(world: World, rng: Random) -> str:
    """Name one of those whose unseen window does not hold the time that is read first.

    So guesses who has seen one picture and holds that the clock at the scene always misleads.
    Suspects are not all unseen in one window, so there is one to name.
    """
    frame, reading = world.frame, world.crime.reading
    wide = [(one.id, frame.windows[one.gap]) for one in frame.suspects]
    return rng.choice([who for who, at in wide if not at.start <= reading <= at.end])
