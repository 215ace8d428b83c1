"""The 14 situations of a murder mystery: each reached, in both languages, with its template."""

from dataclasses import replace

import pytest

from arena.core.actions import Skip
from arena.core.purposes import Purpose
from arena.core.specs import FreeText
from arena.core.state import pending
from scripts_mm.script import Language
from tests.players.hybrid.stage import (
    BACKUP,
    SPOKEN,
    Case,
    Lines,
    Steps,
    case_steps,
    joined,
    new_seat,
    phrases,
)
from tests.players.methods import form, notes

in_both = pytest.mark.parametrize("language", ["en", "zh"])
STEPS = {"who": "I keep the books.", "bond": "He trusted me.", "stay": "I was at home."}


@in_both
@pytest.mark.parametrize("number", [0, 2])
def test_2_the_model_fills_the_frame_of_an_introduction(number: int, language: Language) -> None:
    table = Case(number, language)
    deed = "I strangled him." if language == "en" else "是我杀了他。"
    filled = form(who=STEPS["who"], bond=STEPS["bond"], stay=f"{deed} {STEPS['stay']}")
    seat = new_seat(table.me, {"main": filled, "backup": filled})
    table.go(seat, Purpose.INTRODUCE)
    _, taken = seat.take(table.state)
    assert taken.rule == ("2", "presentation", "template")
    assert [one.call_id.chunk for one in taken.calls] == ["main", "backup"]
    assert table.me in taken.text
    assert STEPS["who"] in taken.text
    assert STEPS["stay"] in taken.text
    assert (deed in taken.text) == (number == 0), "a murderer leaves out what tells of the deed"


@in_both
def test_2_without_a_model_the_introduction_is_the_beginning_of_the_script(
    language: Language,
) -> None:
    table = Case(2, language)
    seat = new_seat(table.me, {"main": "{", "backup": ""})
    table.go(seat, Purpose.INTRODUCE)
    _, taken = seat.take(table.state)
    assert taken.rule == ("2", "presentation", "template")
    assert table.me in taken.text
    assert "strangle" not in taken.text
    assert "勒死" not in taken.text


@in_both
def test_3_a_civilian_says_the_decisive_fact_with_its_source_and_asks_that_seat(
    language: Language,
) -> None:
    table, say = Case(0, language), Lines(language)
    seat = new_seat(table.me, case_steps(say("key", "3, 1"), target=table.names[1]))
    table.go(seat)
    table.state, taken = seat.take(table.state)
    words = phrases(table.state, table.me)
    assert taken.rule == ("3", "decisive_fact", "template")
    assert taken["target"] == table.names[2]
    assert taken["question"] == words("case.fact_question", target=table.names[2])
    fact = (
        "saw Cleo·Marsh leave with the ledger" if language == "en" else "看见顾（二爷）拿着账本离开"
    )
    assert fact in taken["share"]
    assert words("glue.source_own") in taken["share"]
    table.go(seat, round=2)
    table.state, again = seat.take(table.state)
    assert again.rule[1] == "decisive_fact", "the next fact, from a clue that it alone has seen"
    title = "Letter" if language == "en" else "信"
    assert words("glue.source_clue", title=title) in again["share"]
    table.go(seat, round=3)
    _, last = seat.take(table.state)
    assert last.rule[1] != "decisive_fact", "no fact is told twice"


@in_both
def test_3_a_fact_that_is_known_is_not_told(language: Language) -> None:
    table, say = Case(0, language), Lines(language)
    lines = joined(say("key", "3"), say("known", "3"))
    seat = new_seat(table.me, case_steps(lines, target=table.names[1]))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken.rule[1] != "decisive_fact"


@in_both
def test_4_a_murderer_without_accusers_plants_a_doubt_with_a_public_clue(
    language: Language,
) -> None:
    table, say = Case(2, language), Lines(language)
    rival = table.names[3]
    lines = say.suspect(table.names[0], rival)
    seat = new_seat(table.me, case_steps(lines, target=table.names[0]))
    table.go(seat)
    table.state, taken = seat.take(table.state)
    words = phrases(table.state, table.me)
    assert taken.rule == ("4", "planted_doubt", "template")
    assert taken["target"] == rival
    assert ("Ledger" if language == "en" else "账本") in taken["share"]
    assert taken["question"] == words("case.doubt_question", target=rival)
    table.go(seat, Purpose.VOTE)
    _, vote = seat.take(table.state)
    assert vote["choice"] == rival
    assert not vote.calls


