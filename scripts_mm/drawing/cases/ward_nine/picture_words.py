"""The words in the pictures of "Ward Nine", in one language."""

from collections.abc import Mapping
from dataclasses import dataclass

from scripts_mm.drawing.documents.autopsy import AutopsySpec
from scripts_mm.drawing.documents.hanging_tag import HangingTagSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.strip_chart import (
    ChartAxis,
    ChartRemark,
    StripChartSpec,
    TracePoint,
)
from scripts_mm.drawing.photos.cctv import CctvSpec
from scripts_mm.drawing.photos.xray import XraySpec
from scripts_mm.drawing.primitives.cctv_figure import CctvFigure

_HOURS = ("22:00", "22:30", "23:00", "23:30", "24:00", "00:30")


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipWords:
    """The telephone slip: its printed and handwritten words."""

    heading: str
    number: str
    day: str
    time: str
    caller: tuple[str, str]
    """The printed label and the entry."""
    message: tuple[str, ...]
    """Handwritten lines."""
    text_size: int = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class WardNineWords:
    """All words in the ten pictures, in one language."""

    house: Mapping[str, str]
    """Labels of the plan by their keys in house_plan.py."""
    room: tuple[str, str]
    """Caption of the photograph and the letter on the card."""
    xray: XraySpec
    body: AutopsySpec
    camera: CctvSpec
    thermo: StripChartSpec
    belt: HangingTagSpec
    slip: SlipWords
    notes: LetterSpec
    handover: PrintedLogSpec


def make_camera_spec(camera: str, sign: str, stamp: str, note: str) -> CctvSpec:
    """Return the still of the basement: a figure with a box drags its left leg."""
    figure = CctvFigure(
        at=(0.47, 0.90),
        height=0.56,
        coat=(196, 200, 196),
        trousers=(96, 100, 112),
        hat="knit",
        hat_colour=(150, 52, 60),
        hair="bun",
        held="box",
        limp="left",
    )
    return CctvSpec(
        camera=camera,
        sign=sign,
        stamp=stamp,
        note=note,
        figures=(figure,),
        grain=0.13,
        size=(760, 570),
    )


def make_thermo_spec(title: str, unit: str, fall: str, found: str) -> StripChartSpec:
    """Return the thermograph's strip: nineteen degrees until 23:20, then a fall.

    Times are in minutes from 22:00.
    """
    hours = tuple((30.0 * nth, hour) for nth, hour in enumerate(_HOURS))
    degrees = tuple((float(value), str(value)) for value in range(-5, 30, 5))
    falling = ((80, 19), (82, 14.5), (88, 10), (98, 7), (110, 5), (120, 4), (138, 0.6), (152, -2))
    return StripChartSpec(
        title=title,
        unit=unit,
        across=ChartAxis(start=0, end=160, step=10, labels=hours),
        up=ChartAxis(start=-5, end=25, step=1, labels=degrees),
        curve=(
            TracePoint(x=0, y=19, shake=0.12),
            *(TracePoint(x=x, y=y, shake=0.1) for x, y in falling),
        ),
        remarks=(
            ChartRemark(x=92, y=21.2, text=fall, target=(80, 19)),
            ChartRemark(x=118, y=8.4, text=found, target=(150, -1.6)),
        ),
    )
