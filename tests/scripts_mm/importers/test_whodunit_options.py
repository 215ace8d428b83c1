"""Splitting questions and reading keys. The cases are invented."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts_mm.importers.question_options import (
    is_numbered,
    is_pinned,
    parse_key,
    split_options,
    strip_number,
)
from scripts_mm.importers.whodunit.questions import parse_hops

MARKER = re.compile(r"(?<![A-Za-z0-9])[a-hA-H]\s*[.．、:：)）]")
plain = st.text("山海糖盐 12,，。mnx-", min_size=1, max_size=8).filter(str.strip)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("什么？a.山 b.海 ", ("山", "海")),
        ("加了什么？a. 糖 b. “盐”c. “醋” d. 油", ("糖", "“盐”", "“醋”", "油")),
        ("多高？a.1.5m b.1.5m c. 2m d. 3m", ("1.5m", "1.5m", "2m", "3m")),
        ("有哪些？a. 笔 b. 纸 c. 灯 d. a和b", ("笔", "纸", "灯", "a和b")),
        (
            "去哪？a. 巴黎 b. 北京 c. Washington D.C. d. 东京",
            ("巴黎", "北京", "Washington D.C.", "东京"),
        ),
        (
            "Where was he at 3 a.m.? a. in the U.S. b. at home c. e.g. a bar d. no",
            ("in the U.S.", "at home", "e.g. a bar", "no"),
        ),
        ("谁？A、甲 B、乙 C、丙 D、丁", ("甲", "乙", "丙", "丁")),
        ("谁？a）甲 b）乙 c）丙", ("甲", "乙", "丙")),
        ("没有选项的题目？", ()),
        ("只有一个？a. 甲", ()),
        ("", ()),
        ("五个？a. 1 b. 2 c. 3 d. 4 e. 5", ("1", "2", "3", "4", "5")),
        ("a. 先生说了 b. 什么？a. 甲 b. 乙", ("甲", "乙")),
        ("a. x b. y c. z 然后？a. 甲 b. 乙", ("x", "y", "z 然后？a. 甲 b. 乙")),
        ("混合？a. 甲 B. 乙 b. 丙", ("甲 B. 乙", "丙")),
        ("什么？a. 甲 b. 乙 a. 丙 b. 丁", ("甲", "乙 a. 丙 b. 丁")),
        ("When a. 3 a.m. b. 4 a.m.", ("3 a.m.", "4 a.m.")),
        ("Where? a. in b. at c. on d. near, e.g. a bar", ("in", "at", "on", "near, e.g. a bar")),
        ("换行？\na. 甲\nb. 乙\n", ("甲", "乙")),
        ("空的？a. b. 乙 c. ", ("", "乙", "")),
    ],
)
def test_invented_questions_are_split(text: str, options: tuple[str, ...]) -> None:
    assert split_options(text).options == options


def test_a_question_without_options_keeps_its_text() -> None:
    assert split_options(" 只有一个？a. 甲 ").stem == "只有一个？a. 甲"


@pytest.mark.slow
@given(
    stem=st.text("谁在哪里说了什么 0123,，mn", max_size=10),
    options=st.lists(plain, min_size=2, max_size=8),
    stop=st.sampled_from(".．、:：)）"),
    upper=st.booleans(),
    gap=st.sampled_from(["", " ", "\n"]),
)
def test_what_was_joined_is_split_again(
    stem: str, options: list[str], stop: str, upper: bool, gap: str
) -> None:
    letters = string.ascii_uppercase if upper else string.ascii_lowercase
    parts = [f"{letters[at]}{stop}{gap}{option}" for at, option in enumerate(options)]
    found = split_options(f"{stem}？{' '.join(parts)}")
    assert found.stem == f"{stem}？".strip()
    assert found.options == tuple(option.strip() for option in options)


@given(text=st.text("ab cdABC.．、)？?谁mMgG.1 \n", max_size=40))
def test_nothing_of_a_question_is_lost(text: str) -> None:
    found = split_options(text)
    kept = found.stem + "".join(found.options)
    if not found.options:
        assert kept == text.strip()
    dropped = len("".join(text.split())) - len("".join(kept.split()))
    assert dropped == 2 * len(found.options)


def test_markers_without_space_are_told() -> None:
    found = split_options("加了什么？a.糖 b. “盐”c. 醋")
    assert (found.glued, found.tight) == (("c",), ("a",))


OPTIONS = ("山", "海", "湖", "河")


@pytest.mark.parametrize(
    ("answer", "keys", "code"),
    [
        ("a", (0,), None),
        ("D", (3,), "key-form"),
        (" b ", (1,), None),
        ("(c)", (2,), "key-form"),
        ("b.", (1,), "key-form"),
        ("ｂ", (1,), None),
        ("b. 海", (1,), "key-with-text"),
        ("b、大海", (1,), "key-with-text"),
        ("b. 山", (), "key-contradicts-itself"),
        ("ac", (0, 2), "several-keys"),
        ("a, c", (0, 2), "several-keys"),
        ("c、a", (0, 2), "several-keys"),
        ("a和d", (0, 3), "several-keys"),
        ("a and b", (0, 1), "several-keys"),
        ("bb", (1,), "key-repeated"),
        ("abcde", (), "key-out-of-range"),
        ("e", (), "key-out-of-range"),
        ("h. 海", (), "key-out-of-range"),
        ("湖", (2,), "key-is-text"),
        ("答案是湖", (), "key-unreadable"),
        ("bad", (), "key-unreadable"),
        ("7", (), "key-unreadable"),
        ("", (), "no-key"),
    ],
)
def test_a_key_is_read_or_told_to_be_of_no_use(
    answer: str, keys: tuple[int, ...], code: str | None
) -> None:
    found = parse_key(answer, OPTIONS)
    assert (found.keys, found.code) == (keys, code)


def test_equal_options_are_right_together() -> None:
    found = parse_key("a", ("1.1m", "2m", "1.1 m", "11m"))
    assert (found.keys, found.code) == ((0, 2), "equal-right-options")


@given(answer=st.text(max_size=12), options=st.lists(plain, max_size=6))
def test_keys_name_options_and_irregular_ones_have_a_code(answer: str, options: list[str]) -> None:
    found = parse_key(answer, options)
    assert all(0 <= key < len(options) for key in found.keys)
    assert found.keys or found.code


@pytest.mark.parametrize(
    ("option", "fixed"),
    [
        ("a和b的全部", True),
        ("既b又c", True),
        ("A and C", True),
        ("所有以上", True),
        ("以上都不对", True),
        ("都不是", True),
        ("所有选项", True),
        ("上述原因", True),
        ("None of the above", True),
        ("all of these", True),
        ("the above", True),
        ("所有人都走了", False),
        ("维生素c", False),
        ("两个都是空的", False),
        ("十八岁以上的人", False),
        ("一半以上都坏了", False),
        ("Plan B", False),
        ("a and x", False),
        ("everything above the stove", False),
        ("f和g", False),
    ],
)
def test_options_that_point_at_others_pin_the_order(option: str, fixed: bool) -> None:
    assert is_pinned(("一", "二", "三", option)) is fixed


def test_numbers_are_taken_off_only_where_the_whole_list_is_numbered() -> None:
    assert is_numbered(["1. 谁？", "2、哪里？", "3.601房间是谁的？"])
    assert not is_numbered(["1. 谁？", "哪里？"])
    assert not is_numbered(["0.38口径？", "1. 谁？"])
    assert not is_numbered(["1. 谁？"])
    assert strip_number("3.601房间是谁的？") == "601房间是谁的？"


@pytest.mark.parametrize(
    ("source", "hops"),
    [
        ("p", 0),
        ("p-3", 3),
        ("b-p-2", 2),
        ("j+m+z-2", 2),
        ("周小满-1", 1),
        ("周小满", 0),
        ("all-3", 3),
        ("p-n", None),
        ("p-N", None),
        ("p－２", 2),
        ("", None),
        ("p-100", None),
    ],
)
def test_hops_are_the_number_at_the_end_of_the_source(source: str, hops: int | None) -> None:
    assert parse_hops(source) == hops
