"""What both photographs of "White Season" are drawn with, and the print they come on."""

from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.fonts import Fonts
from scripts_mm.drawing.paper import Colour, Point, Size, noise, shaded

SCALE = 2
"""Pixels drawn for a pixel of the finished photograph."""
BORDER = 20
CAPTION = 64
"""Height of the white edge below, with the caption."""
MARKER: Colour = (250, 214, 40)

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of the finished photograph."""


class Brush:
    """Draws at the large scale what is given at the finished one."""

    def __init__(self, image: Image.Image, fonts: Fonts, edge: Colour) -> None:
        self._draw = ImageDraw.Draw(image)
        self._fonts = fonts
        self._edge = edge

    def box(self, box: Box, fill: Colour, radius: int = 0, line: int = 2) -> None:
        """Fill a rectangle, with rounded corners if `radius`, and outline it."""
        outline = self._edge if line else None
        self._draw.rounded_rectangle(
            _large(box), radius * SCALE, fill=fill, outline=outline, width=line * SCALE // 2
        )

    def oval(self, box: Box, fill: Colour, line: int = 2) -> None:
        """Fill an ellipse and outline it."""
        outline = self._edge if line else None
        self._draw.ellipse(_large(box), fill=fill, outline=outline, width=line * SCALE // 2)

    def shape(self, points: tuple[Point, ...], fill: Colour, line: int = 2) -> None:
        """Fill a polygon and outline it."""
        large = [(x * SCALE, y * SCALE) for x, y in points]
        outline = self._edge if line else None
        self._draw.polygon(large, fill=fill, outline=outline, width=line * SCALE // 2)

    def line(self, points: tuple[Point, ...], fill: Colour, width: float = 2) -> None:
        """Draw a line through points."""
        large = [(x * SCALE, y * SCALE) for x, y in points]
        self._draw.line(large, fill=fill, width=round(width * SCALE), joint="curve")

    def text(self, at: Point, text: str, size: int, fill: Colour) -> None:
        """Write bold letters round a middle."""
        font = self._fonts.get("sans-bold", size * SCALE)
        self._draw.text((at[0] * SCALE, at[1] * SCALE), text, fill, font, anchor="mm")

    def marker(self, at: Point, sign: str) -> None:
        """Stand a numbered card on the ground."""
        x, y = at
        card = ((x - 17, y + 16), (x - 12, y - 17), (x + 12, y - 17), (x + 17, y + 16))
        self.shape(card, MARKER)
        self.text((x, y), sign, 20, (30, 26, 20))


def printed(image: Image.Image, caption: str, size: Size, fonts: Fonts, rng: Random) -> Image.Image:
    """Return the photograph (already at its finished size) on its print, with the caption."""
    sheet = Image.new("RGB", size, (243, 242, 238))
    sheet.paste(image, (BORDER, BORDER))
    at = (28, size[1] - 33)
    ImageDraw.Draw(sheet).text(at, caption, (50, 50, 54), fonts.get("note", 26), anchor="lm")
    return shaded(sheet, noise(size, 60, rng), 0.05)


def _large(box: Box) -> Box:
    return (box[0] * SCALE, box[1] * SCALE, box[2] * SCALE, box[3] * SCALE)
