"""The yard of the well, drawn with a brush: buildings from the front, ways in red."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.canvas import Canvas, TextStyle, scale_points, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Point,
    Size,
    add_creases,
    add_vignette,
    age_edges,
    make_paper,
    place_on_table,
)

_INK = (52, 46, 44)
_RED = (190, 44, 34)
_WASH: Mapping[str, Colour] = {
    "house": (206, 198, 186),
    "temple": (214, 150, 120),
    "shed": (206, 188, 148),
    "cave": (150, 146, 140),
}
_ROOF = (120, 112, 108)
_WATER = (168, 192, 196)
_LEAF = (132, 152, 104)
_CARD = (244, 236, 214)


@dataclass(frozen=True, slots=True, kw_only=True)
class YardPlace:
    """A building or thing of the yard; its name is a key of `words`."""

    name: str
    at: Point
    """Middle of its foot."""
    look: Literal["house", "shed", "temple", "cave", "derrick", "tree", "stall", "lane"]
    name_at: Point
    wide: float = 96


@dataclass(frozen=True, slots=True, kw_only=True)
class YardWay:
    """A way on foot and its length, which is a key of `words`."""

    name: str
    points: tuple[Point, ...]
    name_at: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class YardMapSpec:
    """The map; one table serves every language, with `words` for its names."""

    places: tuple[YardPlace, ...]
    ways: tuple[YardWay, ...]
    brook: tuple[Point, ...]
    brook_at: Point
    words: Mapping[str, str]
    text_size: int
    hand: Literal["letter", "print"] = "letter"
    size: Size = (1000, 940)


def draw_yard_map(spec: YardMapSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the map."""
    size = (spec.size[0] - 30, spec.size[1] - 30)
    large = Image.new("RGB", scale_size(size), (255, 255, 255))
    _wash_brook(large, spec.brook)
    _wash_hill(large)
    pen = _YardPen(large, spec, fonts, rng)
    for way in spec.ways:
        pen.draw_way(way)
    for place in spec.places:
        pen.draw_place(place)
    pen.write_names()
    drawn = large.resize(size, Image.Resampling.LANCZOS)
    sheet = ImageChops.multiply(make_paper(size, (240, 226, 190), rng, 0.12), drawn)
    sheet = add_creases(age_edges(sheet, (140, 112, 66), 0.5, rng), across=(0.5,), down=(0.5,))
    table = make_paper(spec.size, (70, 56, 44), rng, 0.3)
    return add_vignette(place_on_table(sheet, spec.size, 0.0, table), 0.12)


def _wash_brook(image: Image.Image, brook: tuple[Point, ...]) -> None:
    """Lay a wash of water along the brook."""
    mask = Image.new("L", image.size, 0)
    ImageDraw.Draw(mask).line(scale_points(*brook), fill=210, width=92, joint="curve")
    image.paste(_WATER, (0, 0), mask.filter(ImageFilter.GaussianBlur(9)))


def _wash_hill(image: Image.Image) -> None:
    """Lay two washes for the hills in the upper corners."""
    mask = Image.new("L", image.size, 0)
    draw = ImageDraw.Draw(mask)
    left = scale_points((0, 330), (40, 190), (150, 118), (270, 150), (330, 250), (200, 330))
    right = scale_points((640, 210), (720, 120), (830, 150), (900, 250), (760, 290))
    draw.polygon(left, fill=150)
    draw.polygon(right, fill=120)
    image.paste((186, 190, 160), (0, 0), mask.filter(ImageFilter.GaussianBlur(26)))


