"""Questions after the game, identification and elections."""

from dataclasses import replace

import pytest

from arena.core.events import Event, MatchEnded, VictimResult, VoteCast
from arena.core.purposes import Purpose
from arena.core.specs import ABSTAIN
from arena.core.voting import VoteResult
from arena.games.thinkthrice.options import ThinkThriceOptions
from eval.metrics.judgements import Judgement
from eval.metrics.papers.thinkthrice import (
    METRICS,
    factual_rates,
    informed_accuracy,
    measure_elections,
    measure_identification,
    measure_inferential,
    score_thinkthrice,
)
from scripts_mm.script import FactualQuestion, Question, Script
from tests.eval.made import (
    drawn,
    made,
    play,
    quiz,
    vote,
)
from tests.eval.metrics.speeches import (
    ADA,
    BRAM,
    CLEO,
    DIRK,
    by_name,
    by_place,
    judged,
    opened,
)
from tests.table import case


def asked_case() -> Script:
    """Return a case with a factual question on three scripts, and two inferential ones."""
    facts = tuple(
        FactualQuestion(
            id=f"f-{role}", role=role, about="story", question="?", answer="!", source=""
        )
        for role in (ADA, BRAM, CLEO)
    )
    questions = tuple(
        Question(id=f"i{number}", kind="inf", stem="?", options=("a", "b"), keys=(0,))
        for number in range(1, 6)
    )
    return replace(case(), factual=facts, questions=questions)


def fact(seat: str, role: str, value: float | None) -> Judgement:
    return judged("fact", seat, value, about=f"f-{role}")


def test_questions_are_grouped_by_whose_script_answers_them() -> None:
    answers = [(ADA, True), (ADA, False), (BRAM, True), (DIRK, False), (DIRK, False), (CLEO, True)]
    rates = factual_rates(ADA, (CLEO,), answers)
    values = {name: rate.value for name, rate in rates.items()}
    assert values == {"Own": 0.5, "CQ": pytest.approx(1 / 3), "MQ": 1.0, "Other": 0.5}
    assert rates["Other"].asked == 4, "weighted by questions, not by groups"


def test_an_unreadable_judgement_is_left_out() -> None:
    rates = factual_rates(ADA, (CLEO,), [(ADA, True), (ADA, None), (CLEO, None)])
    assert rates["Own"].value == 1.0
    assert rates["MQ"].value is None


def test_answers_to_the_questions_of_all_scripts_become_scores() -> None:
    match = made(script=asked_case())
    judgements = [fact(ADA, ADA, 1), fact(ADA, BRAM, 0), fact(ADA, CLEO, 1), fact(ADA, "nobody", 1)]
    found = by_name(score_thinkthrice(match, judgements), ADA)
    assert found == {"Own": 1.0, "CQ": 0.0, "MQ": 1.0, "Other": 0.5}


def test_a_murderer_has_no_questions_on_the_murderers_script() -> None:
    match = made(script=asked_case())
    found = by_name(score_thinkthrice(match, [fact(CLEO, CLEO, 1), fact(CLEO, ADA, 1)]), CLEO)
    assert found == {"Own": 1.0, "CQ": 1.0, "Other": 1.0}


def test_a_right_choice_is_informed_by_its_rationale() -> None:
    assert informed_accuracy([1, 1, 1, 0, 1], [4, 3, 5, 5, 4]).value == 0.6
    assert informed_accuracy([1, 1, 1, 0, 1], [4, 3, 5, 5, 4], threshold=3).value == 0.8
    assert informed_accuracy([], []).value is None
    assert informed_accuracy([0, 0], [None, None]).value == 0.0, "only right ones are explained"
    assert informed_accuracy([1, 1], [None, 5]).value == 1.0, "an unreadable rating is left out"


