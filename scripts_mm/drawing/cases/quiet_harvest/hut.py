"""The gauge house from outside in the morning, with a small photograph of the pole attached."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.canvas import (
    MARKER_COLOUR,
    SCALE,
    scale_box,
    scale_points,
    scale_size,
)
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    make_noise,
    place_on_table,
    shade_image,
)
from scripts_mm.drawing.primitives.photo_print import (
    PrintStyle,
    add_caption,
    mount_photo,
    photo_size,
)

_LINE = (40, 36, 34)
_PRINT = PrintStyle(hand="pencil", text_size=25)


@dataclass(frozen=True, slots=True, kw_only=True)
class HutSpec:
    """The words of the two photographs."""

    caption: str
    inset: str
    """Caption of the small photograph."""
    sign: str
    """Text on the board next to the path."""
    size: Size = (1000, 860)


def draw_hut(spec: HutSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the photographs."""
    width, height = photo_size(spec.size, _PRINT)
    large = Image.new("RGB", scale_size((width, height)), (206, 214, 214))
    draw = ImageDraw.Draw(large)
    _draw_land(draw, width, height, rng)
    _draw_house(draw)
    _draw_pipe(draw)
    _draw_door(draw)
    _draw_weir(draw, spec, fonts)
    for letter, at in (("A", (432, 62)), ("B", (204, 216)), ("C", (472, 520)), ("D", (344, 430))):
        _draw_marker(draw, at, letter, fonts)
    small = large.resize((width, height), Image.Resampling.LANCZOS)
    small = add_vignette(shade_image(small, make_noise(small.size, 2, rng), 0.08), 0.32)
    print_ = mount_photo(small, spec.size, _PRINT)
    _pin_card(print_, _draw_inset(spec, fonts, rng), rng)
    return add_caption(print_, spec.caption, fonts, rng, _PRINT)


def _draw_land(draw: ImageDraw.ImageDraw, width: int, height: int, rng: Random) -> None:
    draw.polygon(scale_points((0, 210), (240, 120), (520, 190), (width, 90), (width, 330), (0,
        330)),
                 fill=(150, 166, 164))  # fmt: skip
    draw.rectangle(scale_box((0, 300, width, height)), fill=(126, 142, 96))
    slope = scale_points((0, 130), (150, 176), (262, 236), (300, 300), (318, 560), (0, 640))
    draw.polygon(slope, fill=(104, 132, 72))
    for _ in range(420):
        x, y = rng.uniform(0, width), rng.uniform(150, height)
        if x < 290 or y > 560:  # noqa: PLR2004 - where there is grass
            shade = rng.choice(((84, 112, 58), (132, 156, 86), (96, 124, 66)))
            draw.line(scale_points((x, y), (x + rng.uniform(-3, 3), y - rng.uniform(5, 12))),
                fill=shade,
                      width=3)  # fmt: skip
    draw.polygon(scale_points((0, 130), (150, 176), (262, 236), (300, 300), (310, 420), (236, 300),
                      (120, 220), (0, 170)), fill=(122, 150, 84))  # fmt: skip


def _draw_house(draw: ImageDraw.ImageDraw) -> None:
    draw.rectangle(scale_box((286, 300, 640, 560)), fill=(168, 160, 148), outline=_LINE, width=4)
    for row in range(9):
        for column in range(7):
            x, y = 290 + column * 51 + (row % 2) * 24, 304 + row * 29
            shade = (156 + (row * 5 + column * 11) % 30, 148 + (row * 7) % 20, 138)
            draw.rounded_rectangle(scale_box((x, y, min(x + 46, 638), y + 24)), 8, fill=shade)
    roof = scale_points((244, 306), (330, 190), (610, 190), (684, 306))
    draw.polygon(roof, fill=(96, 88, 88))
    draw.line([*roof, roof[0]], fill=_LINE, width=5)
    for nth in range(1, 5):
        y = 190 + nth * 23
        draw.line(
            scale_points((330 - nth * 17, y), (610 + nth * 15, y)), fill=(74, 68, 70), width=4
        )


def _draw_pipe(draw: ImageDraw.ImageDraw) -> None:
    """Draw the stove pipe: cap pushed aside, a tuft hanging out."""
    draw.rectangle(scale_box((366, 96, 404, 232)), fill=(84, 88, 94), outline=_LINE, width=4)
    draw.line(scale_points((374, 100), (374, 228)), fill=(136, 140, 146), width=8)
    draw.polygon(scale_points((388, 86), (462, 120), (452, 134), (396, 108)), fill=(58, 60, 66))
    draw.line(scale_points((396, 108), (404, 120)), fill=_LINE, width=5)
    draw.ellipse(
        scale_box((368, 84, 402, 106)), fill=(178, 176, 168), outline=(120, 118, 110), width=3
    )
    draw.polygon(scale_points((370, 98), (384, 100), (380, 128), (372, 140), (364, 122)),
                 fill=(128, 130, 122))  # fmt: skip
    for x in (368, 374, 380):
        draw.line(scale_points((x, 120), (x - 3, 150)), fill=(240, 238, 230), width=3)


