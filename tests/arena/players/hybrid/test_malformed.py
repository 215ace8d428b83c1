"""Whatever the model says to a step, the turn ends with a legal answer, and the record says it."""

import pytest

from arena.core.action_validation import validate
from arena.core.actions import Reply, Skip
from arena.core.purposes import Purpose
from scripts_mm.script import Language
from tests.arena.players.bad_texts import BAD_TEXTS
from tests.arena.players.hybrid.stage import (
    BACKUP,
    SPOKEN,
    Case,
    Village,
    asking,
    case_steps,
    new_seat,
    village_steps,
)
from tests.arena.players.scripted_replies import notes

every_bad = pytest.mark.parametrize("text", BAD_TEXTS.values(), ids=BAD_TEXTS)
in_both = pytest.mark.parametrize("language", ["en", "zh"])
SAID = "suspect: {} -> {}, 1, a shadow"


@pytest.mark.slow
@every_bad
@in_both
@pytest.mark.parametrize("step", ["votes", "claims", "main", "backup"])
def test_every_step_of_a_talk(step: str, text: str, language: Language) -> None:
    village = Village("werewolf", language)
    seat = new_seat(village.me, village_steps(**{step: text}))
    village.go(seat, turn=2)
    _, taken = seat.take(village.state)
    assert isinstance(validate(taken.request, taken.action), Reply)
    assert taken["text"] == (BACKUP if step == "main" else SPOKEN)
    assert not taken.table
    failed = notes(taken.answer.reports, "step_failed")
    is_lost = step in {"main", "backup"} or not text.strip() or "<think>" in text
    assert failed == ([{"step": step}] if is_lost else [])
    tries = [one for one in taken.calls if one.call_id.chunk == step]
    assert [one.call_id.attempt for one in tries] == ([1, 2, 3] if is_lost else [1])


@pytest.mark.slow
@every_bad
@in_both
def test_the_analysis_of_a_case(text: str, language: Language) -> None:
    table = Case(0, language)
    seat = new_seat(table.me, case_steps(text, target=table.names[1]))
    table.go(seat, round=2)
    _, taken = seat.take(table.state)
    assert isinstance(validate(taken.request, taken.action), Reply)
    assert not taken.table


@pytest.mark.slow
@every_bad
@in_both
def test_the_main_reply_of_a_case(text: str, language: Language) -> None:
    table = Case(0, language)
    said = SAID.format(table.names[1], table.names[2])
    seat = new_seat(table.me, case_steps(said, table.names[2], main=text))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken.rule == ("none", "none", "backup")
    assert taken["share"] == BACKUP
    assert notes(taken.answer.reports, "step_failed") == [{"step": "main"}]


@every_bad
def test_both_replies_of_a_case(text: str) -> None:
    table = Case(0)
    said = SAID.format(table.names[1], table.names[2])
    seat = new_seat(table.me, case_steps(said, main=text, backup=text))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken.rule == ("14", "skip", "template")
    assert taken.action == Skip()


@every_bad
@in_both
def test_both_replies_of_an_introduction(text: str, language: Language) -> None:
    table = Case(0, language)
    seat = new_seat(table.me, {"main": text, "backup": text})
    table.go(seat, Purpose.INTRODUCE)
    _, taken = seat.take(table.state)
    assert isinstance(validate(taken.request, taken.action), Reply)
    assert table.me in taken.text
    assert text.strip()[:40] not in taken.text or not text.strip()


@every_bad
def test_the_reply_after_the_guard(text: str) -> None:
    table = Case(0)
    cleo = table.names[2]
    wrong = asking(cleo, f"I am {table.names[1]}, so listen.")
    said = SAID.format(table.names[1], cleo)
    seat = new_seat(table.me, case_steps(said, main=wrong, guard=text))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken.rule == ("14", "skip", "template")


@pytest.mark.slow
@every_bad
def test_the_sight_of_the_seer(text: str) -> None:
    village = Village("seer")
    seat = new_seat(village.me, village_steps(sight=text))
    village.until(seat, Purpose.POWER)
    village.state, _ = seat.take(village.state)
    village.until(seat, Purpose.POWER)
    _, taken = seat.take(village.state)
    assert isinstance(validate(taken.request, taken.action), Reply)


@pytest.mark.slow
@every_bad
def test_the_vote_of_a_seat_that_named_nobody(text: str) -> None:
    table = Case(0)
    seat = new_seat(table.me, {**case_steps(target=table.names[1]), "reply": text})
    table.go(seat, Purpose.VOTE)
    _, taken = seat.take(table.state)
    assert not isinstance(validate(taken.request, taken.action), Reply), "corrected by the platform"
