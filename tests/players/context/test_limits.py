"""Whole matches at the limit of a small context: they end, nothing is refused, all is on record."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal, get_args

import pytest

from arena.core.options import Options
from arena.models.chat import Message, Request
from arena.players.means import Overflow, PictureMode
from arena.players.style import Style
from scripts_mm.script import Script
from tests.players.fitting.stage import (
    CONTEXT,
    Played,
    SmallModel,
    board,
    count,
    long_case,
    means,
    played,
    words,
)
from tests.table import MURDERER, NAMES, case, secret

MODES = get_args(PictureMode)
POLICIES = get_args(Overflow)
DONE = {"civ_win", "murderer_win", "draw"}
every_way = pytest.mark.parametrize(
    ("mode", "policy"), [(mode, policy) for mode in MODES for policy in POLICIES]
)


def too_few(messages: Sequence[Message]) -> int:
    """Guess too low what the model counts."""
    return count(messages) * 3 // 4


def log_calls(match: Played, seat: str) -> list[tuple[Request, str]]:
    """Return what one seat was asked in its log, with the replies, in order."""
    return [
        (call.request, call.completion.text)
        for call in match.order
        if call.completion
        and call.request.call_id.seat == seat
        and not call.request.call_id.is_auxiliary
    ]


@every_way
@pytest.mark.parametrize("cot", [False, True])
@pytest.mark.parametrize("answers", ["immediate", "batched"])
def test_a_match_of_long_scripts_is_played_to_its_verdict_and_nothing_is_refused(
    mode: PictureMode, policy: Overflow, cot: bool, answers: Literal["immediate", "batched"]
) -> None:
    match = played(
        Style(cot=cot, reply_tokens=512),
        means(picture_mode=mode, overflow=policy, compose=board),
        options=Options(rounds=2, answers=answers),
    )
    assert match.state.closed is not None
    assert match.state.closed.outcome in DONE, match.state.closed.cause
    assert match.model.refused == 0
    assert not [call for call in match.order if call.error]
    for request in match.model.requests:
        assert count(request.messages) + request.max_tokens <= CONTEXT
    assert any("context overflow" in note for note in match.notes)


@every_way
def test_between_two_beginnings_a_log_only_grows(mode: PictureMode, policy: Overflow) -> None:
    match = played(
        Style(reply_tokens=512), means(picture_mode=mode, overflow=policy, compose=board)
    )
    grown = 0
    for seat in NAMES:
        calls = log_calls(match, seat)
        for (before, reply), (request, _) in pairwise(calls):
            if request.call_id.level == 0:
                old = before.messages
                assert request.messages[: len(old)] == old
                assert (request.messages[len(old)].role, request.messages[len(old)].text) == (
                    "assistant",
                    reply,
                )
                grown += 1
    assert (grown > 5) == (policy != "retrieve"), "retrieval makes a prompt for each ask"


@pytest.mark.parametrize("policy", POLICIES)
def test_a_seat_whose_prompt_fits_is_untouched(policy: Overflow) -> None:
    def asked(context: int | None) -> list[Request]:
        model = SmallModel(context=1 << 30)
        wide = means(context, overflow=policy, reply_tokens=512)
        match = played(Style(reply_tokens=512), wide, script=case(), model=model)
        assert not match.notes
        return [replace(r, messages=r.messages) for r in model.requests]

    assert asked(None) == asked(1 << 20)
    assert all(request.call_id.level == 0 for request in asked(1 << 20))


@every_way
def test_the_record_names_what_was_not_told_any_more(mode: PictureMode, policy: Overflow) -> None:
    match = played(
        Style(reply_tokens=512), means(picture_mode=mode, overflow=policy, compose=board)
    )
    told = [note for note in match.notes if "context overflow" in note]
    anew = {
        (r.call_id.seat, r.call_id.request, r.call_id.attempt)
        for r in match.model.requests
        if r.call_id.level and not r.call_id.is_auxiliary
    }
    assert len(anew) == len([note for note in match.notes if "; prompt " in note])
    wanted = {
        "drop_oldest": ("left out", "left out the middle of the script"),
        "summarise": ("summarised the script in 2 calls (3", "(events 1-"),
        "retrieve": ("pieces of the script and", "left out"),
    }[policy]
    for expected in wanted:
        assert any(expected in note for note in told), expected


def test_a_script_is_summarised_once_for_a_match_in_stretches() -> None:
    match = played(Style(reply_tokens=512), means(overflow="summarise", picture_mode="notes"))
    asked = [r for r in match.parts("summary") if r.call_id.request == "script"]
    assert sorted((r.call_id.seat, r.call_id.chunk) for r in asked) == sorted(
        (name, piece) for name in NAMES for piece in ("1/2", "2/2")
    )
    for name in NAMES:
        script = next(role.script for role in long_case().roles if role.name == name)
        text = "".join(r.messages[0].text for r in asked if r.call_id.seat == name)
        assert all(line in text for line in script.split("\n"))
        later = log_calls(match, name)[-1][0].messages[1].text
        assert "a summary of your script" in later
        assert f"MISSION-{secret(name)}" in later, "the mission stays as it is"
        assert ("You are the murderer" in later) == (name == MURDERER)


def test_a_summary_of_the_log_rolls_on_and_keeps_clues_as_they_are() -> None:
    match = played(
        Style(reply_tokens=512),
        means(overflow="summarise", picture_mode="notes"),
        options=Options(rounds=3),
    )
    asked = [r for r in match.parts("summary") if r.call_id.request != "script"]
    assert all(len(r.messages) == 1 and r.temperature == 0 for r in asked)
    of_one = [r.messages[0].text for r in asked if r.call_id.seat == NAMES[0]]
    assert len(of_one) > 1
    assert "You remember this" not in of_one[0]
    assert all("You remember this of what came before it" in text for text in of_one[1:])
    last = log_calls(match, NAMES[0])[-1][0]
    text = "\n".join(m.text for m in last.messages)
    assert text.count("What you remember of what was heard earlier") == 1
    assert "The page of the day is torn out." in text, "a clue's text is kept"


def test_what_retrieval_finds_bears_on_the_question() -> None:
    match = played(Style(reply_tokens=512), means(overflow="retrieve", picture_mode="notes"))
    seen = 0
    for request, _ in log_calls(match, NAMES[0]):
        private = request.messages[1].text
        if request.call_id.level and "answer" in request.call_id.request:
            assert "[...]" in private
            seen += 1
        assert secret(NAMES[0]) in private
    assert seen


def test_a_budget_is_kept_to_where_the_context_would_allow_more() -> None:
    model = SmallModel(context=1 << 20)
    played(
        Style(reply_tokens=256),
        means(1 << 20, context_budget=3000, overflow="summarise", picture_mode="notes"),
        model=model,
    )
    assert max(count(r.messages) + r.max_tokens for r in model.requests) <= 3000


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("known", [CONTEXT, None])
def test_a_server_that_refuses_what_was_thought_to_fit_is_asked_for_less(
    policy: Overflow, known: int | None
) -> None:
    wanted = means(
        known,
        overflow=policy,
        picture_mode="notes",
        count=too_few,
        exact=False,
    )
    match = played(Style(reply_tokens=512), wanted)
    assert match.state.closed is not None
    assert match.state.closed.outcome in DONE, match.state.closed.cause
    refused = [call for call in match.order if call.error]
    assert refused
    assert len(refused) == match.model.refused
    asks = {(c.request.call_id.seat, c.request.call_id.request) for c in match.order}
    assert len(refused) < len(asks) / 2, "what a server takes is learned"


@pytest.mark.parametrize("policy", POLICIES)
def test_rules_and_question_alone_too_long_end_the_match_with_what_to_choose(
    policy: Overflow,
) -> None:
    match = played(Style(reply_tokens=64), means(512, overflow=policy, reply_tokens=64))
    assert match.state.closed is not None
    assert match.state.closed.outcome == "error"
    cause = match.state.closed.cause
    assert "does not fit" in cause
    assert "larger by" in cause
    assert "\n" not in cause
    assert match.model.requests == [], "counted before anything was asked"


def test_a_picture_that_cannot_be_read_alone_ends_the_match_with_what_to_choose() -> None:
    options = Options(clues="at_deal")
    wanted = means(600, picture_mode="notes", reply_tokens=64)
    match = played(Style(), wanted, script=case(), options=options)
    assert match.state.closed is not None
    assert "to read the picture 'plan/1'" in match.state.closed.cause


def chinese() -> Script:
    """Return a long case in Chinese."""
    line = "那天晚上八点{n}分，你走进灯塔的第{n}个房间，把一封信藏在木箱里，听见楼下有人争吵。"
    script = long_case(characters=100)
    return replace(
        script,
        language="zh",
        roles=tuple(
            replace(r, script="".join(line.format(n=n) for n in range(60))) for r in script.roles
        ),
    )


@pytest.mark.parametrize("policy", POLICIES)
def test_a_chinese_match_is_played_to_its_verdict_as_well(policy: Overflow) -> None:
    def by_character(messages: Sequence[Message]) -> int:
        return 4 * count(messages)

    wanted = means(8192, overflow=policy, picture_mode="notes", count=by_character)
    model = SmallModel(context=1 << 20)
    match = played(Style(reply_tokens=512), wanted, script=chinese(), model=model)
    assert match.state.closed is not None
    assert match.state.closed.outcome in DONE, match.state.closed.cause
    assert any(request.call_id.level for request in model.requests)
    for request in model.requests:
        assert by_character(request.messages) + request.max_tokens <= 8192
        if request.call_id.is_auxiliary:
            assert "你" in request.messages[0].text or "图片" in request.messages[0].text


@pytest.mark.parametrize("policy", POLICIES)
def test_a_script_that_does_not_change_is_counted_once_for_a_match(policy: Overflow) -> None:
    counted = 0

    def counting(messages: Sequence[Message]) -> int:
        nonlocal counted
        counted += 1
        return count(messages)

    wanted = means(overflow=policy, picture_mode="notes", count=counting, words=words)
    match = played(
        Style(reply_tokens=512),
        wanted,
        script=long_case(30_000),
        options=Options(rounds=4),
    )
    assert match.state.closed is not None
    assert match.state.closed.outcome in DONE, match.state.closed.cause
    asks = len(
        {
            (r.call_id.seat, r.call_id.request)
            for r in match.model.requests
            if not r.call_id.is_auxiliary
        }
    )
    assert asks > 40
    assert counted < 8 * asks


@pytest.mark.parametrize("policy", POLICIES)
def test_what_a_prompt_lacks_is_told_from_what_it_needs(policy: Overflow) -> None:
    total = 100
    for _ in range(20):
        wanted = means(total, overflow=policy, reply_tokens=64)
        match = played(Style(reply_tokens=64), wanted, script=case())
        assert match.state.closed is not None
        if match.state.closed.outcome != "error":
            break
        cause = match.state.closed.cause
        assert f"there are {total};" in cause
        assert "-" not in cause.partition("choose")[0].replace("what-", "")
        total += int(cause.partition("larger by at least ")[2].split(",")[0])
    else:
        raise AssertionError(total)
    assert total < 2000
