"""The talk of a seat is counted once, and the count is that of all its lines."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.core.observation import Observation, observe
from arena.models.chat import Message
from arena.players import event_lines
from arena.players.context import talk_tokens
from arena.players.context.log_entries import list_entries
from arena.players.context.talk_tokens import TalkTokens
from arena.players.context.token_budget import TokenSizes
from arena.players.event_lines import clue_messages
from arena.players.model_limits import ModelLimits
from arena.players.wording import find_wording
from tests.arena.players.context.moments import middle


def characters(messages: Sequence[Message]) -> int:
    return sum(len(message.text) for message in messages)


def sizes() -> TokenSizes:
    return TokenSizes(ModelLimits(reply_tokens=9, context_tokens=9, count=characters, exact=True))


def count_entries(seen: Observation) -> int:
    """Return the count over the entries of the whole log."""
    say = find_wording(seen.language)
    entries = list_entries(seen, lambda clue: clue_messages(say, clue))
    return sum(len(entry.message.text) for entry in entries if entry.is_talk)


def test_the_count_is_that_of_all_talk_at_every_moment_also_an_earlier_one() -> None:
    state = middle(answers=12)
    seat, last = state.started.seats[0], len(state.history)
    talk = TalkTokens(sizes())
    for moment in (*range(last + 1), last // 2, last):
        seen = observe(state, seat, moment)
        assert talk.count(seen) == count_entries(seen)
    assert talk.count(observe(state, seat)) > 0


def test_another_seat_that_heard_the_same_has_other_lines() -> None:
    state = middle(answers=12)
    seen = observe(state, state.started.seats[0])
    part = replace(seen.own.part, seat=state.started.seats[1])
    other = replace(seen, role=replace(seen.own, part=part))
    talk = TalkTokens(sizes())
    assert talk.count(seen) == count_entries(seen)
    assert talk.count(other) == count_entries(other)
    assert count_entries(seen) != count_entries(other)


def test_a_line_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []

    def write(observation: Observation, number: int) -> tuple[Message, ...]:
        written.append(number)
        return event_lines.event_messages(observation, number)

    monkeypatch.setattr(talk_tokens, "event_messages", write)
    state = middle(answers=12)
    talk = TalkTokens(sizes())
    for moment in range(1, len(state.history)):
        talk.count(observe(state, state.started.seats[0], moment))
    assert written == sorted(set(written))
    assert len(written) > 5
