"""Situations 5, 8, 9 and 10 of a murder mystery: what a suspect says."""

import pytest

from arena.core.purposes import Purpose
from scripts_mm.script import Language
from tests.arena.players.hybrid.stage import (
    Case,
    Lines,
    case_steps,
    joined,
    new_seat,
    phrases,
)

in_both = pytest.mark.parametrize("language", ["en", "zh"])


@in_both
def test_5_a_murderer_answers_its_only_accuser_with_a_rival(language: Language) -> None:
    table, say = Case(2, language), Lines(language)
    reason = "was seen with the ledger" if language == "en" else "有人看见他拿着账本"
    place = "the library" if language == "en" else "藏书室"
    lines = joined(
        say.suspect(table.names[0], table.me, reason), say.statement(table.me, "21:00", place)
    )
    seat = new_seat(table.me, case_steps(lines, target=table.names[0]))
    table.go(seat)
    table.state, taken = seat.take(table.state)
    assert taken.rule == ("5", "counter_accusation", "template")
    assert reason in taken["share"]
    assert place in taken["share"], "the reason fits the seat's own public timeline"
    assert taken["target"] == table.names[3]
    table.go(seat, round=2)
    _, again = seat.take(table.state)
    assert again.rule[1] != "counter_accusation", "once an accuser"


@in_both
def test_8_a_murderer_splits_the_vote_in_its_last_turn(language: Language) -> None:
    table, say = Case(2, language), Lines(language)
    ada, bram, _, dirk = table.names
    lines = joined(say.suspect(ada, bram), say.suspect(dirk, bram), say("last", say.tags["yes"]))
    seat = new_seat(table.me, case_steps(lines, target=ada))
    table.go(seat, round=3)
    table.state, taken = seat.take(table.state)
    assert taken.rule == ("8", "vote_splitter", "template")
    assert taken["target"] == dirk
    table.go(seat, Purpose.VOTE)
    _, vote = seat.take(table.state)
    assert vote["choice"] == dirk


@in_both
def test_9_a_condemned_civilian_tells_its_timeline_and_calls_a_witness(language: Language) -> None:
    table, say = Case(3, language), Lines(language)
    ada, bram, cleo, _ = table.names
    lines = joined(say.suspect(ada, table.me), say.suspect(bram, table.me))
    seat = new_seat(table.me, case_steps(lines, target=ada))
    table.go(seat)
    table.state, taken = seat.take(table.state)
    assert taken.rule == ("9", "condemned_innocent", "template")
    assert "21:00" in taken["share"]
    assert "22:00" in taken["share"]
    assert taken["target"] == cleo
    words = phrases(table.state, table.me)
    assert taken["question"] == words("case.innocent_question", target=cleo)
    table.go(seat, round=2)
    _, again = seat.take(table.state)
    assert again.rule[1] != "condemned_innocent", "once to the same accusers"


@in_both
@pytest.mark.parametrize("confess", [False, True])
def test_10_a_condemned_murderer_keeps_its_alibi(language: Language, confess: bool) -> None:
    table, say = Case(2, language), Lines(language)
    ada, bram, *_ = table.names
    weak = "heard steps" if language == "en" else "听见脚步声"
    lines = joined(
        say.suspect(ada, table.me, sure=2),
        say.suspect(bram, table.me, weak, sure=0),
        say.statement(table.me, "21:00", "the library"),
    )
    options = "confess" if confess else ""
    seat = new_seat(table.me, case_steps(lines, target=ada), options)
    table.go(seat)
    _, taken = seat.take(table.state)
    words = phrases(table.state, table.me)
    assert taken.rule == ("10", "condemned_murderer", "template")
    if confess:
        assert taken["share"] == words("case.confession")
        return
    assert weak in taken["share"]
    assert "the library" in taken["share"]
    assert words("case.confession") not in taken.text


@in_both
def test_8_it_repeats_no_reason_that_names_itself(language: Language) -> None:
    table, say = Case(2, language), Lines(language)
    ada, bram, _, dirk = table.names
    lines = joined(
        say.suspect(ada, bram),
        say.suspect(dirk, bram),
        say.suspect(bram, dirk, f"left with {table.me}"),
        say("last", say.tags["yes"]),
    )
    seat = new_seat(table.me, case_steps(lines, target=ada))
    table.go(seat, round=3)
    _, taken = seat.take(table.state)
    assert taken.rule == ("8", "vote_splitter", "template")
    assert taken["target"] == dirk
    assert table.me not in taken["share"]
