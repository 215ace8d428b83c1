"""Purposes of requests, and the names of values that mean the same in every game.

A game has its own word for each kind of request. A strategy needs to know only what a request is
for: so that one player introduces itself, asks and votes in every game.
"""

from enum import StrEnum


class Purpose(StrEnum):
    """What a request is for."""

    INTRODUCE = "introduce"
    """Say who the seat is."""
    SPEAK = "speak"
    """Say something to all, unasked. A game without turns of speech may allow silence."""
    ASK = "ask"
    """Put a question to a seat; a statement may come before it."""
    ANSWER = "answer"
    """Answer a question."""
    ACT = "act"
    """Put a question to a seat, or look for a clue at a place."""
    CONCLUDE = "conclude"
    """State how, why and by whom it was done."""
    ACCUSE = "accuse"
    """Name a suspect to all, before a vote on the accused."""
    VOTE = "vote"
    POWER = "power"
    """Choose a seat for the secret power of a role."""
    RATE = "rate"
    """Judge another seat on a scale."""
    OTHER = "other"
    """None of these: a strategy answers as it answers anything."""


TARGET = "target"
"""The seat that a question is for."""
QUESTION = "question"
STATEMENT = "share"
"""What is said to all before a question."""
PLACE = "place"
"""Where a seat looks for a clue."""
VICTIM = "victim"
"""The victim that a question is about, where the seat chooses it."""
ASKER = "asker"
"""In the context of a request to answer: who asked. Its question has the name `question`."""
ASK_VARIANT = "ask"
"""The variant of an action that puts a question."""
INVESTIGATE_VARIANT = "investigate"
"""The variant of an action that looks for a clue."""
TALK_VARIANT = "talk"
"""The variant of a turn in a free talk that says something."""
SKIP_VARIANT = "skip"
"""The variant that says nothing this time; a talk announces it under this topic, with the value
`seat`."""
OVER_VARIANT = "over"
"""The variant with which a seat has no more to say until the talk ends; announced likewise."""
