"""Corners: forms without room for a statement, other players at the seat, silence, no clues."""

from dataclasses import replace

import pytest

from arena.core.actions import Reply, Skip, say
from arena.core.observation import observe_request
from arena.core.purposes import Purpose
from arena.core.specs import Choice, Field, Form, FreeText, OneOf, Variant
from arena.core.state import pending
from arena.players.hybrid.turn_memory import AnalysedTurn, TurnMemory
from arena.players.personas import PERSONAS, PersonaName, load_persona
from scripts_mm.script import Language
from tests.arena.games.werewolf5.scenes import OVER, SKIP, talk
from tests.arena.players.hybrid.stage import (
    SPOKEN,
    Case,
    Village,
    asking,
    case_steps,
    new_seat,
    phrases,
    small_case,
    village_steps,
)
from tests.arena.players.scripted_replies import form, notes
from tests.table import act


def everybody(village: Village) -> str:
    """Return the extraction in which all declared."""
    me, other = village.me, village.others[0]
    return "\n".join(f"{one} -> {me if one == other else other}" for one in village.state.living)


def question_only(targets: tuple[str, ...]) -> Form:
    """Return a form without a statement."""
    return Form(
        fields=(
            Field(name="target", spec=Choice(options=targets)),
            Field(name="question", spec=FreeText()),
        )
    )


def test_a_seat_that_said_over_counts_as_decided() -> None:
    village = Village("villager")
    seat = new_seat(village.me, village_steps())
    village.go(seat, turn=5, says=OVER)
    _, taken = seat.take(village.state)
    assert taken.rule[1] == "none", "only the seat's own vote is undeclared, so 4 + 1"
    village.state = act(village.state, taken.request, taken.action)
    village.go(seat, turn=6, says=OVER)
    _, taken = seat.take(village.state)
    assert taken.rule[1] == "close_first"


@pytest.mark.parametrize(("says", "family"), [(Skip(), "close_first"), ("Hm.", "none")])
def test_a_seat_that_stopped_talking_counts_as_decided(says: Skip | str, family: str) -> None:
    village = Village("villager")
    seat = new_seat(village.me, village_steps())
    village.go(seat, turn=6, says=says)
    _, taken = seat.take(village.state)
    assert taken.rule[1] == family


def test_a_seat_that_speaks_again_is_undecided_again() -> None:
    village = Village("villager")
    seat = new_seat(village.me, village_steps())
    village.go(seat, turn=5, says=Skip())
    village.go(seat, turn=6, says="Hm.")
    _, taken = seat.take(village.state)
    assert taken.rule[1] == "none"


def test_a_skipped_own_turn_is_a_turn() -> None:
    village = Village("villager")
    seat = new_seat(village.me, village_steps(votes=everybody(village), main='{"action": "skip"}'))
    village.go(seat, turn=2)
    village.state, taken = seat.take(village.state)
    assert taken.action == SKIP
    assert taken.rule == ("none", "none", "main")
    village.go(seat, turn=5)
    _, taken = seat.take(village.state)
    assert taken.rule[1] == "close_first"


@pytest.mark.parametrize("spoke", ["another player", "nobody in time"])
def test_what_the_seat_did_not_say_is_not_remembered(spoke: str) -> None:
    village = Village("villager")
    seat = new_seat(village.me, village_steps(votes=everybody(village)))
    village.go(seat, turn=5)
    request = pending(village.state)[0]
    seat.answer(village.state, request)
    assert "close_first" in str(seat.answers[request.id].reports)
    other = talk("I am still here.") if spoke == "another player" else None
    village.state = act(village.state, request, other)
    village.go(seat, turn=6)
    _, taken = seat.take(village.state)
    assert taken.rule[1] == "close_first", "it has not closed, so it closes now"


def test_a_question_of_another_player_is_not_remembered() -> None:
    table = Case(0)
    _, bram, cleo, dirk = table.names
    named = "\n".join(
        f"suspect: {one} -> {whom}" for one, whom in ((bram, cleo), (cleo, bram), (dirk, cleo))
    )
    seat = new_seat(table.me, case_steps(named))
    table.go(seat)
    request = pending(table.state)[0]
    seat.answer(table.state, request)
    other = Reply(values=(("share", "Hm."), ("target", bram), ("question", "Why?")))
    table.state = act(table.state, request, other)
    table.go(seat, round=2)
    _, taken = seat.take(table.state)
    assert taken.rule[1] != "done"


