"""A distant person in a camera still: clothes, hat, a held object, a limp.

The face is only a blur, so that only clothes and actions identify the person.
"""

from dataclasses import dataclass
from typing import Literal

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.paper import Colour, Point

BodySide = Literal["left", "right"]
"""A side of the figure, not of the picture."""
CctvHat = Literal["none", "cap", "brim", "hood", "beret", "knit"]
CctvProp = Literal["none", "umbrella", "case", "bag", "stick", "roll", "bottle", "lantern", "box"]
CctvHair = Literal["short", "long", "bun"]

_SKIN = (168, 136, 116)
_DARK = (34, 32, 34)
DRAGGED_FOOT = 0.17
"""Distance of a dragged foot from the middle, as a share of the figure's height."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CctvFigure:
    """A person in a camera still."""

    at: Point
    """Point between the feet, in shares of the picture's width and height."""
    height: float
    """From sole to crown, as a share of the picture's height."""
    coat: Colour
    trousers: Colour = (52, 54, 64)
    long_coat: bool = False
    skirt: bool = False
    broad: bool = False
    hat: CctvHat = "none"
    hat_colour: Colour = _DARK
    hair: CctvHair = "short"
    hair_colour: Colour = (46, 38, 34)
    held: CctvProp = "none"
    hand: BodySide = "right"
    """The hand that holds the object."""
    held_colour: Colour = (70, 50, 36)
    limp: BodySide | None = None
    """The leg that is dragged: stiff, behind the other, its foot turned outwards."""
    wet_from: Point | None = None
    """Where the track of the figure's wet shoes begins; a dragged foot leaves a stripe."""
    away: bool = False
    """Whether the figure is seen from behind rather than from the front."""
    stripe: Colour | None = None
    """A band around the chest, as on a work jacket."""


def draw_cctv_figure(image: Image.Image, who: CctvFigure) -> Image.Image:
    """Return the picture with a figure and its shadow."""
    width, height = image.size
    feet = (who.at[0] * width, who.at[1] * height)
    tall = who.height * height
    shadow = Image.new("L", image.size, 0)
    reach = tall * 0.2
    ImageDraw.Draw(shadow).ellipse(
        (feet[0] - reach, feet[1] - reach * 0.22, feet[0] + reach, feet[1] + reach * 0.22), fill=150
    )
    shadow = shadow.filter(ImageFilter.GaussianBlur(max(2, tall * 0.02)))
    image = Image.composite(Image.new("RGB", image.size, (10, 10, 12)), image, shadow)
    pen = _FigurePen(ImageDraw.Draw(image), feet, tall, who)
    pen.draw_legs()
    pen.draw_arm("left" if who.hand == "right" else "right", holds=False)
    pen.draw_trunk()
    pen.draw_head()
    pen.draw_arm(who.hand, holds=True)
    pen.draw_thing()
    return image


def figure_side(who: CctvFigure, side: BodySide) -> float:
    """Return the direction of a figure's side in the picture: +1 right, -1 left."""
    return (1.0 if side == "left" else -1.0) * (-1.0 if who.away else 1.0)


def _scale_colour(colour: Colour, factor: float) -> Colour:
    red, green, blue = (max(0, min(255, round(part * factor))) for part in colour)
    return red, green, blue


