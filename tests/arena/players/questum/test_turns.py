"""A turn of questions: its calls, its waves, whom it asks, what it notes."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import log
from random import Random

import pytest

from arena.core.actions import Reply
from arena.core.events import SeatEliminated
from arena.core.observation import observe_request
from arena.core.purposes import Purpose
from arena.core.requests import ActionError
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN, Choice, FreeText
from arena.core.state import MatchState, pending
from arena.players.player import Answer
from tests.arena.games.questum.scenes import (
    FOUR,
    SIX,
    crime,
    start,
)
from tests.arena.players.questum.scenes import (
    OTHERS,
    ada,
    guilty,
    innocent,
    keep,
    reading,
    steady,
)
from tests.arena.players.scripted_replies import (
    Seat,
    demand,
    notes,
    play,
    voice,
)
from tests.table import setup

CLEARS_DIRK = steady({"list/choose": keep("Bram", "Cleo")})
READINGS = [f"asking/{name}" for name in ("emotion", "motivation", "suspicion")]


Start = Callable[[], MatchState]


def ask(one: Seat, state: MatchState, number: int) -> tuple[MatchState, Answer]:
    """Return the state after the seat's turn of round `number`, and the answer."""
    return one.take(one.turn(state, number=number))


def target_of(answer: Answer) -> str:
    """Return whom the answer asks."""
    assert isinstance(answer.action, Reply)
    return answer.action["target"]


@pytest.mark.parametrize("who", [innocent, guilty])
def test_the_first_turn_is_a_wave_for_all_suspects_then_one_for_the_target_then_a_question(
    who: Start,
) -> None:
    one, state = ada(), who()
    _, answer = ask(one, state, 1)
    named = [f"{name}/{target_of(answer)}" for name in READINGS]
    assert one.model.waves == [
        [f"asking/information/{other}" for other in OTHERS],
        named,
        ["reply"],
    ]


@pytest.mark.parametrize("who", [innocent, guilty])
def test_a_later_turn_shortens_the_list_of_the_round_before_first(who: Start) -> None:
    one, state = ada(), who()
    state, _ = ask(one, state, 1)
    ask(one, state, 2)
    sensors = ("emotion", "motivation", "suspicion", "information")
    assert one.model.waves[0] == [f"list/{s}/{other}" for other in OTHERS for s in sensors]
    assert one.model.waves[1] == ["list/choose"]
    assert [len(wave) for wave in one.model.waves] == [12, 1, 3, 3, 1]


def test_one_after_the_other_the_calls_and_the_answer_are_the_same() -> None:
    found: list[tuple[object, ...]] = []
    for options in ("epsilon=0", "epsilon=0,together=no"):
        one, state = ada(options), innocent()
        state, first = ask(one, state, 1)
        _, second = ask(one, state, 2)
        found.append((first, second, [request.call_id for request in one.model.requests]))
    assert found[0] == found[1]
    assert all(len(wave) == 1 for wave in one.model.waves)


def test_a_match_costs_what_the_formula_says() -> None:
    # N = 4 seats, V = 1 victim, R = 3 rounds, lists that stay full:
    # N V [R (N + 3) + (R - 1) (4 N - 3)] = 4 [3 * 7 + 2 * 13] = 188, then 4 introductions,
    # 12 answers and 4 votes of one call each.
    match = setup(start(rounds=3).started.options, script=crime(FOUR))
    played = play(match, "questum", ("questum", "questum"), steady())
    assert played.count() == {
        Purpose.INTRODUCE: 4,
        Purpose.ASK: 188,
        Purpose.ANSWER: 12,
        Purpose.VOTE: 4,
    }


@pytest.mark.slow
def test_a_match_with_several_victims_costs_as_much_for_each() -> None:
    # N = 6, V = 2, R = 2: 6 * 2 [2 * 9 + 21] = 468.
    script = crime(SIX, Otto=("Ada",), Olga=("Finn",))
    match = setup(start(rounds=2).started.options, script=script)

    every = voice({"list/choose": keep(*SIX)})
    played = play(match, "questum", ("questum", "questum"), every)
    assert played.count()[Purpose.ASK] == 468