def test_without_room_for_a_statement_it_begins_the_question() -> None:
    table = Case(2)
    ada, bram, _, dirk = table.names
    seat = new_seat(table.me, case_steps("None", main=form(target=ada, question="Why?")))
    table.go(seat)
    request = replace(pending(table.state)[0], spec=question_only((ada, bram, dirk)))
    seat.answer(table.state, request)
    values = dict(seat.answers[request.id].action.values)  # pyright: ignore
    words = phrases(table.state, table.me)
    assert values["target"] == dirk
    assert values["question"].endswith(words("case.doubt_question", target=dirk))
    assert "Ledger" in values["question"]


@pytest.mark.parametrize("can_ask", [True, False])
def test_a_statement_without_a_question_is_put_to_whom_it_names(can_ask: bool) -> None:
    table = Case(0)
    _, bram, cleo, dirk = table.names
    lines = f"suspect: {bram} -> {cleo}, 1, lies\nlast: yes\nkey: 99"
    seat = new_seat(table.me, case_steps(lines))
    table.go(seat, round=2)
    targets = (bram, cleo, dirk) if can_ask else (bram, dirk)
    request = replace(pending(table.state)[0], spec=question_only(targets))
    seat.answer(table.state, request)
    [note] = notes(seat.answers[request.id].reports, "rule")
    values = dict(seat.answers[request.id].action.values)  # pyright: ignore
    assert note["family"] == "last_word"
    assert values["target"] == (cleo if can_ask else bram)
    assert values["question"].endswith(phrases(table.state, table.me)("glue.question"))


def test_without_a_public_clue_the_doubt_is_that_nobody_knows() -> None:
    table = Case(2, script=replace(small_case(), clues=()))
    seat = new_seat(table.me, case_steps(target=table.names[0]))
    table.go(seat)
    _, taken = seat.take(table.state)
    words = phrases(table.state, table.me)
    assert words("glue.no_clue", target=table.names[3]) in taken["share"]


def test_a_condemned_murderer_without_reasons_against_it_says_so() -> None:
    table = Case(2)
    ada, bram, *_ = table.names
    lines = f"suspect: {ada} -> {table.me}\nsuspect: {bram} -> {table.me}"
    seat = new_seat(table.me, case_steps(lines, target=ada))
    table.go(seat)
    _, taken = seat.take(table.state)
    words = phrases(table.state, table.me)
    assert words("glue.no_link") in taken["share"]
    assert words("glue.no_stay") in taken["share"]


def test_a_leading_murderer_splits_no_vote() -> None:
    table = Case(2)
    ada, bram, *_ = table.names
    lines = f"suspect: {ada} -> {table.me}\nsuspect: {bram} -> {ada}\nlast: yes"
    seat = new_seat(table.me, case_steps(lines, target=ada))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken.rule[1] == "none"


def test_in_a_later_round_without_a_contradiction_it_opens_nothing() -> None:
    table = Case(0)
    _, bram, cleo, dirk = table.names
    lines = f"suspect: {bram} -> {cleo}\nclash: {table.me} | mine\nsuspect: {cleo} -> {bram}"
    seat = new_seat(table.me, case_steps(lines, target=cleo))
    table.go(seat, round=2)
    _, taken = seat.take(table.state)
    assert taken.rule == ("13", "undeclared", "template")
    assert taken["target"] == dirk


def test_a_speech_names_the_seat_that_it_asks() -> None:
    table = Case(0)
    seat = new_seat(table.me, {**case_steps(), "main": SPOKEN})
    table.go(seat)
    request = replace(pending(table.state)[0], purpose=Purpose.SPEAK, spec=FreeText())
    seat.answer(table.state, request)
    [note] = notes(seat.answers[request.id].reports, "rule")
    assert note["family"] == "opening_first"
    text = dict(seat.answers[request.id].action.values)["text"]  # pyright: ignore
    assert any(name in text for name in table.names[1:])


