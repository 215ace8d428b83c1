"""Votes and conclusions of a murder mystery: up to date, and about the victim in question."""

from dataclasses import replace

import pytest

from arena.core.actions import choose
from arena.core.purposes import VICTIM, Purpose
from arena.core.specs import ABSTAIN, Choice, Field, Form, FreeText
from arena.core.state import pending
from scripts_mm.script import Language
from tests.arena.players.hybrid.stage import (
    Case,
    Lines,
    Steps,
    Village,
    asking,
    case_steps,
    joined,
    new_seat,
    phrases,
    small_case,
    spoken,
    village_steps,
)
from tests.arena.players.scripted_replies import name_of
from tests.table import act

in_both = pytest.mark.parametrize("language", ["en", "zh"])


def test_an_own_suspect_is_voted_for_and_else_the_model_is_asked() -> None:
    table, say = Case(0), Lines("en")
    seat = new_seat(table.me, case_steps(target=table.names[1]))
    table.go(seat, Purpose.VOTE)
    _, vote = seat.take(table.state)
    assert [name_of(one) for one in vote.calls] == ["analysis", "reply"]
    table = Case(0)
    lines = say.suspect(table.me, table.names[1])
    seat = new_seat(table.me, case_steps(lines, target=table.names[1]))
    table.go(seat, Purpose.VOTE)
    _, vote = seat.take(table.state)
    assert vote["choice"] == table.names[1]
    assert [name_of(one) for one in vote.calls] == ["analysis"]


def test_what_the_seat_declared_is_told_to_its_model() -> None:
    table, say = Case(0), Lines("en")
    lines = say.suspect(table.me, table.names[2])
    seat = new_seat(table.me, case_steps(lines, target=table.names[1]))
    table.go(seat, Purpose.CONCLUDE)
    _, taken = seat.take(table.state)
    [call] = taken.calls
    told = phrases(table.state, table.me)("tips.declared", target=table.names[2])
    assert call.messages[-1].text.endswith(told)


VICTIMS = {"en": ("Otto Lamm", "Ina Lamm"), "zh": ("奥托", "伊娜")}


def two_victims(language: Language = "en", number: int = 0) -> Case:
    """Return a match about two murders."""
    return Case(number, language, script=replace(small_case(language), victims=VICTIMS[language]))


@in_both
def test_a_vote_on_one_of_several_victims_is_for_the_suspect_of_that_murder(
    language: Language,
) -> None:
    table, say = two_victims(language), Lines(language)
    otto, ina = VICTIMS[language]
    _, bram, cleo, dirk = table.names
    lines = joined(
        f"{say.suspect(table.me, bram)} | {otto}",
        f"{say.suspect(table.me, dirk)} | {ina}",
        say.suspect(dirk, cleo),
    )
    seat = new_seat(table.me, case_steps(lines, target=bram))
    table.go(seat, Purpose.VOTE)
    request = pending(table.state)[0]
    for victim, suspect in ((otto, bram), (ina, dirk)):
        asked = replace(request, id=f"vote/{victim}", about=victim)
        assert seat.answer(table.state, asked) == choose(suspect), victim
        assert [name_of(one) for one in seat.model.requests] == ["analysis"]
    listed = seat.model.requests[0].messages[-1].text
    assert all(victim in listed for victim in VICTIMS[language])


@in_both
def test_a_conclusion_knows_the_suspect_of_the_victim_in_question(language: Language) -> None:
    table, say = two_victims(language), Lines(language)
    otto, ina = VICTIMS[language]
    _, bram, _, dirk = table.names
    lines = joined(
        f"{say.suspect(table.me, bram)} | {otto}", f"{say.suspect(table.me, dirk)} | {ina}"
    )
    seat = new_seat(table.me, case_steps(lines, target=bram))
    table.go(seat, Purpose.CONCLUDE)
    words, request = phrases(table.state, table.me), pending(table.state)[0]
    told = {
        otto: words("tips.declared_of", target=bram, victim=otto),
        ina: words("tips.declared_of", target=dirk, victim=ina),
    }
    for about in (otto, ina, ""):
        seat.answer(table.state, replace(request, id=f"conclude/{about}", about=about))
        text = seat.model.requests[-1].messages[-1].text
        assert [one for one in told if told[one] in text] == [
            one for one in told if about in {"", one}
        ]


