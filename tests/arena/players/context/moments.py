"""Moments of the small case: what a seat knows there, and what it is asked."""

from random import Random

from arena.core.actions import Action, Reply
from arena.core.observation import Observation, observe
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice, spec_fields, variants
from arena.core.state import MatchState, pending
from arena.games.whodunit.options import WhodunitOptions
from arena.models.chat import Message
from scripts_mm.script import Script
from tests.table import (
    act,
    begin,
    legal,
    play,
    setup,
)

REPLY = Message(role="assistant", text="So.")


def first_moment(
    rules: WhodunitOptions, script: Script | None = None
) -> tuple[Observation, DecisionRequest]:
    """Return what the first seat knows and is asked first."""
    state = begin(setup(rules, script=script))
    request = pending(state)[0]
    return observe(state, request.seat), request


def middle(script: Script | None = None, *, answers: int = 30, rounds: int = 3) -> MatchState:
    """Return a match in its middle, after that many answers."""
    chance = Random(4)
    state = begin(setup(WhodunitOptions(rounds=rounds), script=script))
    return play(state, lambda request: legal(request, chance), most_answers=answers)


def late_moment(
    answers: int = 40, words: str = "", script: Script | None = None
) -> tuple[Observation, DecisionRequest]:
    """Return what a seat knows that has heard many speeches, and what it is asked."""
    chance = Random(4)

    def answer(request: DecisionRequest) -> Action:
        reply = legal(request, chance)
        specs = {f.name: f.spec for v in variants(request.spec) for f in spec_fields(v.spec)}
        talk = f" {words} " + "and so on, and so forth. " * 12
        return Reply(
            variant=reply.variant,
            values=tuple(
                (name, text if isinstance(specs[name], Choice) else text + talk)
                for name, text in reply.values
            ),
        )

    state = begin(setup(WhodunitOptions(rounds=4), script=script))
    state = play(state, answer, most_answers=answers)
    request = pending(state)[0]
    return observe(state, request.seat), request


def answer_next(state: MatchState, request: DecisionRequest) -> MatchState:
    """Return the match after a legal answer."""
    return act(state, request, legal(request, Random(1)))


def text_of(messages: tuple[Message, ...]) -> str:
    """Return all texts of a prompt."""
    return "\n".join(message.text for message in messages)


def shown(messages: tuple[Message, ...]) -> list[str]:
    """Return the content hashes of the pictures in a prompt, in order."""
    return [message.picture.sha256 for message in messages if message.picture]
