"""A telephone's screen with a conversation, photographed by the constable."""

from dataclasses import dataclass
from random import Random
from typing import Literal

from PIL import Image, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.ink import wrap_text
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_vignette,
    adjust_levels,
    make_noise,
    shade_image,
)

_FAINT = (150, 156, 164)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """A message; `own`: from the owner of the telephone, on the right."""

    time: str
    text: str
    own: bool
    note: str = ""
    """A remark below the bubble."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatScreenSpec:
    """A conversation on the screen."""

    clock: str
    contact: str
    day: str
    messages: tuple[ChatMessage, ...]
    field: str
    """Placeholder of the empty input field."""
    size: Size = (620, 1120)
    crack: Literal["corner", "top", "none"] = "corner"
    own_colour: Colour = (46, 108, 96)
    other_colour: Colour = (58, 60, 70)
    ground: Colour = (24, 26, 32)
    bar: Colour = (34, 37, 45)
    text_colour: Colour = (240, 240, 240)
    time_colour: Colour = (200, 208, 208)
    case: Colour = (12, 12, 14)
    corner: int = 48
    """Radius of the telephone's corners, in pixels."""
    portrait: Colour = (120, 92, 140)
    table: Colour = (150, 118, 92)


def draw_chat_screen(spec: ChatScreenSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the telephone."""
    width, height = spec.size[0] - 60, spec.size[1] - 50
    screen = Image.new("RGB", (width - 28, height - 60), spec.ground)
    _draw_bars(screen, spec, fonts)
    _draw_messages(screen, spec, fonts)
    if spec.crack != "none":
        _draw_cracks(screen, rng, at_top=spec.crack == "top")
    table = shade_image(
        Image.new("RGB", spec.size, spec.table), make_noise(spec.size, 22, rng), 0.22
    )
    phone = Image.new("RGB", (width, height), spec.case)
    ImageDraw.Draw(phone).rounded_rectangle(
        (4, 4, width - 5, height - 5), max(4, spec.corner - 4), outline=(70, 70, 76), width=3
    )
    phone.paste(screen, (14, 30))
    mask = Image.new("L", (width, height), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width - 1, height - 1), spec.corner, fill=255)
    shadow = Image.new("L", spec.size, 0)
    shadow.paste(adjust_levels(mask, 0.75), (38, 36))
    shadow = shadow.filter(ImageFilter.GaussianBlur(9))
    table = Image.composite(Image.new("RGB", spec.size, (20, 14, 10)), table, shadow)
    table.paste(phone, (30, 25), mask)
    return add_vignette(table, 0.18)


def _draw_bars(screen: Image.Image, spec: ChatScreenSpec, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(screen)
    width, height = screen.size
    draw.text((24, 24), spec.clock, spec.text_colour, fonts.get("sans-bold", 21), anchor="lm")
    draw.rectangle((width - 62, 15, width - 26, 33), outline=_FAINT, width=2)
    draw.rectangle((width - 58, 19, width - 46, 29), fill=(210, 90, 80))
    draw.rectangle((0, 48, width, 116), fill=spec.bar)
    draw.ellipse((26, 58, 74, 106), fill=spec.portrait)
    draw.text((50, 82), spec.contact[0], spec.text_colour, fonts.get("sans-bold", 24), anchor="mm")
    draw.text((90, 82), spec.contact, spec.text_colour, fonts.get("sans-bold", 24), anchor="lm")
    draw.text((width / 2, 144), spec.day, _FAINT, fonts.get("sans", 18), anchor="mm")
    draw.rounded_rectangle((20, height - 62, width - 20, height - 16), 22, fill=(40, 43, 52))
    draw.text((44, height - 39), spec.field, _FAINT, fonts.get("sans", 19), anchor="lm")


def _draw_messages(screen: Image.Image, spec: ChatScreenSpec, fonts: Fonts) -> None:
    draw = ImageDraw.Draw(screen)
    font, small = fonts.get("sans", 21), fonts.get("sans", 16)
    width = screen.size[0]
    y = 172.0
    for message in spec.messages:
        lines = wrap_text(message.text, font, width * 0.72)
        wide = max([font.getlength(line) for line in lines] + [small.getlength(message.time) + 8])
        tall = 28 * len(lines) + 28
        left = width - 22 - wide - 32 if message.own else 22.0
        box = (left, y, left + wide + 32, y + tall)
        draw.rounded_rectangle(box, 16, fill=spec.own_colour if message.own else spec.other_colour)
        for nth, line in enumerate(lines):
            draw.text((left + 16, y + 20 + 28 * nth), line, spec.text_colour, font, anchor="lm")
        draw.text((box[2] - 14, box[3] - 14), message.time, spec.time_colour, small, anchor="rm")
        y = box[3] + 10
        if message.note:
            at = (box[2] if message.own else box[0] + 4, y + 4)
            draw.text(
                at, message.note, (214, 130, 120), small, anchor="rm" if message.own else "lm"
            )
            y += 22


def _draw_cracks(screen: Image.Image, rng: Random, *, at_top: bool) -> None:
    """Draw cracks at the right edge, near its lower or upper end, where they hide no word."""
    draw = ImageDraw.Draw(screen)
    start = (screen.size[0] - 6.0, 96.0 if at_top else screen.size[1] - 130.0)
    for _ in range(6):
        x, y = start
        for _ in range(4):
            end = (x - rng.uniform(6, 30), y + rng.uniform(-18, 26))
            draw.line((x, y, *end), fill=(120, 124, 130), width=1)
            x, y = end
