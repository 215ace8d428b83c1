"""Who is asked for what and when: the phases, and as many requests as the formulas say."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from arena.core.actions import fill, say
from arena.core.events import ClueRevealed, PhaseStarted, QuestionAsked, Said, StageStarted
from arena.core.observation import Spectator, observe
from arena.core.purposes import Purpose
from arena.core.seats import SeatId
from arena.core.specs import Choice, Form
from arena.core.state import MatchState, pending
from arena.games.questum.game import QUESTUM
from arena.games.questum.options import QuestumOptions
from scripts_mm.script import Script, ScriptError
from tests.arena.games.questum.scenes import (
    FOUR,
    SIX,
    crime,
    events_of,
    finish,
    requests_of,
    staged,
    start,
    until,
)
from tests.table import act, case, legal

TWO = crime(Otto=("Ada",), Maud=("Bram",))
MANY = crime(SIX, Otto=("Ada",), Maud=("Bram",), Nils=("Ada",), Pia=("Bram", "Cleo"))


def wanted(state: MatchState) -> int:
    """Return the requests that the formula of the game gives, every list of suspects full."""
    options = state.started.options
    assert isinstance(options, QuestumOptions)
    seats, victims = len(state.started.seats), max(1, len(state.script.victims))
    rounds = options.rounds
    asked = seats - 1 if options.targets == "all" else 1
    about = 1 if options.per == "round" else victims
    questions = seats * about * rounds * asked * options.questions
    votes = seats * victims if options.vote != "none" else 0
    return seats + 2 * questions + votes


@pytest.mark.parametrize(
    ("script", "options", "count"),
    [
        (crime(), {}, 32),
        (MANY, {}, 174),
        (TWO, {}, 4 + 2 * 4 * 2 * 3 + 8),
        (TWO, {"rounds": 1}, 4 + 2 * 8 + 8),
        (TWO, {"questions": 2}, 4 + 2 * 4 * 2 * 3 * 2 + 8),
        (TWO, {"per": "round"}, 4 + 2 * 4 * 3 + 8),
        (TWO, {"targets": "all", "rounds": 1}, 4 + 2 * 4 * 2 * 3 + 8),
        (TWO, {"targets": "all", "rounds": 1, "per": "target"}, 4 + 2 * 4 * 2 * 3 + 8),
        (TWO, {"targets": "all", "rounds": 1, "per": "round"}, 4 + 2 * 4 * 3 + 8),
        (TWO, {"snapshot": "round"}, 4 + 2 * 4 * 2 * 3 + 8),
        (TWO, dict(QUESTUM.presets["released"]), 4 + 2 * 4 * 2 * 3 * 3),
    ],
)
def test_a_match_has_as_many_requests_as_the_formula_says(
    script: Script, options: dict[str, Any], count: int
) -> None:
    ended = finish(start(script, **options))
    assert len(requests_of(ended)) == count
    assert wanted(ended) == count


def test_phases_follow_one_another_and_all_introductions_and_votes_are_waves() -> None:
    state = start(TWO, rounds=2)
    assert len(pending(state)) == len(FOUR)
    voting = until(state, "vote")
    assert len(pending(voting)) == len(FOUR) * 2
    ended = finish(voting)
    phases = [(one.phase, one.round) for one in events_of(ended, PhaseStarted)]
    assert phases == [
        ("introduction", 1), ("questioning", 1), ("questioning", 2), ("voting", 1),
    ]  # fmt: skip


def test_every_request_says_what_it_is_for_and_about_whom() -> None:
    ended = finish(start(TWO, rounds=1))
    found = Counter((one.kind, one.purpose, one.about) for one in requests_of(ended))
    assert found == {
        ("introduce", Purpose.INTRODUCE, ""): 4,
        ("ask", Purpose.ASK, "Otto"): 4,
        ("ask", Purpose.ASK, "Maud"): 4,
        ("answer", Purpose.ANSWER, "Otto"): 4,
        ("answer", Purpose.ANSWER, "Maud"): 4,
        ("vote", Purpose.VOTE, "Otto"): 4,
        ("vote", Purpose.VOTE, "Maud"): 4,
    }
    assert Counter(one.about for one in events_of(ended, QuestionAsked)) == {"Otto": 4, "Maud": 4}


def test_seats_ask_in_the_order_of_the_script_and_of_the_victims_and_are_answered_at_once() -> None:
    state = until(start(TWO, rounds=1), "ask")
    order: list[tuple[str, str, str]] = []
    while (waiting := pending(state)) and waiting[0].kind != "vote":
        assert len(waiting) == 1
        order.append((waiting[0].kind, waiting[0].seat, waiting[0].about))
        reply = say("Here.") if waiting[0].kind == "answer" else legal(waiting[0], Random(1))
        state = act(state, waiting[0], reply)
    asks = [one[1:] for one in order[::2]]
    assert asks == [(name, victim) for name in FOUR for victim in ("Otto", "Maud")]
    assert {kind for kind, _, _ in order[1::2]} == {"answer"}
    assert all(order[n][2] == order[n + 1][2] for n in range(0, len(order), 2))


def test_all_seats_hear_every_question_and_answer() -> None:
    state = until(start(TWO, rounds=1), "ask")
    state = act(state, pending(state)[0], fill(target="Dirk", question="Where, about Otto?"))
    [answer] = pending(state)
    assert (answer.seat, answer.context_value("asker"), answer.about) == ("Dirk", "Ada", "Otto")
    state = act(state, answer, say("On the boat."))
    for observer in (SeatId("Cleo"), Spectator()):
        seen = observe(state, observer).events
        assert any(isinstance(one, QuestionAsked) and one.to == "Dirk" for one in seen)
        assert any(isinstance(one, Said) and one.to == "Ada" for one in seen)


def test_no_seat_hears_an_introduction_before_its_own() -> None:
    state = start(TWO)
    first, second = pending(state)[:2]
    after = act(state, first, say("I am Ada."))
    assert not [one for one in observe(after, second.seat).events if isinstance(one, Said)]


def test_questions_of_a_round_are_two_waves_where_the_round_sees_its_start() -> None:
    state = until(start(TWO, rounds=2, snapshot="round"), "ask")
    for _ in range(2):
        for kind in ("ask", "answer"):
            waiting = pending(state)
            assert [one.kind for one in waiting] == [kind] * len(FOUR) * 2
            known = {one.seat: len(observe(state, one.seat).events) for one in waiting}
            for request in waiting:
                seen = observe(state, request.seat)
                assert len(seen.events) == known[request.seat], "no answer of the wave is seen"
                state = act(state, request, legal(request, Random(1)))
    assert pending(state)[0].kind == "vote"
    steps = [one.step for one in events_of(state, PhaseStarted)]
    assert steps == ["", "ask", "answer", "ask", "answer", ""]


def test_a_round_without_questions_has_no_wave_of_answers() -> None:
    state = until(start(rounds=1, snapshot="round"), "ask")
    for request in pending(state):
        state = act(state, request, None)
    assert {one.kind for one in pending(state)} == {"vote"}


def test_a_seat_chooses_the_victim_where_it_asks_once_a_round() -> None:
    state = until(start(TWO, per="round"), "ask")
    [request] = pending(state)
    assert isinstance(request.spec, Form)
    assert [field.name for field in request.spec.fields] == ["victim", "target", "question"]
    state = act(state, request, fill(victim="Maud", target="Cleo", question="Maud?"))
    assert events_of(state, QuestionAsked)[0].about == "Maud"
    assert pending(state)[0].about == "Maud"
    [alone] = pending(until(start(per="round"), "ask"))
    assert isinstance(alone.spec, Form)
    assert [field.name for field in alone.spec.fields] == ["target", "question"]
    assert alone.about == "Otto"


def test_every_other_seat_is_the_only_target_of_a_question_where_all_are_asked() -> None:
    asked = requests_of(finish(start(TWO, targets="all", rounds=1)), "ask")
    targets: list[tuple[str, str, str]] = []
    for request in asked:
        assert isinstance(request.spec, Form)
        spec = request.spec.fields[0].spec
        assert isinstance(spec, Choice)
        assert len(spec.options) == 1
        targets.append((request.seat, request.about, spec.options[0]))
    everybody = [
        (seat, victim, other)
        for seat in FOUR for victim in ("Otto", "Maud") for other in FOUR if other != seat
    ]  # fmt: skip
    assert targets == everybody


def test_stages_are_dealt_before_their_own_rounds() -> None:
    ended = finish(start(staged(TWO, 3), rounds=2))
    shown = [
        one.stage if isinstance(one, StageStarted) else one.phase
        for one in ended.history
        if isinstance(one, StageStarted | PhaseStarted)
    ]
    questions = ["questioning"] * 2
    assert shown == [1, "introduction", *questions, 2, *questions, 3, *questions, "voting"]
    assert len(requests_of(ended, "ask")) == 4 * 2 * 2 * 3
    whole = finish(start(staged(TWO, 3), rounds=2, stages="whole"))
    assert not events_of(whole, StageStarted)
    assert len(requests_of(whole, "ask")) == 4 * 2 * 2


def test_clues_belong_to_their_owners_or_to_all_or_to_nobody() -> None:
    shown = {one.clue: one.audience for one in events_of(start(), ClueRevealed)}
    assert shown == {"log": "all", "plan": "all", "note": ("Bram",)}
    assert [one.clue for one in events_of(start(clues="none"), ClueRevealed)] == ["note"]


def test_without_a_vote_the_match_ends_after_the_questions() -> None:
    ended = finish(start(TWO, vote="none"))
    assert ended.ended is not None
    assert (ended.ended.outcome, ended.ended.results) == ("draw", ())
    assert not requests_of(ended, "vote")


def test_options_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="per=target and targets=one contradict"):
        QuestumOptions(per="target")
    with pytest.raises(ValueError, match="'rounds' must be >= 1"):
        QuestumOptions(rounds=0)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (case(SIX[:3], ("Ada",)), "has 3 roles; questum is played with 4 to 9"),
        (case(tuple("abcdefghij"), ("a",)), "has 10 roles; questum is played with 4 to 9"),
        (crime(SIX, A=("Ada",), B=(), C=(), D=(), E=()), "has 5 victims; questum is played with"),
        (crime(A=("ghost",)), "has 0 murderers among 4 roles"),
        (crime(A=("Ada", "Bram"), B=("Cleo", "Dirk")), "has 4 murderers among 4 roles"),
    ],
)
def test_a_script_that_cannot_be_played_is_refused_with_the_reason(
    script: Script, said: str
) -> None:
    with pytest.raises(ScriptError, match=said):
        start(script)


def test_a_culprit_for_whom_no_victim_is_left_of_several_is_refused() -> None:
    script = crime(Otto=("Ada",), Maud=("Ada",))
    unplaced = replace(script, truth=replace(script.truth, culprits=("Ada", "Bram")))
    with pytest.raises(ScriptError, match=r"names Bram as culprit, and others .* of Otto, Maud; "):
        start(unplaced)


def test_every_culprit_of_a_sole_victim_killed_it() -> None:
    script = crime(Otto=("Ada",))
    script = replace(script, truth=replace(script.truth, culprits=("Ada", "Bram")))
    parts = {part.seat: part.guilty_of for part in start(script).started.parts}
    assert (parts[SeatId("Ada")], parts[SeatId("Bram")]) == (("Otto",), ("Otto",))


def test_a_script_that_does_not_say_who_killed_whom_is_refused() -> None:
    script = crime(Otto=("Ada",), Maud=("Bram",))
    silent = replace(script, truth=replace(script.truth, killings=()))
    with pytest.raises(ScriptError, match="does not say which of Ada, Bram killed which of Otto"):
        start(silent)
