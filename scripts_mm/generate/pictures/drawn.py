"""The picture of a clue: its words by its medium, its drawing by its kind."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from PIL import Image

from scripts_mm.drawing import cctv as still
from scripts_mm.drawing import chat as telephone
from scripts_mm.drawing import checklist, log, receipt
from scripts_mm.drawing import invoice as bill
from scripts_mm.drawing import letter as hand
from scripts_mm.drawing import plan as ground_plan
from scripts_mm.drawing import report as form
from scripts_mm.drawing.fonts import Fonts
from scripts_mm.generate.pictures import calls, clock, objects, papers, prints, scenes, shelves
from scripts_mm.generate.pictures.desk import Desk, Shown
from scripts_mm.generate.pictures.ground import TraceSpec
from scripts_mm.generate.pictures.spec import PictureSpec, style
from scripts_mm.generate.telling.casting import Cast
from scripts_mm.generate.world import ClueSpec, Fact, Frame, Medium
from scripts_mm.script import Language

Drawing = Callable[[Any, Fonts, Random], Image.Image]


def picture(
    clue: ClueSpec,
    facts: Sequence[Fact],
    frame: Frame,
    cast: Cast,
    language: Language,
    rng: Random,
) -> PictureSpec:
    """Return the picture of a clue, still undrawn; its facts stand in it and nowhere else."""
    desk = Desk(
        clue=clue,
        frame=frame,
        cast=cast,
        language=language,
        rng=rng,
        witness=rng.choice(cast.staff),
    )
    shown = MEDIA[clue.medium](desk, facts)
    strip = desk.word("strip")
    drawing = (
        TRACES[shown.spec.look] if isinstance(shown.spec, TraceSpec) else DRAWINGS[type(shown.spec)]
    )
    return PictureSpec(
        kind=shown.kind,
        transcript=f"{shown.transcript}\n{strip}".strip(),
        description=shown.description,
        spec=shown.spec,
        style=style(strip, rng),
        drawing=drawing,
    )


MEDIA: Mapping[Medium, Callable[[Desk, Sequence[Fact]], Shown]] = MappingProxyType(
    {
        "clock": scenes.clock,
        "trace": scenes.trace,
        "plan": scenes.plan,
        "cctv": scenes.cctv,
        "receipt": papers.receipt,
        "calls": papers.calls,
        "roster": papers.roster,
        "report": papers.report,
        "letter": papers.letter,
        "chat": papers.chat,
        "invoice": papers.invoice,
    }
)
"""How each medium is put together."""
DRAWINGS: Mapping[type, Drawing] = MappingProxyType(
    {
        clock.ClockSpec: clock.clock,
        ground_plan.PlanSpec: ground_plan.plan,
        still.CctvSpec: still.cctv,
        receipt.ReceiptSpec: receipt.receipt,
        calls.CallsSpec: calls.calls,
        log.LogSpec: log.log,
        checklist.ChecklistSpec: checklist.checklist,
        form.ReportSpec: form.report,
        hand.LetterSpec: hand.letter,
        telephone.ChatSpec: telephone.chat,
        bill.InvoiceSpec: bill.invoice,
    }
)
"""How each kind of picture is drawn."""
TRACES: Mapping[str, Drawing] = MappingProxyType(
    {
        "cup": objects.cup,
        "matches": objects.matches,
        "heel": prints.heel,
        "nails": prints.nails,
        "wall": prints.wall,
        "shelf": shelves.shelf,
        "paper": objects.scrap,
        "dust": prints.key,
        "button": objects.button,
        "foot": prints.foot,
        "strokes": objects.strokes,
        "cabinet": objects.cabinet,
        "notebook": objects.notebook,
    }
)
"""How each look of a trace is drawn."""
