"""Differences of two quizzes with known answers."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ConfigError, RecordError
from eval.questions.quiz_answers import QuizAnswer, QuizManifest, make_answer, open_answers
from eval.questions.quiz_comparison import compare_quizzes, contrast_answers, is_quiz
from eval.questions.quiz_items import QuizItem
from eval.questions.quiz_settings import PictureForm, QuizSettings
from tests.eval.questions.made import ask, quiz_case
from tests.table import NAMES

SCRIPTS = tuple(replace(quiz_case(), id=f"s{n}", work=f"w{n}") for n in range(6))
RIGHT, WRONG = (1,), (0,)


def answer(number: int, kind: str, chosen: tuple[int, ...], *, reader: str = "") -> QuizAnswer:
    question = ask(f"{kind}-q", kind)
    item = QuizItem(
        script=SCRIPTS[number],
        question=question,
        category=question.kind,
        reader=reader,
        shown=(0, 1, 2, 3),
    )
    return make_answer(item, chosen)


def save(
    folder: Path,
    answers: Iterable[QuizAnswer],
    pictures: PictureForm = "image",
    content: str = "c0",
) -> Path:
    manifest = QuizManifest(
        model="m",
        served="m",
        flags=(),
        settings=QuizSettings(pictures=pictures),
        scripts={"s0/en": content},
    )
    with open_answers(folder, manifest) as book:
        for one in answers:
            book.add(one)
    return folder


def test_the_difference_of_each_category_is_over_questions_with_its_interval_over_works() -> None:
    first = [answer(n, "tiu", RIGHT) for n in range(6)]
    second = [answer(n, "tiu", RIGHT if n < 2 else WRONG) for n in range(6)]
    [row] = contrast_answers([*first, answer(0, "mmr", RIGHT)], second)
    assert (row.category, row.first, row.second) == ("tiu", 1.0, pytest.approx(1 / 3))
    assert row.paired.difference == pytest.approx(2 / 3)
    assert (row.paired.pairs, row.paired.clusters) == (6, 6)
    assert row.paired.interval is not None
    assert row.paired.interval.low < 2 / 3 < row.paired.interval.high
    # Four of six works differ: 2 of the 16 patterns of their signs are as far from 0.
    assert row.holm_p == row.paired.sign_flip_p == pytest.approx(2 / 16)


def test_readers_of_one_question_are_one_pair_though_only_one_quiz_has_several() -> None:
    several = [answer(0, "mmr", RIGHT, reader=NAMES[0]), answer(0, "mmr", WRONG, reader=NAMES[1])]
    [row] = contrast_answers(several, [answer(0, "mmr", RIGHT)])
    assert (row.first, row.second, row.paired.pairs) == (0.5, 1.0, 1)
    assert row.paired.difference == pytest.approx(-0.5)


def test_scripts_of_one_work_are_one_cluster() -> None:
    first = [replace(answer(n, "tiu", RIGHT), work="one") for n in range(6)]
    [row] = contrast_answers(first, [answer(n, "tiu", WRONG) for n in range(6)])
    assert (row.paired.pairs, row.paired.clusters, row.paired.interval) == (6, 1, None)


def test_categories_are_corrected_together() -> None:
    kinds = ("tiu", "mmr")
    first = [answer(n, kind, RIGHT) for kind in kinds for n in range(6)]
    second = [answer(n, kind, WRONG) for kind in kinds for n in range(6)]
    rows = contrast_answers(first, second)
    assert [row.category for row in rows] == ["tiu", "mmr"]
    assert [row.paired.sign_flip_p for row in rows] == [pytest.approx(2 / 64)] * 2
    assert [row.holm_p for row in rows] == [pytest.approx(4 / 64)] * 2


def test_two_folders_tell_what_was_changed_and_what_only_one_has(tmp_path: Path) -> None:
    one = save(tmp_path / "image", [answer(0, "tiu", RIGHT), answer(0, "mmr", RIGHT)])
    other = save(tmp_path / "none", [answer(0, "tiu", WRONG)], pictures="none")
    found = compare_quizzes(one, other)
    assert found.changed == {"pictures": ("image", "none")}
    assert found.unpaired == (1, 0)
    assert [row.category for row in found.contrasts] == ["tiu"]
    assert is_quiz(one)
    assert not is_quiz(tmp_path)


def test_quizzes_that_cannot_be_compared_are_refused_in_one_line(tmp_path: Path) -> None:
    one = save(tmp_path / "one", [answer(0, "tiu", RIGHT)])
    apart = save(tmp_path / "apart", [answer(1, "tiu", RIGHT)])
    changed = save(tmp_path / "changed", [answer(0, "tiu", RIGHT)], content="c1")
    with pytest.raises(ConfigError, match="with itself"):
        compare_quizzes(one, one)
    with pytest.raises(ConfigError, match="differs between"):
        compare_quizzes(one, changed)
    with pytest.raises(RecordError, match="share no question"):
        compare_quizzes(one, apart)
    with pytest.raises(RecordError, match=r"wanted a folder with 'quiz\.json'"):
        compare_quizzes(one, tmp_path)
