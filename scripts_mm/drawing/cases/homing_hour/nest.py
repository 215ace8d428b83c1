"""Two snapshots from a loft: birds waiting in the trap, and a hen in the hand."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    make_ground,
)
from scripts_mm.drawing.primitives.photo_print import finish_photo

_VIEW: Size = (480, 600)
_SIZE: Size = (1080, 700)
_GREEN: Colour = (62, 116, 76)
_WHITE: Colour = (228, 230, 220)
_SILVER: Colour = (178, 184, 194)
_SHADOW: Colour = (128, 136, 150)
_ORANGE: Colour = (255, 190, 70)
_RUBBER: Colour = (196, 60, 46)
_SKIN: Colour = (222, 178, 146)
_DARK: Colour = (36, 34, 38)


@dataclass(frozen=True, slots=True, kw_only=True)
class NestSpec:
    """The number of the rubber ring, that of the metal ring, and the two imprints."""

    signs: tuple[str, str, str, str]
    remark: str
    """What the photographer wrote on the card."""


def draw_nest(spec: NestSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the two photographs on black card."""
    rubber, metal, first, second = spec.signs
    card = make_ground(_SIZE, (44, 42, 46), rng, 3, 0.25)
    for nth, (imprint, ring) in enumerate(((first, rubber), (second, metal))):
        image = Image.new("RGB", scale_size(_VIEW), (60, 52, 46))
        canvas = Canvas(image, fonts, _DARK)
        (_draw_trap if nth == 0 else _draw_hen_in_hand)(canvas, ring)
        style = TextStyle(size=30, hand="mono", fill=_ORANGE, ground=(40, 34, 30))
        canvas.write((330, 572), imprint, style)
        small = finish_photo(image, _VIEW, rng, (4, 0.14), (120, 0.15), 0.4)
        x = 40 + nth * 520
        card.paste((240, 238, 232), (x - 10, 40, x + 490, 660))
        card.paste(small, (x, 50))
    at = (_SIZE[0] / 2, 680)
    pencil = fonts.get("pencil", 26)
    ImageDraw.Draw(card).text(at, spec.remark, (226, 224, 214), pencil, anchor="mm")
    return card


def _draw_trap(canvas: Canvas, ring: str) -> None:
    for nth in range(12):
        canvas.box((nth * 42 - 4, -4, nth * 42 + 38, 290), _GREEN if nth % 2 else _WHITE, 0, 1)
    canvas.box((-4, 286, 490, 306), (120, 90, 58))
    canvas.box((-4, 306, 490, 540), (48, 42, 38), 0, 0)
    _draw_pigeon(canvas, (352, 424), (96, 104, 122), (70, 76, 92))
    _draw_pigeon(canvas, (176, 430), _SILVER, _SHADOW)
    _draw_clock(canvas)
    canvas.box((-4, 536, 490, 610), (142, 108, 72))
    for nth in range(11):
        x = 14 + nth * 46
        if x not in (152, 198):
            canvas.line(((x, 306), (x, 536)), (176, 178, 176), 4)
    canvas.box((146, 500, 214, 526), _RUBBER, 8)
    canvas.text((180, 513), ring, 23, (250, 246, 236))


def _draw_pigeon(canvas: Canvas, at: Point, body: Colour, wing: Colour) -> None:
    """Draw a standing pigeon that faces left, its chest around a point."""
    x, y = at
    for shift in (-6, 26):
        canvas.rod(((x + shift, y + 56), (x + shift, y + 104)), (178, 84, 78), 8)
    canvas.shape(((x + 60, y + 6), (x + 132, y + 40), (x + 120, y + 58), (x + 46, y + 50)), wing)
    canvas.disc((x + 16, y + 10), (84, 58), body)
    canvas.disc((x + 36, y + 14), (62, 38), wing, 2)
    for nth in range(2):
        canvas.line(((x + 50 + nth * 20, y - 10), (x + 62 + nth * 20, y + 40)), _DARK, 5)
    canvas.shape(((x - 66, y - 4), (x - 60, y - 70), (x - 14, y - 70), (x, y - 24)), body, 0)
    canvas.disc((x - 40, y - 76), (31, 28), body)
    canvas.shape(((x - 68, y - 80), (x - 92, y - 68), (x - 66, y - 64)), (70, 64, 66))
    canvas.disc((x - 64, y - 78), (6, 5), (240, 240, 236), 1)
    canvas.disc((x - 50, y - 82), 7, (224, 120, 50))
    canvas.disc((x - 50, y - 82), 3, _DARK, 0)


