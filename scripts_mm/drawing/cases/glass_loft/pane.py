"""The glass roof on the next morning: old panes, and one with fresh putty."""

from random import Random

from PIL import Image

from scripts_mm.drawing.cases.glass_loft.clock import print_photo
from scripts_mm.drawing.primitives.canvas import SCALE, Canvas
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Colour, Size, add_vignette, make_noise, shade_image

_VIEW: Size = (920, 660)
_BAR: Colour = (70, 74, 76)
_OLD: Colour = (120, 140, 142)
_NEW: Colour = (186, 210, 216)
_PUTTY: Colour = (232, 224, 196)
_DRY: Colour = (122, 116, 104)
_COLUMNS = (60, 220, 380, 540, 700, 860)
_ROWS = (200, 350, 500, 640)
_FRESH = (2, 1)
"""Column and row of the new pane."""


def draw_pane(caption: str, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photograph with its caption."""
    image = Image.new("RGB", (_VIEW[0] * SCALE, _VIEW[1] * SCALE), (186, 192, 198))
    canvas = Canvas(image, fonts)
    _draw_sky(canvas)
    for nth in range(len(_COLUMNS) - 1):
        for row in range(len(_ROWS) - 1):
            _draw_glass(canvas, nth, row, rng)
    _draw_drops(canvas, rng)
    _draw_gutter(canvas)
    small = image.resize(_VIEW, Image.Resampling.LANCZOS)
    small = shade_image(small, make_noise(_VIEW, 4, rng), 0.12)
    small = add_vignette(shade_image(small, make_noise(_VIEW, 150, rng), 0.16), 0.4)
    return print_photo(small, caption, fonts, rng)


def _draw_sky(canvas: Canvas) -> None:
    canvas.box((0, 0, 920, 190), (188, 196, 204), line=0)
    canvas.shape(((620, 190), (620, 96), (700, 50), (930, 60), (930, 190)), (120, 92, 84))
    canvas.box((690, 10, 744, 70), (134, 78, 62), line=2)
    canvas.box((684, 2, 750, 18), (112, 66, 54), line=2)
    canvas.shape(((-10, 190), (80, 130), (300, 122), (420, 190)), (146, 136, 132))
    canvas.box((30, 180, 890, 204), (88, 92, 94), line=2)
    # a pigeon on the ridge
    canvas.oval((246, 150, 300, 182), (150, 154, 168))
    canvas.oval((286, 134, 310, 158), (126, 132, 150))
    canvas.shape(((308, 146), (320, 150), (308, 153)), (214, 180, 120))
    canvas.shape(((250, 160), (216, 172), (252, 176)), (116, 120, 134))


def _draw_glass(canvas: Canvas, column: int, row: int, rng: Random) -> None:
    box = (_COLUMNS[column], _ROWS[row], _COLUMNS[column + 1], _ROWS[row + 1])
    fresh = (column, row) == _FRESH
    canvas.box(box, _BAR, line=2)
    left, top, right, bottom = box[0] + 6, box[1] + 6, box[2] - 6, box[3] - 6
    canvas.box((left, top, right, bottom), _PUTTY if fresh else _DRY, line=2)
    inset = 15 if fresh else 9
    tone = _NEW if fresh else tuple(round(part + rng.uniform(-8, 8)) for part in _OLD)
    red, green, blue = tone
    glass = (left + inset, top + inset, right - inset, bottom - inset)
    canvas.box(glass, (red, green, blue), line=1)
    if fresh:
        _draw_thumb_prints(canvas, (left, top, right, bottom))
        canvas.line(((glass[0] + 14, glass[3] - 20), (glass[0] + 60, glass[1] + 12)),
                    (232, 244, 248), 6)  # fmt: skip
        return
    for _ in range(7):
        x, y = rng.uniform(glass[0], glass[2] - 12), rng.uniform(glass[1], glass[3] - 10)
        canvas.oval((x, y, x + rng.uniform(6, 22), y + rng.uniform(3, 8)), (98, 112, 96), 0)
    for _ in range(3):
        x = rng.uniform(left, right - 18)
        canvas.oval((x, bottom - 8, x + 22, bottom + 2), (86, 106, 62), 0)


def _draw_thumb_prints(canvas: Canvas, box: tuple[float, float, float, float]) -> None:
    """Draw thumb prints around the pane in intact putty."""
    left, top, right, bottom = box
    for nth in range(5):
        x = left + 18 + nth * 26
        for y in (top + 7, bottom - 7):
            canvas.oval((x - 7, y - 4, x + 7, y + 4), (206, 196, 164), 1)
    for nth in range(4):
        y = top + 24 + nth * 26
        for x in (left + 7, right - 7):
            canvas.oval((x - 4, y - 7, x + 4, y + 7), (206, 196, 164), 1)


def _draw_drops(canvas: Canvas, rng: Random) -> None:
    for _ in range(150):
        x, y = rng.uniform(60, 860), rng.uniform(206, 630)
        canvas.line(((x, y), (x, y + rng.uniform(5, 22))), (214, 226, 230), 1.4)
        canvas.oval((x - 2, y + 18, x + 2, y + 23), (230, 238, 242), 0)


def _draw_gutter(canvas: Canvas) -> None:
    canvas.box((40, 634, 880, 662), (104, 108, 110), 6, 2)
    canvas.line(((44, 642), (876, 642)), (150, 156, 158), 3)
