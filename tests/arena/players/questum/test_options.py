"""Every option changes what its help says, and nothing else."""

from dataclasses import replace
from math import log

import pytest

from arena.core.actions import Reply, Skip
from arena.core.purposes import INVESTIGATE_VARIANT, Purpose
from arena.core.specs import Choice, FreeText, OneOf
from arena.core.state import MatchState, pending
from arena.errors import ConfigError
from arena.models.chat import Request
from arena.players.contestants import read_contestant
from arena.players.player import Answer
from arena.players.roster import check_player
from tests.arena.games.mirage import scenes as mirage
from tests.arena.games.questum.scenes import FOUR, crime, start
from tests.arena.players.questum.scenes import (
    ada,
    guilty,
    innocent,
    keep,
    reading,
    steady,
)
from tests.arena.players.scripted_replies import (
    Seat,
    Voice,
    demand,
    form,
    name_of,
    notes,
)

BRAM_FIRST = {"asking/information/Bram": reading("High"), "asking/information": reading("Low")}


def turns(one: Seat, state: MatchState, rounds: int = 2) -> tuple[MatchState, list[Answer]]:
    """Return the seat's first turns of as many rounds, one a round."""
    answers: list[Answer] = []
    for number in range(1, rounds + 1):
        state, answer = one.take(one.turn(state, number=number))
        answers.append(answer)
    return state, answers


def targets(answers: list[Answer]) -> list[str]:
    return [one.action["target"] for one in answers if isinstance(one.action, Reply)]


def test_beta_weighs_what_a_seat_brought_against_what_it_promises() -> None:
    replies = {**BRAM_FIRST, "list/choose": keep("Bram", "Cleo")}
    for beta, scores in (("1", ["0.405465", "0.000000"]), ("0", ["1.000000", "-1.000000"])):
        one = ada(f"epsilon=0,beta={beta}", steady(replies))
        _, [first, second] = turns(one, innocent())
        # With beta = 1 all scores of round 1 are 0, and the first of them is asked.
        assert targets([first]) == ["Bram"]
        assert [note["score"] for note in notes(second.reports, "score")] == scores


def test_epsilon_is_how_often_a_random_suspect_is_asked() -> None:
    drawn = {"always": set[str](), "never": set[str]()}
    for word, epsilon in (("always", "1"), ("never", "0")):
        for seed in range(8):
            one = ada(f"epsilon={epsilon}", steady(BRAM_FIRST))
            _, answers = turns(
                one, start(crime(FOUR, Otto=("Bram",)), order="script", seed=seed), 1
            )
            drawn[word] |= set(targets(answers))
            [aim] = notes(answers[0].reports, "aim")
            assert aim["why"] == ("chance" if word == "always" else "score")
    assert drawn == {"always": {"Bram", "Cleo", "Dirk"}, "never": {"Bram"}}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("from_whom", "expected"), [("suspects", {"Cleo"}), ("anyone", set(FOUR[1:]))]
)
def test_a_random_seat_is_drawn_from_the_suspects_or_from_all(
    from_whom: str, expected: set[str]
) -> None:
    drawn = set[str]()
    for seed in range(20):
        one = ada(f"epsilon=1,random_from={from_whom}", steady({"list/choose": keep("Cleo")}))
        _, answers = turns(one, start(crime(FOUR, Otto=("Bram",)), order="script", seed=seed))
        drawn |= set(targets(answers[1:]))
    assert drawn == expected


def test_all_targets_are_asked_in_turn_without_a_score() -> None:
    one = ada("targets=all")
    _, answers = turns(one, innocent(), 3)
    assert targets(answers) == ["Bram", "Cleo", "Dirk"]
    assert not one.model.asked("asking/information")


def test_where_the_game_names_the_target_there_is_nothing_to_choose() -> None:
    one, state = ada(say=steady({"list/choose": keep("Cleo")})), innocent(targets="all")
    state, answer = one.take(one.turn(state, number=2))
    assert targets([answer]) == ["Bram"]
    assert [len(wave) for wave in one.model.waves] == [12, 1, 3, 1]
    _, answer = one.take(one.turn(state, number=2))
    assert [len(wave) for wave in one.model.waves] == [3, 1], "the list is looked over once"
    assert targets([answer]) == ["Cleo"]


