"""The dispatch of a clue's picture: contents by medium, drawing by kind."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from PIL import Image

from scripts_mm.drawing.documents import checklist, printed_log, receipt, typescript
from scripts_mm.drawing.documents import invoice as bill
from scripts_mm.drawing.documents import letter as hand
from scripts_mm.drawing.documents import register_page as register
from scripts_mm.drawing.documents import report_form as form
from scripts_mm.drawing.photos import cctv as still
from scripts_mm.drawing.photos import chat_screen as telephone
from scripts_mm.drawing.plans import floor_plan as ground_plan
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.generate.pictures import (
    call_list,
    finding_pictures,
    list_pictures,
    paper_pictures,
    plan_pictures,
    scene_pictures,
    stopped_clock,
    trace_objects,
    trace_prints,
    trace_shelf,
)
from scripts_mm.generate.pictures.builder import PictureBuilder, PictureDraft
from scripts_mm.generate.pictures.picture_spec import PictureSpec, sample_style
from scripts_mm.generate.pictures.trace_photo import TraceSpec
from scripts_mm.generate.text.cast import Cast
from scripts_mm.generate.world import ClueMedium, ClueSpec, Frame, WorldFact
from scripts_mm.script import Language

DrawFunction = Callable[[Any, Fonts, Random], Image.Image]


def build_picture(
    clue: ClueSpec,
    facts: Sequence[WorldFact],
    frame: Frame,
    cast: Cast,
    language: Language,
    rng: Random,
) -> PictureSpec:
    """Return the picture of a clue, not yet drawn; its facts are in no other text."""
    desk = PictureBuilder(
        clue=clue,
        frame=frame,
        cast=cast,
        language=language,
        rng=rng,
        witness=rng.choice(cast.staff),
    )
    shown = MEDIA[clue.medium](desk, facts)
    strip = desk.pick_word("strip")
    drawing = (
        TRACES[shown.spec.look] if isinstance(shown.spec, TraceSpec) else DRAWINGS[type(shown.spec)]
    )
    return PictureSpec(
        kind=shown.kind,
        transcript=f"{shown.transcript}\n{strip}".strip(),
        description=shown.description,
        spec=shown.spec,
        style=sample_style(strip, rng),
        drawing=drawing,
    )


MEDIA: Mapping[ClueMedium, Callable[[PictureBuilder, Sequence[WorldFact]], PictureDraft]] = (
    MappingProxyType(
        {
            "clock": scene_pictures.build_clock,
            "trace": scene_pictures.build_trace,
            "plan": plan_pictures.build_plan,
            "cctv": scene_pictures.build_cctv,
            "receipt": paper_pictures.build_receipt,
            "calls": paper_pictures.build_call_list,
            "roster": list_pictures.build_roster,
            "report": finding_pictures.build_report,
            "lab": finding_pictures.build_lab,
            "letter": paper_pictures.build_letter,
            "note": paper_pictures.build_note,
            "chat": paper_pictures.build_chat,
            "invoice": paper_pictures.build_invoice,
        }
    )
)
"""The builder of each medium."""
DRAWINGS: Mapping[type, DrawFunction] = MappingProxyType(
    {
        stopped_clock.ClockSpec: stopped_clock.draw_stopped_clock,
        ground_plan.FloorPlanSpec: ground_plan.draw_floor_plan,
        still.CctvSpec: still.draw_cctv,
        receipt.ReceiptSpec: receipt.draw_receipt,
        call_list.CallListSpec: call_list.draw_call_list,
        printed_log.PrintedLogSpec: printed_log.draw_printed_log,
        checklist.ChecklistSpec: checklist.draw_checklist,
        register.RegisterPageSpec: register.draw_register_page,
        typescript.TypescriptSpec: typescript.draw_typescript,
        form.ReportFormSpec: form.draw_report_form,
        hand.LetterSpec: hand.draw_letter,
        telephone.ChatScreenSpec: telephone.draw_chat_screen,
        bill.InvoiceSpec: bill.draw_invoice,
    }
)
"""The drawing function of each kind of picture."""
TRACES: Mapping[str, DrawFunction] = MappingProxyType(
    {
        "cup": trace_objects.draw_cups,
        "matches": trace_objects.draw_matches,
        "heel": trace_prints.draw_heel,
        "nails": trace_prints.draw_nails,
        "wall": trace_prints.draw_wall,
        "shelf": trace_shelf.draw_shelves,
        "paper": trace_objects.draw_scrap,
        "dust": trace_prints.draw_key,
        "button": trace_objects.draw_button,
        "foot": trace_prints.draw_lamp_foot,
        "strokes": trace_objects.draw_strokes,
        "cabinet": trace_objects.draw_cabinet,
        "notebook": trace_objects.draw_notebook,
    }
)
"""The drawing function of each look of a trace."""
