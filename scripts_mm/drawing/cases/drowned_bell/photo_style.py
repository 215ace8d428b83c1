"""The three photographs of the lake police: their grain, their print, their typed caption."""

from random import Random

from PIL import Image

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Size
from scripts_mm.drawing.primitives.photo_print import PrintStyle, finish_photo, make_photo_print

PRINT = PrintStyle(
    colour=(236, 230, 212), border=26, foot=58, at=(30, 28), ink=(52, 48, 66), hand="type",
    text_size=23,
)  # fmt: skip


def print_photo(
    large: Image.Image, view: Size, caption: str, fonts: Fonts, rng: Random
) -> Image.Image:
    """Return the drawn picture, in the large scale, as a print of size `view` and its border."""
    photo = finish_photo(large, view, rng, (3, 0.14), (150, 0.2), 0.5)
    size = (view[0] + 2 * PRINT.border, view[1] + PRINT.border + PRINT.foot)
    return make_photo_print(photo, size, caption, fonts, rng, PRINT)
