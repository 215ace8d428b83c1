"""The spec of a picture clue, and the random style that makes drawings differ."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from PIL import Image, ImageChops, ImageDraw, ImageEnhance

from scripts_mm.drawing.primitives.fonts import Fonts, Hand
from scripts_mm.drawing.primitives.ink import apply_ink, blank_mask
from scripts_mm.drawing.primitives.paper import Colour, adjust_levels, make_paper
from scripts_mm.script import PictureKind

_STRIP = 46
"""Height of the archive strip in pixels."""
_CARDS: tuple[Colour, ...] = (
    (232, 222, 190), (226, 228, 230), (214, 224, 234), (240, 238, 230), (228, 212, 196),
)  # fmt: skip
_HANDS: tuple[Hand, ...] = ("type", "mono", "sans", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureStyle:
    """Light, typefaces and mounting of one picture."""

    faces: int
    """Seed of the typefaces."""
    tint: Colour
    contrast: float
    bright: float
    strip: str
    """The text on the archive strip."""
    card: Colour
    hand: Hand
    above: bool
    """Whether the strip is above the picture rather than below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureSpec:
    """A picture clue: its texts and its drawing."""

    kind: PictureKind
    transcript: str
    """Every word in it."""
    description: str
    """What a person sees, including the decisive detail but no conclusions from it."""
    spec: Any
    """A frozen value: the spec of one kind of drawing."""
    style: PictureStyle
    drawing: Callable[[Any, Fonts, Random], Image.Image]

    @property
    def key(self) -> str:
        """Return everything that determines the drawing except the noise."""
        return repr((self.spec, self.style))

    def draw(self, fonts: Fonts, rng: Random) -> Image.Image:
        """Return the finished picture; equal fonts and generator give equal pictures."""
        faces = fonts.pick_faces(Random(self.style.faces))
        return finish_picture(self.drawing(self.spec, faces, rng), self.style, faces, rng)


def sample_style(strip: str, rng: Random) -> PictureStyle:
    """Sample light, typefaces and mounting."""
    warm = rng.randint(-34, 34)
    return PictureStyle(
        faces=rng.getrandbits(32),
        tint=(255 - max(0, -warm), 255 - rng.randint(0, 22), 255 - max(0, warm)),
        contrast=round(rng.uniform(0.92, 1.08), 3),
        bright=round(rng.uniform(0.96, 1.1), 3),
        strip=strip,
        card=rng.choice(_CARDS),
        hand=rng.choice(_HANDS),
        above=rng.random() < 1 / 3,
    )


def finish_picture(
    image: Image.Image, look: PictureStyle, fonts: Fonts, rng: Random
) -> Image.Image:
    """Return the picture in its light, mounted with the archive strip."""
    image = ImageChops.multiply(image, Image.new("RGB", image.size, look.tint))
    image = ImageEnhance.Contrast(image).enhance(look.contrast)
    image = ImageEnhance.Brightness(image).enhance(look.bright)
    strip = _draw_strip(image.size[0], look, fonts, rng)
    whole = Image.new("RGB", (image.size[0], image.size[1] + _STRIP))
    whole.paste(strip, (0, 0 if look.above else image.size[1]))
    whole.paste(image, (0, _STRIP if look.above else 0))
    return whole


def _draw_strip(width: int, look: PictureStyle, fonts: Fonts, rng: Random) -> Image.Image:
    size = (width, _STRIP)
    card = make_paper(size, look.card, rng, 0.08)
    mask = blank_mask(size)
    height = 24
    font = fonts.get(look.hand, height)
    while font.getlength(look.strip) > width - 40 and height > 12:  # noqa: PLR2004 - legible
        height -= 1
        font = fonts.get(look.hand, height)
    ImageDraw.Draw(mask).text((20, _STRIP / 2), look.strip, 255, font, anchor="lm")
    return apply_ink(card, adjust_levels(mask, 1.0), (40, 38, 48), rng, wear=0.3)
