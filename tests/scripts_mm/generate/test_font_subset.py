"""The fonts of the package: every sign of the words is in them, under their own names."""

from typing import Any

import pytest
from PIL import ImageFont

from scripts_mm.drawing.primitives.fonts import BUNDLED
from scripts_mm.generate.font_subset import SOURCES, list_signs, rebuild
from scripts_mm.generate.text.lexicon import list_texts
from scripts_mm.script import ScriptError

ttlib: Any = pytest.importorskip("fontTools.ttLib")


@pytest.mark.parametrize("file", sorted(SOURCES))
def test_every_sign_of_the_words_is_in_the_fonts_of_the_package(file: str) -> None:
    cmap: dict[int, str] = ttlib.TTFont(BUNDLED / file).getBestCmap()
    missing = sorted(sign for sign in list_signs() if ord(sign) not in cmap)
    assert missing == [], "rebuild them: python -m scripts_mm.generate.font_subset"


def test_the_listed_signs_are_those_of_the_words() -> None:
    needed = list_signs()
    for language in ("en", "zh"):
        for text in list_texts(language):
            assert needed.issuperset(text), text


@pytest.mark.parametrize("file", sorted(SOURCES))
def test_a_cut_font_bears_no_reserved_name_and_is_small(file: str) -> None:
    name, _ = ImageFont.truetype(BUNDLED / file, 20).getname()
    assert name == SOURCES[file][2]
    assert (BUNDLED / file).stat().st_size < 1_000_000
    licence = (BUNDLED / "OFL.txt").read_text(encoding="utf-8")
    assert file in licence
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence


def test_rebuilding_without_the_sources_names_their_packages() -> None:
    with pytest.raises(ScriptError, match="fonts-noto-cjk fonts-lxgw-wenkai"):
        rebuild(folders=())
