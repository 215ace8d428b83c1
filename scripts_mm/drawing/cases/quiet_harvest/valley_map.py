"""Map of the valley of "The Quiet Harvest"."""

from scripts_mm.drawing.plans.area_map import MapPath, MapPlace, MapRiver

LAKES = (
    ((300, 120), (420, 96), (560, 92), (676, 110), (690, 160), (610, 218), (500, 258), (430, 262),
     (376, 224), (306, 178)),
)  # fmt: skip
RIVERS = (
    MapRiver(
        points=((468, 262), (486, 330), (462, 430), (506, 540), (474, 650), (502, 760), (476, 880)),
        widths=(12, 24),
    ),
    MapRiver(
        points=((424, 270), (380, 330), (336, 400), (312, 500), (342, 596)),
        widths=(7, 7),
        dry=True,
    ),
)
HILLS = (((150, 300), 120.0), ((872, 250), 110.0), ((160, 690), 110.0), ((806, 600), 100.0))
NAMES = (
    ("lake", (500, 170), 34),
    ("river", (528, 500), 26),
    ("upper", (826, 344), 27),
    ("lower", (778, 772), 27),
)
SPOTS = (
    MapPlace(key="gauge", at=(392, 284), mark="hut", label=(-16, -14), anchor="rm"),
    MapPlace(key="weir", at=(478, 284), mark="none", label=(18, 18), anchor="lm"),
    MapPlace(key="footbridge", at=(540, 262), mark="none", label=(18, 12), anchor="lm"),
    MapPlace(key="tower", at=(612, 392), mark="tower", label=(-14, 30), anchor="rm"),
    MapPlace(key="rearing", at=(742, 300), mark="big", label=(26, -6)),
    MapPlace(key="tree", at=(716, 286), mark="tree", label=(0, -28), anchor="mm"),
    MapPlace(key="stable", at=(862, 410), mark="house", label=(0, 30), anchor="mm"),
    MapPlace(key="pass", at=(918, 128), mark="none", label=(30, -20), anchor="rm"),
    MapPlace(key="office", at=(346, 622), mark="big", label=(-26, 0), anchor="rm"),
    MapPlace(key="shed", at=(330, 662), mark="hut", label=(-16, 14), anchor="rm"),
    MapPlace(key="pole", at=(336, 400), mark="cross", label=(20, 12), anchor="lm"),
    MapPlace(key="leat", at=(330, 476), mark="none", label=(14, 0), anchor="lm"),
    MapPlace(key="bridge", at=(486, 694), mark="none", label=(-12, 26), anchor="rm"),
    MapPlace(key="school", at=(604, 740), mark="big", label=(26, 8)),
    MapPlace(key="kessler", at=(664, 704), mark="house", label=(20, -2)),
    MapPlace(key="stone", at=(566, 820), mark="stone", label=(18, 2)),
    MapPlace(key="tannery", at=(424, 848), mark="house", label=(-20, 0), anchor="rm"),
)
PATHS = (
    MapPath(points=((398, 284), (446, 246), (526, 244), (572, 320), (604, 384)), key="9",
         at=(540, 334)),
    MapPath(points=((622, 386), (676, 350), (722, 310)), key="6", at=(660, 340)),
    MapPath(points=((624, 396), (730, 416), (846, 410)), key="10", at=(736, 434)),
    MapPath(points=((614, 408), (628, 520), (606, 640), (602, 728)), key="13", at=(648, 560)),
    MapPath(points=((384, 292), (310, 372), (276, 480), (298, 590), (326, 620)), key="12",
         at=(250, 470)),
    MapPath(points=((360, 634), (420, 672), (486, 694), (546, 718), (590, 740)), key="8",
         at=(446, 660)),
    MapPath(points=((872, 398), (930, 300), (900, 210), (918, 136)), dashed=False),
)  # fmt: skip
