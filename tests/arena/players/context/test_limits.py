"""Whole matches at the limit of a small context: they end, nothing is refused, all is on record."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal, get_args

import pytest

from arena.games.whodunit.options import WhodunitOptions
from arena.models.chat import Message, Request
from arena.players.model_limits import Overflow, PictureMode
from arena.players.prompting import PromptingOptions
from scripts_mm.script import Script
from tests.arena.players.context.stage import (
    CONTEXT,
    Played,
    SmallModel,
    board,
    count,
    count_text,
    long_case,
    make_limits,
    play,
)
from tests.table import (
    MURDERER,
    NAMES,
    case,
    secret,
)

MODES = get_args(PictureMode)
POLICIES = get_args(Overflow)
DONE = {"civ_win", "murderer_win", "draw"}
every_way = pytest.mark.parametrize(
    ("mode", "policy"), [(mode, policy) for mode in MODES for policy in POLICIES]
)
SHORT = PromptingOptions(reply_tokens=512)


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


@pytest.mark.slow
@every_way
@pytest.mark.parametrize("cot", [False, True])
@pytest.mark.parametrize("answers", ["immediate", "batched"])
def test_a_match_of_long_scripts_is_played_to_its_verdict_and_nothing_is_refused(
    mode: PictureMode, policy: Overflow, cot: bool, answers: Literal["immediate", "batched"]
) -> None:
    match = play(
        replace(SHORT, thought=cot),
        make_limits(picture_mode=mode, overflow=policy, compose=board),
        rules=WhodunitOptions(rounds=2, answers=answers),
    )
    assert match.outcome in DONE, match.cause
    assert match.model.refused == 0
    assert not [call for call in match.order if call.error]
    for request in match.model.requests:
        assert count(request.messages) + request.max_tokens <= CONTEXT
    assert match.adjustments("log_reset")


@pytest.mark.slow
@every_way
def test_between_two_resets_a_log_only_grows(mode: PictureMode, policy: Overflow) -> None:
    match = play(SHORT, make_limits(picture_mode=mode, overflow=policy, compose=board))
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
    assert (grown > 5) == (policy != "retrieve"), "retrieval makes a prompt for each request"


@pytest.mark.slow
@every_way
def test_texts_in_a_row_are_one_message(mode: PictureMode, policy: Overflow) -> None:
    match = play(SHORT, make_limits(picture_mode=mode, overflow=policy, compose=board))
    for seat in NAMES:
        for request, _ in log_calls(match, seat):
            for first, second in pairwise(request.messages[2:]):
                plain = first.picture is None and second.picture is None
                assert not plain or (first.role, second.role) != ("user", "user")


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_a_seat_whose_prompt_fits_is_untouched(policy: Overflow) -> None:
    def asked(context: int | None) -> list[Request]:
        model = SmallModel(context=1 << 30)
        wide = make_limits(context, overflow=policy, reply_tokens=512)
        match = play(SHORT, wide, script=case(), model=model)
        assert not match.adjustments()
        return model.requests

    assert asked(None) == asked(1 << 20)
    assert all(request.call_id.level == 0 for request in asked(1 << 20))


@pytest.mark.slow
@every_way
def test_the_record_names_what_was_left_out(mode: PictureMode, policy: Overflow) -> None:
    match = play(SHORT, make_limits(picture_mode=mode, overflow=policy, compose=board))
    reset = {
        (r.call_id.seat, r.call_id.request, r.call_id.attempt)
        for r in match.model.requests
        if r.call_id.level and not r.call_id.is_auxiliary
    }
    sized = [one for one in match.adjustments("log_reset") if one.token_limit]
    assert len(reset) == len(sized)
    assert all(one.tokens_after <= one.token_limit for one in sized)
    if policy == "summarise":
        [*scripts] = match.adjustments("script_summarised")
        assert all((one.calls, one.tokens_before > 3000) == (2, True) for one in scripts)
        logs = match.adjustments("log_summarised")
        assert all(one.first_event == 1 or one.calls for one in logs)
        assert all(one.last_event <= one.total_events for one in logs)
    wanted = {
        "drop_oldest": ("log_dropped", "script_dropped"),
        "summarise": ("script_summarised", "log_summarised"),
        "retrieve": ("script_retrieved", "log_retrieved"),
    }[policy]
    for expected in wanted:
        found = match.adjustments(expected)
        assert found, expected
        assert all(one.lines <= one.total_lines for one in found)
    if policy != "summarise":
        named = [one for kind in wanted for one in match.adjustments(kind)]
        assert all(one.lines for one in named), "nothing was left out, so nothing is named"


def test_a_script_is_summarised_once_for_a_match_in_pieces() -> None:
    match = play(SHORT, make_limits(overflow="summarise", picture_mode="notes"))
    asked = [r for r in match.answered("summary") if r.call_id.request == "script"]
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
    match = play(
        SHORT,
        make_limits(4352, overflow="summarise", picture_mode="notes"),
        rules=WhodunitOptions(rounds=3),
        model=SmallModel(context=4352),
    )
    asked = [r for r in match.answered("summary") if r.call_id.request != "script"]
    assert all(len(r.messages) == 1 and r.temperature == 0 for r in asked)
    of_one = [r.messages[0].text for r in asked if r.call_id.seat == NAMES[0]]
    assert len(of_one) > 1
    assert "You remember this" not in of_one[0]
    assert all("You remember this of what came before it" in text for text in of_one[1:])
    last = log_calls(match, NAMES[0])[-1][0]
    text = "\n".join(m.text for m in last.messages)
    assert text.count("What you remember of what was said and shown earlier") == 1
    assert "The page of the day is torn out." in text, "a clue's text is kept"


@pytest.mark.slow
def test_what_retrieval_finds_bears_on_the_question() -> None:
    match = play(SHORT, make_limits(overflow="retrieve", picture_mode="notes"))
    shortened = 0
    for name in NAMES:
        for request, _ in log_calls(match, name):
            private = request.messages[1].text
            if request.call_id.level and "answer" in request.call_id.request:
                assert "[...]" in private
                shortened += 1
            assert secret(name) in private
    assert shortened


def test_a_budget_is_kept_to_where_the_context_would_allow_more() -> None:
    model = SmallModel(context=1 << 20)
    play(
        PromptingOptions(reply_tokens=256),
        make_limits(1 << 20, context_budget=3000, overflow="summarise", picture_mode="notes"),
        model=model,
    )
    assert max(count(r.messages) + r.max_tokens for r in model.requests) <= 3000


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("known", [CONTEXT, None])
def test_a_server_that_refuses_what_was_thought_to_fit_is_asked_for_less(
    policy: Overflow, known: int | None
) -> None:
    limits = make_limits(known, overflow=policy, picture_mode="notes", count=too_few, exact=False)
    match = play(SHORT, limits)
    assert match.outcome in DONE, match.cause
    refused = [call for call in match.order if call.error]
    assert refused
    assert len(refused) == match.model.refused
    requests = {(c.request.call_id.seat, c.request.call_id.request) for c in match.order}
    assert len(refused) < len(requests) / 2, "what a server takes is learned"


@pytest.mark.parametrize("policy", POLICIES)
def test_rules_and_instruction_alone_too_long_end_the_match_with_what_to_choose(
    policy: Overflow,
) -> None:
    limits = make_limits(512, overflow=policy, reply_tokens=64)
    match = play(PromptingOptions(reply_tokens=64), limits)
    assert match.outcome == "error"
    assert "does not fit" in match.cause
    assert "larger by" in match.cause
    assert "\n" not in match.cause
    assert match.model.requests == [], "counted before anything was asked"


def test_a_picture_that_cannot_be_read_alone_ends_the_match_with_what_to_choose() -> None:
    limits = make_limits(600, picture_mode="notes", reply_tokens=64)
    rules = WhodunitOptions(clues="at_deal")
    match = play(PromptingOptions(), limits, script=case(), rules=rules)
    assert "to read the picture 'clue-2/1'" in match.cause


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


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_a_chinese_match_is_played_to_its_verdict_as_well(policy: Overflow) -> None:
    def by_character(messages: Sequence[Message]) -> int:
        return 4 * count(messages)

    limits = make_limits(8192, overflow=policy, picture_mode="notes", count=by_character)
    model = SmallModel(context=1 << 20)
    match = play(SHORT, limits, script=chinese(), model=model)
    assert match.outcome in DONE, match.cause
    assert any(request.call_id.level for request in model.requests)
    for request in model.requests:
        assert by_character(request.messages) + request.max_tokens <= 8192
        if request.call_id.is_auxiliary:
            assert "你" in request.messages[0].text or "图片" in request.messages[0].text


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_a_script_that_does_not_change_is_counted_once_for_a_match(policy: Overflow) -> None:
    counted = 0

    def counting(messages: Sequence[Message]) -> int:
        nonlocal counted
        counted += 1
        return count(messages)

    limits = make_limits(
        overflow=policy, picture_mode="notes", count=counting, count_text=count_text
    )
    match = play(SHORT, limits, script=long_case(30_000), rules=WhodunitOptions(rounds=4))
    assert match.outcome in DONE, match.cause
    requests = {
        (r.call_id.seat, r.call_id.request)
        for r in match.model.requests
        if not r.call_id.is_auxiliary
    }
    assert len(requests) > 40
    assert counted < 8 * len(requests)


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_the_error_of_a_prompt_that_does_not_fit_says_how_much_is_missing(
    policy: Overflow,
) -> None:
    total = 100
    for _ in range(20):
        limits = make_limits(total, overflow=policy, reply_tokens=64)
        match = play(PromptingOptions(reply_tokens=64), limits, script=case())
        if match.outcome != "error":
            break
        assert f"there are {total};" in match.cause
        assert "-" not in match.cause.partition("choose")[0]
        total += int(match.cause.partition("larger by at least ")[2].split(",")[0])
    else:
        raise AssertionError(total)
    assert total < 2400
