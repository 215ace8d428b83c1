"""Results of answers made by hand, with every baseline known."""

from dataclasses import replace

import pytest

from eval.metrics.quiz_metrics import chance_of
from eval.questions.quiz_answers import QuizAnswer, make_answer
from eval.questions.quiz_items import CULPRIT, QuizItem, make_items
from eval.questions.quiz_results import (
    Questions,
    measure_speed,
    summarise_public_only,
    summarise_quiz,
)
from scripts_mm.script import Question
from tests.eval.questions.made import ask, quiz_case, settings
from tests.table import MURDERER, NAMES

SCRIPT = quiz_case()


def item(question: Question, reader: str = "", *, turn: int = 0, sample: int = 0) -> QuizItem:
    shown = tuple((number + turn) % 4 for number in range(4))
    return QuizItem(
        script=SCRIPT,
        question=question,
        category=question.kind,
        reader=reader,
        shown=shown,
        turn=turn,
        sample=sample,
    )


def test_the_interval_of_5_works_is_over_works() -> None:
    """All questions of a work end alike: 20 questions say no more than 5 works."""
    answers = [
        make_answer(
            replace(item(ask(f"q{n}", "tiu")), script=replace(SCRIPT, id=f"case-{work}", work="")),
            (1,) if work < 2 else (0,),
        )
        for work in range(5)
        for n in range(4)
    ]
    questions = {(one.script, "en", one.question): ask(one.question, "tiu") for one in answers}
    [row] = summarise_quiz(answers, questions)
    assert (row.works, row.accuracy) == (5, pytest.approx(0.4))
    assert row.low < 0.06
    assert row.high > 0.85


def known(*questions: Question) -> Questions:
    return {(SCRIPT.id, "en", one.id): one for one in questions}


def test_a_row_has_accuracy_interval_chance_and_every_baseline() -> None:
    long = replace(ask("q2", "tiu", keys=(3,)), options=("a", "b", "c", "the longest of all"))
    questions = (ask("q0", "tiu", keys=(1,)), ask("q1", "tiu", keys=(1,)), long)
    answers = [
        make_answer(item(questions[0]), (1,)),
        make_answer(item(questions[1]), (0,)),
        make_answer(item(long), None, fault="too long"),
    ]
    [row] = summarise_quiz(answers, known(*questions))
    assert (row.questions, row.answers, row.scripts, row.works) == (3, 3, 1, 1)
    assert (row.unanswered, row.not_put) == (1, 1)
    assert row.accuracy == pytest.approx(1 / 3)
    # Wilson for 1 of 3.
    assert (row.low, row.high) == (pytest.approx(0.0615, abs=1e-4), pytest.approx(0.7923, abs=1e-4))
    assert row.chance == pytest.approx(0.25)
    assert row.corrected == pytest.approx((1 / 3 - 0.25) / 0.75)
    assert row.constant == pytest.approx(2 / 3)
    # "the harbour" is the longest option twice, and never a key there.
    assert row.longest == pytest.approx(1 / 3)
    # The key at place 1: 1 of 2; at place 3: 0 of 1.
    assert row.positions == pytest.approx(0.5)
    assert (row.consistent, row.sample_sd, row.hops) == (None, None, None)


def test_macro_is_the_mean_over_readers_and_then_over_scripts() -> None:
    other = replace(SCRIPT, id="other", work="another")
    one, two = ask("q0", "mmr"), ask("q1", "mmr")
    answers = [
        make_answer(item(one, NAMES[0]), (1,)),
        make_answer(item(two, NAMES[0]), (1,)),
        make_answer(item(one, NAMES[1]), (0,)),
        make_answer(replace(item(one, NAMES[0]), script=other), (0,)),
    ]
    questions = {**known(one, two), ("other", "en", "q0"): one}
    [row] = summarise_quiz(answers, questions)
    assert row.accuracy == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert row.macro == pytest.approx(((1 + 0) / 2 + 0) / 2)
    assert (row.questions, row.answers, row.scripts, row.works) == (3, 4, 2, 2)