def test_4_of_seats_that_nobody_suspects_the_last_is_doubted() -> None:
    table = Case(2)
    seat = new_seat(table.me, case_steps("None", target=table.names[0]))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken["target"] == table.names[3]


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
    assert place in taken["share"], "the reason fits the own public timeline"
    assert taken["target"] == table.names[3]
    table.go(seat, round=2)
    _, again = seat.take(table.state)
    assert again.rule[1] != "counter_accusation", "once an accuser"


@in_both
def test_6_in_the_first_round_it_asks_who_was_last_near_the_victim(language: Language) -> None:
    table = Case(0, language)
    seat = new_seat(table.me, case_steps(target=table.names[1]))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken.rule == ("6", "opening_first", "template")
    words = phrases(table.state, table.me)
    victim = "Otto Lamm" if language == "en" else "奥托"
    assert taken["target"] in table.names
    assert taken["question"] == words(
        "case.timeline_question", target=taken["target"], victim=victim
    )


@in_both
@pytest.mark.parametrize("tag", ["clash", "open"])
def test_7_in_a_later_round_it_puts_the_strongest_contradiction(
    tag: str, language: Language
) -> None:
    table, say = Case(0, language), Lines(language)
    text = "says two things" if language == "en" else "前后不一"
    seat = new_seat(
        table.me, case_steps(say(tag, f"{table.names[3]} | {text}"), target=table.names[1])
    )
    table.go(seat, round=2)
    _, taken = seat.take(table.state)
    assert taken.rule == ("7", "opening_later", "template")
    assert taken["target"] == table.names[3]
    assert text in taken["share"]


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
def test_11_and_1_a_civilian_closes_a_round_and_is_done_until_something_is_new(
    language: Language,
) -> None:
    """Worked example: all three others have named a suspect; then nothing new; then something."""
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, dirk = table.names
    named = joined(say.suspect(bram, cleo), say.suspect(cleo, bram), say.suspect(dirk, cleo))
    changed = joined(named, say("clash", f"{bram} | {cleo}"))
    heard = [named, named, changed]
    steps: Steps = {**case_steps(target=bram), "analysis": lambda _: heard[0]}
    seat = new_seat(table.me, steps)
    table.go(seat)
    table.state, first = seat.take(table.state)
    assert first.rule == ("11", "close_round", "template")
    assert isinstance(first.action, Skip), "no question and no new topic"
    assert cleo in first["share"]
    heard.pop(0)
    table.go(seat, round=2)
    table.state, second = seat.take(table.state)
    assert second.rule == ("1", "done", "template")
    assert second.action == Skip()
    heard.pop(0)
    table.go(seat, round=3)
    table.state, third = seat.take(table.state)
    assert third.rule[1] == "opening_later"
    table.go(seat, Purpose.VOTE)
    _, vote = seat.take(table.state)
    assert vote["choice"] == cleo


@in_both
def test_1_where_a_speech_is_due_it_says_that_it_is_done(language: Language) -> None:
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, dirk = table.names
    named = joined(say.suspect(bram, cleo), say.suspect(cleo, bram), say.suspect(dirk, cleo))
    seat = new_seat(table.me, {**case_steps(named), "main": SPOKEN})
    table.go(seat)
    table.state, _ = seat.take(table.state)
    table.go(seat, round=2)
    request = replace(pending(table.state)[0], purpose=Purpose.SPEAK, spec=FreeText())
    seat.answer(table.state, request)
    [note] = notes(seat.answers[request.id].reports, "rule")
    assert note["family"] == "done"
    words = phrases(table.state, table.me)
    assert dict(seat.answers[request.id].action.values)["text"] == words("case.done")  # pyright: ignore


@in_both
def test_12_a_civilian_calls_for_one_name_in_its_last_turn(language: Language) -> None:
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, _ = table.names
    reason = "no alibi" if language == "en" else "没有不在场证明"
    lines = joined(say.suspect(bram, cleo, reason), say("last", say.tags["yes"]))
    seat = new_seat(table.me, case_steps(lines, target=bram))
    table.go(seat, round=3)
    _, taken = seat.take(table.state)
    assert taken.rule == ("12", "last_word", "template")
    assert cleo in taken["share"]
    assert reason in taken["share"]


@in_both
def test_13_after_a_full_round_it_asks_who_has_named_nobody(language: Language) -> None:
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, dirk = table.names
    seat = new_seat(table.me, case_steps(say.suspect(bram, cleo), target=bram))
    table.go(seat, round=2)
    table.state, taken = seat.take(table.state)
    assert taken.rule == ("13", "undeclared", "template")
    assert taken["target"] == cleo
    words = phrases(table.state, table.me)
    assert taken["question"] == words("case.undeclared_question", target=cleo)
    table.go(seat, round=3)
    _, again = seat.take(table.state)
    assert again["target"] == dirk


