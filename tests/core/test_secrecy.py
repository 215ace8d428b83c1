"""Nothing of another seat's private text passes the wall before its owner has said it."""

import json
from dataclasses import asdict
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.core.actions import Action, Ask, Conclude, ShareAndAsk, Speak
from arena.core.asking import asks
from arena.core.events import Asked, Concluded, Spoke, Voted
from arena.core.options import Options
from arena.core.rules import decide
from arena.core.state import MatchState, fold
from arena.core.views import view
from arena.players import prompts
from tests.core.test_rules import OPTIONS
from tests.players.fitting.stage import compose, fitter
from tests.table import MURDERER, NAMES, begin, hostile, secret, setup

TRUTH = ("TRUTH-TEXT", "TRUTH-METHOD")


def talkative(ask: Ask, chance: Random) -> Action:
    """Answer as anybody might, and at times blurt out the own secret."""
    own = secret(ask.seat)
    action = hostile(ask, chance)
    if chance.random() < 0.3:
        match action:
            case Speak():
                return Speak(text=f"Hear this: {own}")
            case ShareAndAsk(target=target):
                return ShareAndAsk(share=own, target=target, question="And you?")
            case Conclude():
                return Conclude(method=own, motive="because")
            case _:
                return action
    return action


def said(state: MatchState) -> set[str]:
    """Return the markers that public speech has spread."""
    told: list[str] = []
    for event in state.history:
        match event:
            case Spoke(text=text) | Asked(text=text):
                told.append(text)
            case Concluded(method=method) if state.opening.options.reasoning != "secret":
                told.append(method)
            case Voted(reason=reason) if state.opening.options.vote == "open":
                told.append(reason)
            case _:
                pass
    spread = " ".join(told)
    return {secret(name) for name in NAMES if secret(name) in spread}


@given(options=OPTIONS, seed=st.integers(0, 10**6))
def test_a_marker_reaches_no_other_view_or_prompt_before_its_owner_says_it(
    options: Options, seed: int
) -> None:
    chance, state = Random(seed), begin(setup(options, seed=seed))
    logs = {name: fitter() for name in NAMES}
    while pending := asks(state):
        known = said(state)
        for ask in pending:
            seen = view(state, ask.seat)
            prompt = compose(logs[ask.seat], seen, ask, prompts.action(seen, ask))
            logs[ask.seat].keep(prompt, (prompt.messages[-1],))
            foreign = {secret(name) for name in NAMES if name != ask.seat} - known
            shown = json.dumps(asdict(seen)) + "".join(m.text for m in prompt.messages)
            leaked = {marker for marker in (*foreign, *TRUTH) if marker in shown}
            assert not leaked
            if ask.seat != NAMES[1] and options.clues != "owner":
                assert "CLUE-OF-BRAM" not in shown
        for ask in pending:
            for event in decide(state, ask, talkative(ask, chance)):
                state = fold(state, event)
            if state.closed:
                break


@given(seed=st.integers(0, 10**6))
def test_only_the_murderer_knows_who_it_is(seed: int) -> None:
    state = begin(setup(seed=seed))
    for name in NAMES:
        seen = view(state, next(seat for seat in state.opening.seats if seat == name))
        assert seen.is_murderer == (name == MURDERER)
        shown = json.dumps(asdict(seen))
        assert ("Get away" in shown) == (name == MURDERER)
        assert "murderers" not in shown


def test_nobody_knows_a_secret_vote_or_why_another_seat_passed() -> None:
    state = begin(setup(Options(tries=1)))
    chance = Random(5)
    while asks(state)[0].verb != "vote":
        ask = asks(state)[0]
        for event in decide(state, ask, hostile(ask, chance)):
            state = fold(state, event)
    first = asks(state)[0]
    for event in decide(state, first, hostile(first, Random(1))):
        state = fold(state, event)
    for other in NAMES:
        if other == first.seat:
            continue
        heard = view(state, next(s for s in state.opening.seats if s == other)).heard
        assert not [event for event in heard if isinstance(event, Voted)]
        assert not [
            event
            for event in heard
            if event.kind == "passed" and event.reason and event.seat != other
        ]
