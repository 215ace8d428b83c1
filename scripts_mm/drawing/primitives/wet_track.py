"""The track of wet shoes behind a person who walks towards a camera."""

from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.paper import Point

_STEPS = 6
_SHADE = 120
"""Darkness of a wet floor, of 255."""


@dataclass(frozen=True, slots=True)
class WetTrack:
    """A straight way over the floor in pixels, from where it begins to the person's feet."""

    far: Point
    near: Point
    horizon: float
    """Height of the vanishing point; the floor ends below it."""
    gap: float
    """Distance of a foot from the middle of the way, at the near end."""

    def spot(self, share: float, side: float) -> tuple[Point, float]:
        """Return a foot's spot and its scale at a share of the way, with perspective."""
        smallest = (self.far[1] - self.horizon) / (self.near[1] - self.horizon)
        scale = 1 / (1 + share * (1 / smallest - 1))
        along = (1 - scale) / (1 - smallest)
        x = self.near[0] + (self.far[0] - self.near[0]) * along + side * self.gap * scale
        return (x, self.near[1] + (self.far[1] - self.near[1]) * along), scale


def draw_wet_track(image: Image.Image, track: WetTrack, dragged: float | None) -> Image.Image:
    """Return the picture with the track: single prints, and one stripe under a dragged foot.

    `dragged` is the side of that foot in the picture: +1 right, -1 left.
    """
    mask = Image.new("L", image.size, 0)
    draw = ImageDraw.Draw(mask)
    for side in (-1.0, 1.0):
        if side == dragged:
            _draw_stripe(draw, track, side)
        else:
            _draw_prints(draw, track, side)
    mask = mask.filter(ImageFilter.GaussianBlur(2))
    return Image.composite(Image.new("RGB", image.size, (22, 24, 26)), image, mask)


def _draw_stripe(draw: ImageDraw.ImageDraw, track: WetTrack, side: float) -> None:
    spots = [track.spot(nth / 40, side) for nth in range(1, 41)]
    wide = track.gap * 0.34
    left = [(x - wide * scale, y) for (x, y), scale in spots]
    right = [(x + wide * scale, y) for (x, y), scale in reversed(spots)]
    draw.polygon(left + right, fill=_SHADE)


def _draw_prints(draw: ImageDraw.ImageDraw, track: WetTrack, side: float) -> None:
    for nth in range(1, _STEPS):
        (x, y), scale = track.spot(nth / (_STEPS + 1), side)
        wide, long = track.gap * 0.36 * scale, track.gap * 0.3 * scale
        draw.ellipse((x - wide, y - long, x + wide, y + long), fill=_SHADE)
        draw.ellipse((x - wide * 0.7, y - long * 2.1, x + wide * 0.7, y - long * 1.3), fill=_SHADE)
