"""Choices are graded by options, and baselines need no knowledge."""

from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.metrics.multiple_choice import (
    LengthBias,
    consistency,
    constant_accuracies,
    cyclic_orders,
    grade,
    length_bias,
    longest_options,
    parse_letters,
    position_sensitivity,
    random_accuracy,
    sole_longest,
)
from scripts_mm.script import AnswerMode

ABCD = "abcd"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("B", (1,)),
        (" b , d ", (1, 3)),
        ("BD", (1, 3)),
        ("b、d", (1, 3)),
        ("bb", None),
        ("e", None),
        ("the first", None),
        ("", None),
        (None, None),
    ],
)
def test_letters_are_read_or_refused(text: str | None, wanted: tuple[int, ...] | None) -> None:
    assert parse_letters(text, ABCD) == wanted


def test_all_letters_are_never_right_where_few_are_asked_for() -> None:
    assert grade("one", [1], range(4)) is False
    assert grade("two", [1], range(4)) is False
    assert grade("two", [1], range(4), pick=4) is True
    assert grade("set", [0, 1, 2, 3], range(4)) is True


def test_an_empty_answer_is_wrong_and_a_question_without_key_is_skipped() -> None:
    modes: tuple[AnswerMode, ...] = ("one", "two", "set")
    for mode in modes:
        assert grade(mode, [1], ()) is False
        assert grade(mode, [1], None) is False
        assert grade(mode, [], [1]) is None


def test_an_option_with_the_text_of_the_key_is_right() -> None:
    texts = ["Ada", "Bram", " Ada", "Cleo"]
    assert grade("one", [0], [2], texts=texts) is True
    assert grade("one", [0], [2]) is False
    assert grade("set", [0, 1], [1, 2], texts=texts) is True
    assert grade("two", [0], [1, 2], texts=texts) is True


@pytest.mark.slow
@given(
    options=st.integers(1, 6),
    mode=st.sampled_from(("one", "two", "set")),
    data=st.data(),
)
def test_random_accuracy_is_that_of_all_answers(
    options: int, mode: AnswerMode, data: st.DataObject
) -> None:
    keys = data.draw(st.sets(st.integers(0, options - 1), min_size=1))
    sizes = {"one": [1], "two": [min(2, options)], "set": range(1, options + 1)}[mode]
    answers = [some for size in sizes for some in combinations(range(options), size)]
    wanted = fmean(bool(grade(mode, keys, one)) for one in answers)
    assert random_accuracy(mode, options, len(keys)) == pytest.approx(wanted)


def test_a_constant_letter_shows_a_leak_of_the_file() -> None:
    assert constant_accuracies([(0,), (0, 1), (2,)], 3) == pytest.approx((2 / 3, 1 / 3, 1 / 3))
    assert constant_accuracies([], 3) == ()


def test_the_longest_options_are_found() -> None:
    assert longest_options(["aa", "bbb", "ccc"]) == (1,)
    assert longest_options(["aa", "bbb", "ccc"], 2) == (1, 2)
    assert longest_options([]) == ()
    assert sole_longest(["aa", "bbb", "ccc"]) is None
    assert sole_longest(["aa", "bbbb", "ccc"]) == 1
    assert sole_longest([]) is None


def test_cyclic_orders_put_every_option_at_different_places() -> None:
    assert cyclic_orders(4) == ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))
    assert cyclic_orders(2) == ((0, 1), (1, 0))


def test_position_sensitivity_is_the_spread_of_accuracy() -> None:
    answers = [(0, True), (0, True), (1, True), (1, False), (2, False)]
    assert position_sensitivity(answers) == 1
    assert position_sensitivity(answers[:4]) == 0.5
    assert position_sensitivity(answers[:2]) is None


def test_an_answer_is_consistent_that_stays_at_its_option() -> None:
    answers = {
        "same": [[1], [1], [1], [1]],
        "moves": [[1], [2], [1], [1]],
        "silent": [None, None],
        "half": [[1], None],
        "order of letters": [[1, 2], [2, 1]],
        "once": [[1]],
    }
    assert consistency(answers) == 2 / 5
    assert consistency({"once": [[1]]}) is None


def test_length_bias_is_what_the_longest_option_draws_beyond_its_due() -> None:
    texts = ("a", "bb", "cccc")
    answers = [(texts, [0], [2]), (texts, [2], [2]), (texts, [1], [2]), (texts, [0], [0])]
    assert length_bias(answers) == LengthBias(chosen=0.75, right=0.25)
    assert LengthBias(chosen=0.75, right=0.25).bias == 0.5
    assert length_bias([(("a", "b"), [0], [0]), (texts, [0], None)]) is None
