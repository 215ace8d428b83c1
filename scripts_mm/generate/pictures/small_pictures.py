"""Small pictures: the decisive part of a picture clue in a plain drawing for very small models.

Text is printed on one long strip, 28 pixels high. Each square of the strip contains one piece: a
word (in up to three rows of letters), a Chinese character, two digits or a sign. So the content of
each square is known, and a model whose picture tokens are such squares can be trained on each, one
token per square. A strip keeps the reading order: in the rotary positions of Qwen-VL models the
squares of one row are consecutive like words, but those of several rows are not.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, Final

from PIL import Image, ImageDraw

from scripts_mm.drawing.documents.checklist import ChecklistSpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.receipt import ReceiptSpec
from scripts_mm.drawing.documents.register_page import RegisterPageSpec
from scripts_mm.drawing.documents.report_form import ReportFormSpec
from scripts_mm.drawing.documents.typescript import TypescriptSpec
from scripts_mm.drawing.photos.cctv import CctvSpec
from scripts_mm.drawing.photos.chat_screen import ChatScreenSpec
from scripts_mm.drawing.plans.floor_plan import FloorPlanSpec
from scripts_mm.drawing.primitives.fonts import Font, Fonts, Hand
from scripts_mm.drawing.primitives.paper import Colour, make_noise
from scripts_mm.generate.pictures.call_list import CallListSpec
from scripts_mm.generate.pictures.icons import draw_dial, draw_trace
from scripts_mm.generate.pictures.picture_spec import PictureSpec
from scripts_mm.generate.pictures.stopped_clock import ClockSpec
from scripts_mm.generate.pictures.trace_photo import TraceSpec

SQUARE: Final = 28
_HANDS: Final[tuple[Hand, ...]] = ("sans", "print")
_SIZES: Final = {"en": 13, "zh": 20}
_SMALLEST: Final = 7
_PIECES: Final = r"(?i:'(?:s|t|re|ve|m|ll|d)\b)|\d{1,2}|[A-Za-z]{1,15}|."
"""The content of a square: a word or a part of it, a Chinese character, up to two digits, an ending
with its apostrophe, or one other sign."""
_LETTERS: Final = 5
"""Letters per row in a square with several rows; a shorter word has one row."""
_PAPERS: Final[tuple[Colour, ...]] = (
    (250, 248, 240), (236, 240, 244), (244, 236, 220), (228, 236, 226), (248, 244, 210),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PrintedPiece:
    """A piece of a word, with its square."""

    square: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallPicture:
    """A small picture and its printed pieces."""

    image: Image.Image
    words: tuple[tuple[PrintedPiece, ...], ...]
    """The words between spaces, in pieces."""


def draw_small(spec: PictureSpec, fonts: Fonts, rng: Random) -> SmallPicture:
    """Return the small drawing of a picture clue."""
    faces = fonts.pick_faces(Random(spec.style.faces))
    if isinstance(spec.spec, ClockSpec):
        return SmallPicture(image=_add_grain(draw_dial(spec.spec, faces, rng), rng), words=())
    if isinstance(spec.spec, TraceSpec):
        return SmallPicture(image=_add_grain(draw_trace(spec.spec, faces, rng), rng), words=())
    return print_lines(picture_lines(spec), faces, rng)


def picture_lines(spec: PictureSpec) -> tuple[str, ...]:
    """Return the lines in the small drawing of a text picture."""
    return LINES_BY_SPEC[type(spec.spec)](spec.spec, spec)


def print_lines(lines: tuple[str, ...], fonts: Fonts, rng: Random) -> SmallPicture:
    """Print the lines one after the other, with a blank square after each."""
    hand = rng.choice(_HANDS)
    words = tuple(_place_pieces(lines))
    pieces = [one for word in words for one in word]
    image = Image.new("RGB", ((pieces[-1].square + 1) * SQUARE, SQUARE), rng.choice(_PAPERS))
    draw = ImageDraw.Draw(image)
    shade = rng.randint(0, 60)
    for one in pieces:
        rows = _split_in_rows(one.text)
        font = _fit_font(rows, fonts, hand)
        for number, row in enumerate(rows):
            spot = (one.square * SQUARE + 1, SQUARE * (2 * number + 1) / (2 * len(rows)))
            draw.text(spot, row, (shade, shade, shade), font, anchor="lm")
    return SmallPicture(image=_add_grain(image, rng), words=words)


def _place_pieces(lines: tuple[str, ...]) -> Iterator[tuple[PrintedPiece, ...]]:
    """Yield the pieces of each word; a blank square follows each line."""
    square = 0
    for line in lines:
        for word in line.split():
            texts = re.findall(_PIECES, word)
            yield tuple(PrintedPiece(square + at, text) for at, text in enumerate(texts))
            square += len(texts)
        square += 1


def _split_in_rows(text: str) -> tuple[str, ...]:
    """Return the rows of a square: one row, or rows of about equal length."""
    if len(text) < _LETTERS:
        return (text,)
    count = math.ceil(len(text) / _LETTERS)
    length = math.ceil(len(text) / count)
    return tuple(text[at : at + length] for at in range(0, len(text), length))


def _fit_font(rows: tuple[str, ...], fonts: Fonts, hand: Hand) -> Font:
    """Return the largest font in which the rows fit into a square."""
    size = min(_SIZES[fonts.language], math.floor(0.9 * SQUARE / len(rows)))
    while size > _SMALLEST and _widest(rows, fonts.get(hand, size)) > SQUARE - 1:
        size -= 1
    return fonts.get(hand, size)


def _widest(rows: tuple[str, ...], font: Font) -> float:
    return max(font.getlength(one) for one in rows)


def _add_grain(image: Image.Image, rng: Random) -> Image.Image:
    """Return the image with light grain."""
    grain = make_noise(image.size, 2, rng).convert("RGB")
    return Image.blend(image, grain, rng.uniform(0.0, 0.06))


def _receipt_lines(spec: ReceiptSpec, _: PictureSpec) -> tuple[str, ...]:
    return (*spec.head, *spec.lines)


def _call_lines(spec: CallListSpec, _: PictureSpec) -> tuple[str, ...]:
    return (spec.title, *(f"{one.note} {one.name} {one.time}" for one in spec.calls))


def _log_lines(spec: PrintedLogSpec, _: PictureSpec) -> tuple[str, ...]:
    return (spec.title, *(f"{row[1]}: {row[2]}" for row in spec.rows))


def _checklist_lines(spec: ChecklistSpec, _: PictureSpec) -> tuple[str, ...]:
    return (spec.title, *(one.text for one in spec.entries))


def _report_lines(spec: ReportFormSpec, whole: PictureSpec) -> tuple[str, ...]:
    telling = [one for one in spec.findings if one in whole.description]
    return (spec.title, *(f"{label}: {entry}" for label, entry in spec.fields[2:4]), *telling)


def _typescript_lines(spec: TypescriptSpec, whole: PictureSpec) -> tuple[str, ...]:
    telling = tuple(plain_line(one) for one in spec.body if plain_line(one) in whole.description)
    return (*telling, spec.signature) if spec.signature else telling


def plain_line(line: str) -> str:
    """Return a typed line without its number."""
    return re.sub(r"^\d\. ", "", line)


def _register_lines(spec: RegisterPageSpec, _: PictureSpec) -> tuple[str, ...]:
    return (spec.title, *(f"{row[1]}: {row[2]}" for row in spec.rows))


def _letter_lines(spec: LetterSpec, _: PictureSpec) -> tuple[str, ...]:
    return (spec.body[1], spec.signature)


def _chat_lines(spec: ChatScreenSpec, _: PictureSpec) -> tuple[str, ...]:
    return (spec.contact, spec.messages[2].text)


def _invoice_lines(spec: InvoiceSpec, _: PictureSpec) -> tuple[str, ...]:
    return (spec.firm, spec.remark[0])


def _plan_lines(spec: FloorPlanSpec, _: PictureSpec) -> tuple[str, ...]:
    ways = (name for name in spec.words if f"way-{name}" in spec.words)
    return (spec.words["scene"], *(f"{spec.words[one]} {spec.words[f'way-{one}']}" for one in ways))


def _cctv_lines(spec: CctvSpec, _: PictureSpec) -> tuple[str, ...]:
    return (spec.camera, spec.note, spec.stamp)


LINES_BY_SPEC: Mapping[type, Callable[[Any, PictureSpec], tuple[str, ...]]] = MappingProxyType(
    {
        ReceiptSpec: _receipt_lines,
        CallListSpec: _call_lines,
        PrintedLogSpec: _log_lines,
        ChecklistSpec: _checklist_lines,
        ReportFormSpec: _report_lines,
        LetterSpec: _letter_lines,
        RegisterPageSpec: _register_lines,
        TypescriptSpec: _typescript_lines,
        ChatScreenSpec: _chat_lines,
        InvoiceSpec: _invoice_lines,
        FloorPlanSpec: _plan_lines,
        CctvSpec: _cctv_lines,
    }
)
"""The lines of each kind's small drawing."""
