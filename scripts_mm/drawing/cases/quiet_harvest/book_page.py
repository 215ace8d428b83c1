"""A page of a bound book, ruled for columns and filled in by hand."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from scripts_mm.drawing.primitives.fonts import Fonts, Hand
from scripts_mm.drawing.primitives.ink import Handwriting, apply_ink, blank_mask, draw_handwriting
from scripts_mm.drawing.primitives.paper import (
    Colour,
    Size,
    add_creases,
    add_cup_ring,
    add_vignette,
    age_edges,
    make_paper,
    make_wood,
    place_on_table,
)

_RULE = (150, 168, 186)
_MARGIN = (196, 120, 112)
_PEN = Handwriting(sway=1.4, turn=0.9)


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPageSpec:
    """A handwritten table: the hand, the ink and the damage of the page."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[int, ...]
    """Left edges in pixels."""
    foot: tuple[str, ...] = ()
    hand: Hand = "letter"
    ink: Colour = (34, 40, 84)
    pen: Handwriting = _PEN
    text_size: int = 30
    step: int = 50
    """Distance between two lines in pixels."""
    torn: bool = False
    """Whether the left edge is torn."""
    cup: bool = False
    """Whether it has the ring of a wet cup."""
    sheet: Colour = (244, 240, 224)
    size: Size = (760, 860)
    angle: float = 1.0


def draw_book_page(spec: BookPageSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the page."""
    size = (spec.size[0] - 70, spec.size[1] - 60)
    sheet = make_paper(size, spec.sheet, rng, 0.08)
    _draw_rules(sheet, spec)
    if spec.cup:
        sheet = add_cup_ring(sheet, (size[0] * 0.78, size[1] * 0.82), 66, (140, 108, 70))
    sheet = age_edges(sheet, (126, 104, 70), 0.45, rng)
    mask = blank_mask(size)
    _write_rows(mask, spec, fonts, rng)
    sheet = add_creases(apply_ink(sheet, mask, spec.ink, rng, wear=0.3), across=(0.5,), down=())
    board = make_wood(spec.size, (92, 70, 52), rng)
    if spec.torn:
        sheet = _tear_edge(sheet, board, rng)
    return add_vignette(place_on_table(sheet, spec.size, spec.angle, board), 0.22)


def _draw_rules(sheet: Image.Image, spec: BookPageSpec) -> None:
    draw = ImageDraw.Draw(sheet)
    width, height = sheet.size
    top = 92 + spec.step
    for y in range(top, height - 24, spec.step):
        draw.line((24, y, width - 24, y), fill=_RULE, width=1)
    for x in spec.columns[1:]:
        draw.line((x - 16, 92, x - 16, top + spec.step * len(spec.rows)), fill=_MARGIN, width=2)
    draw.line((24, top - 1, width - 24, top - 1), fill=_MARGIN, width=2)


def _write_rows(mask: Image.Image, spec: BookPageSpec, fonts: Fonts, rng: Random) -> None:
    draw_handwriting(
        mask, (40, 66), spec.title, fonts.get(spec.hand, spec.text_size + 4), spec.pen, rng
    )
    font = fonts.get(spec.hand, spec.text_size)
    head = fonts.get(spec.hand, spec.text_size - 4)
    y = 92.0 + spec.step - 12
    for x, cell in zip(spec.columns, spec.head, strict=True):
        draw_handwriting(mask, (x, y), cell, head, spec.pen, rng)
    for row in spec.rows:
        y += spec.step
        for x, cell in zip(spec.columns, row, strict=True):
            draw_handwriting(mask, (x + rng.uniform(-2, 3), y), cell, font, spec.pen, rng)
    for line in spec.foot:
        y += spec.step
        draw_handwriting(mask, (40, y), line, head, spec.pen, rng)


def _tear_edge(sheet: Image.Image, board: Image.Image, rng: Random) -> Image.Image:
    """Return the sheet with a ragged left edge, where the table is visible."""
    height = sheet.size[1]
    teeth = [(rng.uniform(3, 17), float(y)) for y in range(0, height + 14, 14)]
    edge = [(0.0, 0.0), *teeth, (0.0, float(height))]
    mask = blank_mask(sheet.size)
    ImageDraw.Draw(mask).polygon(edge, fill=255)
    return Image.composite(board.resize(sheet.size), sheet, mask)
