"""Wet ink on a list and in a letter: dragged by a left hand, or dry."""

from dataclasses import replace
from random import Random

import pytest
from PIL import Image, ImageStat

from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec, draw_checklist
from scripts_mm.drawing.documents.letter import LetterSpec, draw_letter
from scripts_mm.drawing.primitives.fonts import Fonts

LIST = ChecklistSpec(
    title="Evening", owner="Ida",
    entries=tuple(ChecklistEntry(time="19:00", text="lamps, all of them") for _ in range(6)),
)  # fmt: skip
LETTER = LetterSpec(
    greeting="Dear Ida,", body=("Come at nine, and bring the lamps. " * 4,), signature="A.",
    mark="1", text_size=34, leading=50,
)  # fmt: skip


def brightness(image: Image.Image) -> float:
    return ImageStat.Stat(image.convert("L")).mean[0]


def written(spec: ChecklistSpec | LetterSpec) -> Image.Image:
    fonts, chance = Fonts("en"), Random(3)
    if isinstance(spec, ChecklistSpec):
        return draw_checklist(spec, fonts, chance)
    return draw_letter(spec, fonts, chance)


@pytest.mark.slow
@pytest.mark.parametrize("spec", [LIST, LETTER], ids=["list", "letter"])
def test_a_left_hand_darkens_the_paper_beside_the_words(spec: ChecklistSpec | LetterSpec) -> None:
    dry, wet = (brightness(written(replace(spec, smear=strength))) for strength in (0.0, 1.0))
    assert wet < dry - 0.05
