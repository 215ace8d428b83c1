"""Answers as they are kept: graded, written as they come, and gone on with."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ConfigError, RecordError
from eval.questions.quiz_answers import (
    ANSWERS,
    CODEC,
    MANIFEST,
    QuizManifest,
    make_answer,
    open_answers,
    parse_chosen,
)
from eval.questions.quiz_items import make_items
from tests.eval.questions.made import quiz_case, settings

BEGUN = QuizManifest(
    model="m", served="served", flags=(), settings=settings(), scripts={"harbour/en": "0" * 64}
)
ITEMS = {item.question.id: item for item in make_items(quiz_case(), settings())}


@pytest.mark.parametrize(
    ("question", "chosen", "right"),
    [
        ("mmr-0", (1,), True),
        ("mmr-0", (0,), False),
        ("mmr-0", None, False),
        ("mmr-0", (0, 1), False),
        ("obj-two", (3, 1), True),
        ("obj-two", (0, 3), False),
        ("obj-two", (0, 1, 2), False),
        ("rea-set", (2, 0), True),
        ("rea-set", (0,), False),
        ("rea-set", (0, 1, 2), False),
    ],
)
def test_answers_are_graded_by_how_many_options_are_wanted(
    question: str, chosen: tuple[int, ...] | None, right: bool
) -> None:
    answer = make_answer(ITEMS[question], chosen)
    assert answer.right == right
    assert answer.chosen == (None if chosen is None else tuple(sorted(chosen)))
    assert CODEC.decode(CODEC.encode(answer)) == answer


def test_an_option_with_the_text_of_the_key_is_as_right() -> None:
    item = ITEMS["mmr-0"]
    twin = replace(item, question=replace(item.question, options=("x", "x ", "y", "z"), keys=(0,)))
    assert make_answer(twin, (1,)).right
    assert not make_answer(twin, (2,)).right


def test_letters_are_read_back_by_the_order_that_was_shown() -> None:
    item = replace(ITEMS["mmr-0"], shown=(3, 1, 0, 2))
    assert parse_chosen(item, "A") == (3,)
    assert parse_chosen(item, "C") == (0,)
    assert parse_chosen(item, "E") is None


def test_answers_are_there_again_with_a_line_that_broke_off_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "quiz"
    answers = [make_answer(item, (1,)) for item in list(ITEMS.values())[:3]]
    with open_answers(folder, BEGUN) as book:
        assert book.known == ()
        for one in answers:
            book.add(one)
    with (folder / ANSWERS).open("a", encoding="utf-8") as file:
        file.write('{"schema":3,"item":"torn')
    with open_answers(folder, BEGUN) as book:
        assert list(book.known) == answers
        book.add(make_answer(ITEMS["inf-pinned"], (0,)))
    with open_answers(folder, BEGUN) as book:
        assert len(book.known) == 4


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        (replace(BEGUN, settings=settings(seed=2)), "seed"),
        (replace(BEGUN, settings=settings(clues="all")), "clues"),
        (replace(BEGUN, served="other"), "served"),
        (replace(BEGUN, scripts={"harbour/en": "1" * 64}), "scripts"),
    ],
)
def test_a_folder_of_another_quiz_is_refused(
    changed: QuizManifest, name: str, tmp_path: Path
) -> None:
    with open_answers(tmp_path, BEGUN):
        pass
    with (
        pytest.raises(ConfigError, match=f"started with another {name}"),
        open_answers(tmp_path, changed),
    ):
        pass


def test_a_folder_that_holds_something_else_or_is_damaged_is_refused(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.json").write_text("{}", encoding="utf-8")
    with pytest.raises(RecordError, match="holds other files"), open_answers(run, BEGUN):
        pass
    with open_answers(tmp_path / "quiz", BEGUN):
        pass
    (tmp_path / "quiz" / MANIFEST).write_text("{", encoding="utf-8")
    with pytest.raises(RecordError, match=MANIFEST), open_answers(tmp_path / "quiz", BEGUN):
        pass


def test_two_processes_do_not_write_one_folder(tmp_path: Path) -> None:
    with (
        open_answers(tmp_path, BEGUN),
        pytest.raises(RecordError, match="another process"),
        open_answers(tmp_path, BEGUN),
    ):
        pass
