"""The plan of the Halcyon Theatre's ground floor, without its words."""

from scripts_mm.drawing.plans.floor_plan import PlanDoor, PlanObject, PlanPath, PlanRoom

_QUIET = (236, 238, 226)
_STAGE = (240, 226, 202)
_YELLOW = (246, 206, 44)
_BLUE = (74, 124, 196)
_WATER = (172, 204, 222)

ROOMS: tuple[PlanRoom, ...] = (
    PlanRoom(label="lobby", box=(72, 76, 216, 216), at=(132, 172), fill=_QUIET, size=15),
    PlanRoom(label="green-room", box=(216, 76, 382, 216), at=(299, 146), fill=_QUIET),
    PlanRoom(label="dressing-2", box=(382, 76, 542, 216), at=(462, 146), fill=_QUIET),
    PlanRoom(label="wardrobe", box=(542, 76, 740, 216), at=(641, 130), fill=(244, 226, 222)),
    PlanRoom(label="dressing-1", box=(740, 76, 944, 216), at=(842, 124), fill=(246, 214, 204)),
    PlanRoom(label="corridor", box=(72, 216, 944, 296), at=(420, 238), size=17),
    PlanRoom(label="off-side", box=(72, 296, 246, 566), at=(150, 404), fill=(232, 236, 242)),
    PlanRoom(label="prompt-side", box=(726, 296, 944, 566), at=(852, 424), fill=(232, 236, 242)),
    PlanRoom(label="stage", box=(246, 296, 726, 566), at=(486, 490), fill=_STAGE, size=24),
    PlanRoom(
        label="tank", box=(250, 300, 722, 346), at=(486, 323), fill=_WATER, walls=False, size=17
    ),
    PlanRoom(
        label="auditorium", box=(158, 566, 828, 764), at=(486, 616), fill=(240, 232, 232), size=24
    ),
    PlanRoom(label="foyer", box=(72, 764, 944, 866), at=(760, 840), fill=_QUIET),
    PlanRoom(label="control-box", box=(392, 742, 580, 812), at=(486, 777), fill=(222, 230, 214)),
    PlanRoom(label="hatch", box=(0, 0, 0, 0), at=(661, 196), walls=False, size=16),
    PlanRoom(label="wing-door", box=(0, 0, 0, 0), at=(850, 318), walls=False, size=16),
    PlanRoom(label="pass-door", box=(0, 0, 0, 0), at=(714, 586), walls=False, size=15),
    PlanRoom(label="stair", box=(0, 0, 0, 0), at=(196, 452), walls=False, size=15),
    PlanRoom(label="shortened", box=(0, 0, 0, 0), at=(98, 690), walls=False, size=15),
    PlanRoom(label="alley", box=(14, 76, 60, 930), at=(18, 470), walls=False, size=17),
)
DOORS: tuple[PlanDoor, ...] = (
    PlanDoor(box=(66, 108, 78, 148)),
    PlanDoor(box=(176, 211, 210, 221)),
    PlanDoor(box=(318, 211, 358, 221)),
    PlanDoor(box=(474, 211, 514, 221)),
    PlanDoor(box=(560, 211, 600, 221)),
    PlanDoor(box=(622, 210, 700, 222), look="hatch"),
    PlanDoor(box=(812, 211, 852, 221)),
    PlanDoor(box=(104, 291, 144, 301)),
    PlanDoor(box=(888, 291, 928, 301)),
    PlanDoor(box=(752, 561, 802, 571)),
    PlanDoor(box=(66, 800, 78, 840)),
    PlanDoor(box=(418, 807, 458, 817)),
)
THINGS: tuple[PlanObject, ...] = (
    PlanObject(
        box=(250, 404, 722, 430), colour=(206, 170, 122), label="bridge", at=(530, 417), anchor="mm"
    ),
    PlanObject(
        box=(316, 400, 360, 434), colour=(110, 84, 66), label="trap", at=(338, 450), anchor="mm"
    ),
    PlanObject(
        box=(752, 512, 812, 544),
        colour=(150, 112, 80),
        label="desk",
        at=(820, 546),
    ),
    PlanObject(
        box=(856, 450, 928, 476), colour=_YELLOW, label="yellow", at=(886, 502), anchor="mm", bars=8
    ),
    PlanObject(
        box=(88, 476, 160, 502), colour=_BLUE, label="blue", at=(124, 532), anchor="mm", bars=8
    ),
    PlanObject(
        box=(176, 316, 232, 352), colour=(150, 112, 80), label="props", at=(190, 366), anchor="mm"
    ),
    PlanObject(box=(236, 454, 258, 476), colour=(120, 120, 124), round=True),
)
WAYS: tuple[PlanPath, ...] = (
    PlanPath(
        points=((782, 512), (782, 372), (908, 372), (908, 262), (847, 262), (847, 200)),
        label="way-desk",
        at=(836, 372),
    ),
    PlanPath(
        points=((661, 226), (661, 238), (818, 238), (818, 200)),
        label="way-hatch",
        at=(740, 238),
        colour=(120, 50, 130),
    ),
    PlanPath(
        points=((176, 336), (124, 336), (124, 282), (837, 282), (837, 200)),
        label="way-props",
        at=(600, 282),
        colour=(36, 92, 150),
    ),
    PlanPath(
        points=(
            (438, 800),
            (438, 836),
            (38, 836),
            (38, 128),
            (193, 128),
            (193, 260),
            (827, 260),
            (827, 200),
        ),
        label="way-box",
        at=(232, 836),
        colour=(70, 120, 60),
    ),
)
"""Ways on foot to Dressing Room 1; the lengths are in the words."""