class _YardPen:
    """A brush for the things of the yard, and the names of one language."""

    def __init__(self, image: Image.Image, spec: YardMapSpec, fonts: Fonts, rng: Random) -> None:
        self._pen = Canvas(image, fonts, _INK, 4)
        self._spec = spec
        self._rng = rng

    def draw_place(self, place: YardPlace) -> None:
        match place.look:
            case "derrick":
                self._draw_derrick(place.at)
            case "tree":
                self._draw_tree(place.at)
            case "stall":
                self._draw_stall(place.at)
            case "lane":
                self._draw_lane(place.at)
            case "cave":
                self._draw_cave(place.at)
            case _:
                self._draw_house(place)

    def draw_way(self, way: YardWay) -> None:
        self._pen.dashes(way.points, _RED, 4, 16)
        for at in (way.points[0], way.points[-1]):
            self._pen.disc(at, 6, _RED, 0)

    def write_names(self) -> None:
        """Write every name on a small card, above all drawing."""
        spec, words = self._spec, self._spec.words
        title = TextStyle(size=34, hand="bold", fill=_INK)
        self._pen.write((spec.size[0] / 2 - 15, 48), words["title"], title)
        name = TextStyle(size=spec.text_size, hand=spec.hand, fill=_INK, ground=_CARD)
        for place in spec.places:
            self._pen.write(place.name_at, words[place.name], name)
        self._pen.write(spec.brook_at, words["brook"], name)
        red = TextStyle(size=spec.text_size, hand=spec.hand, fill=_RED, ground=_CARD)
        for way in spec.ways:
            self._pen.write(way.name_at, words[way.name], red)

    def _draw_house(self, place: YardPlace) -> None:
        """Draw a house from the front: wall, tiled roof with raised ends, door."""
        (x, y), half = place.at, place.wide / 2
        tall = 46 if place.look == "shed" else 58
        self._pen.box((x - half, y - tall, x + half, y), _WASH[place.look])
        self._pen.box((x - 11, y - 34, x + 11, y), (110, 92, 78))
        eave = y - tall
        roof = ((x - half - 20, eave - 6), (x - half + 14, eave - 36), (x + half - 14, eave - 36),
                (x + half + 20, eave - 6), (x + half, eave + 2), (x - half, eave + 2))  # fmt: skip
        self._pen.shape(roof, (188, 168, 116) if place.look == "shed" else _ROOF)
        for nth in range(1, 7):
            shift = -half + nth * place.wide / 7
            self._pen.line(((x + shift * 0.86, eave - 34), (x + shift, eave)), _INK, 1)

    def _draw_derrick(self, at: Point) -> None:
        """Draw the derrick over its house: two legs that meet, rungs and stays."""
        x, y = at
        for stay in (-150, -96, 96, 150):
            self._pen.line(((x, y - 250), (x + stay, y)), (150, 138, 120), 1.5)
        for lean in (-1, 1):
            self._pen.line(((x + lean * 40, y), (x + lean * 8, y - 260)), (110, 86, 60), 9)
            self._pen.line(((x + lean * 40, y), (x + lean * 8, y - 260)), (146, 118, 84), 4)
        for nth in range(9):
            reach = 36 - nth * 3.4
            level = y - 22 - nth * 26
            self._pen.line(((x - reach, level), (x + reach, level)), (110, 86, 60), 4)
        self._pen.box((x - 52, y - 44, x + 52, y), _WASH["house"])
        self._pen.shape(((x - 70, y - 42), (x - 40, y - 72), (x + 40, y - 72), (x + 70, y - 42)),
                        _ROOF)  # fmt: skip
        self._pen.box((x - 10, y - 30, x + 10, y), (110, 92, 78))

    def _draw_tree(self, at: Point) -> None:
        x, y = at
        self._pen.shape(((x - 12, y), (x - 7, y - 46), (x + 7, y - 46), (x + 14, y)),
                        (126, 104, 80))  # fmt: skip
        for dx, dy, reach in ((-34, -56, 27), (32, -58, 28), (0, -78, 36), (-12, -50, 26),
                              (20, -46, 24)):  # fmt: skip
            self._pen.disc((x + dx, y + dy), reach, _LEAF, 2)
        for _ in range(30):
            spot = (x + self._rng.uniform(-50, 50), y - self._rng.uniform(36, 104))
            self._pen.disc(spot, 3, (104, 126, 80), 0)

    def _draw_stall(self, at: Point) -> None:
        x, y = at
        self._pen.box((x - 24, y - 20, x + 24, y - 12), (166, 132, 92))
        for leg in (-20, 20):
            self._pen.line(((x + leg, y - 12), (x + leg, y)), _INK, 3)
        self._pen.disc((x, y - 26), (14, 10), (90, 84, 80))

    def _draw_lane(self, at: Point) -> None:
        """Draw the lane: two walls, and a row of pegs on one of them."""
        x, y = at
        for shift in (-17, 17):
            self._pen.line(((x + shift, y - 92), (x + shift, y)), _INK, 4)
        for nth in range(4):
            self._pen.line(((x - 24, y - 80 + nth * 21), (x - 10, y - 80 + nth * 21)), _INK, 5)

    def _draw_cave(self, at: Point) -> None:
        x, y = at
        rock = ((x - 56, y), (x - 44, y - 34), (x - 12, y - 56), (x + 26, y - 50), (x + 54, y))
        mouth = ((x - 26, y), (x - 22, y - 24), (x, y - 36), (x + 22, y - 24), (x + 26, y))
        self._pen.shape(rock, _WASH["cave"])
        self._pen.shape(mouth, (70, 64, 60))
