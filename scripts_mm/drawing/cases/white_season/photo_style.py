"""The style of both photographs of "White Season": their print and their numbered cards."""

from scripts_mm.drawing.primitives.canvas import MARKER_COLOUR, Canvas
from scripts_mm.drawing.primitives.paper import Point
from scripts_mm.drawing.primitives.photo_print import PrintStyle

PRINT = PrintStyle(colour=(243, 242, 238), hand="mono", text_size=25)
"""The paper of both photographs."""


def draw_marker(pen: Canvas, at: Point, sign: str) -> None:
    """Draw a numbered card on the ground."""
    x, y = at
    card = ((x - 17, y + 16), (x - 12, y - 17), (x + 12, y - 17), (x + 17, y + 16))
    pen.shape(card, MARKER_COLOUR)
    pen.text((x, y), sign, 20, (30, 26, 20))