class _FigurePen:
    """A pen in coordinates with the feet at (0, 0) and the crown at (0, 1)."""

    def __init__(
        self, draw: ImageDraw.ImageDraw, feet: Point, tall: float, who: CctvFigure
    ) -> None:
        self._draw = draw
        self._feet = feet
        self._tall = tall
        self._who = who
        self._lean = 0.0 if who.limp is None else -0.03 * figure_side(who, who.limp)
        self._wide = 0.145 if who.broad else 0.118

    def draw_legs(self) -> None:
        who = self._who
        for side in ("left", "right"):
            at = figure_side(who, side)
            lame = who.limp == side
            foot = at * (DRAGGED_FOOT if lame else 0.045)
            rise = 0.06 if lame else 0.0 if at < 0 or who.limp else 0.022
            knee = at * (0.105 if lame else 0.052)
            points = ((at * 0.05, 0.50), (knee, 0.27 + rise), (foot, 0.03 + rise))
            self._draw_line(points, _scale_colour(who.trousers, 0.86 if at < 0 else 1.0), 0.078)
            toe = foot + at * (0.095 if lame else 0.012)
            self._draw_shape(
                ((foot - 0.036, 0.045 + rise), (foot + 0.036, 0.045 + rise),
                 (toe + 0.044, rise), (toe - 0.044, rise)),
                _DARK,
            )  # fmt: skip
        if who.skirt:
            self._draw_shape(
                ((-0.09, 0.54), (0.09, 0.54), (0.15, 0.24), (-0.15, 0.24)),
                _scale_colour(who.trousers, 1),
            )

    def draw_trunk(self) -> None:
        who, wide = self._who, self._wide
        hem = 0.25 if who.long_coat else 0.46
        flare = 1.25 if who.long_coat else 0.94
        lean = self._lean
        outline = (
            (-0.045 + lean, 0.865), (0.045 + lean, 0.865), (wide + lean, 0.815),
            (wide * 0.86, 0.56), (wide * flare, hem), (-wide * flare, hem),
            (-wide * 0.86, 0.56), (-wide + lean, 0.815),
        )  # fmt: skip
        self._draw_shape(outline, who.coat)
        dark = _scale_colour(who.coat, 0.74)
        self._draw_shape(
            ((wide * 0.42 + lean, 0.84), (wide + lean, 0.815), (wide * 0.86, 0.56),
             (wide * flare, hem), (wide * 0.5, hem)),
            dark,
        )  # fmt: skip
        if who.stripe is not None:
            self._draw_shape(
                ((-wide * 0.95 + lean, 0.70), (wide * 0.95 + lean, 0.70),
                 (wide * 0.92 + lean, 0.655), (-wide * 0.92 + lean, 0.655)),
                who.stripe,
            )  # fmt: skip
        if not who.away:
            self._draw_line(((lean, 0.84), (0.0, hem + 0.01)), _scale_colour(who.coat, 0.55), 0.010)
            self._draw_shape(
                ((-0.03 + lean, 0.866), (0.03 + lean, 0.866), (lean, 0.80)), (206, 204, 198)
            )

    def draw_head(self) -> None:
        who, lean = self._who, self._lean * 1.2
        if who.hair == "long":
            self._draw_disc((lean, 0.912), 0.074, 0.086, who.hair_colour)
        self._draw_line(((lean, 0.86), (lean, 0.90)), _scale_colour(_SKIN, 0.8), 0.05)
        self._draw_disc((lean, 0.928), 0.055, 0.068, who.hair_colour if who.away else _SKIN)
        if not who.away:
            self._draw_disc((lean, 0.908), 0.045, 0.04, _scale_colour(_SKIN, 0.84))
            self._draw_arc((lean, 0.945), 0.057, 0.058, who.hair_colour)
        if who.hair == "bun":
            self._draw_disc((lean, 0.992 if not who.away else 0.965), 0.03, 0.03, who.hair_colour)
        self._draw_hat(lean)

    def _draw_hat(self, lean: float) -> None:
        who = self._who
        colour, dark = who.hat_colour, _scale_colour(who.hat_colour, 0.66)
        match who.hat:
            case "cap":
                self._draw_arc((lean, 0.945), 0.062, 0.062, colour)
                self._draw_shape(
                    ((lean - 0.062, 0.952), (lean + 0.062, 0.952), (lean + 0.08, 0.936),
                     (lean - 0.08, 0.936)), dark,
                )  # fmt: skip
            case "brim":
                self._draw_disc((lean, 0.958), 0.118, 0.02, dark)
                self._draw_shape(
                    ((lean - 0.062, 0.962), (lean + 0.062, 0.962), (lean + 0.05, 1.035),
                     (lean, 1.022), (lean - 0.05, 1.035)), colour,
                )  # fmt: skip
            case "hood":
                self._draw_disc((lean, 0.925), 0.074, 0.09, who.coat)
                if not who.away:
                    self._draw_disc((lean, 0.912), 0.046, 0.06, _scale_colour(_SKIN, 0.62))
            case "beret":
                self._draw_disc((lean + 0.018, 0.985), 0.082, 0.03, colour)
            case "knit":
                self._draw_arc((lean, 0.95), 0.061, 0.068, colour)
                self._draw_line(((lean - 0.058, 0.95), (lean + 0.058, 0.95)), dark, 0.026)
                self._draw_disc((lean, 1.024), 0.02, 0.02, dark)
            case "none":
                return

    def draw_arm(self, side: BodySide, *, holds: bool) -> None:
        colour = _scale_colour(self._who.coat, 0.88 if holds else 0.7)
        points = self._arm(side, holds=holds)
        self._draw_line(points, colour, 0.062)
        self._draw_disc(points[-1], 0.026, 0.026, _SKIN)

    def _arm(self, side: BodySide, *, holds: bool) -> tuple[Point, ...]:
        who = self._who
        at = figure_side(who, side)
        shoulder = (at * self._wide * 0.92 + self._lean, 0.79)
        if not holds or who.held in ("none", "bag", "case"):
            return shoulder, (at * (self._wide + 0.032), 0.63), (at * (self._wide + 0.028), 0.47)
        if who.held == "stick":
            return shoulder, (at * (self._wide + 0.05), 0.64), (at * (self._wide + 0.075), 0.50)
        if who.held in ("box", "roll", "bottle"):
            return shoulder, (at * (self._wide + 0.045), 0.65), (at * self._wide * 0.75, 0.595)
        return shoulder, (at * (self._wide + 0.05), 0.67), (at * (self._wide + 0.10), 0.60)

    def draw_thing(self) -> None:
        who = self._who
        hand = self._arm(who.hand, holds=True)[-1]
        at = figure_side(who, who.hand)
        match who.held:
            case "umbrella" | "stick" | "roll":
                self._draw_long_thing(hand, at)
            case "case" | "bag" | "box":
                self._draw_wide_thing(hand, at)
            case "bottle" | "lantern":
                self._draw_small_thing(hand)
            case "none":
                return

    def _draw_long_thing(self, hand: Point, at: float) -> None:
        (x, y), colour = hand, self._who.held_colour
        dark = _scale_colour(colour, 0.6)
        if self._who.held == "umbrella":
            self._draw_line(((x, y + 0.06), (x + at * 0.03, 0.08)), dark, 0.016)
            outline = ((x - 0.014, y - 0.04), (x + 0.022, y - 0.04), (x + 0.05 * at, 0.2),
                       (x + 0.026 * at, 0.1))  # fmt: skip
            self._draw_shape(outline, colour)
        elif self._who.held == "stick":
            self._draw_line(((x, y + 0.03), (x + at * 0.02, 0.0)), colour, 0.02)
            self._draw_line(
                ((x - at * 0.045, y + 0.032), (x + at * 0.012, y + 0.032)), colour, 0.022
            )
        else:
            self._draw_line(((x - at * 0.14, y - 0.06), (x + at * 0.1, y + 0.2)), colour, 0.05)
            self._draw_disc((x + at * 0.1, y + 0.2), 0.026, 0.026, dark)

    def _draw_wide_thing(self, hand: Point, at: float) -> None:
        (x, y), colour = hand, self._who.held_colour
        dark = _scale_colour(colour, 0.6)
        if self._who.held == "case":
            self._draw_shape(_box_corners(x - 0.115, y - 0.21, x + 0.115, y - 0.035), colour)
            self._draw_shape(_box_corners(x - 0.02, y - 0.06, x + 0.02, y - 0.035), dark)
            self._draw_line(((x - 0.115, y - 0.12), (x + 0.115, y - 0.12)), dark, 0.008)
        elif self._who.held == "bag":
            self._draw_line(((x - 0.05, y - 0.1), (x, y), (x + 0.05, y - 0.1)), dark, 0.012)
            self._draw_disc((x, y - 0.16), 0.085, 0.085, colour)
        else:
            self._draw_shape(_box_corners(x - at * 0.02, y - 0.05, x - at * 0.2, y + 0.1), colour)
            self._draw_line(((x - at * 0.02, y + 0.03), (x - at * 0.2, y + 0.03)), dark, 0.01)

    def _draw_small_thing(self, hand: Point) -> None:
        (x, y), colour = hand, self._who.held_colour
        dark = _scale_colour(colour, 0.6)
        if self._who.held == "bottle":
            self._draw_shape(_box_corners(x - 0.026, y - 0.05, x + 0.026, y + 0.1), colour)
            self._draw_shape(_box_corners(x - 0.011, y + 0.1, x + 0.011, y + 0.165), dark)
        else:
            self._draw_line(((x, y), (x, y - 0.05)), dark, 0.01)
            self._draw_shape(_box_corners(x - 0.04, y - 0.16, x + 0.04, y - 0.05), dark)
            self._draw_shape(
                _box_corners(x - 0.028, y - 0.145, x + 0.028, y - 0.065), (250, 232, 170)
            )

    def _spot(self, point: Point) -> Point:
        return (self._feet[0] + point[0] * self._tall, self._feet[1] - point[1] * self._tall)

    def _draw_shape(self, points: tuple[Point, ...], colour: Colour) -> None:
        self._draw.polygon([self._spot(point) for point in points], fill=colour)

    def _draw_line(self, points: tuple[Point, ...], colour: Colour, wide: float) -> None:
        spots = [self._spot(point) for point in points]
        width = max(1, round(wide * self._tall))
        self._draw.line(spots, fill=colour, width=width, joint="curve")

    def _draw_disc(self, at: Point, wide: float, tall: float, colour: Colour) -> None:
        x, y = self._spot(at)
        reach = (wide * self._tall, tall * self._tall)
        self._draw.ellipse((x - reach[0], y - reach[1], x + reach[0], y + reach[1]), fill=colour)

    def _draw_arc(self, at: Point, wide: float, tall: float, colour: Colour) -> None:
        """Fill the upper half of an ellipse."""
        x, y = self._spot(at)
        reach = (wide * self._tall, tall * self._tall)
        box = (x - reach[0], y - reach[1], x + reach[0], y + reach[1])
        self._draw.pieslice(box, 180, 360, fill=colour)


def _box_corners(left: float, bottom: float, right: float, top: float) -> tuple[Point, ...]:
    return (left, bottom), (right, bottom), (right, top), (left, top)