def test_what_a_template_named_about_one_victim_is_no_vote_on_another() -> None:
    table = two_victims(number=2)
    otto, ina = VICTIMS["en"]
    seat = new_seat(table.me, {**case_steps(target=table.names[0]), "reply": table.names[1]})
    table.go(seat)
    request = pending(table.state)[0]
    action = seat.answer(table.state, replace(request, about=otto))
    assert dict(action.values)["target"] == table.names[3]  # pyright: ignore
    table.state = act(table.state, request, action)
    table.go(seat, Purpose.VOTE)
    vote = pending(table.state)[0]
    for victim, chosen in ((otto, table.names[3]), (ina, table.names[1])):
        asked = replace(vote, id=f"vote/{victim}", about=victim)
        assert seat.answer(table.state, asked) == choose(chosen), victim


def test_a_template_asks_about_the_victim_in_question() -> None:
    table = two_victims()
    _, ina = VICTIMS["en"]
    seat = new_seat(table.me, case_steps(target=table.names[1]))
    table.go(seat)
    request = replace(pending(table.state)[0], about=ina)
    action = seat.answer(table.state, request)
    assert ina in dict(action.values)["question"]  # pyright: ignore


def test_a_template_chooses_the_victim_that_it_asks_about() -> None:
    table = two_victims()
    otto, ina = VICTIMS["en"]
    seat = new_seat(table.me, {**case_steps(), "main": "{", "backup": "{"})
    table.go(seat)
    spec = Form(
        fields=(
            Field(name=VICTIM, spec=Choice(options=(ina, otto))),
            Field(name="target", spec=Choice(options=table.names[1:])),
            Field(name="question", spec=FreeText()),
        )
    )
    action = seat.answer(table.state, replace(pending(table.state)[0], spec=spec))
    values = dict(action.values)  # pyright: ignore
    assert values[VICTIM] == ina
    assert ina in values["question"]


def test_a_vote_counts_what_the_seat_itself_said_last() -> None:
    table, say = Case(0, rounds=1), Lines("en")
    _, bram, cleo, dirk = table.names
    heard = [say.suspect(bram, cleo), say.suspect(table.me, dirk)]
    steps: Steps = {
        **case_steps(),
        "main": asking(bram, f"I suspect {dirk}."),
        "analysis": lambda _: heard[0],
    }
    seat = new_seat(table.me, steps)
    table.go(seat)
    table.state, taken = seat.take(table.state)
    assert taken.rule == ("none", "none", "main")
    table.go(seat, Purpose.VOTE)
    heard.pop(0)
    _, vote = seat.take(table.state)
    assert vote["choice"] == dirk
    assert [name_of(one) for one in vote.calls] == ["analysis"]
    assert vote.table["suspects"].endswith(f"{table.me} -> {dirk}, 1, saw a shadow")


def test_a_second_vote_needs_no_second_analysis() -> None:
    village = Village("villager")
    me, (first, second, third, _) = village.me, village.others
    seat = new_seat(me, village_steps(votes=f"{me} -> {first}"))
    village.until(seat, Purpose.VOTE)
    tied = {first: second, second: first, third: second}
    for request in pending(village.state):
        mine = request.seat == me
        action = choose(tied.get(request.seat, ABSTAIN))
        action = seat.answer(village.state, request) if mine else action
        village.state = act(village.state, request, action)
    assert [name_of(one) for one in seat.model.requests] == ["votes"]
    village.until(seat, Purpose.VOTE)
    _, vote = seat.take(village.state)
    assert vote["choice"] == first
    assert not vote.calls


@in_both
def test_a_vote_after_a_talk_counts_what_the_seat_itself_said_last(language: Language) -> None:
    village = Village("villager", language, talk_turns=2)
    me, (first, second, *_) = village.me, village.others
    heard = [f"{me} -> {first}", f"{me} -> {second}"]
    seat = new_seat(me, {**village_steps(main=spoken(f"{second}!")), "votes": lambda _: heard[0]})
    village.go(seat, turn=2)
    village.state, taken = seat.take(village.state)
    assert taken.table["declared"] == f"{me} -> {first}"
    heard.pop(0)
    village.until(seat, Purpose.VOTE)
    _, vote = seat.take(village.state)
    assert vote["choice"] == second
    assert vote.rule == ("choice", "declared", "template")
    assert [name_of(one) for one in vote.calls] == ["votes"]
