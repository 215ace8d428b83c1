"""Heuristics that guess the culprit by one rule, independent of words: hits should be chance."""

from random import Random

from scripts_mm.generate.world import World


def guess_far_from_reading(world: World, rng: Random) -> str:
    """Return a random suspect whose unseen window does not contain the first reading.

    This is the guess of a reader who has seen one picture and assumes that the clock at the scene
    always misleads. There is such a suspect, since they are not all unseen in one window.
    """
    frame, reading = world.frame, world.crime.reading
    wide = [(one.id, frame.windows[one.gap]) for one in frame.suspects]
    return rng.choice([who for who, at in wide if not at.start <= reading <= at.end])