def _draw_door(draw: ImageDraw.ImageDraw) -> None:
    draw.rectangle(scale_box((502, 372, 596, 560)), fill=(98, 70, 48), outline=_LINE, width=5)
    for x in (525, 549, 573):
        draw.line(scale_points((x, 376), (x, 556)), fill=(70, 48, 34), width=4)
    draw.rectangle(scale_box((496, 364, 602, 374)), fill=(190, 190, 182))
    for x in (496, 594):
        draw.rectangle(scale_box((x, 364, x + 9, 560)), fill=(190, 190, 182))
    draw.ellipse(scale_box((580, 462, 592, 474)), fill=(200, 180, 90))
    draw.rectangle(
        scale_box((366, 376, 456, 456)), fill=(214, 208, 168), outline=(78, 56, 40), width=9
    )
    draw.line(scale_points((411, 376), (411, 456)), fill=(78, 56, 40), width=7)
    draw.line(scale_points((366, 416), (456, 416)), fill=(78, 56, 40), width=7)
    broken = scale_points((415, 420), (450, 422), (446, 450), (430, 438), (418, 452))
    draw.polygon(broken, fill=(24, 22, 24))
    draw.rectangle(scale_box((360, 370, 462, 376)), fill=(190, 190, 182))


def _draw_weir(draw: ImageDraw.ImageDraw, spec: HutSpec, fonts: Fonts) -> None:
    draw.polygon(scale_points((690, 330), (960, 300), (960, 520), (720, 540)), fill=(120, 160, 176))
    for nth in range(8):
        y = 350 + nth * 22
        draw.line(scale_points((704 + nth * 3, y), (950, y - 14)), fill=(150, 186, 198), width=4)
    draw.polygon(scale_points((690, 500), (960, 476), (960, 516), (700, 546)), fill=(146, 142, 134))
    draw.rectangle(scale_box((772, 318, 800, 512)), fill=(240, 238, 230), outline=_LINE, width=3)
    font = fonts.get("sans-bold", 13 * SCALE)
    for nth in range(9):
        y = 326 + nth * 20
        shade: Colour = (184, 44, 40) if nth % 2 == 0 else (30, 30, 34)
        draw.rectangle(scale_box((772, y, 786, y + 10)), fill=shade)
    for nth, text in enumerate(("3", "2")):
        draw.text(scale_points((793, 352 + nth * 84))[0], text, (30, 30, 34), font, anchor="mm")
    draw.line(scale_points((150, 560), (150, 660)), fill=(84, 62, 44), width=12)
    draw.polygon(scale_points((90, 568), (226, 568), (226, 612), (90, 612), (62, 590)),
                 fill=(206, 182, 136))  # fmt: skip
    sign = fonts.get("sans-bold", 16 * SCALE)
    draw.text(scale_points((152, 590))[0], spec.sign, _LINE, sign, anchor="mm")


def _draw_marker(draw: ImageDraw.ImageDraw, at: Point, letter: str, fonts: Fonts) -> None:
    x, y = at
    draw.polygon(scale_points((x - 17, y + 16), (x - 11, y - 18), (x + 11, y - 18), (x + 17,
        y + 16)),
                 fill=MARKER_COLOUR, outline=_LINE)  # fmt: skip
    draw.text(scale_points(at)[0], letter, _LINE, fonts.get("sans-bold", 21 * SCALE), anchor="mm")


def _draw_inset(spec: HutSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the small photograph: a dry channel of stone with the pole in it."""
    width, height = 376, 250
    large = Image.new("RGB", scale_size((width, height)), (112, 136, 80))
    draw = ImageDraw.Draw(large)
    draw.polygon(scale_points((0, 210), (376, 70), (376, 150), (0, 250)), fill=(176, 168, 152))
    for nth in range(12):
        x = 10 + nth * 32
        draw.line(
            scale_points((x, 206 - x * 0.37), (x + 16, 246 - x * 0.27)),
            fill=(140, 132, 118),
            width=4,
        )
    for _ in range(60):
        x = rng.uniform(0, 370)
        y = 228 - x * 0.32 + rng.uniform(-14, 14)
        draw.ellipse(scale_box((x, y, x + 4, y + 3)), fill=(120, 112, 100))
    draw.line(scale_points((36, 222), (330, 100)), fill=(60, 44, 30), width=19)
    draw.line(scale_points((36, 222), (330, 100)), fill=(188, 146, 92), width=14)
    draw.arc(scale_box((320, 78, 350, 108)), 120, 330, fill=(70, 72, 78), width=9)
    for shift in (0, 9):
        box = scale_box((176 + shift, 152 - shift * 0.4, 192 + shift, 168 - shift * 0.4))
        draw.ellipse(box, outline=(40, 24, 16), width=5)
    draw.line(scale_points((200, 120), (190, 148)), fill=MARKER_COLOUR, width=6)
    _draw_marker(draw, (206, 104), "E", fonts)
    small = large.resize((width, height), Image.Resampling.LANCZOS)
    card = Image.new("RGB", (width + 20, height + 54), (244, 242, 236))
    card.paste(shade_image(small, make_noise(small.size, 2, rng), 0.08), (10, 10))
    font = fonts.get("pencil", 18)
    ImageDraw.Draw(card).text((14, height + 32), spec.inset, (50, 50, 54), font, anchor="lm")
    return card


def _pin_card(picture: Image.Image, card: Image.Image, rng: Random) -> None:
    spot = (picture.size[0] - 448, picture.size[1] - 402)
    under = picture.crop((spot[0], spot[1], picture.size[0] - 14, picture.size[1] - 50))
    picture.paste(place_on_table(card, under.size, rng.uniform(2.6, 3.4), under), spot)
    draw = ImageDraw.Draw(picture)
    x, y = spot[0] + 220, spot[1] + 26
    draw.rounded_rectangle((x - 9, y - 20, x + 9, y + 28), 8, outline=(90, 94, 100), width=4)
