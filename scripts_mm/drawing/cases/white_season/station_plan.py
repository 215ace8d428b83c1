"""The plan of Sastrugi Station, without its words. North is at the top."""

from scripts_mm.drawing.plans.floor_plan import PlanDoor, PlanObject, PlanPath, PlanRoom

_LIVE = (244, 232, 214)
_WORK = (222, 232, 236)
_COLD = (196, 220, 240)
_ROUGH = (228, 226, 218)

ROOMS: tuple[PlanRoom, ...] = (
    PlanRoom(label="store", box=(70, 190, 210, 272), at=(140, 231), fill=_ROUGH, size=17),
    PlanRoom(label="shed", box=(820, 70, 952, 150), at=(886, 110), fill=_ROUGH, size=17),
    PlanRoom(label="bunks", box=(40, 556, 180, 664), at=(110, 610), fill=_LIVE),
    PlanRoom(label="office", box=(180, 556, 296, 664), at=(238, 604), fill=_LIVE, size=17),
    PlanRoom(label="surgery", box=(296, 556, 400, 664), at=(348, 604), fill=_WORK, size=17),
    PlanRoom(label="air-lock", box=(400, 556, 480, 664), at=(440, 618), fill=_ROUGH, size=16),
    PlanRoom(label="radio", box=(480, 556, 596, 664), at=(538, 600), fill=_WORK, size=17),
    PlanRoom(label="equipment", box=(596, 556, 676, 664), at=(637, 642), fill=_WORK, size=13),
    PlanRoom(label="plant", box=(676, 556, 776, 664), at=(726, 592), fill=_WORK, size=17),
    PlanRoom(label="cold", box=(776, 556, 868, 664), at=(822, 604), fill=_COLD, size=17),
    PlanRoom(label="spine", box=(40, 664, 868, 716), at=(294, 691), size=17),
    PlanRoom(label="wash", box=(40, 716, 180, 824), at=(110, 770), fill=_LIVE, size=17),
    PlanRoom(label="galley", box=(180, 716, 330, 824), at=(255, 776), fill=_LIVE),
    PlanRoom(label="mess", box=(330, 716, 520, 824), at=(432, 776), fill=_LIVE),
    PlanRoom(label="food", box=(520, 716, 604, 824), at=(562, 770), fill=_ROUGH, size=17),
    PlanRoom(label="power", box=(604, 716, 776, 824), at=(690, 770), fill=_WORK, size=17),
    PlanRoom(label="wet", box=(776, 716, 868, 824), at=(822, 770), fill=_WORK, size=17),
    PlanRoom(label="garage", box=(868, 556, 956, 824), at=(912, 714), fill=_ROUGH, size=17),
    PlanRoom(label="door-1", box=(0, 0, 0, 0), at=(392, 538), walls=False, size=16),
    PlanRoom(label="ramp", box=(0, 0, 0, 0), at=(860, 540), walls=False, size=16),
    PlanRoom(label="hatch", box=(0, 0, 0, 0), at=(362, 742), walls=False, size=14),
    PlanRoom(label="flag-7", box=(0, 0, 0, 0), at=(690, 196), walls=False, size=18),
)
DOORS: tuple[PlanDoor, ...] = (
    PlanDoor(box=(410, 551, 450, 561)),
    PlanDoor(box=(884, 551, 940, 561), look="hatch"),
    PlanDoor(box=(96, 659, 130, 669)),
    PlanDoor(box=(222, 659, 256, 669)),
    PlanDoor(box=(332, 659, 366, 669)),
    PlanDoor(box=(424, 659, 458, 669)),
    PlanDoor(box=(504, 659, 538, 669)),
    PlanDoor(box=(591, 596, 601, 630)),
    PlanDoor(box=(690, 659, 724, 669)),
    PlanDoor(box=(806, 659, 840, 669)),
    PlanDoor(box=(96, 711, 130, 721)),
    PlanDoor(box=(222, 711, 256, 721)),
    PlanDoor(box=(400, 711, 434, 721)),
    PlanDoor(box=(546, 711, 580, 721)),
    PlanDoor(box=(670, 711, 704, 721)),
    PlanDoor(box=(806, 711, 840, 721)),
    PlanDoor(box=(863, 674, 873, 706)),
    PlanDoor(box=(324, 744, 336, 796), look="hatch"),
    PlanDoor(box=(815, 98, 825, 128)),
    PlanDoor(box=(205, 222, 215, 252)),
)
_FLAG = (222, 112, 40)
THINGS: tuple[PlanObject, ...] = (
    PlanObject(
        box=(748, 620, 770, 642),
        colour=(90, 160, 210),
        label="valve",
        at=(742, 632),
        anchor="rm",
        round=True,
    ),
    PlanObject(
        box=(486, 628, 522, 658), colour=(214, 196, 160), label="booth", at=(528, 642), anchor="lm"
    ),
    PlanObject(
        box=(464, 570, 476, 582), colour=(186, 60, 50), label="hook", at=(438, 576), anchor="mm"
    ),
    PlanObject(
        box=(934, 568, 950, 592), colour=(240, 240, 200), label="window", at=(912, 612), anchor="mm"
    ),
    *(
        PlanObject(
            box=(
                round(440 + 376 * nth / 9) - 5,
                round(536 - 406 * nth / 9) - 5,
                round(440 + 376 * nth / 9) + 5,
                round(536 - 406 * nth / 9) + 5,
            ),
            colour=_FLAG,
        )
        for nth in (1, 2, 3, 4, 5, 6, 8)
    ),
    PlanObject(box=(722, 210, 742, 230), colour=(196, 30, 30), round=True),
)
WAYS: tuple[PlanPath, ...] = (
    PlanPath(
        points=((440, 536), (816, 130)), label="way-shed", at=(600, 362), colour=(180, 96, 30)
    ),
    PlanPath(
        points=((430, 536), (212, 240)), label="way-store", at=(316, 382), colour=(36, 92, 150)
    ),
    PlanPath(
        points=((912, 548), (744, 228)), label="way-ramp", at=(838, 408), colour=(110, 50, 130)
    ),
)
"""Ways outside; the lengths are in the words."""
