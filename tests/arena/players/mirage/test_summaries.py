"""Summaries of the history and of the script, where they are too long."""

from dataclasses import replace

import pytest

from arena.core.events import PromptAdjusted
from arena.core.option_labels import PART_LABELS
from arena.games.mirage.game import MIRAGE
from arena.games.mirage.options import MirageOptions
from arena.models.chat import Request
from arena.players.mirage.script_parts import LEAST_TOKENS, SLICE_TOKENS
from arena.records.match_replay import replay_match
from scripts_mm.script import Language, Script
from tests.arena.games.mirage.scenes import case
from tests.arena.players.context.stage import count
from tests.arena.players.mirage.voices import in_both, thinking
from tests.arena.players.scripted_replies import play
from tests.table import setup


def test_the_history_is_summarised_only_where_it_does_not_fit() -> None:
    match_of = setup(MirageOptions(rounds=4, raters="none"), script=case())

    def voice(request: Request) -> str | None:
        if request.call_id.kind == "summary":
            return "A summary. " * 5
        found = thinking(request)
        return found.replace("Words.", "Many words of the talk. " * 8) if found else found

    small = play(match_of, "mirage", ("mirage", "mirage"), voice, context=3000, reply_tokens=200)
    assert {one.call_id.kind for one in small.made} == {"reply", "summary"}
    assert all(count(one.messages) + one.max_tokens <= 3000 for one in small.made)
    kinds = {e.adjustment for e in small.events if isinstance(e, PromptAdjusted)}
    assert "log_summarised" in kinds
    large = play(match_of, "mirage", ("mirage", "mirage"), voice)
    assert {one.call_id.kind for one in large.made} == {"reply"}


def long_script(language: Language, tokens: int) -> Script:
    """Return a case with a script of two named parts, the second of `tokens` tokens."""
    labels = PART_LABELS[language]
    words = "At 21:00 I saw a light. " if language == "en" else "21:00我看见了灯光，然后去了院子。"
    long = words * (tokens * 4 // len(words))
    script = case(language=language)
    text = f"{labels['story']}:\nSHORT PART.\n\n{labels['script']}:\n{long}"
    roles = tuple(replace(role, script=text, parts=()) for role in script.roles)
    return replace(script, roles=roles)


def summarising(request: Request) -> str | None:
    return "SHORTENED." if request.call_id.kind == "summary" else thinking(request)


@in_both
def test_a_script_above_twice_the_limit_is_summarised_part_by_part(language: Language) -> None:
    """Worked example: limit 300; the long part of 1200 tokens is one slice, the short one stays."""
    match_of = setup(MirageOptions(rounds=1, raters="none"), script=long_script(language, 1200))
    options = "mirage:force_summary,script_limit=300"
    played = play(match_of, "mirage", (options, options), summarising)
    summaries = [one for one in played.made if one.call_id.kind == "summary"]
    assert len(summaries) == len(played.state.started.seats), "once a seat"
    reply = next(one for one in played.made if one.call_id.kind == "reply")
    told = "\n".join(message.text for message in reply.messages)
    assert "SHORT PART." in told
    assert "SHORTENED." in told
    assert "21:00" not in told
    records = [e for e in played.events if isinstance(e, PromptAdjusted)]
    assert [one.adjustment for one in records] == ["script_summarised"] * len(summaries)
    assert {one.calls for one in records} == {1}


def test_a_part_above_the_slice_is_summarised_in_slices() -> None:
    script = long_script("en", SLICE_TOKENS * 2 + 100)
    match_of = setup(MirageOptions(rounds=1, raters="none"), script=script)
    options = "mirage:force_summary"
    played = play(match_of, "mirage", (options, options), summarising)
    ada = [one for one in played.made if one.call_id.kind == "summary"
           and one.call_id.seat == "Ada"]  # fmt: skip
    assert len(ada) >= 3
    assert all(count(one.messages) < SLICE_TOKENS + 500 for one in ada)


@pytest.mark.parametrize(("option", "limit"), [("", 100), ("force_summary", 1000)])
def test_a_script_stays_whole_without_the_option_or_below_the_limit(
    option: str, limit: int
) -> None:
    match_of = setup(MirageOptions(rounds=1, raters="none"), script=long_script("en", 1200))
    options = f"mirage:{option},script_limit={limit}".replace(":,", ":")
    played = play(match_of, "mirage", (options, options), summarising)
    assert not [one for one in played.made if one.call_id.kind == "summary"]
    assert LEAST_TOKENS < 1200


def test_an_empty_summary_leaves_the_part_as_it_is() -> None:
    match_of = setup(MirageOptions(rounds=1, raters="none"), script=long_script("en", 1200))
    options = "mirage:force_summary,script_limit=300"

    def voice(request: Request) -> str | None:
        return "" if request.call_id.kind == "summary" else thinking(request)

    played = play(match_of, "mirage", (options, options), voice)
    reply = next(one for one in played.made if one.call_id.kind == "reply")
    assert "21:00" in "\n".join(message.text for message in reply.messages)


@pytest.mark.slow
def test_a_resumed_match_makes_no_summary_again() -> None:
    match_of = setup(MirageOptions(rounds=1, raters="none"), script=long_script("en", 1200))
    options = "mirage:force_summary,script_limit=300"
    whole = play(match_of, "mirage", (options, options), summarising)
    for cut in range(3, len(whole.events), 4):
        again = play(match_of, "mirage", (options, options), summarising, resumed=(whole, cut))
        assert again.events == whole.events, cut
        assert not again.made or cut < len(whole.events)
        assert again.calls == whole.calls
    assert replay_match(MIRAGE, match_of.script, tuple(whole.events))