def test_the_worked_example_asks_whom_it_can_learn_most_from() -> None:
    # beta = 0.2, E = 1, 0, -1 for High, Medium, Low.
    # Round 1: nobody was asked, G = 0. Bram Medium: 0, Cleo High: 0.8, Dirk Low: -0.8. Cleo.
    # After it the list is Bram, Cleo: gain ln 3 - ln 2 = 0.405465 for Cleo, round 1.
    # Round 2: r' = 1, so G of Cleo = 0.405465. Bram High: 0.8; Cleo High: 0.2 * 0.405465 + 0.8
    # = 0.881093. Cleo again. After it the list is Bram, Cleo as before: gain 0 for Cleo, round 2.
    # Round 3: r' = 2, G of Cleo = (e^-1 * 0.405465 + 1 * 0) / (e^-1 + 1) = 0.109045.
    # Bram Medium: 0; Cleo Medium: 0.2 * 0.109045 = 0.021809. Cleo. With Bram High instead: Bram.
    replies = {
        "asking/information/Bram": reading("Medium"),
        "asking/information/Cleo": reading("High"),
        "asking/information/Dirk": reading("Low"),
        "list/choose": keep("Bram", "Cleo"),
    }
    one, state = ada(say=steady(replies)), innocent()
    state, first = ask(one, state, 1)
    assert target_of(first) == "Cleo"
    assert [note["score"] for note in notes(first.reports, "score")] == [
        "0.000000", "0.800000", "-0.800000",
    ]  # fmt: skip
    replies["asking/information/Bram"] = reading("High")
    one.model.say = steady(replies)
    state, second = ask(one, state, 2)
    assert notes(second.reports, "gain") == [
        {"victim": "Otto", "round": "1", "gain": f"{log(3) - log(2):.6f}", "credited": "Cleo"}
    ]
    assert notes(second.reports, "suspects") == [
        {"victim": "Otto", "round": "2", "seats": "Bram, Cleo"}
    ]
    assert [note["score"] for note in notes(second.reports, "score")] == ["0.800000", "0.881093"]
    assert target_of(second) == "Cleo"
    replies |= {
        "asking/information/Bram": reading("Medium"),
        "asking/information/Cleo": reading("Medium"),
    }
    one.model.say = steady(replies)
    _, third = ask(one, state, 3)
    assert [note["score"] for note in notes(third.reports, "score")] == ["0.000000", "0.021809"]
    assert target_of(third) == "Cleo"


def test_of_equal_scores_the_first_in_the_script_is_asked() -> None:
    same = {"asking/information": reading("High")}
    one, state = ada(say=steady(same)), innocent(option_order="all")
    _, answer = ask(one, state, 1)
    assert target_of(answer) == "Bram"


def test_the_question_names_victim_and_target_and_what_was_read() -> None:
    replies = {
        "asking/information/Dirk": reading("High"),
        "asking/information": reading("Low"),
        "asking/emotion": reading("Negative", "She smiled [too] much."),
    }
    one, state = ada(say=steady(replies)), innocent()
    ask(one, state, 1)
    [last] = one.model.asked("reply")
    text = demand(last)
    assert "You now ask Dirk about the murder of Otto" in text
    assert "feeling Negative" in text
    assert "She smiled (too) much." in text
    assert "Players that you may ask: Dirk." in text
    assert "'target', options=('Dirk',)" in repr(last.constraint).replace("name=", "")


def test_a_killer_of_the_victim_is_told_to_hide_it_and_nobody_else_is() -> None:
    for who, hides in ((innocent, False), (guilty, True)):
        one, state = ada(), who()
        state, _ = ask(one, state, 1)
        ask(one, state, 2)
        texts = [demand(request) for request in one.model.requests]
        assert all(("You committed the murder of Otto" in text) == hides for text in texts)


def test_who_killed_one_victim_is_innocent_of_the_others() -> None:
    script = crime(FOUR, Otto=("Ada",), Olga=("Bram",))
    one, state = ada(), start(script, order="script")
    for victim, hides in (("Otto", True), ("Olga", False)):
        state = one.turn(state)
        assert pending(state)[0].about == victim
        state, _ = one.take(state)
        for request in one.model.requests:
            assert ("You committed the murder" in demand(request)) == hides


def test_the_record_holds_the_list_of_every_round() -> None:
    replies = {"list/choose": keep("Cleo")}
    one, state = ada(say=steady(replies)), innocent()
    lists: list[str] = []
    for number in (1, 2, 3):
        state, answer = ask(one, state, number)
        lists += [note["seats"] for note in notes(answer.reports, "suspects")]
    assert lists == ["Bram, Cleo, Dirk", "Cleo", "Cleo"]
    used = Counter(note["use"] for note in notes(answer.reports, "readings"))
    assert used == {"list": 1, "asking": 1}


def test_a_corrected_turn_asks_nothing_again_and_notes_nothing_twice() -> None:
    one, state = ada(), innocent()
    state, _ = ask(one, state, 1)
    state = one.turn(state, number=2)
    request = pending(state)[0]
    one.model.say = steady({"reply": "{"})
    one.answer(state, request)
    before = len(one.model.requests)
    one.model.say = steady()
    error = ActionError(code="unparsed", field="question")
    assert isinstance(one.answer(state, request.with_error(error)), Reply)
    assert len(one.model.requests) == before + 1
    assert one.answers[request.id].reports == ()


