"""Every kind of picture: repeatable, ruled by its words and its Random, of the wanted size."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from PIL import Image

from scripts_mm.drawing.documents.autopsy import AutopsySpec, BodyMark, WoundInset, draw_autopsy
from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec, draw_checklist
from scripts_mm.drawing.documents.departure_board import DepartureBoardSpec, draw_departure_board
from scripts_mm.drawing.documents.hanging_tag import HangingTagSpec, TagLine, draw_hanging_tag
from scripts_mm.drawing.documents.invoice import InvoiceSpec, draw_invoice
from scripts_mm.drawing.documents.letter import LetterSpec, draw_letter
from scripts_mm.drawing.documents.newspaper import NewspaperSpec, draw_newspaper
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec, draw_printed_log
from scripts_mm.drawing.documents.report_form import ReportFormSpec, draw_report_form
from scripts_mm.drawing.documents.strip_chart import (
    ChartAxis,
    StripChartSpec,
    TracePoint,
    draw_strip_chart,
)
from scripts_mm.drawing.documents.tide_table import TideTableSpec, draw_tide_table
from scripts_mm.drawing.documents.typescript import TypescriptSpec, WornLetter, draw_typescript
from scripts_mm.drawing.photos.chat_screen import ChatMessage, ChatScreenSpec, draw_chat_screen
from scripts_mm.drawing.photos.xray import XraySpec, draw_xray
from scripts_mm.drawing.plans.area_map import (
    AreaMapSpec,
    MapPath,
    MapPlace,
    MapRiver,
    draw_area_map,
)
from scripts_mm.drawing.plans.floor_plan import (
    FloorPlanSpec,
    PlanDoor,
    PlanObject,
    PlanPath,
    PlanRoom,
    draw_floor_plan,
)
from scripts_mm.drawing.plans.seating_plan import (
    SeatingPlanSpec,
    TableDish,
    TablePlace,
    draw_seating_plan,
)
from scripts_mm.drawing.primitives.canvas import SCALE, Canvas, TextStyle, scale_box, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Size
from scripts_mm.drawing.primitives.photo_print import PrintStyle, make_photo_print, photo_size

FONTS = Fonts("en")
FIELDS = tuple((f"Field {nth}", f"Entry {nth}") for nth in range(4))


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of picture: how it is drawn, an example, and the field that holds a word of it."""

    draw: Callable[[Any, Fonts, Random], Image.Image]
    spec: Any
    word: str
    other: Any = "WIDER"

    def drawn(self, seed: int = 1, **changes: Any) -> Image.Image:
        """Return the example, with changed fields."""
        return self.draw(replace(self.spec, **changes), FONTS, Random(seed))


