"""The plan of the loft, and the strip of its hygrograph."""

from collections.abc import Mapping
from random import Random

from PIL import Image

from scripts_mm.drawing.cases.glass_loft.picture_words import GlassLoftWords
from scripts_mm.drawing.documents.strip_chart import (
    ChartAxis,
    ChartRemark,
    StripChartSpec,
    TracePoint,
    draw_strip_chart,
)
from scripts_mm.drawing.plans.floor_plan import (
    FloorPlanSpec,
    PlanObject,
    PlanPath,
    PlanRoom,
    draw_floor_plan,
)
from scripts_mm.drawing.primitives.fonts import Fonts

_WOOD = (206, 176, 136)
_GLASS = (206, 226, 232)
_IRON = (150, 150, 156)
_BRASS = (226, 196, 110)
_LEAF = (74, 108, 88)

_ROOMS = (
    PlanRoom(label="loft", box=(60, 90, 700, 640), at=(380, 300), size=26),
    PlanRoom(label="landing", box=(700, 260, 900, 640), at=(800, 430), fill=(232, 226, 214)),
)
_THINGS = (
    PlanObject(box=(696, 320, 704, 420), colour=(255, 255, 255)),
    PlanObject(box=(600, 415, 698, 421), colour=_LEAF),
    PlanObject(box=(632, 160, 694, 300), colour=_BRASS, label="clock", at=(624, 230), anchor="rm"),
    PlanObject(box=(70, 330, 150, 590), colour=_WOOD, label="bench", at=(164, 560)),
    PlanObject(
        box=(140, 430, 196, 490), colour=(232, 160, 150), label="body", at=(208, 460), round=True
    ),
    PlanObject(box=(470, 560, 550, 632), colour=_IRON, label="stove", at=(458, 600), anchor="rm"),
    PlanObject(
        box=(640, 560, 692, 630), colour=_BRASS, label="hygrograph", at=(606, 540), anchor="mm"
    ),
    PlanObject(box=(210, 96, 270, 120), colour=_IRON, label="tube", at=(282, 110)),
    PlanObject(box=(330, 160, 430, 270), colour=_GLASS, label="pane", at=(318, 215), anchor="rm"),
    PlanObject(
        box=(610, 306, 628, 320), colour=_IRON, label="crank-nail", at=(600, 314), anchor="rm"
    ),
    PlanObject(box=(230, 500, 290, 512), colour=_IRON, label="crank", at=(302, 506)),
    PlanObject(
        box=(770, 560, 880, 632), colour=_WOOD, label="stair", at=(842, 540), anchor="mm", bars=7
    ),
)
_WAYS = (
    PlanPath(
        points=((790, 596), (736, 500), (736, 370), (420, 370), (206, 430)),
        label="way",
        at=(470, 400),
    ),
)


def draw_plan(words: GlassLoftWords, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the plan of the loft with the constable's notes."""
    spec = FloorPlanSpec(
        rooms=_ROOMS,
        doors=(),
        things=_THINGS,
        ways=_WAYS,
        words=words.plan,
        title=words.plan_title,
        notes=words.plan_notes,
        notes_at=(64, 690),
        size=(980, 860),
    )
    return draw_floor_plan(spec, fonts, rng)


_DRY = 41.0
_HOURS = ChartAxis(
    start=1140,
    end=1320,
    step=2,
    labels=tuple((at, f"{at // 60}:{at % 60:02}") for at in range(1140, 1321, 20)),
)
_SHARE = ChartAxis(
    start=34, end=70, step=2, labels=tuple((float(at), str(at)) for at in range(40, 71, 10))
)
_OPENED = ((1180, 12.0), (1222, 13.0), (1236, 13.5), (1248, 2.2))
"""Openings of the door: minute, and rise of the humidity."""
_BROKEN = 1310


def _curve_points() -> tuple[TracePoint, ...]:
    knots = [TracePoint(x=1140, y=_DRY, shake=0.25)]
    for at, rise in _OPENED:
        knots += [
            TracePoint(x=at - 0.4, y=_DRY, shake=0.1),
            TracePoint(x=at + 1.0, y=_DRY + rise, shake=0.1),
            TracePoint(x=at + 3.4, y=_DRY + rise * 0.45, shake=0.15),
            TracePoint(x=at + 6.5, y=_DRY + rise * 0.12, shake=0.2),
            TracePoint(x=at + 9.5, y=_DRY, shake=0.25),
        ]
    knots += [
        TracePoint(x=_BROKEN, y=_DRY, shake=0.1),
        TracePoint(x=_BROKEN + 2, y=61.0, shake=0.4),
        TracePoint(x=1320, y=65.0, shake=0.4),
    ]
    return tuple(knots)


def draw_chart(words: Mapping[str, str], fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the hygrograph's strip with the constable's remarks."""
    places = {
        "supper": (1162.0, 60.0, (1181.0, 53.6)),
        "first": (1202.0, 64.0, (1223.0, 54.6)),
        "second": (1240.0, 64.0, (1237.0, 55.2)),
        "crack": (1252.0, 50.0, (1249.0, 43.8)),
        "broken": (1276.0, 56.0, (1311.0, 52.0)),
    }
    spec = StripChartSpec(
        title=words["title"],
        unit=words["unit"],
        across=_HOURS,
        up=_SHARE,
        curve=_curve_points(),
        remarks=tuple(
            ChartRemark(x=x, y=y, text=words[key], size=26, target=target)
            for key, (x, y, target) in places.items()
        ),
        print_colour=(120, 150, 120),
        pen_colour=(120, 30, 60),
        table_colour=(96, 72, 52),
        size=(1000, 640),
        angle=-0.9,
    )
    return draw_strip_chart(spec, fonts, rng)