def test_without_a_backup_a_turn_is_one_call_less() -> None:
    table = Case(0)
    said = f"suspect: {table.names[1]} -> {table.names[2]}"
    seat = new_seat(table.me, case_steps(said, target=table.names[1]), "backup=off")
    table.go(seat)
    _, taken = seat.take(table.state)
    assert sorted(one.call_id.chunk for one in taken.calls) == ["analysis", "main"]


def test_a_vote_with_a_reason_and_one_on_one_of_several_victims_are_the_models() -> None:
    table = Case(0)
    seat = new_seat(table.me, case_steps(f"suspect: {table.me} -> {table.names[1]}"))
    table.go(seat, Purpose.VOTE)
    request = pending(table.state)[0]
    vote = request.spec
    assert isinstance(vote, Choice)
    reasoned = Form(fields=(Field(name="reason", spec=FreeText()), Field(name="vote", spec=vote)))
    seat.answer(table.state, replace(request, spec=reasoned))
    assert [one.call_id.kind for one in seat.model.requests] == ["reply"]
    two = replace(small_case(), victims=("Otto Lamm", "Ina Lamm"))
    table = Case(0, script=two)
    seat = new_seat(table.me, case_steps(f"suspect: {table.me} -> {table.names[1]}"))
    table.go(seat, Purpose.VOTE)
    asked = replace(pending(table.state)[0], about="Ina Lamm")
    seat.answer(table.state, asked)
    assert [one.call_id.kind for one in seat.model.requests] == ["step", "reply"]


def test_what_has_no_method_in_a_village_is_answered_as_direct_does() -> None:
    village = Village("villager")
    seat = new_seat(village.me, {"reply": "A speech."})
    village.go(seat)
    asked = replace(pending(village.state)[0], purpose=Purpose.CONCLUDE, spec=FreeText())
    assert seat.answer(village.state, asked) == say("A speech.")
    assert [one.call_id.kind for one in seat.model.requests] == ["reply"]


def test_a_talk_without_skip_waits_in_words() -> None:
    village = Village("villager")
    seat = new_seat(village.me, village_steps(main="{", backup="{"))
    village.go(seat, turn=2)
    spec = OneOf(
        variants=(
            Variant(name="talk", spec=FreeText()),
            Variant(name="over", spec=Choice(options=("OVER",))),
        )
    )
    request = replace(pending(village.state)[0], spec=spec)
    words = phrases(village.state, village.me)
    action = seat.answer(village.state, request)
    assert action == Reply(variant="talk", values=(("text", words("village.wait")),))


def test_a_refusable_question_is_answered_with_words() -> None:
    table = Case(2)
    ada, bram, *_ = table.names
    lines = f"suspect: {ada} -> {table.me}\nsuspect: {bram} -> {table.me}"
    seat = new_seat(table.me, {**case_steps(lines), "main": asking(ada)})
    table.go(seat)
    spec = OneOf(
        variants=(
            Variant(name="answer", spec=FreeText()),
            Variant(name="refuse", spec=Form(fields=())),
        )
    )
    request = replace(pending(table.state)[0], purpose=Purpose.ANSWER, spec=spec)
    action = seat.answer(table.state, request)
    assert isinstance(action, Reply)
    assert action.variant == "answer"
    assert phrases(table.state, table.me)("glue.no_link") in action["text"]


@pytest.mark.parametrize("options", ["backup_tokens=0", "talk_tokens=0"])
def test_replies_need_room(options: str) -> None:
    with pytest.raises(Exception, match="must be >= 1"):
        new_seat("Ada", {}, options)


def test_two_of_five_votes_condemn_nobody() -> None:
    village = Village("villager")
    me, (one, two, three, four) = village.me, village.others
    votes = f"{one} -> {me}\n{two} -> {me}\n{three} -> {one}\n{four} -> {one}\n{me} -> {one}"
    seat = new_seat(me, village_steps(votes=votes))
    village.go(seat, turn=5)
    _, taken = seat.take(village.state)
    assert taken.rule[1] == "close_first"


