"""Keys that the lengths of options reveal: the guesser's success, ties, and a whole library."""

from dataclasses import replace

from scripts_mm.linting import lint_library
from scripts_mm.linting.length_bias import guess_by_length
from scripts_mm.script import Question, QuestionKind, Script
from tests.scripts_mm.making import a_script


def asked(number: int, *options: str, kind: QuestionKind = "mmr", key: int = 0) -> Question:
    return Question(
        id=f"{kind}-{number}", kind=kind, stem=f"What is {number}?", options=options, keys=(key,)
    )


def with_questions(*questions: Question) -> Script:
    return replace(a_script(), questions=questions)


def test_a_guess_among_options_of_one_length_counts_as_a_share() -> None:
    guess = guess_by_length([asked(1, "four", "four", "two", "six")], max)
    assert guess.right == 0.5
    assert guess.chance == 0.25


def test_options_of_equal_length_say_nothing_and_have_no_spread() -> None:
    guess = guess_by_length([asked(n, "a", "b", "c", "d") for n in range(30)], max)
    assert (guess.right, guess.chance, guess.spread) == (7.5, 7.5, 0.0)
    assert not guess.is_telling


def test_keys_that_are_half_of_the_longest_options_are_telling_in_many_questions_only() -> None:
    long, short = ("much longer", "a", "b", "c"), ("a", "much longer", "b", "c")
    questions = [asked(n, *(long if n % 2 else short)) for n in range(40)]
    assert guess_by_length(questions, max).is_telling
    assert not guess_by_length(questions[:4], max).is_telling


def test_the_shortest_option_is_guessed_in_the_same_way() -> None:
    questions = [asked(n, "a", "many letters", "more letters", "the letters") for n in range(9)]
    assert guess_by_length(questions, min).right == 9
    assert guess_by_length(questions, max).right == 0


def test_all_scripts_together_show_a_habit_that_no_single_one_has() -> None:
    questions = [asked(n, "the very long key", "a", "b", "c", kind="rea") for n in range(7)]
    one = with_questions(*questions)
    assert lint_library([one]) == ()
    findings = lint_library([one] * 4)
    assert {(two.code, two.severity, two.place) for two in findings} == {
        ("longest-option-bias", "warning", "en, all"),
        ("longest-option-bias", "warning", "en, rea"),
    }
    assert "28 of 28" in findings[0].detail


def test_languages_are_counted_apart() -> None:
    questions = [asked(n, "the very long key", "a", "b", "c") for n in range(12)]
    one = with_questions(*questions)
    assert lint_library([one, replace(one, language="zh")]) == ()
