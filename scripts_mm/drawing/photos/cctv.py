"""A still of a surveillance camera: a place, figures, a height strip, a time stamp, artefacts."""

from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Literal

from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter

from scripts_mm.drawing.primitives.cctv_figure import (
    DRAGGED_FOOT,
    CctvFigure,
    draw_cctv_figure,
    figure_side,
)
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_vignette,
    make_noise,
    shade_image,
)
from scripts_mm.drawing.primitives.wet_track import WetTrack, draw_wet_track

_FOOT, _TOP = 0.84, 0.18
"""Lower and upper end of a height strip, in shares of the picture's height."""

CctvSetting = Literal["corridor", "door", "yard"]
"""A corridor along its length; a door in a wall, with a height strip; a gate under a lamp."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CctvSpec:
    """A camera still. The evidence is what the figures wear, hold and do."""

    camera: str
    """Name of the camera, in the upper left corner."""
    stamp: str
    """Date and time, in the lower right corner."""
    figures: tuple[CctvFigure, ...]
    setting: CctvSetting = "corridor"
    sign: str = ""
    """A plate next to or above the door."""
    note: str = ""
    """A line by the recorder, in the lower left corner."""
    marks: tuple[int, ...] = ()
    """Centimetres on the strip next to the door, from the top down; see `height_share`."""
    wall: Colour = (150, 152, 146)
    floor: Colour = (104, 98, 92)
    door: Colour = (110, 84, 62)
    tint: Colour = (206, 222, 214)
    """Factor of the picture's colours: the sensor's colour cast."""
    grey: float = 0.45
    """Share of desaturation."""
    grain: float = 0.2
    vanish: Point = (0.5, 0.34)
    """Vanishing point of the corridor, in shares of width and height."""
    size: Size = (840, 630)


def draw_cctv(spec: CctvSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the still."""
    size = (spec.size[0] * 2, spec.size[1] * 2)
    image = Image.new("RGB", size, spec.wall)
    match spec.setting:
        case "corridor":
            _draw_corridor(image, spec, rng)
        case "door":
            _draw_wall(image, spec, rng)
        case "yard":
            _draw_yard(image, spec, rng)
    _draw_plates(image, spec, fonts)
    for who in sorted(spec.figures, key=lambda one: one.at[1]):
        image = draw_cctv_figure(_draw_track(image, who, spec), who)
    image = image.resize(spec.size, Image.Resampling.LANCZOS)
    return _write_overlay(_add_camera_noise(image, spec, rng), spec, fonts)


def _draw_track(image: Image.Image, who: CctvFigure, spec: CctvSpec) -> Image.Image:
    """Draw the track of wet shoes up to the figure."""
    if who.wet_from is None:
        return image
    width, height = image.size
    track = WetTrack(
        far=(who.wet_from[0] * width, who.wet_from[1] * height),
        near=(who.at[0] * width, who.at[1] * height),
        horizon=spec.vanish[1] * height,
        gap=who.height * height * DRAGGED_FOOT * 0.75,
    )
    return draw_wet_track(image, track, None if who.limp is None else figure_side(who, who.limp))


def _add_camera_noise(image: Image.Image, spec: CctvSpec, rng: Random) -> Image.Image:
    image = image.filter(ImageFilter.GaussianBlur(0.9))
    plain = image.convert("L").convert("RGB")
    image = Image.blend(image, plain, spec.grey)
    image = ImageChops.multiply(image, Image.new("RGB", image.size, spec.tint))
    image = shade_image(image, make_noise(image.size, 2, rng), spec.grain)
    image = shade_image(image, make_noise(image.size, 60, rng), 0.14)
    image = ImageEnhance.Brightness(image).enhance(1.45)
    lines = Image.new("L", image.size, 255)
    draw = ImageDraw.Draw(lines)
    for y in range(rng.randrange(3), image.size[1], 3):
        draw.line((0, y, image.size[0], y), fill=226)
    image = ImageChops.multiply(image, Image.merge("RGB", (lines,) * 3))
    return add_vignette(_shift_bands(image, rng), rng.uniform(0.3, 0.5))


