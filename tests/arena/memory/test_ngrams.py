"""Hashed n-grams: what is alike, and that it is so everywhere."""

import asyncio
import subprocess
import sys
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.memory.embedding import Vectors, check_vectors
from arena.memory.ngram_embedder import DIMENSIONS, NGRAMS

TEXTS = (
    "The brass key lay under the boathouse stairs.",
    "黄铜钥匙放在船屋的楼梯下面。",
    "",
    "100%",
)


def embed(*texts: str) -> Vectors:
    return asyncio.run(NGRAMS.embed(texts))


def nearest(query: str, *texts: str) -> str:
    asked, *found = embed(query, *texts)
    return texts[int(np.argmax([vector @ asked for vector in found]))]


@pytest.mark.slow
@given(st.lists(st.text(max_size=60), max_size=8))
def test_any_texts_have_unit_vectors(texts: list[str]) -> None:
    found = embed(*texts)
    assert found.shape == (len(texts), DIMENSIONS)
    assert found.dtype == np.float32
    check_vectors(found, len(texts), DIMENSIONS)


def test_half_a_surrogate_pair_has_a_vector() -> None:
    check_vectors(embed("a \ud800 b", "\udc00"), 2, DIMENSIONS)


def test_texts_without_a_word_are_all_alike_and_like_nothing_else() -> None:
    empty, blank, marks, word = embed("", " \n", "?! …", "lamp")
    assert np.array_equal(empty, blank)
    assert np.array_equal(empty, marks)
    assert empty @ word == 0


def test_case_width_and_stop_words_make_no_difference() -> None:
    one, two = embed("The LAMP of the pier", "lamp, ｐｉｅｒ")
    assert one @ two == pytest.approx(1.0, abs=1e-6)
    [only, other] = embed("who was it", "where will you be")
    assert 0 <= only @ other < 0.9, "a text of stop words alone is about them"


def test_what_is_said_ten_times_does_not_count_ten_times() -> None:
    asked, once, often = embed("lamp stairs", "lamp stairs", "lamp " * 10 + "stairs")
    assert asked @ once > asked @ often > 0.8


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("Who poisoned the tea?", "Somebody had put poison into the old man's teacup."),
        ("Where were you during the storm?", "When the storms broke I was in the greenhouse."),
        ("Did Marguerite owe you money?", "I lent Marguerite eight hundred, and she never paid."),
    ],
)
def test_english_texts_are_found_by_their_words_in_any_form(query: str, wanted: str) -> None:
    others = (
        "The gardener sharpened his shears before breakfast.",
        "A letter without a stamp came on Thursday.",
        "Nobody used the back staircase after nine.",
    )
    assert nearest(query, *others, wanted) == wanted


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("谁在茶里下了毒？", "我看见有人往老先生的茶杯里倒了毒药。"),
        ("暴风雨的时候你在哪里？", "暴风雨来临时，我正在温室里修剪兰花。"),
        ("沈若兰欠你钱吗？", "我借给沈若兰八百块，她一直没有还。"),
    ],
)
def test_chinese_texts_are_found_by_characters_and_their_pairs(query: str, wanted: str) -> None:
    others = (
        "园丁早饭前磨好了剪刀。",
        "星期四来了一封没有邮票的信。",
        "九点以后没有人走过后面的楼梯。",
    )
    assert nearest(query, *others, wanted) == wanted


@pytest.mark.slow
def test_vectors_are_the_same_in_every_process() -> None:
    program = (
        "import asyncio, hashlib; from arena.memory.ngram_embedder import NGRAMS;"
        f"found = asyncio.run(NGRAMS.embed({TEXTS!r}));"
        "print(hashlib.sha256(found.round(6).tobytes()).hexdigest())"
    )
    wanted = sha256(embed(*TEXTS).round(6).tobytes()).hexdigest()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == wanted


def test_a_text_has_one_vector_whatever_stands_beside_it() -> None:
    many = embed(*(f"{text} {n}" for n in range(50) for text in TEXTS))
    for place, text in enumerate(TEXTS):
        assert np.array_equal(many[4 * 7 + place], embed(f"{text} 7")[0])
