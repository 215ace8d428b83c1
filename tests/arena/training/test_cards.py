"""Cards to read: what each square of a small picture stands for."""

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from tokenizers import Tokenizer

import serving
from arena.training.cards import (
    Card,
    case_cards,
    clock_cards,
    draw_pictures,
    fonts_of,
    make_card,
    trace_cards,
)
from scripts_mm.generate.case import make_case
from scripts_mm.generate.options import make_options
from scripts_mm.generate.pictures.icons import draw_trace
from scripts_mm.generate.pictures.small_pictures import SQUARE, print_lines
from scripts_mm.generate.pictures.trace_photo import TraceSpec
from scripts_mm.script import Language
from tests.scripts_mm.generate.making import faces


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.from_file(str(Path(serving.__file__).with_name("mini") / "tokenizer.json"))


def read(tokenizer: Tokenizer, card: Card) -> str:
    """Return what the squares of a card say in order."""
    return "".join(tokenizer.decode([*ids]) for ids in card.tokens)


def test_each_square_of_an_english_strip_has_a_word_two_figures_or_a_sign(
    tokenizer: Tokenizer,
) -> None:
    faces("en")
    lines = ("Till 4, at 21:49", "Prendergast's watch: 3,010 crowns")
    small = print_lines(lines, fonts_of("en"), Random(1))
    texts = [piece.text for word in small.words for piece in word]
    assert texts == [
        "Till", "4", ",", "at", "21", ":", "49",
        "Prendergast", "'s", "watch", ":", "3", ",", "01", "0", "crowns",
    ]  # fmt: skip
    card = make_card(small, tokenizer, "en", ())
    assert len(card.tokens) == small.image.width // SQUARE
    assert max(map(len, card.tokens)) == 1, "one token a square"
    assert read(tokenizer, card) == (" Till 4, at 21:49\n Prendergast's watch: 3,010 crowns")


def test_two_figures_and_each_chinese_character_have_a_square_of_their_own(
    tokenizer: Tokenizer,
) -> None:
    faces("zh")
    small = print_lines(("发现时间：22:18", "输了2730元。"), fonts_of("zh"), Random(1))
    texts = [piece.text for word in small.words for piece in word]
    assert texts == [*"发现时间：", "22", ":", "18", *"输了", "27", "30", *"元。"]
    card = make_card(small, tokenizer, "zh", ())
    assert read(tokenizer, card) == "发现时间：22:18\n输了2730元。"
    assert max(map(len, card.tokens)) == 1


@pytest.mark.parametrize("word", ["I", "seen", "crowd", "Prendergast", "housekeeperhousekeeper"])
def test_a_word_fits_into_its_square(word: str) -> None:
    faces("en")
    small = print_lines((f"{word} {word}",), fonts_of("en"), Random(2))
    pieces = [piece for one in small.words for piece in one]
    assert "".join(one.text for one in pieces) == 2 * word
    pixels = np.asarray(small.image.convert("L")).astype(int)
    for edge in range(SQUARE, small.image.width, SQUARE):
        ink = pixels[:, edge].max() - pixels[:, edge].min()
        assert ink < 60, "nothing is printed from one square into the next"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_nearly_every_word_that_a_small_picture_prints_is_one_token(
    tokenizer: Tokenizer, language: Language
) -> None:
    faces(language)
    counts: list[int] = []
    for seed in range(95_000, 95_006):
        case = make_case(seed, make_options("medium", 5), (language,))
        drawn = draw_pictures(case, language, 0)
        counts += [
            len(ids)
            for name, card in case_cards(case, language, tokenizer, drawn).items()
            if drawn[name].words
            for ids in card.tokens
        ]
    # The bundled tokenizer is older than some words of the generator.
    assert counts.count(1) > 0.94 * len(counts)


def test_the_rows_of_a_clock_stand_for_its_time_from_left_to_right(
    tokenizer: Tokenizer,
) -> None:
    faces("en")
    case = make_case(3, make_options("medium", 5), ("en",))
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


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_trace_stands_for_its_mark_in_english_above_and_in_chinese_below(
    tokenizer: Tokenizer, language: Language
) -> None:
    faces(language)
    marks: set[str] = set()
    for seed in range(8):
        case = make_case(seed, make_options("medium", 5), (language,))
        kinds = {one.id: one.medium for one in case.sampled.world.frame.clues}
        drawn = draw_pictures(case, language, 1)
        for name, card in case_cards(case, language, tokenizer, drawn).items():
            if kinds[name] != "trace":
                continue
            upper, lower = (
                {tokenizer.decode([*ids]).strip() for ids in half}
                for half in (card.tokens[:18], card.tokens[18:])
            )
            assert all(one.isascii() for one in upper)
            assert not any(one.isascii() and one.isalpha() for one in lower)
            # The half in the language of the case says what the script says.
            said = case.rendered[language].pictures[name].description.replace(" ", "")
            own = upper if language == "en" else lower
            marks |= {one for one in own if one in said}
    assert len(marks) > 10


@pytest.mark.slow
def test_trace_cards_show_more_marks_than_their_cases(
    tokenizer: Tokenizer,
) -> None:
    faces("en")
    marks: set[str] = set()
    for seed in range(8):
        case = make_case(seed, make_options("medium", 5), ("en",))
        for card in trace_cards(case, "en", tokenizer, Random(seed)):
            words = {tokenizer.decode([*one]).strip() for one in card.tokens[:18]}
            assert words & {"paper", "button", "heel", "bow", "foot", "strokes", "gap", "handle",
                            "lock", "page", "pages", "print", "shelf"}  # fmt: skip
            marks.add(" ".join(sorted(words)))
    assert len(marks) > 12, "more marks than the traces of these cases have"


@pytest.mark.slow
@pytest.mark.parametrize("show", ["fish", "anchor", "bell"])
def test_the_same_emblem_on_two_objects_is_two_pictures(show: str) -> None:
    faces("en")
    spec = TraceSpec(
        look="button", show=show, label="", card="A", caption="", ground=(120, 124, 130),
        boards=False, turn=0.0, seed=1,
    )  # fmt: skip
    drawn = {
        look: draw_trace(replace(spec, look=look), fonts_of("en"), Random(1)).tobytes()
        for look in ("button", "paper", "heel", "dust", "foot")
    }
    assert len({*drawn.values()}) == len(drawn)