def _draw_clock(canvas: Canvas) -> None:
    """Draw the sealed race clock on its nail."""
    canvas.line(((396, 34), (396, 70)), (120, 118, 116), 4)
    canvas.disc((396, 32), 7, (90, 88, 86))
    canvas.box((336, 66, 456, 206), (150, 96, 54), 6, 3)
    canvas.disc((396, 124), 40, (240, 236, 222))
    canvas.line(((396, 124), (414, 108)), _DARK, 5)
    canvas.line(((396, 124), (376, 151)), _DARK, 3)
    canvas.rod(((336, 186), (318, 214)), (120, 118, 116), 3)
    canvas.disc((316, 222), 13, (168, 170, 174))
    canvas.line(((308, 222), (324, 222)), (110, 112, 116), 3)


def _draw_hen_in_hand(canvas: Canvas, ring: str) -> None:
    """Draw the hen from its left side in a hand with a blue cuff, a red scarf's end below."""
    canvas.box((-4, -4, 490, 610), (134, 124, 108), 0, 0)
    canvas.shape(((120, 300), (60, 250), (70, 150), (150, 90), (240, 110), (300, 220), (420, 300),
                  (410, 380), (250, 420), (150, 390)), _SILVER)  # fmt: skip
    canvas.shape(((210, 270), (300, 250), (420, 320), (380, 380), (240, 370)), _SHADOW, 2)
    canvas.disc((128, 150), (88, 80), _SILVER)
    canvas.shape(((60, 130), (-2, 166), (54, 184)), (74, 68, 70))
    canvas.disc((62, 136), (17, 13), (240, 240, 236), 2)
    canvas.disc((118, 136), 34, (232, 134, 60))
    canvas.disc((118, 136), 17, _DARK, 0)
    canvas.disc((138, 122), 6, _DARK, 0)
    canvas.arc((122, 112, 144, 142), (350, 70), _DARK, 4)
    canvas.disc((112, 129), 4, (250, 250, 246), 0)
    canvas.shape(((300, 290), (376, 286), (384, 452), (300, 440)), _SKIN, 0)
    for nth in range(4):
        y = 300 + nth * 34
        canvas.rod(((370, y + 6), (236 - nth * 8, y - 4)), _SKIN, 30)
    canvas.rod(((372, 306), (300, 250), (262, 262)), _SKIN, 28)
    canvas.shape(((490, 250), (356, 282), (364, 462), (490, 500)), (46, 74, 132))
    canvas.line(((366, 286), (374, 458)), (74, 104, 160), 8)
    canvas.rod(((190, 392), (176, 520)), (186, 88, 80), 18)
    for end in ((130, 556), (176, 566), (220, 550)):
        canvas.rod(((176, 520), end), (186, 88, 80), 11)
    canvas.box((116, 434, 252, 478), (206, 208, 210), 10)
    canvas.text((184, 456), ring, 36, _DARK)
    canvas.shape(((490, 150), (490, 262), (352, 296), (340, 236)), (184, 38, 42))
    for nth in range(7):
        x, y = 342 + nth % 2 * 3, 238 + nth * 9
        canvas.line(((x, y), (x - 26, y + 8 + nth % 3 * 3)), (206, 60, 60), 4)
