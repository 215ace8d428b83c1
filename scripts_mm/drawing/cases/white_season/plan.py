"""Sastrugi Station: everything about the plan but its words. North is at the top."""

from scripts_mm.drawing.plan import Door, Room, Thing, Way

_LIVE = (244, 232, 214)
_WORK = (222, 232, 236)
_COLD = (196, 220, 240)
_ROUGH = (228, 226, 218)

ROOMS: tuple[Room, ...] = (
    Room(label="store", box=(70, 190, 210, 272), at=(140, 231), fill=_ROUGH, size=17),
    Room(label="shed", box=(820, 70, 952, 150), at=(886, 110), fill=_ROUGH, size=17),
    Room(label="bunks", box=(40, 556, 180, 664), at=(110, 610), fill=_LIVE),
    Room(label="office", box=(180, 556, 296, 664), at=(238, 604), fill=_LIVE, size=17),
    Room(label="surgery", box=(296, 556, 400, 664), at=(348, 604), fill=_WORK, size=17),
    Room(label="air-lock", box=(400, 556, 480, 664), at=(440, 618), fill=_ROUGH, size=16),
    Room(label="radio", box=(480, 556, 596, 664), at=(538, 600), fill=_WORK, size=17),
    Room(label="equipment", box=(596, 556, 676, 664), at=(637, 642), fill=_WORK, size=13),
    Room(label="plant", box=(676, 556, 776, 664), at=(726, 592), fill=_WORK, size=17),
    Room(label="cold", box=(776, 556, 868, 664), at=(822, 604), fill=_COLD, size=17),
    Room(label="spine", box=(40, 664, 868, 716), at=(294, 691), size=17),
    Room(label="wash", box=(40, 716, 180, 824), at=(110, 770), fill=_LIVE, size=17),
    Room(label="galley", box=(180, 716, 330, 824), at=(255, 776), fill=_LIVE),
    Room(label="mess", box=(330, 716, 520, 824), at=(432, 776), fill=_LIVE),
    Room(label="food", box=(520, 716, 604, 824), at=(562, 770), fill=_ROUGH, size=17),
    Room(label="power", box=(604, 716, 776, 824), at=(690, 770), fill=_WORK, size=17),
    Room(label="wet", box=(776, 716, 868, 824), at=(822, 770), fill=_WORK, size=17),
    Room(label="garage", box=(868, 556, 956, 824), at=(912, 714), fill=_ROUGH, size=17),
    Room(label="door-1", box=(0, 0, 0, 0), at=(392, 538), walls=False, size=16),
    Room(label="ramp", box=(0, 0, 0, 0), at=(860, 540), walls=False, size=16),
    Room(label="hatch", box=(0, 0, 0, 0), at=(362, 742), walls=False, size=14),
    Room(label="flag-7", box=(0, 0, 0, 0), at=(690, 196), walls=False, size=18),
)
DOORS: tuple[Door, ...] = (
    Door(box=(410, 551, 450, 561)),
    Door(box=(884, 551, 940, 561), look="hatch"),
    Door(box=(96, 659, 130, 669)),
    Door(box=(222, 659, 256, 669)),
    Door(box=(332, 659, 366, 669)),
    Door(box=(424, 659, 458, 669)),
    Door(box=(504, 659, 538, 669)),
    Door(box=(591, 596, 601, 630)),
    Door(box=(690, 659, 724, 669)),
    Door(box=(806, 659, 840, 669)),
    Door(box=(96, 711, 130, 721)),
    Door(box=(222, 711, 256, 721)),
    Door(box=(400, 711, 434, 721)),
    Door(box=(546, 711, 580, 721)),
    Door(box=(670, 711, 704, 721)),
    Door(box=(806, 711, 840, 721)),
    Door(box=(863, 674, 873, 706)),
    Door(box=(324, 744, 336, 796), look="hatch"),
    Door(box=(815, 98, 825, 128)),
    Door(box=(205, 222, 215, 252)),
)
_FLAG = (222, 112, 40)
THINGS: tuple[Thing, ...] = (
    Thing(
        box=(748, 620, 770, 642),
        colour=(90, 160, 210),
        label="valve",
        at=(742, 632),
        anchor="rm",
        round=True,
    ),
    Thing(
        box=(486, 628, 522, 658), colour=(214, 196, 160), label="booth", at=(528, 642), anchor="lm"
    ),
    Thing(box=(464, 570, 476, 582), colour=(186, 60, 50), label="hook", at=(438, 576), anchor="mm"),
    Thing(
        box=(934, 568, 950, 592), colour=(240, 240, 200), label="window", at=(912, 612), anchor="mm"
    ),
    *(
        Thing(
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
    Thing(box=(722, 210, 742, 230), colour=(196, 30, 30), round=True),
)
WAYS: tuple[Way, ...] = (
    Way(points=((440, 536), (816, 130)), label="way-shed", at=(600, 362), colour=(180, 96, 30)),
    Way(points=((430, 536), (212, 240)), label="way-store", at=(316, 382), colour=(36, 92, 150)),
    Way(points=((912, 548), (744, 228)), label="way-ramp", at=(838, 408), colour=(110, 50, 130)),
)
"""Ways outside; the lengths stand in the words."""
