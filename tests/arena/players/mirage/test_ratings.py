"""Ratings by a seat: its numbers, whose eyes it rates with, and that they leave no trace."""

from dataclasses import replace

import pytest

from arena.core.action_validation import validate
from arena.core.actions import Reply, choose
from arena.core.events import Rated
from arena.core.purposes import Purpose
from arena.core.state import pending
from arena.games.mirage.options import MirageOptions
from scripts_mm.script import Clue
from tests.arena.games.mirage.scenes import case, start
from tests.arena.players.mirage.voices import match, one_seat, thinking
from tests.arena.players.scripted_replies import form, play
from tests.table import setup


@pytest.mark.parametrize(("value", "rating"), [("2", "2"), ("1.", "1"), ("2 (very much)", "2")])
def test_a_rating_is_a_number_in_any_frame(value: str, rating: str) -> None:
    one, state = one_seat(lambda _: form(thought="At 21:00 he lied.", choice=value)), match()
    state = one.turn(state, Purpose.RATE)
    assert one.answer(state, pending(state)[0]) == choose(rating)


@pytest.mark.parametrize("value", ["3", "-1", "two", "", "1.5", "1/2", "1 or 2", "21:00", "20%"])
def test_a_rating_outside_of_0_to_2_is_a_fault(value: str) -> None:
    one, state = one_seat(lambda _: form(thought="x", choice=value)), match(rounds=1)
    state = one.turn(state, Purpose.RATE)
    request = pending(state)[0]
    action = one.answer(state, replace(request, attempts_left=1))
    assert not isinstance(validate(request, action), Reply)


@pytest.mark.parametrize("role", [True, False])
def test_a_seat_rates_as_its_role_or_as_an_onlooker(role: bool) -> None:
    options = "" if role else "rater_role=no"
    one, state = one_seat(thinking, options), match(rounds=1)
    state = one.turn(state, Purpose.RATE)
    state, answer = one.take(state)
    [call] = one.model.requests
    told = "\n".join(message.text for message in call.messages)
    assert ("You are Ada" in told) == role
    assert ("Ada in part 1" in told) == role
    assert ("neutral onlooker" in told) == (not role)
    assert isinstance(answer.action, Reply)
    assert answer.action.values[0][0] == "choice"
    rated = [e for e in state.history if isinstance(e, Rated) and e.seat == "Ada"]
    assert len(rated) == 1


@pytest.mark.parametrize("role", ["yes", "no"])
def test_ratings_leave_no_trace_in_later_prompts(role: str) -> None:
    match_of = setup(MirageOptions(rounds=2), script=case())
    with_ratings = play(match_of, "mirage", (f"mirage:rater_role={role}", "direct"), thinking)
    match_of = setup(MirageOptions(rounds=2, raters="none"), script=case())
    without = play(match_of, "mirage", ("mirage", "direct"), thinking)
    on_path = {key: call.request.messages for key, call in with_ratings.calls.items()
               if not key.request.startswith("rating")}  # fmt: skip
    assert on_path == {key: call.request.messages for key, call in without.calls.items()}


def test_an_onlooker_knows_only_what_everybody_knows() -> None:
    private = Clue(id="note", title="A note", text="PRIVATE-CLUE", owner="Ada")
    script = case(stages=2)
    script = replace(script, clues=(*script.clues, private))
    one, state = one_seat(thinking, "rater_role=no"), start(script, rounds=1)
    state = one.turn(state, Purpose.ACT, 2)
    one.take(state)
    assert "PRIVATE-CLUE" in repr(one.model.requests)
    state = one.turn(state, Purpose.RATE, 2)
    one.take(state)
    [call] = one.model.requests
    told = repr(call.messages)
    assert "PRIVATE-CLUE" not in told
    assert "Ada in part" not in told
