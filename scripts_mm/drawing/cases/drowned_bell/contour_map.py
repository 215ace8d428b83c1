"""A surveyor's sheet: contour lines, heights in figures, and moorings added in blue ink."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageChops

from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle, round_corners, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_creases,
    add_vignette,
    make_paper,
)

_BLACK: Colour = (44, 42, 44)
_CONTOUR: Colour = (186, 138, 96)
_RIVER: Colour = (158, 194, 206)
_PEN: Colour = (28, 58, 150)
_SHEET: Colour = (234, 236, 222)

SurveySign = Literal["house", "church", "yard", "tree", "bridge", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyPlace:
    """A place with its sign, its name and height (a key of the words), and the name's offset."""

    key: str
    at: Point
    sign: SurveySign = "house"
    label: Point = (18, 0)
    anchor: str = "lm"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContourMapSpec:
    """The sheet. All points are pixels of the finished picture."""

    words: Mapping[str, str]
    title: str
    notes: tuple[str, ...]
    notes_at: Point
    places: tuple[SurveyPlace, ...]
    contours: tuple[tuple[Point, ...], ...]
    river: tuple[Point, ...]
    road: tuple[Point, ...]
    anchors: tuple[Point, ...]
    """Crosses in blue ink."""
    barge: tuple[Point, ...]
    """Outline of the barge in blue ink."""
    barge_at: Point
    scale_at: Point
    north: Point
    text_size: int = 20
    size: Size = (900, 960)


def draw_contour_map(spec: ContourMapSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the sheet."""
    image = Image.new("RGB", scale_size(spec.size), (255, 255, 255))
    canvas = Canvas(image, fonts, _BLACK)
    for line in spec.contours:
        canvas.line(round_corners(line, 3), _CONTOUR, 1.6)
    canvas.line(round_corners(spec.river, 3), _RIVER, 30)
    canvas.line(round_corners(spec.road, 3), (150, 146, 140), 4)
    for place in spec.places:
        _draw_sign(canvas, place)
    _draw_frame(canvas, spec)
    _write_names(canvas, spec)
    _draw_moorings(canvas, spec, rng)
    small = image.resize(spec.size, Image.Resampling.LANCZOS)
    sheet = ImageChops.multiply(make_paper(spec.size, _SHEET, rng, 0.12), small)
    return add_vignette(add_creases(sheet, across=(0.34, 0.67), down=(0.5,)), 0.14)


def _draw_sign(canvas: Canvas, place: SurveyPlace) -> None:
    x, y = place.at
    match place.sign:
        case "house":
            canvas.box((x - 11, y - 8, x + 11, y + 8), _BLACK, line=0)
        case "church":
            canvas.box((x - 30, y - 14, x + 26, y + 14), _BLACK, line=0)
            canvas.box((x - 46, y - 10, x - 30, y + 10), _BLACK, line=0)
        case "yard":
            _draw_yard(canvas, x, y)
        case "tree":
            canvas.disc((x, y), 10, (170, 190, 150), 2)
            canvas.line(((x, y), (x, y + 14)), _BLACK, 2)
        case "bridge":
            for shift in (-7, 7):
                canvas.line(((x - 24, y + shift), (x + 24, y + shift)), _BLACK, 3)
        case "none":
            pass


def _draw_yard(canvas: Canvas, x: float, y: float) -> None:
    """Draw a fenced graveyard with its stones."""
    left, top, right, bottom = x - 54, y - 26, x + 54, y + 26
    fence = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    canvas.dashes(fence, _BLACK, 1.6, 8)
    for across, down in ((-36, -8), (-14, 4), (8, -6), (30, 6)):
        stone = (x + across - 4, y + down - 7, x + across + 4, y + down + 7)
        canvas.box(stone, None, 3, 2)


def _draw_frame(canvas: Canvas, spec: ContourMapSpec) -> None:
    width, height = spec.size
    for inset, line in ((22, 4), (32, 2)):
        canvas.box((inset, inset, width - inset, height - inset), None, line=line)
    x, y = spec.north
    canvas.line(((x, y + 40), (x, y - 30)), _BLACK, 3)
    canvas.shape(((x - 9, y - 14), (x, y - 44), (x + 9, y - 14)), _BLACK)
    canvas.write((x, y - 60), spec.words["north"], TextStyle(size=22, hand="bold", fill=_BLACK))
    x, y = spec.scale_at
    canvas.line(((x, y - 8), (x, y), (x + 120, y), (x + 120, y - 8)), _BLACK, 3)
    canvas.write((x + 60, y - 16), spec.words["scale"], _print_style(spec, "mm"))


def _write_names(canvas: Canvas, spec: ContourMapSpec) -> None:
    canvas.write((spec.size[0] / 2, 70), spec.title, TextStyle(size=30, hand="bold", fill=_BLACK))
    for place in spec.places:
        at = (place.at[0] + place.label[0], place.at[1] + place.label[1])
        canvas.write(at, spec.words[place.key], _print_style(spec, place.anchor))
    x, y = spec.notes_at
    for nth, note in enumerate(spec.notes):
        canvas.write((x, y + 30 * nth), note, _print_style(spec, "lm"))


def _print_style(spec: ContourMapSpec, anchor: str) -> TextStyle:
    return TextStyle(
        size=spec.text_size, hand="print", fill=_BLACK, anchor=anchor, ground=(255, 255, 255)
    )


def _draw_moorings(canvas: Canvas, spec: ContourMapSpec, rng: Random) -> None:
    for x, y in spec.anchors:
        reach = 11 + rng.uniform(-1, 1)
        canvas.line(((x - reach, y - reach), (x + reach, y + reach)), _PEN, 4)
        canvas.line(((x - reach, y + reach), (x + reach, y - reach)), _PEN, 4)
    outline = (*spec.barge, spec.barge[0])
    canvas.line(outline, _PEN, 3)
    style = TextStyle(size=spec.text_size + 4, hand="note", fill=_PEN, ground=(255, 255, 255))
    canvas.write(spec.barge_at, spec.words["barge"], style)
