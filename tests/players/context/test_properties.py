"""However small the context and whatever is said: prompts fit, only grow, and hold no secret."""

from random import Random
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.actions import Ask
from arena.core.asking import asks
from arena.core.options import Options
from arena.core.rules import decide
from arena.core.state import fold
from arena.core.views import View, view
from arena.errors import ModelError
from arena.models.chat import Message, Request
from arena.models.function import FunctionModel
from arena.players import prompts
from arena.players.fitting.fitter import Fitter
from arena.players.means import Means, Overflow, PictureMode
from arena.players.prompt_log import Prompt
from tests.core.test_rules import OPTIONS
from tests.core.test_secrecy import TRUTH, said, talkative
from tests.players.fitting.stage import board, compose, count, long_case, means, words
from tests.table import NAMES, begin, secret, setup

WAYS = st.builds(
    means,
    st.integers(1400, 6000),
    picture_mode=st.sampled_from(get_args(PictureMode)),
    overflow=st.sampled_from(get_args(Overflow)),
    compose=st.just(board),
    pictures=st.sampled_from([None, 1, 3]),
    reply_tokens=st.just(64),
    words=st.sampled_from([None, words]),
)


class Echo:
    """A model that says again what it was shown, all secrets included, and is asked what fits."""

    def __init__(self, most: int) -> None:
        self.requests: list[Request] = []
        self._most = most

    def __call__(self, request: Request) -> str:
        self.requests.append(request)
        assert count(request.messages) + request.max_tokens <= self._most, request.call_id
        return request.messages[-1].text[: 4 * request.max_tokens]


@settings(max_examples=60)
@given(
    options=OPTIONS,
    seed=st.integers(0, 10**6),
    wanted=WAYS,
    characters=st.sampled_from([100, 3000, 9000]),
)
def test_prompts_fit_and_grow_and_hold_nothing_that_the_seat_may_not_know(
    options: Options, seed: int, wanted: Means, characters: int
) -> None:
    chance, most = Random(seed), wanted.context_tokens or 0
    state = begin(setup(options, seed=seed, script=long_case(characters)))
    models = {name: Echo(most) for name in NAMES}
    made = {name: Fitter(FunctionModel(models[name]), wanted) for name in NAMES}
    last: dict[str, tuple[int, list[tuple[Message, ...]]]] = {name: (-1, []) for name in NAMES}
    while pending := asks(state):
        known = said(state)
        done: list[tuple[str, Prompt, Message]] = []
        for ask in pending:
            seen = view(state, ask.seat)
            prompt = made_or_none(made[ask.seat], seen, ask)
            if prompt is None:
                assert most < 2000, "in 2000 tokens there is room for rules, role and a question"
                return
            assert count(prompt.messages) <= most - 64
            shown = sum(m.picture is not None for m in prompt.messages)
            assert shown <= (wanted.pictures or 100)
            heard, before = last[ask.seat]
            if heard < prompt.heard:
                grown = any(prompt.messages[: len(old)] == old for old in before)
                assert grown or prompt.level or not before
                last[ask.seat] = (prompt.heard, [])
            reply = Message(role="assistant", text=f"reply to {ask.id} ({ask.tries})")
            last[ask.seat][1].append((*prompt.messages, reply))
            done.append((ask.seat, prompt, reply))
            foreign = {secret(name) for name in NAMES if name != ask.seat} - known
            asked = [prompt.messages, *(r.messages for r in models[ask.seat].requests)]
            text = "\n".join(m.text for messages in asked for m in messages)
            assert not {marker for marker in (*foreign, *TRUTH) if marker in text}
            if ask.seat != NAMES[1] and options.clues != "owner":
                assert "CLUE-OF-BRAM" not in text
        chance.shuffle(done)
        for name, prompt, reply in done:
            made[name].keep(prompt, (prompt.action, reply))
        for ask in pending:
            for event in decide(state, ask, talkative(ask, chance)):
                state = fold(state, event)
            if state.closed:
                break


def made_or_none(fitter: Fitter, seen: View, ask: Ask) -> Prompt | None:
    """Return the prompt of an ask; None where no prompt can be made."""
    try:
        return compose(fitter, seen, ask, prompts.action(seen, ask))
    except ModelError:
        return None