def test_samples_are_means_of_a_question_and_no_further_questions() -> None:
    question = ask("q", "lsu")
    chosen = [(1,), (0,), (1,), (1,)]
    answers = [make_answer(item(question, sample=number), one) for number, one in enumerate(chosen)]
    [row] = summarise_quiz(answers, known(question))
    assert (row.questions, row.answers) == (1, 4)
    assert row.accuracy == pytest.approx(0.75)
    assert row.sample_sd == pytest.approx(0.5)


def test_orders_show_position_sensitivity_and_consistency() -> None:
    steady, moving = ask("steady", "miu"), ask("moving", "miu")
    answers = [make_answer(item(steady, turn=turn), (1,)) for turn in range(4)]
    # It always gives the first letter.
    answers += [make_answer(item(moving, turn=turn), (turn,)) for turn in range(4)]
    [row] = summarise_quiz(answers, known(steady, moving))
    assert row.consistent == pytest.approx(0.5)
    # The key is right at every place once by `steady`, and at the first one by `moving`.
    assert row.positions == pytest.approx(0.5)


def test_consistency_is_of_orders_and_not_of_samples() -> None:
    question = ask("q", "miu")
    answers = [make_answer(item(question, turn=turn), (1,)) for turn in range(4)]
    answers += [make_answer(item(question, turn=turn, sample=1), (turn,)) for turn in range(4)]
    [row] = summarise_quiz(answers, known(question))
    assert row.consistent == 1.0


def test_a_category_with_several_depths_has_a_row_for_each() -> None:
    zero, two = ask("zero", "mmr", hops=0), ask("two", "mmr", hops=2)
    answers = [make_answer(item(zero), (1,)), make_answer(item(two), (0,))]
    rows = summarise_quiz(answers, known(zero, two))
    assert [(row.hops, row.accuracy) for row in rows] == [(None, 0.5), (0, 1.0), (2, 0.0)]
    [alone] = summarise_quiz(answers[:1], known(zero, two))
    assert alone.hops is None


def test_chance_depends_on_how_many_options_may_be_given_and_are_right() -> None:
    assert chance_of(ask("q", "mmr")) == pytest.approx(1 / 4)
    assert chance_of(replace(ask("q", "obj"), answer="two")) == pytest.approx(1 / 2)
    assert chance_of(replace(ask("q", "rea", keys=(0, 2)), answer="set")) == pytest.approx(1 / 15)
    twins = replace(ask("q", "mmr", keys=(0,)), options=("x", "x ", "y", "z"))
    assert chance_of(twins) == pytest.approx(1 / 2)


def test_public_only_is_a_property_of_each_script() -> None:
    items = make_items(SCRIPT, settings(public_only=True, orders=5))
    guilty = NAMES.index(MURDERER)
    likely = tuple((number, 0.6 if number == guilty else 0.1) for number in range(5))
    answers = [
        make_answer(one, (guilty,) if number < 2 else (0,), probabilities=likely)
        for number, one in enumerate(items)
    ]
    questions = {(SCRIPT.id, "en", CULPRIT): items[0].question}
    [row] = summarise_public_only(answers, questions)
    assert (row.script, row.roles, row.asked) == (SCRIPT.id, 5, 5)
    assert row.named == pytest.approx(0.4)
    assert row.chance == pytest.approx(0.2)
    assert row.probability == pytest.approx(0.6)
    assert row.low < 0.4 < row.high
    bare = [replace(one, probabilities=()) for one in answers]
    assert summarise_public_only(bare, questions)[0].probability is None


def test_speed_knows_no_cached_tokens_where_a_server_reports_none() -> None:
    question = ask("q", "lsu")

    def answer(cached: int | None) -> QuizAnswer:
        return make_answer(item(question), (1,), prompt_tokens=10, cached_tokens=cached)

    assert measure_speed("w", [answer(4), answer(6)], 4.0).cached_tokens == 10
    assert measure_speed("w", [answer(4), answer(None)], 4.0).cached_tokens is None
    speed = measure_speed("w", [answer(4), answer(6)], 4.0)
    assert (speed.rate, speed.prompt_tokens) == (0.5, 20)
    assert measure_speed("w", [], 0.0).rate is None
