"""Traces that are objects: cups, matches, a scrap, a button, writing, a lock, a notebook."""

import math
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    adjust_levels,
    make_noise,
    make_paper,
    shade_image,
)
from scripts_mm.generate.pictures.emblems import EmblemPen, draw_emblem
from scripts_mm.generate.pictures.trace_photo import (
    SCALE,
    TraceSpec,
    add_shadow,
    draw_marker_card,
    finish_photo,
    make_ground,
    scale_colour,
    turn_image,
)

_PALE = (244, 240, 230)
_STEEL = (132, 138, 146)
_GLAZE = (86, 124, 158)


def draw_cups(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw two cups from above; the handle of the one by the card points to `show`."""
    image = make_ground(spec, rng)
    other = Random(spec.seed).choice((90, 270))
    spots: tuple[tuple[Point, float], ...] = (
        ((1140, 560), 0.0 if spec.show == "right" else 180.0),
        ((480, 480), float(other)),
    )
    for centre, turn in spots:
        image = add_shadow(image, centre, 300)
        _draw_cup(ImageDraw.Draw(image), centre, turn, Random(spec.seed).choice(_DRINKS))
    draw_marker_card(ImageDraw.Draw(image), spec, fonts, (570, 560))
    return finish_photo(image, spec, fonts, rng)


def draw_matches(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw an open matchbook with matches torn out on the side `show`."""
    image = add_shadow(make_ground(spec, rng), (840, 700), 620)
    draw = ImageDraw.Draw(image)
    colour = Random(spec.seed).choice(((170, 50, 44), (40, 84, 130), (196, 150, 50), (60, 110, 80)))
    draw.rectangle((440, 160, 1240, 420), fill=scale_colour(colour, 0.8))
    draw.rectangle((440, 420, 1240, 1180), fill=colour)
    draw.rectangle((440, 1040, 1240, 1180), fill=scale_colour(colour, 0.86))
    draw.line((440, 1060, 1240, 1060), fill=(60, 56, 60), width=40)
    count, gone = 12, 5
    for at in range(count):
        x = 476 + at * 63
        torn = at < gone if spec.show == "left" else at >= count - gone
        if torn:
            tops = [
                (x, 990),
                (x + 8, 968 + at % 3 * 9),
                (x + 22, 982),
                (x + 36, 972),
                (x + 42, 990),
            ]
            draw.polygon([*tops, (x + 42, 1040), (x, 1040)], fill=(226, 212, 180))
            continue
        draw.rectangle((x, 500, x + 42, 1040), fill=(232, 220, 188), outline=(180, 164, 130))
        draw.rounded_rectangle((x - 4, 440, x + 46, 540), 20, fill=(120, 30, 34))
    draw_marker_card(draw, spec, fonts, (120, 590))
    return finish_photo(turn_image(image, spec.turn / 6), spec, fonts, rng)


def draw_scrap(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw a torn scrap of tobacco paper with an emblem."""
    image = add_shadow(make_ground(spec, rng), (850, 680), 480)
    ink = Random(spec.seed).choice(((30, 60, 130), (150, 36, 40), (40, 100, 60), (90, 50, 110)))
    tint = Random(spec.seed + 1).choice(((238, 226, 190), (226, 232, 226), (240, 214, 204)))
    sheet = make_paper((900, 860), tint, rng, 0.14)
    draw = ImageDraw.Draw(sheet)
    draw.ellipse((150, 130, 750, 730), outline=ink, width=16)
    draw.ellipse((186, 166, 714, 694), outline=ink, width=5)
    draw_emblem(spec.show, EmblemPen(draw, (450, 430), 186, ink, tint))
    mask = Image.new("L", sheet.size, 0)
    edge = [
        (450 + math.cos(at * math.pi / 30) * (420 + rng.uniform(-30, 14)),
         430 + math.sin(at * math.pi / 30) * (400 + rng.uniform(-36, 12)))
        for at in range(60)
    ]  # fmt: skip
    ImageDraw.Draw(mask).polygon(edge, fill=255)
    sheet = sheet.rotate(spec.turn, Image.Resampling.BICUBIC)
    mask = mask.rotate(spec.turn, Image.Resampling.BICUBIC)
    image.paste(sheet, (400, 250), mask)
    draw_marker_card(ImageDraw.Draw(image), spec, fonts, (110, 600))
    return finish_photo(image, spec, fonts, rng)


def draw_button(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw a metal button with an emblem and torn thread."""
    image = add_shadow(make_ground(spec, rng), (850, 680), 430)
    draw = ImageDraw.Draw(image)
    metal = Random(spec.seed).choice(((190, 156, 84), (176, 178, 182), (166, 116, 84)))
    for reach, factor in ((390, 0.6), (374, 1.05), (330, 0.78), (314, 0.95)):
        box = (850 - reach, 670 - reach, 850 + reach, 670 + reach)
        draw.ellipse(box, fill=scale_colour(metal, factor))
    draw_emblem(
        spec.show,
        EmblemPen(draw, (856, 678), 206, scale_colour(metal, 0.5), scale_colour(metal, 0.95)),
    )
    draw_emblem(
        spec.show,
        EmblemPen(draw, (848, 668), 206, scale_colour(metal, 1.3), scale_colour(metal, 0.95)),
    )
    dull = Random(spec.seed + 1).choice(((70, 66, 60), (110, 104, 96), (50, 50, 56)))
    for nth in range(5):
        x, y = 1120.0 + nth * 12, 930.0
        points = [(x, y)]
        for _ in range(5):
            x, y = x + rng.uniform(10, 60), y + rng.uniform(-12, 46)
            points.append((x, y))
        draw.line(points, fill=dull, width=8, joint="curve")
    draw_marker_card(draw, spec, fonts, (110, 600))
    return finish_photo(image, spec, fonts, rng)


def draw_strokes(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw a grey photograph of illegible writing with strokes of the kind `show`."""
    image = make_ground(spec, rng).convert("L").convert("RGB")
    sheet = make_paper((1180, 1000), (222, 222, 222), rng, 0.14)
    mask = Image.new("L", sheet.size, 0)
    for line in range(5):
        _write_scrawl(
            ImageDraw.Draw(mask), (110, 180 + line * 165), 760 + rng.randint(0, 220), spec, rng
        )
    if spec.show == "ragged":
        mask = Image.composite(
            mask,
            Image.new("L", mask.size, 0),
            adjust_levels(make_noise(mask.size, 4, rng), 3, -230),
        )
    sheet = Image.composite(Image.new("RGB", sheet.size, (44, 44, 46)), sheet, mask)
    whole = Image.new("L", sheet.size, 255).rotate(
        spec.turn / 3, Image.Resampling.BICUBIC, expand=True
    )
    sheet = sheet.rotate(spec.turn / 3, Image.Resampling.BICUBIC, expand=True)
    image = add_shadow(image, (880, 690), 640)
    image.paste(sheet, (880 - sheet.size[0] // 2, 690 - sheet.size[1] // 2), whole)
    draw_marker_card(ImageDraw.Draw(image), spec, fonts, (100, 610))
    return finish_photo(image.convert("L").convert("RGB"), spec, fonts, rng)


def draw_cabinet(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the open cabinet: its lock is intact, the dial at zero, or its hasp is bent."""
    size = (spec.size[0] * SCALE, spec.size[1] * SCALE)
    image = shade_image(Image.new("RGB", size, spec.ground), make_noise(size, 120, rng), 0.2)
    draw = ImageDraw.Draw(image)
    paint = Random(spec.seed).choice(((70, 92, 88), (96, 80, 70), (82, 88, 104), (104, 98, 74)))
    draw.rectangle((200, 80, 900, 1400), fill=scale_colour(paint, 0.5))
    draw.rectangle((250, 130, 850, 1400), fill=(26, 24, 24))
    for y in (500, 900):
        draw.rectangle((250, y, 850, y + 26), fill=scale_colour(paint, 0.7))
    draw.polygon([(900, 80), (1480, 190), (1480, 1400), (900, 1400)], fill=paint)
    draw.polygon(
        [(960, 180), (1430, 270), (1430, 1400), (960, 1400)], outline=scale_colour(paint, 0.6)
    )
    _draw_lock(draw, (1200, 760), spec, fonts, paint, rng)
    draw_marker_card(draw, spec, fonts, (100, 610))
    return finish_photo(image, spec, fonts, rng)


def draw_notebook(spec: TraceSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw an open notebook with one page cut out, or half of the pages torn out."""
    image = add_shadow(make_ground(spec, rng), (840, 700), 680)
    draw = ImageDraw.Draw(image)
    cover = Random(spec.seed).choice(((90, 40, 44), (40, 56, 90), (44, 74, 56), (60, 56, 60)))
    draw.rounded_rectangle((250, 200, 1430, 1200), 26, fill=cover)
    for side in (-1, 1):
        left, right = (290, 838) if side < 0 else (842, 1390)
        draw.rectangle(
            (left, 236, right, 1164), fill=scale_colour(_PALE, 0.97 if side < 0 else 1.0)
        )
        for line in range(13):
            _write_shorthand(draw, (left + 66, 320 + line * 62), right - left - 130, rng)
    if spec.show == "one":
        draw.polygon(
            [(842, 236), (960, 236), (960, 1164), (842, 1164)], fill=scale_colour(_PALE, 0.74)
        )
        draw.polygon([(842, 236), (934, 236), (934, 1164), (842, 1164)], fill=_PALE)
        draw.line((934, 236, 934, 1164), fill=(110, 100, 90), width=5)
    else:
        for layer in range(5):
            reach = 190 - layer * 28
            edge = [(842 + reach + rng.uniform(-36, 34), y) for y in range(236, 1170, 29)]
            colour = scale_colour(_PALE, 0.8 + layer * 0.045)
            draw.polygon([(842, 236), *edge, (842, 1164)], fill=colour, outline=(160, 150, 136))
    draw.line((840, 200, 840, 1200), fill=scale_colour(cover, 0.5), width=8)
    draw_marker_card(draw, spec, fonts, (70, 610))
    return finish_photo(turn_image(image, spec.turn / 5), spec, fonts, rng)


_NIBS: dict[str, tuple[tuple[tuple[int, int], ...], int]] = {
    "split": (((0, -9), (0, 9)), 6),
    "broad": (tuple((shift, -shift) for shift in range(-11, 12, 2)), 5),
    "thin": (((0, 0),), 3),
}
"""Strokes of a nib: repetitions, distance and width."""
_DRINKS: tuple[Colour, ...] = ((110, 66, 30), (64, 38, 24), (150, 96, 40))


def _draw_cup(draw: ImageDraw.ImageDraw, centre: Point, turn: float, drink: Colour) -> None:
    x, y = centre
    for reach, colour in (
        (300, _PALE),
        (276, scale_colour(_PALE, 0.84)),
        (250, scale_colour(_PALE, 0.93)),
    ):
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour)
    way = math.radians(turn)
    start = (x + math.cos(way) * 150, y + math.sin(way) * 150)
    end = (x + math.cos(way) * 286, y + math.sin(way) * 286)
    for wide, colour in ((76, scale_colour(_GLAZE, 0.55)), (58, _GLAZE)):
        draw.line((*start, *end), fill=colour, width=wide)
        reach = wide / 2
        draw.ellipse((end[0] - reach, end[1] - reach, end[0] + reach, end[1] + reach), fill=colour)
    for reach, colour in ((186, scale_colour(_GLAZE, 0.55)), (178, _GLAZE), (152,
        scale_colour(drink, 0.7)),
                          (144, drink)):  # fmt: skip
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour)


def _draw_lock(
    draw: ImageDraw.ImageDraw, at: Point, spec: TraceSpec, fonts: Fonts, paint: Colour, rng: Random
) -> None:
    x, y = at
    for reach, colour in (
        (150, scale_colour(_STEEL, 0.6)),
        (138, _STEEL),
        (60, scale_colour(_STEEL, 0.8)),
    ):
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour)
    away = 0 if spec.show == "whole" else 130
    font = fonts.get("sans-bold", 34)
    for number in range(10):
        turn = math.radians(number * 36 + away - 90)
        spot = (x + math.cos(turn) * 106, y + math.sin(turn) * 106)
        draw.text(spot, str(number * 10), (24, 26, 30), font, anchor="mm")
    draw.polygon([(x, y - 168), (x - 20, y - 204), (x + 20, y - 204)], fill=(200, 40, 40))
    if spec.show == "whole":
        draw.rectangle((x - 300, y - 36, x - 214, y + 36), fill=_STEEL, outline=(60, 62, 68))
        return
    bent = [(x - 300, y - 80), (x - 236, y - 30), (x - 262, y + 40), (x - 214, y + 96),
            (x - 250, y + 130), (x - 320, y + 40)]  # fmt: skip
    draw.polygon(bent, fill=_STEEL, outline=(60, 62, 68))
    for _ in range(26):
        start = (x - rng.uniform(190, 330), y + rng.uniform(-170, 190))
        end = (start[0] + rng.uniform(-60, 60), start[1] + rng.uniform(-50, 50))
        draw.line((*start, *end), fill=scale_colour(paint, 1.9), width=rng.choice((3, 5, 8)))


def _write_scrawl(
    draw: ImageDraw.ImageDraw, at: Point, length: float, spec: TraceSpec, rng: Random
) -> None:
    """Write a line of loops with the strokes of a nib."""
    x, y = at
    points: list[Point] = []
    while x < at[0] + length:
        points.append((x, y + rng.uniform(-46, 46)))
        x += rng.uniform(14, 34)
    shifts, width = _NIBS.get(spec.show, (((0, 0),), 11))
    for across, down in shifts:
        moved = [(px + across, py + down) for px, py in points]
        draw.line(moved, fill=255, width=width, joint="curve")
    if spec.show == "blots":
        for px, py in points[5::6]:
            draw.ellipse((px - 20, py - 18, px + 20, py + 18), fill=255)


def _write_shorthand(draw: ImageDraw.ImageDraw, at: Point, length: float, rng: Random) -> None:
    """Write a line of shorthand."""
    x, y = at
    while x < at[0] + length:
        wide = rng.uniform(18, 44)
        turn = rng.choice(((180, 330), (0, 160), (200, 420), (90, 300)))
        draw.arc((x, y - 16, x + wide, y + 16), *turn, fill=(52, 50, 84), width=4)
        x += wide + rng.uniform(10, 26)
