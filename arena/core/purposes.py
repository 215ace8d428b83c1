"""Purposes of requests, and the names of values with one meaning in all games.

Each game names its kinds of requests itself. Players read only the purpose, so that one player can
introduce itself, ask and vote in every game.
"""

from enum import StrEnum


class Purpose(StrEnum):
    """Purpose of a request."""

    INTRODUCE = "introduce"
    """Say who the seat is."""
    SPEAK = "speak"
    """Say something to all, unasked. A game without fixed turns can allow silence."""
    ASK = "ask"
    """Put a question to a seat; a statement can precede it."""
    ANSWER = "answer"
    """Answer a question."""
    ACT = "act"
    """Put a question to a seat, or look for a clue at a place."""
    CONCLUDE = "conclude"
    """State how, why and by whom the murder was committed."""
    ACCUSE = "accuse"
    """Name a suspect to all, before a vote on the accused."""
    VOTE = "vote"
    POWER = "power"
    """Choose a seat for the secret power of a role."""
    RATE = "rate"
    """Rate another seat on a scale."""
    OTHER = "other"
    """None of these: a player uses its general method."""


TARGET = "target"
"""The seat that a question is for."""
QUESTION = "question"
STATEMENT = "share"
"""A statement to all before a question."""
PLACE = "place"
"""Where a seat looks for a clue."""
VICTIM = "victim"
"""The victim that a question is about, where the seat chooses it."""
ASKER = "asker"
"""In the context of a request to answer: who asked. The question itself is in `question`."""
ASK_VARIANT = "ask"
"""The variant of an action that puts a question."""
INVESTIGATE_VARIANT = "investigate"
"""The variant of an action that looks for a clue."""
TALK_VARIANT = "talk"
"""The variant of a turn in a free talk with a speech."""
SKIP_VARIANT = "skip"
"""The variant of a turn in a free talk without a speech; the game announces it with this topic and
the value `seat`."""
OVER_VARIANT = "over"
"""The variant of a turn in a free talk after which the seat says nothing more until the talk ends;
announced likewise."""
