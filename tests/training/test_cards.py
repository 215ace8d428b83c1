"""Cards to read: what each square of a small picture stands for."""

from itertools import groupby
from pathlib import Path
from random import Random

import pytest
from tokenizers import Tokenizer

pytest.importorskip("torch")

import serving
from arena.training.cards import clock_cards, fonts_of, make_card
from scripts_mm.generate.case import make_case
from scripts_mm.generate.options import options_of
from scripts_mm.generate.pictures.small import print_lines
from tests.generate_telling.making import faces


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.from_file(str(Path(serving.__file__).with_name("mini") / "tokenizer.json"))


def read(tokenizer: Tokenizer, tokens: tuple[tuple[int, ...], ...]) -> str:
    """Return what squares say in order, each run of equal ones once."""
    runs = [ids for ids, _ in groupby(tokens)]
    return "".join(tokenizer.decode([one]) for ids in runs for one in ids)


def test_the_squares_of_a_strip_say_the_text(tokenizer: Tokenizer) -> None:
    faces("en")
    small = print_lines(("Till 4, at 21:49", "3,010 crowns"), fonts_of("en"), Random(1))
    tokens = make_card(small, tokenizer, "en", "").tokens
    assert len(tokens) == small.image.width // 28
    assert read(tokenizer, tokens).replace(" ", "") == "Till4,at21:49\n3,010crowns"


def test_two_figures_and_each_chinese_character_have_a_square_of_their_own(
    tokenizer: Tokenizer,
) -> None:
    faces("zh")
    small = print_lines(("发现时间：22:18", "输了2730元。"), fonts_of("zh"), Random(1))
    texts = [piece.text for word in small.words for piece in word]
    assert texts == [*"发现时间：", "22", ":", "18", *"输了", "27", "30", *"元。"]
    card = make_card(small, tokenizer, "zh", "")
    assert read(tokenizer, card.tokens) == "发现时间：22:18\n输了2730元。"
    assert max(map(len, card.tokens)) == 1


def test_the_rows_of_a_clock_stand_for_its_time_from_left_to_right(
    tokenizer: Tokenizer,
) -> None:
    faces("en")
    case = make_case(3, options_of("medium", 5), ("en",))
    cards = [*clock_cards(case, "en", tokenizer, Random(2))]
    assert cards
    for one in cards:
        rows = [one.tokens[at : at + 6] for at in range(0, 36, 6)]
        assert all(row == rows[0] for row in rows)
        said = [tokenizer.decode([*ids]) for ids in rows[0]]
        assert said[::2] == said[1::2], "two squares each"
        hour, colon, minutes = said[::2]
        assert 12 <= int(hour) < 24
        assert colon == ":"
        assert 0 <= int(minutes) < 60