def _shift_bands(image: Image.Image, rng: Random) -> Image.Image:
    """Shift a few bands sideways, as on a bad tape, except in the middle of the picture."""
    height = image.size[1]
    for _ in range(rng.randint(1, 3)):
        top = rng.choice((rng.randint(4, height // 9), rng.randint(height * 9 // 10, height - 12)))
        band = image.crop((0, top, image.size[0], top + rng.randint(2, 6)))
        image.paste(ImageChops.offset(band, rng.randint(-24, 24), 0), (0, top))
    return image


def _write_overlay(image: Image.Image, spec: CctvSpec, fonts: Fonts) -> Image.Image:
    width, height = image.size
    shade = Image.new("L", image.size, 0)
    draw = ImageDraw.Draw(shade)
    font = fonts.get("mono", 27)
    spots: tuple[tuple[Point, str, str], ...] = (
        ((26, 34), spec.camera, "lm"),
        ((width - 26, height - 34), spec.stamp, "rm"),
        ((26, height - 34), spec.note, "lm"),
        ((width - 26, 34), "REC", "rm"),
    )
    for at, text, anchor in spots:
        if text:
            left, top, right, bottom = draw.textbbox(at, text, font, anchor=anchor)
            draw.rectangle((left - 8, top - 5, right + 8, bottom + 5), fill=120)
    image = Image.composite(Image.new("RGB", image.size, (0, 0, 0)), image, shade)
    draw = ImageDraw.Draw(image)
    for at, text, anchor in spots:
        draw.text(at, text, (236, 240, 232), font, anchor=anchor)
    left = draw.textbbox(spots[-1][0], "REC", font, anchor="rm")[0]
    draw.ellipse((left - 32, 26, left - 16, 42), fill=(220, 50, 40))
    return image


def _draw_corridor(image: Image.Image, spec: CctvSpec, rng: Random) -> None:
    draw = ImageDraw.Draw(image)
    width, height = image.size
    far = _FarFrame(spec.vanish, 0.17, image.size)
    draw.rectangle(far.box, fill=_scale_colour(spec.wall, 0.8))
    left, top, right, bottom = far.box
    draw.polygon(
        [(0, 0), (left, top), (left, bottom), (0, height)], fill=_scale_colour(spec.wall, 0.86)
    )
    side = [(width, 0), (right, top), (right, bottom), (width, height)]
    draw.polygon(side, fill=_scale_colour(spec.wall, 0.96))
    draw.polygon(
        [(0, 0), (width, 0), (right, top), (left, top)], fill=_scale_colour(spec.wall, 1.12)
    )
    draw.polygon([(0, height), (width, height), (right, bottom), (left, bottom)], fill=spec.floor)
    for nth in range(1, 9):
        share = (nth / 9) ** 2
        y = bottom + (height - bottom) * share
        draw.line((left * (1 - share), y, right + (width - right) * share, y),
                  fill=_scale_colour(spec.floor, 0.88), width=3)  # fmt: skip
    for nth in range(rng.randint(2, 3)):
        share = 0.16 + nth * 0.28
        lamp = [far.along((0.38, 0), share), far.along((0.62, 0), share),
                far.along((0.62, 0), share + 0.12), far.along((0.38, 0), share + 0.12)]  # fmt: skip
        draw.polygon(lamp, fill=(244, 246, 238))
    for on_left in (True, False):
        for share in (0.10 + rng.uniform(0, 0.05), 0.48 + rng.uniform(-0.04, 0.08)):
            _draw_side_door(draw, far, share, spec, on_left=on_left)
    tall = bottom - top
    draw.rectangle((left + tall * 0.3, top + tall * 0.25, right - tall * 0.3, bottom),
                   fill=spec.door, outline=_scale_colour(spec.door, 0.6), width=4)  # fmt: skip


def _draw_side_door(
    draw: ImageDraw.ImageDraw, far: "_FarFrame", share: float, spec: CctvSpec, *, on_left: bool
) -> None:
    x = 0.0 if on_left else 1.0
    corners = [far.along((x, 0.24), share), far.along((x, 0.24), share + 0.2),
               far.along((x, 1), share + 0.2), far.along((x, 1), share)]  # fmt: skip
    draw.polygon(corners, fill=_scale_colour(spec.door, 0.9), outline=_scale_colour(spec.door, 0.5))
    knob = far.along((x, 0.64), share + 0.17)
    draw.ellipse((knob[0] - 7, knob[1] - 7, knob[0] + 7, knob[1] + 7), fill=(190, 180, 140))


def _draw_wall(image: Image.Image, spec: CctvSpec, rng: Random) -> None:
    draw = ImageDraw.Draw(image)
    width, height = image.size
    draw.rectangle((0, height * 0.84, width, height), fill=spec.floor)
    draw.rectangle((0, height * 0.81, width, height * 0.84), fill=_scale_colour(spec.wall, 0.6))
    if rng.choice((True, False)):
        draw.rectangle((0, height * 0.5, width, height * 0.81), fill=_scale_colour(spec.wall, 0.84))
    left = width * 0.36
    draw.rectangle((left - 26, height * 0.13, width * 0.64 + 26, height * 0.84),
                   fill=_scale_colour(spec.door, 0.55))  # fmt: skip
    draw.rectangle((left, height * 0.16, width * 0.64, height * 0.84), fill=spec.door)
    for top in (0.2, 0.5):
        box = (left + 50, height * top, width * 0.64 - 50, height * (top + 0.24))
        draw.rectangle(box, outline=_scale_colour(spec.door, 0.72), width=8)
    draw.ellipse((left + 22, height * 0.47, left + 54, height * 0.47 + 32), fill=(200, 190, 150))
    lamp = width * rng.choice((0.2, 0.8))
    draw.pieslice((lamp - 90, -70, lamp + 90, 90), 0, 180, fill=(240, 240, 226))
    plant = width * rng.choice((0.07, 0.93))
    draw.rectangle((plant - 60, height * 0.74, plant + 60, height * 0.88), fill=(90, 70, 58))
    for turn in range(-4, 5):
        end = (plant + turn * 34, height * (0.52 + abs(turn) * 0.03))
        draw.line((plant, height * 0.74, *end), fill=(64, 92, 60), width=14)


def _draw_yard(image: Image.Image, spec: CctvSpec, rng: Random) -> None:
    draw = ImageDraw.Draw(image)
    width, height = image.size
    draw.rectangle((0, 0, width, height * 0.46), fill=(44, 48, 60))
    draw.rectangle((0, height * 0.22, width, height * 0.56), fill=_scale_colour(spec.wall, 0.62))
    brick = _scale_colour(spec.wall, 0.52)
    for row in range(9):
        y = height * (0.22 + row * 0.038)
        draw.line((0, y, width, y), fill=brick, width=4)
        for x in range(row % 2 * 60, width, 120):
            draw.line((x, y, x, y + height * 0.038), fill=brick, width=4)
    draw.rectangle((0, height * 0.56, width, height), fill=_scale_colour(spec.floor, 0.8))
    for _ in range(26):
        x, y = rng.uniform(0, width), rng.uniform(height * 0.6, height)
        wide = rng.uniform(20, 120)
        draw.ellipse((x, y, x + wide, y + wide * 0.16), fill=_scale_colour(spec.floor, 0.7))
    gate = width * 0.5
    draw.rectangle((gate - 250, height * 0.12, gate + 250, height * 0.6), fill=(52, 54, 62))
    for x in range(-230, 240, 46):
        draw.line((gate + x, height * 0.14, gate + x, height * 0.6), fill=(18, 18, 20), width=12)
    for y in (0.14, 0.36, 0.59):
        draw.line((gate - 250, height * y, gate + 250, height * y), fill=(18, 18, 20), width=14)
    for x in (gate - 280, gate + 250):
        draw.rectangle((x, height * 0.08, x + 40, height * 0.6), fill=_scale_colour(spec.wall, 0.9))
    lamp = width * rng.choice((0.22, 0.78))
    draw.line((lamp, 0, lamp, height * 0.6), fill=(30, 30, 34), width=18)
    draw.ellipse((lamp - 70, height * 0.05, lamp + 70, height * 0.05 + 90), fill=(255, 240, 200))


def _draw_plates(image: Image.Image, spec: CctvSpec, fonts: Fonts) -> None:
    """Draw the sign and the height strip."""
    draw = ImageDraw.Draw(image)
    width, height = image.size
    if spec.sign:
        font = fonts.get("sans-bold", 38)
        at = (
            width * 0.5,
            height * (0.075 if spec.setting != "corridor" else spec.vanish[1] - 0.11),
        )
        left, top, right, bottom = draw.textbbox(at, spec.sign, font, anchor="mm")
        draw.rectangle((left - 22, top - 12, right + 22, bottom + 12), fill=(226, 226, 214),
                       outline=(60, 60, 60), width=4)  # fmt: skip
        draw.text(at, spec.sign, (30, 32, 40), font, anchor="mm")
    if spec.marks:
        small = fonts.get("sans-bold", 30)
        x = width * 0.675
        ends = (*spec.marks, 0)
        for nth, (mark, below) in enumerate(pairwise(ends)):
            y, foot = (height * (_FOOT - height_share(cm, spec.marks[0])) for cm in (mark, below))
            colour = (214, 60, 50) if nth % 2 else (236, 232, 220)
            draw.rectangle((x, y, x + 70, foot), fill=colour)
            draw.line((x - 12, y, x + 82, y), fill=(20, 20, 24), width=5)
            draw.text((x + 92, y), str(mark), (20, 20, 24), small, anchor="lm")


def height_share(centimetres: int, top: int) -> float:
    """Return the height, as a share of the picture's, of a person at a door's height strip.

    `top` is the strip's highest mark.
    """
    return centimetres / top * (_FOOT - _TOP)


class _FarFrame:
    """The far end of a corridor, and the space between it and the camera."""

    def __init__(self, vanish: Point, reach: float, size: Size) -> None:
        self._size = size
        x, y = vanish[0] * size[0], vanish[1] * size[1]
        wide, tall = size[0] * reach, size[1] * reach
        self.box = (x - wide / 2, y - tall * 0.55, x + wide / 2, y + tall * 0.75)

    def along(self, at: Point, share: float) -> Point:
        """Return a point of the near frame moved towards the far one; 0 is near, 1 is far."""
        deep = 1 - (1 - share) ** 1.8
        left, top, right, bottom = self.box
        near = (at[0] * self._size[0], at[1] * self._size[1])
        far = (left + at[0] * (right - left), top + at[1] * (bottom - top))
        return (near[0] + (far[0] - near[0]) * deep, near[1] + (far[1] - near[1]) * deep)


def _scale_colour(colour: Colour, factor: float) -> Colour:
    red, green, blue = (max(0, min(255, round(part * factor))) for part in colour)
    return red, green, blue