def test_all_targets_are_the_suspects_where_the_game_names_the_target() -> None:
    one = ada("targets=all", steady({"list/choose": keep("Cleo")}))
    state, answer = one.take(one.turn(innocent(targets="all"), number=2))
    assert answer.action == Skip(), "Bram is no suspect any more"
    _, answer = one.take(one.turn(state, number=2))
    assert targets([answer]) == ["Cleo"]


@pytest.mark.parametrize(("credit", "credited"), [("asked", "Bram"), ("all", "Bram, Cleo, Dirk")])
def test_the_gain_is_credited_to_those_asked_or_to_all_suspects(credit: str, credited: str) -> None:
    one = ada(f"epsilon=0,credit={credit}", steady({**BRAM_FIRST, "list/choose": keep("Cleo")}))
    _, [_, second] = turns(one, innocent())
    assert notes(second.reports, "gain") == [
        {"victim": "Otto", "round": "1", "gain": f"{log(3):.6f}", "credited": credited}
    ]


@pytest.mark.parametrize(("dense", "score"), [("no", "-0.297267"), ("yes", "-0.445477")])
def test_rounds_without_a_question_can_count_as_zero(dense: str, score: str) -> None:
    # Bram is asked in round 1 (gain ln 3 - ln 2 = 0.405465), Cleo in round 2. In round 3 the mean
    # for Bram is 0.405465, or with the empty round (e^-1 * 0.405465 + 1 * 0) / (e^-1 + 1)
    # = 0.109046. With beta = 0.5 and Low his score is half of that, less 0.5.
    keeps = {"list/choose": keep("Bram", "Cleo"), "asking/information": reading("Low")}
    one = ada(f"epsilon=0,beta=0.5,dense={dense}", steady({**keeps, **BRAM_FIRST}))
    state, first = one.take(one.turn(innocent(), number=1))
    one.model.say = steady({**keeps, "asking/information/Cleo": reading("High")})
    state, second = one.take(one.turn(state, number=2))
    _, third = one.take(one.turn(state, number=3))
    assert targets([first, second]) == ["Bram", "Cleo"]
    assert notes(third.reports, "score")[0]["score"] == score


@pytest.mark.parametrize(("regrow", "lists"), [("no", ["Cleo", "Cleo"]), ("yes", ["Cleo", "Bram"])])
def test_the_list_grows_again_only_under_its_option(regrow: str, lists: list[str]) -> None:
    one = ada(f"epsilon=0,regrow={regrow}", steady({"list/choose": keep("Cleo")}))
    state, [_, second] = turns(one, innocent())
    one.model.say = steady({"list/choose": keep("Bram")})
    _, third = one.take(one.turn(state, number=3))
    found = [notes(answer.reports, "suspects")[0]["seats"] for answer in (second, third)]
    assert found == lists


def test_a_list_that_grew_has_a_negative_gain() -> None:
    one = ada("epsilon=0,regrow=yes", steady({"list/choose": keep("Cleo", "Dirk")}))
    state, _ = turns(one, innocent())
    one.model.say = steady()
    _, third = one.take(one.turn(state, number=3))
    assert notes(third.reports, "gain")[0]["gain"] == f"{log(2) - log(3):.6f}"


def test_readings_of_the_turn_can_be_reused() -> None:
    replies = {**BRAM_FIRST, "asking/emotion": reading("Negative", "REUSED")}
    one = ada("epsilon=0,reuse=yes", steady(replies))
    _, [_, second] = turns(one, innocent())
    # Of Bram, who was asked, only the value of more questions is read again: 12 - 3.
    assert [len(wave) for wave in one.model.waves] == [9, 1, 3, 3, 1]
    assert "REUSED" in demand(one.model.asked("list/choose")[0])
    assert notes(second.reports, "readings")[0]["emotion"] == "negative"


@pytest.mark.parametrize(("options", "calls"), [("joint=yes", 3), ("joint=yes,reuse=yes", 3)])
def test_a_joint_reading_is_one_call_a_suspect(options: str, calls: int) -> None:
    read_all = {"emotion": "Negative", "motivation": "Yes", "suspicion": "No"}
    joint = form(reason="Hm.", **read_all, information="Low")
    one = ada(f"epsilon=0,{options}", steady({**BRAM_FIRST, "list/joint": joint}))
    _, [_, second] = turns(one, innocent())
    assert [len(wave) for wave in one.model.waves] == [calls, 1, 3, 3, 1]
    read = {note["seat"]: note for note in notes(second.reports, "readings")[:3]}
    assert read["Cleo"]["emotion"] == "negative"
    assert read["Cleo"]["information"] == "low"