def test_inferential_accuracy_counts_choices_after_the_match_only() -> None:
    chosen: list[tuple[int, ...] | None] = [(0,), (0,), (0,), (1,), (0,)]
    probes = [quiz(ADA, f"i{number}", one) for number, one in enumerate(chosen, start=1)]
    early = [quiz(ADA, "i4", (0,), "quiz_before"), quiz(BRAM, "i1", None)]
    match = made(script=asked_case(), probes=(*probes, *early))
    assert by_place(measure_inferential(match)) == {ADA: 0.8, BRAM: 0.0}
    rationales = [
        judged("rationale", ADA, value, about=f"i{number}")
        for number, value in enumerate((4, 3, 5, 5, 4), start=1)
    ]
    assert by_name(score_thinkthrice(match, rationales), ADA) == {"informed": 0.6}


def test_nothing_is_scored_where_nothing_was_asked() -> None:
    match = made()
    assert not list(measure_inferential(match))
    assert not list(measure_identification(match))
    assert not list(measure_elections(match))
    assert not list(score_thinkthrice(match, []))


def sampled(seat: str, *choices: str) -> list[Event]:
    """Return the equal ballots of one seat."""
    events: list[Event] = []
    for number, choice in enumerate(choices, start=1):
        name = f"vote/{seat}/{number}"
        events.append(opened(seat, Purpose.VOTE, name=name, sampled=True))
        events.append(replace(vote(seat, choice, ballot=number), request=name))
    return events


def ended(*outcomes: VoteResult) -> MatchEnded:
    results = tuple(
        VictimResult(ballot=number, outcome=one, named=())
        for number, one in enumerate(outcomes, start=1)
    )
    return MatchEnded(outcome=outcomes[0], murderers=(CLEO,), results=results)


def test_all_equal_ballots_count_and_abstentions_are_misses() -> None:
    events = [*sampled(ADA, CLEO, BRAM, ABSTAIN, CLEO), *sampled(CLEO, ADA, CLEO, ADA, ADA)]
    match = made(*events, ended("civ_win", "murderer_win", "civ_win", "draw"))
    assert by_place(measure_identification(match)) == {ADA: 0.5, CLEO: 0.25}
    assert by_place(measure_elections(match)) == {"": 0.5}


def test_of_a_revote_the_last_ballot_counts() -> None:
    first = [vote(ADA, BRAM), vote(BRAM, CLEO)]
    match = made(*first, vote(ADA, CLEO, ballot=2))
    assert by_place(measure_identification(match)) == {ADA: 1.0, BRAM: 1.0}
    assert not list(measure_elections(match)), "a revote is no election of its own"


def test_a_seat_that_was_not_asked_cast_no_ballot() -> None:
    counted = VoteCast(seat=ADA, request="", choice=ABSTAIN, audience="host")
    assert not list(measure_identification(made(counted)))


def test_of_several_victims_each_has_its_own_killer() -> None:
    match = made(vote(ADA, CLEO, about="Otto Lamm"), vote(BRAM, CLEO, about="Nobody's victim"))
    guilty = [one.seat for one in match.started.parts if "Otto Lamm" in one.guilty_of]
    expected = {ADA: 1.0} if guilty == [CLEO] else {}
    assert by_place(measure_identification(match)) == expected


def test_elections_of_a_played_match_are_those_of_its_ballots() -> None:
    match = play("thinkthrice", case(), ThinkThriceOptions(), drawn(5))
    assert len(match.ended.results) == 10
    (won,) = by_place(measure_elections(match)).values()
    assert won == [one.outcome for one in match.ended.results].count("civ_win") / 10
    shares = by_place(measure_identification(match))
    cast = [one.choice == CLEO for one in match.votes]
    assert sum(one or 0 for one in shares.values()) / len(shares) == pytest.approx(
        sum(cast) / len(cast)
    )


def test_every_score_is_defined_in_the_catalogue() -> None:
    assert {"Own", "CQ", "MQ", "Other", "informed", "inferential", "identification"} < {
        one.name for one in METRICS
    }
