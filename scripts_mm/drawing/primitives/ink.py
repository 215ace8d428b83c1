"""Ink on a sheet: print, type, unsteady handwriting, ticks, stamps."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Font
from scripts_mm.drawing.primitives.paper import Colour, Point, Size, adjust_levels, make_noise

_NEVER_FIRST = "，。、；：？！”’》）】,.;:?!)"
_CJK = "\u3000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Handwriting:
    """The irregularity of a handwriting."""

    sway: float = 1.0
    """Maximum vertical offset of a word or character, in pixels."""
    turn: float = 0.8
    """Maximum rotation in degrees."""
    slant: float = 0.0
    """Shear: positive slants forward (to the right), negative backward."""
    spacing: float = 1.0
    """Factor of the gaps."""


def split_strokes(text: str) -> list[str]:
    """Split a line into units of handwriting: words, or single Chinese characters."""
    found: list[str] = []
    for char in text:
        if char > _CJK or not found or found[-1][-1] == " " or found[-1][-1] > _CJK:
            found.append(char)
        else:
            found[-1] += char
    return found


def wrap_text(text: str, font: Font, width: float) -> list[str]:
    """Break a paragraph into lines of at most `width` pixels; line breaks in it are kept."""
    lines: list[str] = []
    for part in text.split("\n"):
        line = ""
        for piece in split_strokes(part):
            fits = font.getlength((line + piece).rstrip()) <= width
            if fits or not line or piece[0] in _NEVER_FIRST:
                line += piece
            else:
                lines.append(line.rstrip())
                line = piece
        lines.append(line.rstrip())
    return lines


def blank_mask(size: Size) -> Image.Image:
    """Return an empty mask (mode L) to write on."""
    return Image.new("L", size, 0)


def draw_handwriting(
    mask: Image.Image, at: Point, text: str, font: Font, pen: Handwriting, rng: Random
) -> float:
    """Write a line by hand on `mask`, its baseline's left end `at`; return its right end."""
    x = at[0]
    height = round(font.getbbox("Ágy国")[3] * 2)
    for piece in split_strokes(text):
        length = font.getlength(piece)
        word = piece.rstrip()
        if word:
            tile = blank_mask((round(length + height), height))
            ImageDraw.Draw(tile).text((height / 2, height * 0.66), word, 255, font, anchor="ls")
            tile = _slant_tile(tile, pen.slant, height * 0.66)
            tile = tile.rotate(rng.uniform(-pen.turn, pen.turn), Image.Resampling.BICUBIC)
            spot = (
                round(x - height / 2),
                round(at[1] - height * 0.66 + rng.uniform(-pen.sway, pen.sway)),
            )
            _paste_stroke(mask, tile, spot)
        x += length * pen.spacing
    return x


def _slant_tile(tile: Image.Image, slant: float, baseline: float) -> Image.Image:
    if not slant:
        return tile
    # output (x, y) is taken from (x + slant * (y - baseline), y), so the top moves right
    matrix = (1.0, slant, -slant * baseline, 0.0, 1.0, 0.0)
    return tile.transform(
        tile.size, Image.Transform.AFFINE, matrix, resample=Image.Resampling.BICUBIC
    )


def _paste_stroke(mask: Image.Image, tile: Image.Image, at: tuple[int, int]) -> None:
    box = (at[0], at[1], at[0] + tile.size[0], at[1] + tile.size[1])
    there = mask.crop(box)
    mask.paste(ImageChops.lighter(there, tile), box[:2])


def apply_ink(
    sheet: Image.Image, mask: Image.Image, colour: Colour, rng: Random, *, wear: float = 0.25
) -> Image.Image:
    """Return the sheet with `mask` filled in ink; `wear` (0 to 1) is its unevenness."""
    flow = adjust_levels(make_noise(sheet.size, 5, rng), wear, 255 * (1 - wear))
    return Image.composite(
        Image.new("RGB", sheet.size, colour), sheet, ImageChops.multiply(mask, flow)
    )


def smear_ink(mask: Image.Image, reach: int, strength: float, rng: Random) -> Image.Image:
    """Return the mask with wet ink dragged `reach` pixels to the right, in patches."""
    trail = mask.filter(ImageFilter.GaussianBlur(1.5))
    total = trail
    for step in range(1, 6):
        moved = ImageChops.offset(trail, round(reach * step / 5), 0)
        total = ImageChops.lighter(total, adjust_levels(moved, (6 - step) / 7))
    patches = adjust_levels(make_noise(mask.size, 120, rng), 3, -288)
    total = adjust_levels(ImageChops.multiply(total, patches), strength)
    return ImageChops.lighter(mask, total)


def draw_tick(mask: Image.Image, at: Point, size: float, rng: Random) -> None:
    """Draw a tick with its lowest point `at`."""
    x, y = at
    wobble = [rng.uniform(-1.5, 1.5) for _ in range(4)]
    points = [
        (x - size * 0.35, y - size * 0.35 + wobble[0]),
        (x + wobble[1], y + wobble[2]),
        (x + size * 0.75, y - size + wobble[3]),
    ]
    ImageDraw.Draw(mask).line(points, fill=255, width=max(2, round(size / 8)), joint="curve")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """A rubber stamp: lines of text in a frame."""

    lines: tuple[str, ...]
    colour: Colour = (150, 30, 40)
    angle: float = -8.0
    round: bool = False


def apply_stamp(
    sheet: Image.Image, centre: Point, stamp: Stamp, font: Font, rng: Random
) -> Image.Image:
    """Return the sheet with the stamp, unevenly pressed."""
    width = max(font.getlength(line) for line in stamp.lines)
    step = font.getbbox("Ag国")[3] * 1.25
    tall = step * len(stamp.lines)
    pad = step * (0.9 if stamp.round else 0.45)
    side = max(width, tall) if stamp.round else 0
    size = (round(max(width, side) + 2 * pad), round(max(tall, side) + 2 * pad))
    tile = blank_mask(size)
    draw = ImageDraw.Draw(tile)
    frame = (3, 3, size[0] - 4, size[1] - 4)
    inner = (9, 9, size[0] - 10, size[1] - 10)
    if stamp.round:
        draw.ellipse(frame, outline=255, width=4)
        draw.ellipse(inner, outline=255, width=2)
    else:
        draw.rectangle(frame, outline=255, width=4)
        draw.rectangle(inner, outline=255, width=1)
    top = (size[1] - tall) / 2
    for nth, line in enumerate(stamp.lines):
        draw.text((size[0] / 2, top + (nth + 0.5) * step), line, 255, font, anchor="mm")
    tile = tile.rotate(stamp.angle, Image.Resampling.BICUBIC, expand=True)
    mask = blank_mask(sheet.size)
    mask.paste(tile, (round(centre[0] - tile.size[0] / 2), round(centre[1] - tile.size[1] / 2)))
    press = adjust_levels(make_noise(sheet.size, 7, rng), 1, 90)
    mask = adjust_levels(ImageChops.multiply(mask, press), 0.86)
    return Image.composite(Image.new("RGB", sheet.size, stamp.colour), sheet, mask)