KINDS = {
    "autopsy": Kind(
        draw=draw_autopsy,
        spec=AutopsySpec(
            office="Office", title="Sheet", fields=FIELDS, views=("Front", "Back"),
            sides=("L", "R"), marks=(BodyMark(view="front", part="chest"),),
            insets=(WoundInset(wound="round", label="1", wide=9, tall=9),), inset_title="True size",
            heading="Findings", findings=("One wound.",), signed="Signed", signature="B. Holt",
            stamp=("SEEN",),
        ),
        word="title",
    ),
    "board": Kind(
        draw=draw_departure_board,
        spec=DepartureBoardSpec(title="Line 9", subtitle="Depot", head=("Stop", "Time"),
                       rows=(("Quay", "7:10"),), columns=(60, 420)),
        word="title",
    ),
    "chart": Kind(
        draw=draw_strip_chart,
        spec=StripChartSpec(
            title="Pressure", unit="mm",
            across=ChartAxis(start=0, end=24, step=1, labels=((0, "0"), (12, "12"))),
            up=ChartAxis(start=0, end=10, step=1, labels=((0, "0"), (5, "5"))),
            curve=(TracePoint(x=0, y=2), TracePoint(x=12, y=7, shake=0.2), TracePoint(x=24, y=4)),
        ),
        word="title",
    ),
    "chat": Kind(
        draw=draw_chat_screen,
        spec=ChatScreenSpec(clock="21:07", contact="Ida", day="Monday", field="Message",
                      messages=(ChatMessage(time="20:55", text="Where are you?", own=True),)),
        word="contact",
    ),
    "checklist": Kind(
        draw=draw_checklist,
        spec=ChecklistSpec(title="Evening", owner="Ida",
                           entries=(ChecklistEntry(time="19:00", text="Lamps"),)),
        word="title",
    ),
    "invoice": Kind(
        draw=draw_invoice,
        spec=InvoiceSpec(
            firm="Reed", trade="Ropes", address="Quay 2", number="No. 7", date="3 May",
            customer=("A. Holt",), head=("No.", "Goods", "Each", "Sum"),
            rows=(("1", "Rope", "2.00", "2.00"),), total=("Total", "2.00"), received="Received",
            stamp=("PAID",), remark=("In cash",), remark_size=26,
        ),
        word="firm",
    ),
    "letter": Kind(
        draw=draw_letter,
        spec=LetterSpec(greeting="Dear Ida,", body=("Come at nine.",), signature="A.", mark="",
                        text_size=28, leading=1.5),
        word="greeting",
    ),
    "log": Kind(
        draw=draw_printed_log,
        spec=PrintedLogSpec(title="Doors", subtitle="3 May", head=("No.", "Time", "Door", "Card"),
                     rows=(("1", "20:55", "North", "17"),)),
        word="title",
    ),
    "map": Kind(
        draw=draw_area_map,
        spec=AreaMapSpec(
            words={"mill": "Mill", "way": "6 min", "north": "N", "scale": "1 km", "title": "Map"},
            notes=("Drawn by A. Reed",), spots=(MapPlace(key="mill", at=(400, 400)),),
            paths=(MapPath(points=((100, 300), (400, 400), (700, 700)), key="way", at=(500, 560)),),
            rivers=(MapRiver(points=((0, 500), (600, 520), (1000, 300)), widths=(10, 24)),),
        ),
        word="notes", other=("Drawn by B. Holt",),
    ),
    "newspaper": Kind(
        draw=draw_newspaper,
        spec=NewspaperSpec(name="The Echo", dateline="3 May", headline=("Bridge closed",),
                           paragraphs=("The bridge is closed.",), notice=("For sale",)),
        word="name",
    ),
    "plan": Kind(
        draw=draw_floor_plan,
        spec=FloorPlanSpec(
            rooms=(PlanRoom(label="hall", box=(100, 100, 500, 400), at=(300, 250)),),
            doors=(PlanDoor(box=(280, 392, 340, 408)), PlanDoor(box=(120, 92, 160, 108),
                look="hatch")),
            things=(PlanObject(box=(150, 150, 220, 190), colour=(160, 120, 90), bars=3),),
            ways=(PlanPath(points=((300, 250), (300, 600)), label="way", at=(340, 500)),),
            words={"hall": "Hall", "way": "12 m"}, title="The house", notes=("North is up",),
            notes_at=(100, 800),
        ),
        word="title",
    ),
    "report": Kind(
        draw=draw_report_form,
        spec=ReportFormSpec(office="Police", title="Report", fields=(("Place", "Quay"),),
                        heading="Found", findings=("A rope.",), signed="Signed",
                        signature="A. Reed", stamp=("SEEN",)),
        word="title",
    ),
    "seating": Kind(
        draw=draw_seating_plan,
        spec=SeatingPlanSpec(
            title="The table", legend=("a fish",),
            places=(TablePlace(name="Ida", shells=True), TablePlace(name="Ab", cup="broken")),
            dishes=(TableDish(mark="a", turn=30, reach=0.4, colour=(200, 150, 90)),),
            cups=(("full", "full"), ("empty", "empty")), sides=("window", "door"),
        ),
        word="title",
    ),
    "tag": Kind(
        draw=draw_hanging_tag,
        spec=HangingTagSpec(heading="Locker", lines=(TagLine(label="Name", entry="Ida"),),
            small="No. 7"),
        word="heading",
    ),
    "tide": Kind(
        draw=draw_tide_table,
        spec=TideTableSpec(
            title="Tides", place="Quay", extremes=((-2, 4.0), (4, 0.6), (10, 4.2), (16, 0.8)),
            hours=(0, 12), days=("3 May",), top=5, level=2.0, level_label="bar dry",
            head=("Day", "Time", "m"), kinds=("high", "low"),
        ),
        word="title",
    ),
    "typescript": Kind(
        draw=draw_typescript,
        spec=TypescriptSpec(heading="Notice", body=("The mill is closed.",),
                            worn=WornLetter(sign="e", cut=(0.4, 0.4, 0.6, 0.6))),
        word="heading",
    ),
    "xray": Kind(draw=draw_xray, spec=XraySpec(part="hand", side="left", marker="L",
                 size=(420, 440)), word="marker", other="R"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_kind_is_repeatable_and_follows_its_words_its_random_and_its_size(kind: Kind) -> None:
    first = kind.drawn()
    assert (first.mode, first.size) == ("RGB", kind.spec.size)
    assert first.tobytes() == kind.drawn().tobytes()
    assert first.tobytes() != kind.drawn(seed=2).tobytes()
    assert first.tobytes() != kind.drawn(**{kind.word: kind.other}).tobytes()
    wide, high = kind.spec.size
    assert kind.drawn(size=(wide + 40, high + 60)).size == (wide + 40, high + 60)


def count_reddest(image: Image.Image) -> int:
    """Return how many pixels of a picture are as good as pure red."""
    red, green, blue = np.moveaxis(np.asarray(image, dtype=int), -1, 0)
    return int(np.sum((red > 150) & (green + blue < 60)))


def test_a_strip_has_the_holes_of_its_recorder() -> None:
    kind = KINDS["chart"]
    looks: dict[str, Any] = {
        "table_colour": (255, 0, 0),
        "angle": 0.0,
        "print_colour": (120, 120, 120),
    }
    edge = (40, 30, kind.spec.size[0] - 40, 70)
    slots, round_ones, none = (
        count_reddest(kind.drawn(1, feed=feed, **looks).crop(edge))
        for feed in ("slots", "round", "none")
    )
    assert slots > round_ones > none == 0


PAPER, INK = (255, 255, 255), (200, 0, 0)


def canvas(size: Size = (40, 40), line: int = 2) -> tuple[Image.Image, Canvas]:
    """Return a white large image and the canvas on it."""
    image = Image.new("RGB", scale_size(size), PAPER)
    return image, Canvas(image, FONTS, line=line)


def inked(image: Image.Image) -> tuple[int, int, int, int] | None:
    """Return the box of everything that is not paper, in drawn pixels."""
    bands = [band.point(lambda grey: 255 - grey) for band in image.split()]
    return Image.merge("RGB", bands).getbbox()


def test_a_canvas_takes_finished_pixels_and_draws_large_ones() -> None:
    paints: tuple[Callable[[Canvas], None], ...] = (
        lambda pen: pen.box((10, 12, 20, 24), INK),
        lambda pen: pen.oval((10, 12, 20, 24), INK),
        lambda pen: pen.disc((15, 18), (5, 6), INK),
        lambda pen: pen.shape(((10, 12), (20, 12), (20, 24), (10, 24)), INK),
    )
    for paint in paints:
        image, pen = canvas(line=0)
        paint(pen)
        left, top, right, bottom = scale_box((10, 12, 20, 24))
        assert inked(image) == (left, top, right + 1, bottom + 1)


def test_shapes_are_outlined_unless_no_line_is_wanted() -> None:
    for line, edge in ((None, (38, 30, 28)), (0, INK), (4, (38, 30, 28))):
        image, pen = canvas()
        pen.box((10, 10, 30, 30), INK, line=line)
        assert image.getpixel((20, 20)) == edge
    image, pen = canvas()
    pen.box((10, 10, 30, 30), None, edge=INK)
    assert (image.getpixel((20, 20)), image.getpixel((40, 40))) == (INK, PAPER)


def test_a_dashed_line_has_gaps_and_keeps_its_ends() -> None:
    image, pen = canvas((140, 20))
    pen.dashes(((5, 10), (135, 10)), INK, 2, pitch=13, share=0.5)
    row = [image.getpixel((x, 20)) == INK for x in range(280)]
    starts = sum(now and not before for before, now in pairwise(row))
    assert starts == 10
    assert row.index(True) == 10 * SCALE // 2
    assert 0.4 < sum(row) / 260 < 0.6


def test_lines_of_letters_stand_round_their_place_on_their_card() -> None:
    image, pen = canvas((120, 120))
    card = (240, 230, 120)
    pen.write((60, 60), "one\ntwo", TextStyle(size=16, ground=card, leading=2.0))
    found = inked(image)
    assert found is not None
    left, top, right, bottom = found
    assert abs((left + right) / 2 - 120) < 4
    assert abs((top + bottom) / 2 - 120) < 12
    assert image.getpixel((120, 120)) == PAPER, "the gap between two cards"


def test_an_arc_leaves_the_rest_of_its_ellipse_blank_and_a_rod_has_round_ends() -> None:
    image, pen = canvas()
    pen.arc((5, 5, 35, 35), (0, 90), INK)
    assert inked(image) is not None
    assert image.getpixel((20, 20)) == PAPER
    image, pen = canvas()
    pen.rod(((15, 20), (25, 20)), INK, 6)
    found = inked(image)
    assert found is not None
    assert (found[0], found[2]) == (24, 57)


def test_a_snapshot_frames_the_picture_and_writes_the_caption_below() -> None:
    look = PrintStyle(colour=(250, 250, 250), depth=0.0)
    size = (300, 240)
    view = Image.new("RGB", photo_size(size, look), INK)
    assert view.size == (260, 156)
    blank = make_photo_print(view, size, "", FONTS, Random(1), look)
    named = make_photo_print(view, size, "Found at noon", FONTS, Random(1), look)
    assert (blank.size, blank.getpixel((21, 21))) == (size, INK)
    assert (blank.getpixel((19, 90)), blank.getpixel((280, 90))) == (look.colour, look.colour)
    assert blank.crop((0, 0, 300, 180)).tobytes() == named.crop((0, 0, 300, 180)).tobytes()
    assert blank.tobytes() != named.tobytes()