def test_a_killer_may_ask_whom_the_others_suspect_most() -> None:
    one = ada("epsilon=0,killer_frames=yes", steady({"asking/frame": "Dirk"}))
    _, [first] = turns(one, guilty(), 1)
    assert targets([first]) == ["Dirk"]
    assert [len(wave) for wave in one.model.waves] == [1, 3, 1]
    one = ada("epsilon=0,killer_frames=yes", steady({"asking/frame": "Dirk"}))
    turns(one, innocent(), 1)
    assert not one.model.asked("asking/frame"), "who is innocent of it frames nobody"


def test_an_unread_frame_is_who_was_asked_most() -> None:
    one = ada("epsilon=0,killer_frames=yes", steady({"asking/frame": "Nobody"}))
    _, [first, second] = turns(one, guilty())
    assert targets([first]) == ["Bram"]
    assert notes(second.reports, "aim")[0]["why"] == "frame"
    assert notes(second.reports, "step_failed") == [{"step": "asking/frame"}]


@pytest.mark.parametrize(("vote_from", "options"), [("all", 4), ("suspects", 1)])
def test_a_vote_may_be_limited_to_the_suspects(vote_from: str, options: int) -> None:
    one = ada(f"epsilon=0,vote_from={vote_from}", steady({"list/choose": keep("Cleo")}))
    state = one.turn(innocent(), Purpose.VOTE)
    spec = pending(state)[0].spec
    assert isinstance(spec, Choice)
    assert len(spec.options) == 4
    one.take(state)
    [last] = one.model.requests
    assert repr(last.constraint).count("'") == 2 * options


def test_a_vote_in_words_cannot_be_limited() -> None:
    one = ada("epsilon=0,vote_from=suspects", steady({"list/choose": keep("Cleo")}))
    state = one.turn(innocent(), Purpose.VOTE)
    written = replace(pending(state)[0], spec=FreeText())
    assert isinstance(one.answer(state, written), Reply)
    assert "you still suspect: Cleo." in demand(one.model.requests[-1])


def _in_mirage(promises: Voice, options: str = "epsilon=0") -> tuple[Seat, MatchState]:
    """Return a seat in its first turn of a game in which it may ask or search."""
    state = mirage.start(order="script")
    one = ada(options, promises)
    return one, one.turn(state, Purpose.ACT)


def test_where_no_question_promises_anything_the_seat_looks_for_a_clue() -> None:
    one, state = _in_mirage(steady({"asking/information": reading("Low")}))
    assert isinstance(pending(state)[0].spec, OneOf)
    _, answer = one.take(state)
    assert isinstance(answer.action, Reply)
    assert answer.action.variant == INVESTIGATE_VARIANT
    assert [name_of(request) for request in one.model.requests][-1] == "reply"
    assert len(one.model.requests) == 4
    one, state = _in_mirage(steady({"asking/information/Bram": reading("Medium")}))
    _, answer = one.take(state)
    assert isinstance(answer.action, Reply)
    assert answer.action["target"]


def test_of_several_victims_it_asks_about_the_one_of_which_it_knows_least() -> None:
    def say(request: Request) -> str | None:
        if name_of(request) != "list/choose":
            return None
        return keep("Cleo") if "murder of Olga" in demand(request) else keep(*FOUR)

    script = crime(FOUR, Otto=("Bram",), Olga=("Cleo",))
    one, state = ada("epsilon=0", say), start(script, order="script", per="round", rounds=4)
    asked: list[str] = []
    for number in (1, 2, 3, 4):
        state, answer = one.take(one.turn(state, number=number))
        assert isinstance(answer.action, Reply)
        asked.append(answer.action["victim"])
    # Round 1: both lists are full, the first victim. Round 2: Olga was asked about less, and her
    # list gets shorter. Rounds 3 and 4: that of Otto is still full.
    assert asked == ["Otto", "Olga", "Otto", "Otto"]


@pytest.mark.parametrize("option", ["beta=2", "epsilon=-1", "script_tokens=0", "dialogue_tokens=0"])
def test_values_without_a_meaning_are_refused(option: str) -> None:
    with pytest.raises(ConfigError, match=option.partition("=")[0]):
        check_player(read_contestant(f"m+questum:{option}"))