@in_both
def test_14_without_a_text_it_passes_and_answers_that_it_has_nothing_to_add(
    language: Language,
) -> None:
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, _ = table.names
    steps = case_steps(say.suspect(bram, cleo), main="", backup=" ")
    seat = new_seat(table.me, steps)
    table.go(seat)
    table.state, taken = seat.take(table.state)
    assert taken.rule == ("14", "skip", "template")
    assert taken.action == Skip()
    words = phrases(table.state, table.me)
    request = replace(pending(table.state)[0], seat=table.me, purpose=Purpose.ANSWER)
    request = replace(request, id="asked", spec=FreeText())
    seat.answer(table.state, request)
    said = dict(seat.answers["asked"].action.values)  # pyright: ignore
    assert said == {"text": words("case.wait")}


@in_both
def test_the_models_words_are_said_where_no_situation_holds(language: Language) -> None:
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, _ = table.names
    seat = new_seat(table.me, case_steps(say.suspect(bram, cleo), target=cleo))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken.rule == ("none", "none", "main")
    assert taken["share"] == SPOKEN
    assert sorted(seat.model.waves[0]) == ["analysis", "backup", "main"]
    assert len(taken.calls) == 3


def test_an_own_suspect_is_voted_for_and_else_the_model_is_asked() -> None:
    table, say = Case(0), Lines("en")
    seat = new_seat(table.me, case_steps(target=table.names[1]))
    table.go(seat, Purpose.VOTE)
    _, vote = seat.take(table.state)
    assert [one.call_id.kind for one in vote.calls] == ["reply"]
    table = Case(0)
    lines = say.suspect(table.me, table.names[1])
    seat = new_seat(table.me, case_steps(lines, target=table.names[1]))
    table.go(seat, Purpose.VOTE)
    _, vote = seat.take(table.state)
    assert vote["choice"] == table.names[1]
    assert not vote.calls


def test_a_table_that_cannot_be_read_changes_nothing() -> None:
    table, say = Case(0), Lines("en")
    _, bram, cleo, _ = table.names
    heard = [say.suspect(bram, cleo), "I am sorry, I cannot do that.", ""]
    steps: Steps = {**case_steps(target=cleo), "analysis": lambda _: heard[0]}
    seat = new_seat(table.me, steps)
    table.go(seat)
    table.state, first = seat.take(table.state)
    for number in (2, 3):
        heard.pop(0)
        table.go(seat, round=number)
        table.state, taken = seat.take(table.state)
        assert taken.table == first.table


@in_both
def test_an_answer_is_the_models_unless_the_seat_must_defend_itself(language: Language) -> None:
    table, say = Case(2, language), Lines(language)
    ada, bram, _, _ = table.names
    lines = joined(say.suspect(ada, table.me), say.suspect(bram, table.me))
    steps = {**case_steps(say.suspect(ada, bram)), "main": SPOKEN, "backup": BACKUP}
    seat = new_seat(table.me, steps)
    table.go(seat)
    asked = replace(
        pending(table.state)[0],
        id="asked",
        purpose=Purpose.ANSWER,
        spec=FreeText(),
        context=(("asker", ada), ("question", "Where were you?")),
    )
    seat.answer(table.state, asked)
    assert dict(seat.answers["asked"].action.values)["text"] == SPOKEN  # pyright: ignore
    seat = new_seat(table.me, {**steps, "analysis": lines})
    seat.answer(table.state, asked)
    [note] = notes(seat.answers["asked"].reports, "rule")
    assert note["family"] == "condemned_murderer"
    only = new_seat(table.me, {**steps, "analysis": say.suspect(bram, table.me)})
    only.answer(table.state, asked)
    [note] = notes(only.answers["asked"].reports, "rule")
    assert note["family"] == "none", "the accuser is not the asker"


def test_the_facts_of_a_murderer_are_not_listed_for_its_analysis() -> None:
    for number, listed in ((0, True), (2, False)):
        table = Case(number)
        seat = new_seat(table.me, case_steps(target=table.names[1]))
        table.go(seat)
        _, taken = seat.take(table.state)
        [analysis] = [one for one in taken.calls if one.call_id.chunk == "analysis"]
        assert ("Your own facts" in analysis.messages[-1].text) == listed


def test_what_the_seat_declared_is_told_to_its_model() -> None:
    table, say = Case(0), Lines("en")
    lines = say.suspect(table.me, table.names[2])
    seat = new_seat(table.me, case_steps(lines, target=table.names[1]))
    table.go(seat, Purpose.CONCLUDE)
    _, taken = seat.take(table.state)
    [call] = taken.calls
    told = phrases(table.state, table.me)("tips.declared", target=table.names[2])
    assert call.messages[-1].text.endswith(told)
