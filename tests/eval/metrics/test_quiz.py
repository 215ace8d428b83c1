"""The quiz of a match: who was right, and what would be right without the match."""

from dataclasses import replace

import pytest

from eval.metrics.quiz_metrics import (
    measure_constant,
    measure_corrected,
    measure_length_bias,
    measure_longest,
    measure_positions,
    measure_random,
    measure_unanswered,
    read_quiz,
)
from eval.played_match import PlayedMatch
from eval.scores import Score
from scripts_mm.script import Question, Script
from tests.eval.made import made, quiz
from tests.table import NAMES, case

ADA, BRAM, *_ = NAMES


def ask(name: str, *keys: int, **values: object) -> Question:
    given: dict[str, object] = {
        "kind": "mmr",
        "stem": "Who?",
        "options": ("aaaa", "bb", "c", "d"),
        **values,
    }
    return Question(id=name, keys=keys, **given)  # pyright: ignore[reportArgumentType]


SCRIPT: Script = replace(
    case(),
    questions=(
        ask("first", 0),
        ask("second", 0),
        ask("third", 2),
        ask("pair", 1, kind="rea", answer="two"),
        ask("no key"),
    ),
)


def match(*answers: tuple[str, str, tuple[int, ...] | None]) -> PlayedMatch:
    return made(script=SCRIPT, probes=tuple(quiz(*answer) for answer in answers))


ANSWERED = match(
    (ADA, "first", (0,)),
    (ADA, "second", (2,)),
    (ADA, "third", None),
    (ADA, "pair", (1, 3)),
    (ADA, "no key", (1,)),
    (BRAM, "first", (0,)),
)


def values(found: list[Score], seat: str = "") -> dict[str, float | None]:
    return {score.group: score.value for score in found if score.seat == seat}


def test_a_question_without_key_is_left_out_and_a_missing_answer_is_wrong() -> None:
    rights = {(one.seat, one.question.id): one.right for one in read_quiz(ANSWERED)}
    assert rights == {
        (ADA, "first"): True,
        (ADA, "second"): False,
        (ADA, "third"): False,
        (ADA, "pair"): True,
        (BRAM, "first"): True,
    }
    assert values(list(measure_unanswered(ANSWERED)), ADA) == {"mmr": 1 / 3, "rea": 0}


def test_an_answer_to_a_question_that_the_script_lacks_is_left_out() -> None:
    assert not read_quiz(match((ADA, "unknown", (0,))))


def test_baselines_are_those_of_the_questions_asked() -> None:
    assert values(list(measure_random(ANSWERED))) == {"mmr": 0.25, "rea": 0.5}
    assert values(list(measure_constant(ANSWERED))) == {"mmr": 0.75, "rea": 1}
    assert values(list(measure_longest(ANSWERED))) == {"mmr": 0.75, "rea": 1}


def test_a_key_that_stands_twice_is_twice_as_likely() -> None:
    script = replace(case(), questions=(ask("twins", 0, options=("x", "x", "y", "z")),))
    asked = made(script=script, probes=(quiz(ADA, "twins", (1,)),))
    assert values(list(measure_random(asked))) == {"mmr": 0.5}
    assert values(list(measure_corrected(asked)), ADA) == {"mmr": 1}


def test_accuracy_is_corrected_for_chance() -> None:
    found = values(list(measure_corrected(ANSWERED)), ADA)
    assert found["mmr"] == pytest.approx((1 / 3 - 0.25) / 0.75)
    assert found["rea"] == 1
    script = replace(case(), questions=(ask("sure", 0, options=("x",)),))
    [score] = measure_corrected(made(script=script, probes=(quiz(ADA, "sure", (0,)),)))
    assert score.value is None, "nothing is left to correct"


def test_a_question_of_many_options_has_a_position_beyond_h() -> None:
    many = ask("many", 9, options=tuple("abcdefghij"))
    told = replace(quiz(ADA, "many", (9,)), shown=tuple(range(10)))
    asked = made(script=replace(SCRIPT, questions=(many,)), probes=(told,))
    assert values(list(measure_positions(asked)), ADA) == {"J": 1}


def test_positions_are_those_shown() -> None:
    shown = replace(quiz(ADA, "first", (0,)), shown=(3, 2, 1, 0))
    moved = made(script=SCRIPT, probes=(shown, quiz(ADA, "second", (1,))))
    assert values(list(measure_positions(moved)), ADA) == {"D": 1, "A": 0}


def test_long_answers_may_attract() -> None:
    found = values(list(measure_length_bias(ANSWERED)), ADA)
    assert found["mmr"] == pytest.approx(1 / 2 - 1), "one of two answers, and both keys are longest"
    unanswered = match((ADA, "first", None))
    assert values(list(measure_length_bias(unanswered)), ADA) == {"mmr": None}


def test_a_quiz_at_the_deal_is_a_group_of_its_own() -> None:
    early = made(script=SCRIPT, probes=(quiz(ADA, "first", (0,), "quiz_before"),))
    assert values(list(measure_corrected(early)), ADA) == {"mmr before": 1}
    assert values(list(measure_positions(early)), ADA) == {"A before": 1}


def test_a_match_without_quiz_has_no_scores() -> None:
    silent = made()
    for measure in (measure_random, measure_corrected, measure_positions, measure_length_bias):
        assert not list(measure(silent))
