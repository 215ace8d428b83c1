"""Cache-hit prediction by counting agrees with the token-exact oracle."""

from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.models.chat import CallId, Completion, Message, Request
from arena.schedule.cache_prediction import CacheHitPredictor, SharedPrefix, WarmPrefixes
from tests.fakes.prefix_cache_oracle import PrefixCacheOracle

BLOCK = 4
PREFIX = "rules and script"
PREFIXES = {seat: SharedPrefix(key=f"x/{seat}", tokens=len(PREFIX)) for seat in "ab"}


def asked(seat: str, messages: tuple[Message, ...], ask: str = "1") -> Request:
    label = CallId(seat=seat, request=ask)
    return Request(call_id=label, messages=messages, max_tokens=8, temperature=0.0)


def answered(request: Request, text: str) -> Completion:
    """Return a reply; every character is a token, and messages have no template tokens."""
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
def test_the_prediction_for_a_growing_log_equals_the_oracle(
    turns: list[tuple[str, str]],
) -> None:
    predictor, oracle, messages = (
        CacheHitPredictor(PREFIXES, WarmPrefixes(), block_size=BLOCK),
        PrefixCacheOracle(BLOCK),
        log(PREFIX),
    )
    for heard, reply in turns:
        # The "?" makes the prompt longer than the last context: the engine never reuses the last
        # token of a prompt.
        messages = (*messages, *log(heard + "?"))
        request = asked("a", messages)
        ids = [ord(c) for message in messages for c in message.text]
        assert predictor.predict(request) == oracle.cached(ids)
        predictor.record(request, answered(request, reply))
        oracle.add(ids + [ord(c) for c in reply[:-1]])
        messages = (*messages, Message(role="assistant", text=reply))


def test_a_prefix_is_warm_while_a_match_that_sent_it_is_live() -> None:
    warm = WarmPrefixes()
    first, second = (CacheHitPredictor(PREFIXES, warm, block_size=BLOCK) for _ in range(2))
    request = asked("a", log(PREFIX, "who?"))
    assert second.predict(request) == 0
    first.record(request, answered(request, "me"))
    assert second.predict(request) == len(PREFIX) // BLOCK * BLOCK
    assert second.predict(replace(request, call_id=CallId(seat="b", request="1"))) == 0
    first.close()
    assert second.predict(request) == 0


def test_a_live_match_keeps_a_prefix_warm_that_another_released() -> None:
    warm = WarmPrefixes()
    predictors = [CacheHitPredictor(PREFIXES, warm, block_size=BLOCK) for _ in range(3)]
    request = asked("a", log(PREFIX, "who?"))
    for predictor in predictors[:2]:
        predictor.record(request, answered(request, "me"))
        predictor.record(request, answered(request, "me"))
    predictors[0].close()
    assert predictors[2].predict(request) > 0
    predictors[1].close()
    assert predictors[2].predict(request) == 0


def test_a_reset_log_shares_only_its_prefix() -> None:
    predictor = CacheHitPredictor(PREFIXES, WarmPrefixes(), block_size=BLOCK)
    rules, script = PREFIX[:5], PREFIX[5:]
    request = asked("a", log(rules, script, "a long talk that does not fit any more"))
    predictor.record(request, answered(request, "yes"))
    shorter = asked("a", log(rules, script, "what is left of it"))
    assert predictor.predict(shorter) == len(PREFIX) // BLOCK * BLOCK
    other = asked("a", log(rules, "a summary", "what is left of it"))
    assert predictor.predict(other) == 0, "the script is not what it was"


def test_a_shortened_prefix_warms_nothing() -> None:
    warm = WarmPrefixes()
    predictor = CacheHitPredictor(PREFIXES, warm, block_size=BLOCK)
    request = asked("a", log("rules", "a summary of a script", "who?"))
    request = replace(request, call_id=replace(request.call_id, level=1))
    assert predictor.predict(request) == 0
    predictor.record(request, answered(request, "me"))
    assert not warm.holds(PREFIXES["a"])
    again = asked("a", (*request.messages, Message(role="assistant", text="me"), *log("sure?")))
    assert predictor.predict(again) > 0, "it goes on as any log does"
    predictor.close()
    assert not warm.holds(PREFIXES["a"])


@pytest.mark.parametrize("part", ["reading", "summary"])
def test_an_auxiliary_call_is_not_part_of_the_log(part: Literal["reading", "summary"]) -> None:
    predictor = CacheHitPredictor(PREFIXES, WarmPrefixes(), block_size=BLOCK)
    request = asked("a", log(PREFIX, "who?"))
    predictor.record(request, answered(request, "me"))
    aside = Request(
        call_id=CallId(seat="a", request="reading", kind=part, chunk="plan/1"),
        messages=request.messages,
        max_tokens=8,
        temperature=0.0,
    )
    assert predictor.predict(aside) == 0
    predictor.record(aside, answered(aside, "a plan"))
    again = asked("a", (*request.messages, Message(role="assistant", text="me"), *log("sure?")))
    assert predictor.predict(again) > len(PREFIX)


def test_after_a_restart_the_prediction_is_zero_until_the_next_call() -> None:
    warm = WarmPrefixes()
    predictor = CacheHitPredictor(PREFIXES, warm, block_size=BLOCK)
    request = asked("a", log(PREFIX, "who?"))
    predictor.record(request, answered(request, "me"))
    again = asked("a", (*request.messages, Message(role="assistant", text="me"), *log("sure?")))
    assert predictor.predict(again) > 0
    warm.invalidate()
    assert predictor.predict(again) == 0
    predictor.record(again, answered(again, "yes"))
    more = asked("a", (*again.messages, Message(role="assistant", text="yes"), *log("really?")))
    assert predictor.predict(more) >= len(PREFIX)
    predictor.close()
    assert not warm.holds(PREFIXES["a"])


def test_a_probe_is_not_part_of_the_log() -> None:
    predictor = CacheHitPredictor(PREFIXES, WarmPrefixes(), block_size=BLOCK)
    request = asked("a", log(PREFIX, "who?"))
    request = replace(request, call_id=replace(request.call_id, off_path=True))
    predictor.record(request, answered(request, "me"))
    assert predictor.predict(request) == 0


def test_a_reply_that_returns_as_text_is_not_predicted_as_cached() -> None:
    predictor = CacheHitPredictor(PREFIXES, WarmPrefixes(), block_size=1)
    request = asked("a", log(PREFIX, "who?"))
    predictor.record(request, replace(answered(request, "nobody"), ids=()))
    reply = Message(role="assistant", text="nobody")
    again = asked("a", (*request.messages, reply, *log("sure?")))
    assert predictor.predict(again) == len(PREFIX) + len("who?")
