"""The steps of a match: who is asked for what, when, and who hears it."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from arena.core.actions import Reply, Skip, fill, say
from arena.core.events import (
    Announced,
    PhaseStarted,
    QuestionAsked,
    RequestsOpened,
    Said,
    TurnSkipped,
)
from arena.core.observation import Spectator, observe
from arena.core.playouts.playout import answer_all
from arena.core.purposes import ASKER, QUESTION, Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import Choice, Form, FreeText, OneOf
from arena.core.state import MatchState, pending
from arena.games.thinkthrice.game import THINKTHRICE
from arena.games.thinkthrice.options import PRESETS, ThinkThriceOptions
from scripts_mm.script import ScriptError
from tests.arena.games.thinkthrice.scenes import finish, requests, start
from tests.arena.games.whodunit.scenes import events_of, until
from tests.table import (
    MURDERER,
    NAMES,
    act,
    case,
    legal,
)

FOUR, THREE, TEN = NAMES[:4], NAMES[:3], tuple(f"Seat {number}" for number in range(10))


def target_of(request: DecisionRequest) -> tuple[str, ...]:
    """Return whom a question may be put to."""
    assert isinstance(request.spec, Form)
    target, question = request.spec.fields
    assert (target.name, question.name) == ("target", "question")
    assert isinstance(target.spec, Choice)
    return target.spec.options


@pytest.mark.parametrize(
    ("names", "ballots", "count"),
    [(FOUR, 10, 108), (NAMES, 10, 145), (FOUR, 1, 72), (NAMES, 1, 100), (THREE, 10, 75)],
)
@pytest.mark.parametrize("first_questions", ["chain", "together"])
def test_a_match_has_the_requests_that_the_paper_counts(
    names: tuple[str, ...], ballots: int, count: int, first_questions: str
) -> None:
    script, n = case(names, (MURDERER,)), len(names)
    state = finish(start(script=script, ballots=ballots, first_questions=first_questions))
    assert len(requests(state)) == count == 2 * n * n + (9 + ballots) * n


@pytest.mark.parametrize(("before", "after"), [(0, 0), (0, 2), (1, 0), (2, 3)])
def test_rounds_lie_before_and_after_the_cards_as_the_options_say(before: int, after: int) -> None:
    state = finish(start(rounds_before=before, rounds_after=after, ballots=1))
    phases = [(one.phase, one.round) for one in events_of(state, PhaseStarted)]
    introductions = [
        (name, number) for number in range(1, 6) for name in ("introduction", "first_questions")
    ]
    assert phases == [
        *introductions,
        *(("discussion", number) for number in range(1, before + 1)),
        ("clues", 1),
        *(("discussion", number) for number in range(before + 1, before + after + 1)),
        ("voting", 1),
    ]


def test_every_request_has_its_purpose_and_form() -> None:
    found = {
        (one.phase, one.kind, one.purpose, type(one.spec)) for one in requests(finish(start()))
    }
    assert found == {
        ("introduction", "introduce", Purpose.INTRODUCE, FreeText),
        ("first_questions", "ask_first", Purpose.ASK, Form),
        ("first_questions", "answer", Purpose.ANSWER, FreeText),
        ("discussion", "ask", Purpose.ASK, Form),
        ("discussion", "answer", Purpose.ANSWER, FreeText),
        ("voting", "vote", Purpose.VOTE, Choice),
    }


@pytest.mark.parametrize(("language", "host"), [("en", "the host"), ("zh", "主持人")])
def test_the_host_puts_one_question_to_all_and_all_hear_it(language: Any, host: str) -> None:
    state = start(script=replace(case(), language=language))
    [told] = events_of(state, Announced)
    [(name, text)] = told.values
    assert (told.audience, name) == ("all", QUESTION)
    assert any(text in THINKTHRICE.texts(observe(state, s)).line(told) for s in state.started.seats)
    asked = [one for one in requests(finish(state)) if one.kind == "introduce"]
    assert {one.context_value(QUESTION) for one in asked} == {text}
    assert {one.context_value(ASKER) for one in asked} == {host}
    assert sorted(one.seat for one in asked) == sorted(NAMES)
    assert len(events_of(finish(state), Announced)) == 1


def test_an_introduction_is_heard_by_all_and_addressed_to_nobody() -> None:
    state = start()
    one = pending(state)[0]
    said = events_of(act(state, one, say("I am the cook.")), Said)[-1]
    assert (said.seat, said.text, said.to, said.audience) == (
        *(one.seat, "I am the cook.", None, "all"),
    )


def test_each_introduction_is_followed_by_one_question_of_each_other_seat() -> None:
    state = finish(start())
    asked = [one for one in requests(state) if one.phase in {"introduction", "first_questions"}]
    for number in range(1, 6):
        group = [one for one in asked if one.round == number]
        heard, *others = [one for one in group if one.kind != "answer"]
        assert heard.kind == "introduce"
        assert sorted(one.seat for one in others) == sorted(set(NAMES) - {heard.seat})
        assert all(target_of(one) == (heard.seat,) for one in others)
        answers = [one for one in group if one.kind == "answer"]
        assert {one.seat for one in answers} == {heard.seat}
        assert [one.context_value(ASKER) for one in answers] == [one.seat for one in others]


def test_a_first_question_is_answered_before_the_next_is_put_and_all_hear_both() -> None:
    state = until(start(), "ask_first")
    ask = pending(state)[0]
    [target] = target_of(ask)
    state = act(state, ask, fill(target=target, question="Where were you?"))
    assert events_of(state, QuestionAsked)[-1].audience == "all"
    [answer] = pending(state)
    assert (answer.seat, answer.context_value(QUESTION)) == (target, "Where were you?")
    state = act(state, answer, say("At home."))
    said = events_of(state, Said)[-1]
    assert (said.seat, said.to, said.audience) == (target, ask.seat, "all")
    following = pending(state)[0]
    assert following.kind == "ask_first"
    assert said in observe(state, following.seat).events


def test_first_questions_together_are_two_waves_that_do_not_hear_each_other() -> None:
    state = until(start(first_questions="together"), "ask_first")
    wave = pending(state)
    assert [one.seat for one in wave] == [s for s in NAMES if s not in target_of(wave[0])]
    state = act(state, wave[0], legal(wave[0], Random(1)))
    assert not any(isinstance(e, QuestionAsked) for e in observe(state, wave[1].seat).events)
    for one in wave[1:]:
        assert state.mode == "simultaneous"
        state = act(state, one, legal(one, Random(1)))
    answers = pending(state)
    assert [one.context_value(ASKER) for one in answers] == [one.seat for one in wave]
    assert len({one.seat for one in answers}) == 1
    before = observe(state, answers[1].seat)
    state = act(state, answers[0], say("An answer."))
    assert observe(state, answers[1].seat) == before
    steps = [one.step for one in events_of(finish(state), PhaseStarted)]
    assert steps[:6] == ["", "ask", "answer", "", "ask", "answer"]


def test_a_wave_of_answers_has_only_the_questions_that_were_put() -> None:
    state = until(start(first_questions="together"), "ask_first")
    for number, one in enumerate(pending(state)):
        state = act(state, one, Skip() if number else legal(one, Random(1)))
    assert len(pending(state)) == 1
    silent = until(start(first_questions="together"), "ask_first")
    for one in pending(silent):
        silent = act(silent, one, Skip())
    assert pending(silent)[0].kind == "introduce"
    assert pending(silent)[0].round == 2


def test_questions_of_open_rounds_go_to_any_other_seat() -> None:
    for one in requests(finish(start())):
        if one.kind == "ask":
            assert sorted(target_of(one)) == sorted(set(NAMES) - {one.seat})


def test_the_murderer_alone_may_refuse_to_answer_where_the_option_says() -> None:
    state = start(refuse=True)
    forms = {
        (one.seat == MURDERER, type(one.spec))
        for one in requests(finish(state))
        if one.kind == "answer"
    }
    assert forms == {(True, OneOf), (False, FreeText)}
    assert not any(isinstance(one.spec, OneOf) for one in requests(finish(start())))
    while (waiting := pending(state)) and not isinstance(waiting[0].spec, OneOf):
        state = act(state, waiting[0], legal(waiting[0], Random(1)))
    one = pending(state)[0]
    refused = act(state, one, Reply(values=(), variant="refuse"))
    told = events_of(refused, Announced)[-1]
    assert told.values == (("seat", MURDERER), ("to", one.context_value(ASKER)))
    line = THINKTHRICE.texts(observe(refused, Spectator())).line(told)
    assert line == f"[Host] {MURDERER} refuses to answer {one.context_value(ASKER)}."
    assert not events_of(refused, TurnSkipped)
    answered = act(state, one, Reply(values=(("text", "At sea."),), variant="answer"))
    assert events_of(answered, Said)[-1].text == "At sea."


@pytest.mark.parametrize(
    ("kind", "is_public"),
    [("introduce", True), ("ask_first", True), ("ask", True), ("answer", True), ("vote", False)],
)
def test_all_notice_a_silence_but_not_who_abstains(kind: str, is_public: bool) -> None:
    state = until(start(), kind)
    one = pending(state)[0]
    state = act(state, one, Skip())
    skipped = next(e for e in reversed(state.history) if isinstance(e, TurnSkipped))
    assert skipped.audience == ("all" if is_public else (one.seat,))
    assert THINKTHRICE.texts(observe(state, Spectator())).line(skipped)


def test_a_question_to_another_than_the_seat_just_heard_is_refused() -> None:
    state = until(start(attempts=1), "ask_first")
    one = pending(state)[0]
    other = next(name for name in NAMES if name not in {one.seat, *target_of(one)})
    state = act(state, one, fill(target=other, question="Why?"))
    assert not events_of(state, QuestionAsked)
    assert events_of(state, TurnSkipped)


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_plays_to_the_end(name: str) -> None:
    preset: dict[str, Any] = dict(PRESETS[name])
    state = finish(start(**preset))
    assert state.ended is not None


def test_waves_equal_their_serial_form() -> None:
    def decide(observation: Any, request: DecisionRequest) -> Reply:
        return legal(request, Random(f"{len(observation.events)}/{request.id}"))

    def run(*, backwards: bool) -> MatchState:
        state = start(first_questions="together", rounds_before=1, rounds_after=1)
        while waiting := pending(state):
            if not backwards:
                state = answer_all(THINKTHRICE, state, waiting, decide)
                continue
            given = [(one, decide(observe(state, one.seat), one)) for one in reversed(waiting)]
            for one, reply in reversed(given):
                state = act(state, one, reply)
        return state

    assert run(backwards=True).history == run(backwards=False).history


def test_the_chain_of_a_match_is_as_long_as_the_paper_says() -> None:
    state, links = start(), 0
    while waiting := pending(state):
        links += 1
        for one in waiting:
            state = act(state, one, legal(one, Random(links)))
    assert links == 2 * 5 * 5 + 9 * 5 + 1
    opened = [e.mode for e in events_of(state, RequestsOpened)]
    assert opened[-1] == "simultaneous"
    assert set(opened[:-1]) == {"turns"}


@pytest.mark.parametrize(
    ("names", "culprits", "wrong"),
    [
        (NAMES[:2], NAMES[:1], "'harbour' has 2 roles; thinkthrice is played with 3 to 10"),
        ((*TEN, "Eleven"), TEN[:1], "'harbour' has 11 roles"),
        (NAMES, NAMES[:2], "'harbour' has 2 murderers"),
        (NAMES, (), "'harbour' has 0 murderers"),
    ],
)
def test_a_script_that_makes_no_sense_here_is_refused(
    names: tuple[str, ...], culprits: tuple[str, ...], wrong: str
) -> None:
    with pytest.raises(ScriptError, match=wrong):
        start(script=case(names, culprits))


def test_ten_seats_play() -> None:
    assert finish(start(script=case(TEN, TEN[:1]), ballots=1)).ended is not None


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"ballots": 0}, "'ballots' must be >= 1"),
        ({"rounds_before": -1}, "'rounds_before' must be >= 0"),
        ({"rounds_after": 1000}, "'rounds_after' must be <= 100"),
        ({"tie": "revote"}, "ballots=10 and tie=revote contradict each other"),
    ],
)
def test_options_that_cannot_be_played_are_refused(options: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        ThinkThriceOptions(**options)


def test_a_murderer_knows_that_all_others_are_innocent() -> None:
    state = start()
    own = THINKTHRICE.texts(observe(state, SeatId(MURDERER))).role()
    assert "All other players are innocent" in own
    assert [one.seat for one in state.started.parts if one.faction == "murderer"] == [MURDERER]
