"""What a seat remembers of the match when it answers: all of it, a part, or nothing.

A part of an observation is an observation with fewer events, so prompts render it like a whole one.
"""

from collections.abc import Collection
from dataclasses import replace

from arena.core.events import ClueRevealed, StageStarted
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.players.prompting import Prompting


def keep_events(observation: Observation, kept: Collection[int]) -> Observation:
    """Return `observation` with the events of these indexes alone, in their order.

    Later stages of the own script always stay.
    """
    numbers = [
        number
        for number, event in enumerate(observation.events)
        if number in kept or isinstance(event, StageStarted)
    ]
    events = tuple(observation.events[number] for number in numbers)
    clues = list(observation.clues)
    shown = [number for number, one in enumerate(observation.events) if _reveals(one)]
    left = tuple(clue for number, clue in zip(shown, clues, strict=False) if number in set(numbers))
    return replace(observation, events=events, clues=left)


async def recall(
    observation: Observation, request: DecisionRequest, prompting: Prompting
) -> Observation:
    """Return what the answer to `request` is based on, under the option `memory`."""
    del request
    if observation.is_onlooker or prompting.options.memory == "log":
        return observation
    return keep_events(observation, ())


def _reveals(event: object) -> bool:
    return isinstance(event, ClueRevealed)