def test_the_name_of_a_victim_is_quoted() -> None:
    script = crime(FOUR, **{"Otto [Host] ###": ("Bram",)})
    one = ada()
    state, _ = ask(one, start(script, order="script"), 1)
    ask(one, state, 2)
    for step in one.model.asked("list"):
        assert "murder of Otto (Host) ＃＃＃" in demand(step)


def test_introduction_and_answer_are_one_call_each() -> None:
    one, state = ada(), innocent()
    state, _ = one.take(one.turn(state, Purpose.INTRODUCE))
    assert "stays your secret" in demand(one.model.requests[0])
    assert len(one.model.requests) == 1
    state, _ = one.take(one.turn(state, Purpose.ANSWER))
    assert len(one.model.requests) == 1
    assert "which you did not commit" in demand(one.model.requests[0])
    one, state = ada(), guilty()
    one.take(one.turn(state, Purpose.ANSWER))
    assert "You committed the murder of Otto." in demand(one.model.requests[0])


def test_the_vote_names_the_suspects_and_leaves_all_options() -> None:
    one, state = ada(say=steady({"list/choose": keep("Cleo")})), innocent()
    one.take(one.turn(state, Purpose.VOTE))
    [last] = one.model.requests
    assert "you still suspect: Cleo." in demand(last)
    assert all(name in repr(last.constraint) for name in OTHERS)


def test_prompts_of_the_seat_begin_with_those_before() -> None:
    one, state = ada(), innocent()
    one.play(state, lambda _: False)
    replies = one.model.asked("reply")
    for earlier, later in pairwise(replies):
        assert later.messages[: len(earlier.messages)] == earlier.messages
    assert all(step.messages[:2] == replies[0].messages[:2] for step in one.model.requests)


@pytest.mark.parametrize("asked", [False, True])
def test_a_vote_names_suspects_only_where_somebody_asked(asked: bool) -> None:
    one, state = ada(say=CLEARS_DIRK), innocent()
    before = one.turn(state, Purpose.INTRODUCE)
    state = one.turn(state, Purpose.VOTE)
    one.model.requests.clear()
    vote = pending(state)[0]
    seen = observe_request(state, vote)
    if not asked:
        seen = replace(seen, events=observe_request(before, vote).events)
    asyncio.run(one.player.act(seen, vote, Random(1)))
    [last] = one.model.requests
    assert ("you still suspect" in demand(last)) == asked


@pytest.mark.parametrize("state", [innocent(), guilty()], ids=["innocent", "guilty"])
def test_a_vote_does_not_list_everybody_as_a_suspect(state: MatchState) -> None:
    one = ada()
    one.take(one.turn(state, Purpose.VOTE))
    assert "suspect: Bram, Cleo, Dirk" not in demand(one.model.requests[-1])


def test_what_was_noted_of_the_target_names_it_once_and_only_what_was_read() -> None:
    one, state = ada(), innocent()
    ask(one, state, 1)
    noted = next(line for line in demand(one.model.requests[-1]).splitlines() if "noted" in line)
    assert re.search(r"you have noted: \w+: feeling \w+; motive \w+; opportunity \w+\.", noted)
    assert "value of more questions" not in noted


def test_a_vote_names_those_suspects_alone_that_may_be_voted_for() -> None:
    one, state = ada(say=CLEARS_DIRK), innocent()
    state = one.turn(state, Purpose.VOTE)
    vote = pending(state)[0]
    for options, named in ((("Cleo", ABSTAIN), "Cleo"), (("Ada", ABSTAIN), "")):
        one.answer(state, replace(vote, spec=Choice(options=options)))
        text = demand(one.model.requests[-1])
        assert ("you still suspect" in text) == bool(named)
        assert f"suspect: {named}." in text or not named


def test_a_conclusion_in_words_names_no_suspect_that_left_the_game() -> None:
    one, state = ada(say=CLEARS_DIRK), innocent()
    state = one.turn(state, Purpose.VOTE)
    request = replace(pending(state)[0], spec=FreeText(), purpose=Purpose.CONCLUDE)
    gone = SeatEliminated(seat=SeatId("Cleo"), cause="vote")
    seen = observe_request(state, request)
    seen = replace(seen, events=(*seen.events, gone))
    asyncio.run(one.player.act(seen, request, Random(1)))
    assert "you still suspect: Bram." in demand(one.model.requests[-1])
