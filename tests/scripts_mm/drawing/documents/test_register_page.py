"""A ruled page with printed headings, filled in by hand."""

from dataclasses import replace
from random import Random

import pytest
from PIL import Image, ImageChops, ImageStat

from scripts_mm.drawing.documents.register_page import (
    Pen,
    RegisterPageSpec,
    draw_register_page,
)
from scripts_mm.drawing.primitives.fonts import Fonts

RED = (200, 20, 20)
PAGE = RegisterPageSpec(
    title="Visitors", head=("Date", "Name"), columns=(40, 200),
    rows=(("3 May", "A. Reed"), ("4 May", "Ida"), ("5 May", "B. Holt")),
    pens=(Pen(), Pen(ink=RED)), foot=(("Checked", "C. Orr"),), angle=0, size=(700, 600),
)  # fmt: skip


def drawn(page: RegisterPageSpec, seed: int = 1) -> Image.Image:
    return draw_register_page(page, Fonts("en"), Random(seed))


def count_red(page: RegisterPageSpec) -> int:
    """Return how many pixels are the red pen's."""
    red, green, _ = drawn(page).split()
    return sum(ImageChops.subtract(red, green).histogram()[91:])


@pytest.mark.slow
def test_a_page_is_repeatable_and_follows_its_rows_and_its_random() -> None:
    assert drawn(PAGE).tobytes() == drawn(PAGE).tobytes()
    assert drawn(PAGE).size == PAGE.size
    other = replace(PAGE, rows=(*PAGE.rows[:2], ("5 May", "B. Holm")))
    assert drawn(PAGE).tobytes() != drawn(other).tobytes()
    assert drawn(PAGE).tobytes() != drawn(PAGE, seed=2).tobytes()


@pytest.mark.slow
def test_the_pens_take_turns_from_row_to_row() -> None:
    assert count_red(replace(PAGE, rows=PAGE.rows[:1])) == 0
    second = count_red(replace(PAGE, rows=PAGE.rows[:2]))
    assert second > 300
    assert abs(count_red(PAGE) - second) < 30, "the third row has the first pen again"


def test_a_book_has_a_fold_at_the_left() -> None:
    def left_edge(page: RegisterPageSpec) -> float:
        return ImageStat.Stat(drawn(page).convert("L").crop((32, 100, 46, 500))).mean[0]

    assert left_edge(replace(PAGE, kind="book")) < left_edge(PAGE) - 40
