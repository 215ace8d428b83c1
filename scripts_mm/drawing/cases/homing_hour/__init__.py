"""The pictures of "The Homing Hour", with their drawing in each language."""

from collections.abc import Mapping

from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.cases.homing_hour.agenda import AgendaSpec, draw_agenda
from scripts_mm.drawing.cases.homing_hour.board import BoardSpec, draw_board
from scripts_mm.drawing.cases.homing_hour.card import CardSpec, draw_card
from scripts_mm.drawing.cases.homing_hour.control import ControlSpec, draw_control
from scripts_mm.drawing.cases.homing_hour.hoist import draw_hoist
from scripts_mm.drawing.cases.homing_hour.nest import NestSpec, draw_nest
from scripts_mm.drawing.cases.homing_hour.parcel import ParcelSpec, draw_parcel
from scripts_mm.drawing.cases.homing_hour.rolls import RollsSpec, draw_rolls
from scripts_mm.drawing.cases.homing_hour.runner import RunnerSpec, draw_runner
from scripts_mm.drawing.cases.homing_hour.ticket import PawnSlipSpec, draw_ticket
from scripts_mm.drawing.cases.homing_hour.vial import VialSpec, draw_vial
from scripts_mm.drawing.cases.homing_hour.watch_sheet import WatchSheetSpec, draw_watch_sheet
from scripts_mm.drawing.cases.picture_data import PictureData
from scripts_mm.script import Language


def drawings(language: Language) -> Mapping[str, Drawing]:
    """Return the drawing of every picture of the script, by file name."""
    data = PictureData("homing-hour", language)
    caption = data.texts("hoist")["caption"]
    return {
        "map.png": data.draw("map", BoardSpec, draw_board),
        "hoist.png": lambda fonts, rng: draw_hoist(caption, fonts, rng),
        "watch-sheet.png": data.draw("watch-sheet", WatchSheetSpec, draw_watch_sheet),
        "rolls.png": data.draw("rolls", RollsSpec, draw_rolls),
        "runner.png": data.draw("runner", RunnerSpec, draw_runner),
        "control.png": data.draw("control", ControlSpec, draw_control),
        "parcel.png": data.draw("parcel", ParcelSpec, draw_parcel),
        "ticket.png": data.draw("ticket", PawnSlipSpec, draw_ticket),
        "bottle.png": data.draw("bottle", VialSpec, draw_vial),
        "agenda.png": data.draw("agenda", AgendaSpec, draw_agenda),
        "nest.png": data.draw("nest", NestSpec, draw_nest),
        "card.png": data.draw("card", CardSpec, draw_card),
    }