def test_the_possessed_claims_once() -> None:
    for number in range(20):
        village = Village("possessed", seed=20 * number)
        seat = new_seat(village.me, village_steps())
        village.go(seat)
        village.state, first = seat.take(village.state)
        if first.rule[1] == "result":
            village.go(seat, turn=2)
            _, second = seat.take(village.state)
            assert second.rule[1] == "none"
            return
    pytest.fail("the possessed never lies at once")


def test_votes_of_yesterday_are_not_of_today() -> None:
    village = Village("villager")
    heard = [everybody(village)]
    seat = new_seat(village.me, {**village_steps(), "votes": lambda _: heard[0]})
    village.go(seat, turn=2)
    village.state, taken = seat.take(village.state)
    assert taken.table
    heard[0] = "None"
    village.go(seat, day=2)
    _, taken = seat.take(village.state)
    assert not taken.table


def test_a_turn_after_the_same_events_is_not_before() -> None:
    table, turns = Case(0), TurnMemory[str]()
    seen = observe_request(table.state, pending(table.state)[0])
    now = len(seen.events)
    for number in (now - 1, now, now + 1):
        turns.add(AnalysedTurn(request=str(number), moment=number, where=("", 0), found=""))
    assert [one.request for one in turns.before(seen)] == [str(now - 1)]


def test_a_private_fact_of_a_murderer_is_not_listed_for_its_analysis() -> None:
    script = small_case()
    clue = replace(script.clues[1], owner=script.roles[2].name, text="Ada Quill owed him money.")
    table = Case(2, script=replace(script, clues=(script.clues[0], clue)))
    seat = new_seat(table.me, case_steps("key: 1", target=table.names[0]))
    table.go(seat)
    _, taken = seat.take(table.state)
    [analysis] = [one for one in taken.calls if one.call_id.chunk == "analysis"]
    assert "Your own facts" not in analysis.messages[-1].text
    assert taken.rule[1] == "planted_doubt"


def test_a_murderer_closes_no_round() -> None:
    table = Case(2)
    ada, bram, _, dirk = table.names
    lines = "\n".join(
        f"suspect: {one} -> {whom}" for one, whom in ((ada, bram), (bram, ada), (dirk, ada))
    )
    seat = new_seat(table.me, case_steps(lines, target=ada))
    table.go(seat, round=2)
    _, taken = seat.take(table.state)
    assert taken.rule == ("none", "none", "main")


def test_what_was_open_stays_open_where_the_next_analysis_cannot_be_read() -> None:
    table = Case(0)
    _, bram, cleo, dirk = table.names
    heard = [f"suspect: {bram} -> {cleo}\nclash: {dirk} | two things", "I cannot help with that."]
    seat = new_seat(table.me, {**case_steps(target=cleo), "analysis": lambda _: heard[0]})
    table.go(seat)
    table.state, _ = seat.take(table.state)
    heard.pop(0)
    table.go(seat, round=2)
    _, taken = seat.take(table.state)
    assert taken.rule[1] == "opening_later"
    assert "two things" in taken["share"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("persona", PERSONAS)
def test_templates_are_said_in_the_style_of_the_persona(
    persona: PersonaName, language: Language
) -> None:
    village = Village("villager", language)
    seat = new_seat(village.me, village_steps(), f"persona={persona}")
    village.go(seat)
    _, taken = seat.take(village.state)
    own = load_persona(persona, language).templates.texts["village.opening_first"]
    assert taken["text"] == own
    main = next(one for one in taken.calls if one.call_id.chunk == "main")
    votes = next(one for one in taken.calls if one.call_id.chunk == "votes")
    style = load_persona(persona, language).style()
    assert style in main.messages[-1].text
    assert style not in votes.messages[-1].text


def test_over_may_be_a_choice_of_one_word() -> None:
    village = Village("villager")
    seat = new_seat(village.me, village_steps(votes=everybody(village)))
    village.go(seat, turn=5)
    village.state, _ = seat.take(village.state)
    village.go(seat, turn=6)
    over = Variant(name="over", spec=Choice(options=("OVER",)))
    spec = OneOf(variants=(Variant(name="talk", spec=FreeText()), over))
    request = replace(pending(village.state)[0], spec=spec)
    assert seat.answer(village.state, request) == Reply(
        variant="over", values=(("choice", "OVER"),)
    )
