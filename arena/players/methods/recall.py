"""Recall: the part of a seat's observation in its prompts: all of it, some, or none.

A part of an observation is an observation with fewer events, so prompts render it like a whole one.
"""

from collections.abc import Collection
from dataclasses import replace

from arena.core.events import ClueRevealed, StageStarted
from arena.core.observation import Observation
from arena.players.prompting import Prompting


def keep_events(observation: Observation, kept: Collection[int]) -> Observation:
    """Return `observation` with only the events of these indices, in their order.

    Later stages of the seat's own script always stay.
    """
    numbers = {
        number
        for number, event in enumerate(observation.events)
        if number in kept or isinstance(event, StageStarted)
    }
    events = tuple(one for number, one in enumerate(observation.events) if number in numbers)
    reveals = (n for n, one in enumerate(observation.events) if isinstance(one, ClueRevealed))
    shown = zip(reveals, observation.clues, strict=False)
    return replace(
        observation,
        events=events,
        clues=tuple(clue for number, clue in shown if number in numbers),
    )


def recall(observation: Observation, prompting: Prompting) -> Observation:
    """Return the observation for a prompt, under the option `memory`."""
    if observation.is_onlooker or prompting.options.memory == "log":
        return observation
    return keep_events(observation, ())
