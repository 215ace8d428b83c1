"""What should be cached, counted from the turn before: as the trie finds it by tokens."""

from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.models.chat import Completion, Label, Message, Request
from arena.schedule.forecast import Forecast, Head, Warm
from arena.schedule.trie import Trie

BLOCK = 4
HEAD = "rules and script"
HEADS = {seat: Head(key=f"x/{seat}", tokens=len(HEAD)) for seat in "ab"}


def asked(seat: str, messages: tuple[Message, ...], ask: str = "1") -> Request:
    label = Label(seat=seat, ask=ask)
    return Request(label=label, messages=messages, max_tokens=8, temperature=0.0)


def answered(request: Request, text: str) -> Completion:
    """Return a reply; every character is a token, and nothing stands round a message."""
    return Completion(
        text=text,
        finish="stop",
        prompt_tokens=sum(len(message.text) for message in request.messages),
        output_tokens=len(text),
        cached_tokens=None,
        seconds=0.0,
        ids=tuple(map(ord, text)),
    )


def log(*texts: str) -> tuple[Message, ...]:
    return tuple(Message(role="user", text=text) for text in texts)


@given(turns=st.lists(st.tuples(st.text("xyz", max_size=9), st.text("uvw", min_size=1))))
def test_the_forecast_of_a_log_that_grows_is_what_a_trie_of_its_tokens_finds(
    turns: list[tuple[str, str]],
) -> None:
    forecast, trie, messages = Forecast(HEADS, Warm(), block=BLOCK), Trie(BLOCK), log(HEAD)
    for heard, reply in turns:
        # A prompt that ends where the reply did would be cached but for its last token.
        messages = (*messages, *log(heard + "?"))
        request = asked("a", messages)
        ids = [ord(c) for message in messages for c in message.text]
        assert forecast.cached(request) == trie.cached(ids)
        forecast.keep(request, answered(request, reply))
        trie.keep(ids + [ord(c) for c in reply[:-1]])
        messages = (*messages, Message(role="assistant", text=reply))


def test_a_beginning_is_warm_while_a_match_that_sent_it_is_played() -> None:
    warm = Warm()
    first, second = (Forecast(HEADS, warm, block=BLOCK) for _ in range(2))
    request = asked("a", log(HEAD, "who?"))
    assert second.cached(request) == 0
    first.keep(request, answered(request, "me"))
    assert second.cached(request) == len(HEAD) // BLOCK * BLOCK
    assert second.cached(replace(request, label=Label(seat="b", ask="1"))) == 0
    first.close()
    assert second.cached(request) == 0


def test_a_match_that_goes_on_keeps_warm_what_another_gave_up() -> None:
    warm = Warm()
    forecasts = [Forecast(HEADS, warm, block=BLOCK) for _ in range(3)]
    request = asked("a", log(HEAD, "who?"))
    for forecast in forecasts[:2]:
        forecast.keep(request, answered(request, "me"))
        forecast.keep(request, answered(request, "me"))
    forecasts[0].close()
    assert forecasts[2].cached(request) > 0
    forecasts[1].close()
    assert forecasts[2].cached(request) == 0


def test_a_log_that_was_begun_anew_is_expected_to_share_its_beginning_alone() -> None:
    forecast = Forecast(HEADS, Warm(), block=BLOCK)
    rules, script = HEAD[:5], HEAD[5:]
    request = asked("a", log(rules, script, "a long talk that does not fit any more"))
    forecast.keep(request, answered(request, "yes"))
    shorter = asked("a", log(rules, script, "what is left of it"))
    assert forecast.cached(shorter) == len(HEAD) // BLOCK * BLOCK
    other = asked("a", log(rules, "a summary", "what is left of it"))
    assert forecast.cached(other) == 0, "the script is not what it was"


def test_a_beginning_that_was_never_sent_as_it_is_warms_nothing() -> None:
    warm = Warm()
    forecast = Forecast(HEADS, warm, block=BLOCK)
    request = asked("a", log("rules", "a summary of a script", "who?"))
    request = replace(request, label=replace(request.label, level=1))
    assert forecast.cached(request) == 0
    forecast.keep(request, answered(request, "me"))
    assert not warm.holds(HEADS["a"])
    again = asked("a", (*request.messages, Message(role="assistant", text="me"), *log("sure?")))
    assert forecast.cached(again) > 0, "it goes on as any log does"
    forecast.close()
    assert not warm.holds(HEADS["a"])


@pytest.mark.parametrize("part", ["reading", "summary"])
def test_a_call_beside_the_log_is_no_part_of_it(part: Literal["reading", "summary"]) -> None:
    forecast = Forecast(HEADS, Warm(), block=BLOCK)
    request = asked("a", log(HEAD, "who?"))
    forecast.keep(request, answered(request, "me"))
    aside = Request(
        label=Label(seat="a", ask="reading", part=part, piece="plan/1"),
        messages=request.messages,
        max_tokens=8,
        temperature=0.0,
    )
    assert forecast.cached(aside) == 0
    forecast.keep(aside, answered(aside, "a plan"))
    again = asked("a", (*request.messages, Message(role="assistant", text="me"), *log("sure?")))
    assert forecast.cached(again) > len(HEAD)


def test_after_a_restart_nothing_is_expected_until_it_was_sent_again() -> None:
    warm = Warm()
    forecast = Forecast(HEADS, warm, block=BLOCK)
    request = asked("a", log(HEAD, "who?"))
    forecast.keep(request, answered(request, "me"))
    again = asked("a", (*request.messages, Message(role="assistant", text="me"), *log("sure?")))
    assert forecast.cached(again) > 0
    warm.forget()
    assert forecast.cached(again) == 0
    forecast.keep(again, answered(again, "yes"))
    more = asked("a", (*again.messages, Message(role="assistant", text="yes"), *log("really?")))
    assert forecast.cached(more) >= len(HEAD)
    forecast.close()
    assert not warm.holds(HEADS["a"])


def test_a_probe_is_no_part_of_the_log() -> None:
    forecast = Forecast(HEADS, Warm(), block=BLOCK)
    request = asked("a", log(HEAD, "who?"), ask="probe/ballot/1/a")
    forecast.keep(request, answered(request, "me"))
    assert forecast.cached(request) == 0


def test_a_reply_that_goes_back_as_words_is_not_expected_to_be_cached() -> None:
    forecast = Forecast(HEADS, Warm(), block=1)
    request = asked("a", log(HEAD, "who?"))
    forecast.keep(request, replace(answered(request, "nobody"), ids=()))
    reply = Message(role="assistant", text="nobody")
    again = asked("a", (*request.messages, reply, *log("sure?")))
    assert forecast.cached(again) == len(HEAD) + len("who?")
