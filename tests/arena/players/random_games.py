"""Matches of the small case under random rules, in which seats also say their secrets."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from arena.core.actions import Action, Reply
from arena.core.events import QuestionAsked, Said
from arena.core.requests import DecisionRequest
from arena.core.specs import FreeText, spec_fields, variant_spec
from arena.core.state import MatchState, pending
from arena.games.whodunit.options import WhodunitOptions
from tests.table import (
    NAMES,
    act,
    hostile,
    secret,
)

TRUTH = ("TRUTH-TEXT", "TRUTH-METHOD")

RULES = st.builds(
    WhodunitOptions,
    rounds=st.integers(1, 2),
    duties=st.sampled_from(["one_ask", "two_asks"]),
    answers=st.sampled_from(["immediate", "batched"]),
    introductions=st.sampled_from(["sequential", "together"]),
    clues=st.sampled_from(["all", "civilians", "at_deal", "owner"]),
    reasoning=st.sampled_from(["heard", "secret", "together"]),
    vote=st.sampled_from(["secret", "open"]),
    tie=st.sampled_from(["draw", "none", "revote"]),
    self_vote=st.booleans(),
    vote_with_reason=st.booleans(),
    order=st.sampled_from(["script", "shuffled", "rotated"]),
    pictures=st.sampled_from(["image", "ocr", "caption", "none"]),
    max_faults=st.sampled_from([None, 0, 3, 100]),
)


def talk(request: DecisionRequest, chance: Random) -> Action | None:
    """Answer in any way, and at times blurt out the seat's own secret; None: too late."""
    action = hostile(request, chance)
    if not isinstance(action, Reply) or chance.random() > 0.3:
        return action
    spec = variant_spec(request.spec, action.variant)
    texts = {
        field.name
        for field in (spec_fields(spec) if spec else ())
        if isinstance(field.spec, FreeText)
    }
    spoken = f"Hear this: {secret(request.seat)}"
    values = ((name, spoken if name in texts else value) for name, value in action.values)
    return replace(action, values=tuple(values))


def heard_secrets(state: MatchState) -> set[str]:
    """Return the markers that all seats have heard."""
    spread = " ".join(
        event.text
        for event in state.history
        if isinstance(event, Said | QuestionAsked) and event.audience == "all"
    )
    return {secret(name) for name in NAMES if secret(name) in spread}


def answer_all(
    state: MatchState,
    requests: tuple[DecisionRequest, ...],
    answer: Callable[[DecisionRequest], Action | None],
) -> MatchState:
    """Return the match after one attempt at each of the requests."""
    for request in requests:
        current = next((one for one in pending(state) if one.id == request.id), None)
        if current is not None:
            state = act(state, current, answer(current))
    return state
