"""Options as they are shown: shuffled by a hash, lettered, and read back."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.metrics.multiple_choice import grade, random_accuracy
from eval.questions.answer_options import (
    count_orders,
    draw_answer,
    legal_replies,
    letters_of,
    order_options,
    parse_reply,
    render_options,
)
from scripts_mm.script import AnswerMode
from tests.eval.questions.made import ask


def test_orders_differ_by_script_question_and_seed_and_stay_the_same_otherwise() -> None:
    question = ask("q", "mmr")
    assert order_options("s", question, 1) == order_options("s", question, 1)
    seeds = {order_options("s", question, seed) for seed in range(40)}
    questions = {order_options("s", ask(f"q{number}", "mmr"), 1) for number in range(40)}
    scripts = {order_options(f"s{number}", question, 1) for number in range(40)}
    assert min(map(len, (seeds, questions, scripts))) > 10


def test_a_key_that_is_always_one_letter_in_the_file_is_found_at_every_place_alike() -> None:
    places = Counter(
        order_options(f"s{script}", ask(f"q{number}", "mmr"), 0).index(2)
        for script in range(10)
        for number in range(100)
    )
    assert max(places.values()) - min(places.values()) < 100


def test_the_options_of_a_pinned_question_stay_as_they_are() -> None:
    question = replace(ask("q", "mmr"), pinned=True)
    assert order_options("s", question, 5) == (0, 1, 2, 3)
    assert count_orders(question, 4) == 1
    assert count_orders(ask("q", "mmr"), 9) == 4


def test_turns_put_every_option_at_every_place_once() -> None:
    question = ask("q", "mmr")
    turns = [order_options("s", question, 3, turn) for turn in range(4)]
    for place in range(4):
        assert sorted(turn[place] for turn in turns) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("answer", "replies"),
    [
        ("one", ("A", "B", "C")),
        ("two", ("A", "B", "C", "AB", "AC", "BC")),
        ("set", ("A", "B", "C", "AB", "AC", "BC", "ABC")),
    ],
)
def test_what_may_be_replied_follows_from_how_many_options_are_wanted(
    answer: AnswerMode, replies: tuple[str, ...]
) -> None:
    assert legal_replies("ABC", answer) == replies


def test_sets_of_many_options_are_not_listed() -> None:
    assert len(legal_replies(letters_of(8), "set")) == 255
    assert legal_replies(letters_of(9), "set") == ()


@pytest.mark.parametrize(
    ("text", "answer", "places"),
    [
        ("B", "one", (1,)),
        (" b. ", "one", (1,)),
        ("B. the garden", "one", (1,)),
        ("(C) because A was there", "one", (2,)),
        ("A, C", "set", (0, 2)),
        ("ca", "two", (2, 0)),
        ("ABC", "two", None),
        ("AB", "one", None),
        ("E", "one", None),
        ("AA", "set", None),
        ("", "one", None),
        ("The garden", "one", None),
        ("Because", "one", None),
    ],
)
def test_a_reply_is_read_by_its_letters(
    text: str, answer: AnswerMode, places: tuple[int, ...] | None
) -> None:
    assert parse_reply(text, "ABCD", answer) == places


@given(st.permutations([0, 1, 2, 3]), st.integers(0, 3))
def test_the_letter_of_an_option_leads_back_to_it_in_every_order(
    shown: list[int], option: int
) -> None:
    letter = letters_of(4)[shown.index(option)]
    line = next(
        one for one in render_options(ask("q", "mmr"), shown).split("\n") if one[0] == letter
    )
    assert line == f"{letter}. {ask('q', 'mmr').options[option]}"
    places = parse_reply(letter, letters_of(4), "one")
    assert places is not None
    assert shown[places[0]] == option


@pytest.mark.parametrize("answer", ["one", "two", "set"])
def test_random_answers_are_right_as_often_as_chance_says(answer: AnswerMode) -> None:
    keys = (0, 2) if answer == "set" else (1,)
    question = replace(ask("q", "obj", keys=keys), answer=answer)
    chance = Random(4)
    drawn = [draw_answer(question, chance) for _ in range(6000)]
    right = Counter(grade(answer, keys, one) for one in drawn)
    assert right[True] / 6000 == pytest.approx(random_accuracy(answer, 4), abs=0.02)
