"""Prompts are text, so they are tested as text; and they only grow."""

import re
from random import Random
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.actions import Ask, SeatId, Speak
from arena.core.asking import asks
from arena.core.options import Options
from arena.core.rules import decide
from arena.core.state import fold
from arena.core.views import view
from arena.models.chat import Message
from arena.players import prompts
from arena.players.prompt_log import Prompt
from arena.players.wording import defused, quoted, wording
from scripts_mm.script import LANGUAGES, Language
from tests.core.test_rules import OPTIONS
from tests.players.fitting.stage import compose, fitter
from tests.table import NAMES, begin, hostile, legal, play, setup


def test_both_languages_say_the_same_things() -> None:
    english, chinese = (wording(language).texts for language in LANGUAGES)
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        names = [
            {field for _, field, _, _ in Formatter().parse(t) if field}
            for t in (text, chinese[key])
        ]
        assert names[0] >= names[1], key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_prompt_never_holds_a_name_that_was_not_filled_in(language: Language) -> None:
    for text in wording(language).texts.values():
        assert text.strip()
    state = play(begin(setup()), lambda ask: legal(ask, Random(1)), asks_left=20)
    for ask in asks(state):
        seen = view(state, ask.seat)
        messages = (*prompts.header(seen), *prompts.lines(seen, 0, len(seen.heard)))
        text = "\n".join(m.text for m in messages) + prompts.action(seen, ask)
        assert not re.search(r"\{[a-z_]+\}", text)


@given(options=OPTIONS, seed=st.integers(0, 10**6))
def test_a_prompt_begins_with_the_prompt_and_reply_before(options: Options, seed: int) -> None:
    chance, state = Random(seed), begin(setup(options, seed=seed))
    logs = {name: fitter() for name in NAMES}
    last: dict[str, tuple[int, list[tuple[Message, ...]]]] = {name: (-1, []) for name in NAMES}
    while pending := asks(state):
        done: list[tuple[Ask, Prompt, Message]] = []
        for ask in pending:
            seen = view(state, ask.seat)
            prompt = compose(logs[ask.seat], seen, ask, prompts.action(seen, ask))
            reply = Message(role="assistant", text=f"reply to {ask.id} ({ask.tries})")
            heard, before = last[ask.seat]
            if heard < prompt.heard:
                assert not before or any(prompt.messages[: len(old)] == old for old in before)
                last[ask.seat] = (prompt.heard, [])
            last[ask.seat][1].append((*prompt.messages, reply))
            done.append((ask, prompt, reply))
        chance.shuffle(done)
        for ask, prompt, reply in done:
            logs[ask.seat].keep(prompt, (prompt.messages[-1], reply))
        for ask in pending:
            for event in decide(state, ask, hostile(ask, chance)):
                state = fold(state, event)
            if state.closed:
                break


def test_the_log_does_not_depend_on_when_replies_come() -> None:
    state = begin(setup(Options(answers="batched")))
    while asks(state)[0].verb != "answer":
        for ask in asks(state):
            action = legal(ask, Random(2))
            if ask.verb == "share_and_ask":
                action = legal(ask, Random(7))
            for event in decide(state, ask, action):
                state = fold(state, event)
    by_seat: dict[str, int] = {}
    for ask in asks(state):
        by_seat[ask.seat] = by_seat.get(ask.seat, 0) + 1
    busy = SeatId(max(by_seat, key=lambda name: by_seat[name]))
    wave = [ask for ask in asks(state) if ask.seat == busy]
    assert len(wave) > 1, "the test needs a seat that is asked twice in one wave"

    def log_after(order: list[int]) -> tuple[Message, ...]:
        log, seen = fitter(), view(state, busy)
        composed = [compose(log, seen, ask, prompts.action(seen, ask)) for ask in wave]
        for index in order:
            reply = Message(role="assistant", text=f"reply {index}")
            log.keep(composed[index], (composed[index].messages[-1], reply))
        later = state
        for ask in asks(state):
            for event in decide(later, ask, Speak(text="So.")):
                later = fold(later, event)
        return compose(log, view(later, busy), wave[0]).messages

    forward = list(range(len(wave)))
    assert log_after(forward) == log_after(forward[::-1])


def test_one_message_holds_one_picture_and_names_its_clue() -> None:
    state = play(begin(setup()), lambda ask: legal(ask, Random(1)), asks_left=8)
    seen = view(state, state.opening.seats[0])
    shown = [m for m in prompts.lines(seen, 0, len(seen.heard)) if m.picture]
    assert [m.picture.sha256[-1] for m in shown if m.picture] == ["1", "2"]
    assert all("Plan of the tower" in m.text for m in shown)


@pytest.mark.parametrize("how", ["ocr", "caption", "none"])
def test_pictures_can_be_replaced_by_words_or_left_out(how: str) -> None:
    state = begin(setup(Options(pictures=how, clues="at_deal")))  # pyright: ignore[reportArgumentType]
    seen = view(state, state.opening.seats[0])
    messages = prompts.lines(seen, 0, len(seen.heard))
    text = "\n".join(message.text for message in messages)
    assert not [message for message in messages if message.picture]
    assert ("written in picture 1" in text) == (how == "ocr")
    assert ("seen in picture 1" in text) == (how == "caption")


@given(st.text())
def test_the_words_of_others_cannot_leave_their_quotation(text: str) -> None:
    safe = quoted(text)
    assert "\n" not in safe
    assert not set("“”【】") & set(safe)
    assert "###" not in safe


@pytest.mark.parametrize(
    "text",
    ["<|im_start|>system", "a <|im_end|> b", "</s>", "<image>", "<|vision_start|>", "<think>"],
)
def test_markers_of_chat_templates_lose_their_meaning(text: str) -> None:
    assert "<" not in defused(text)
    assert ">" not in defused(text)


def test_a_seat_that_must_answer_again_in_a_wave_knows_no_more_than_before() -> None:
    state = begin(setup(Options(introductions="together")))
    first, *others = asks(state)
    before = view(state, first.seat).heard
    for ask, action in [(first, Speak(text="")), *((o, Speak(text="HEARD")) for o in others)]:
        for event in decide(state, ask, action):
            state = fold(state, event)
    [again] = asks(state)
    assert (again.seat, again.fault) == (first.seat, "empty")
    assert view(state, first.seat).heard == before
    assert "HEARD" in str(view(state, others[0].seat).heard)
