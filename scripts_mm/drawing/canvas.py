"""A canvas drawn larger than the picture will be, so that its lines come out smooth."""

from PIL import Image, ImageDraw

from scripts_mm.drawing.fonts import Fonts
from scripts_mm.drawing.paper import Colour

SCALE = 2
"""Pixels drawn for a pixel of the finished picture."""
LINE: Colour = (38, 30, 28)
"""The colour of outlines."""


class Canvas:
    """Draws at the large scale what is given at the finished one."""

    def __init__(self, image: Image.Image, fonts: Fonts) -> None:
        self._draw = ImageDraw.Draw(image)
        self._fonts = fonts

    def box(
        self, box: tuple[float, float, float, float], fill: Colour, radius: int = 0, line: int = 2
    ) -> None:
        """Fill a rectangle, with rounded corners if `radius`, and outline it."""
        self._draw.rounded_rectangle(
            tuple(side * SCALE for side in box),
            radius * SCALE,
            fill=fill,
            outline=LINE if line else None,
            width=line * SCALE // 2,
        )

    def oval(self, box: tuple[float, float, float, float], fill: Colour, line: int = 2) -> None:
        """Fill an ellipse and outline it."""
        large = tuple(side * SCALE for side in box)
        outline = LINE if line else None
        self._draw.ellipse(large, fill=fill, outline=outline, width=line * SCALE // 2)

    def shape(self, points: tuple[tuple[float, float], ...], fill: Colour) -> None:
        """Fill a polygon and outline it."""
        large = [(x * SCALE, y * SCALE) for x, y in points]
        self._draw.polygon(large, fill=fill, outline=LINE, width=SCALE)

    def line(
        self, points: tuple[tuple[float, float], ...], fill: Colour = LINE, width: float = 2
    ) -> None:
        """Draw a line through points."""
        large = [(x * SCALE, y * SCALE) for x, y in points]
        self._draw.line(large, fill=fill, width=round(width * SCALE), joint="curve")

    def text(self, at: tuple[float, float], text: str, size: int, fill: Colour = LINE) -> None:
        """Write bold letters round a middle."""
        font = self._fonts.get("sans-bold", size * SCALE)
        self._draw.text((at[0] * SCALE, at[1] * SCALE), text, fill, font, anchor="mm")
