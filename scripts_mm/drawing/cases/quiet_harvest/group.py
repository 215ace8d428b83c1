"""The Keepers of the Quiet nine years ago, and the tower behind them."""

from PIL import ImageDraw

from scripts_mm.drawing.photos.group_photo import GroupMember, GroupRow
from scripts_mm.drawing.primitives.figure import DrawnPerson
from scripts_mm.drawing.primitives.paper import Size

TOBIAS = DrawnPerson(
    coat=(92, 108, 128),
    legs=(74, 66, 60),
    coat_length=0.12,
    hair="short",
    hair_colour=(150, 112, 62),
    right="rope",
    size=1.03,
)
FOUND_MAN = DrawnPerson(
    coat=(104, 112, 96),
    legs=(74, 66, 60),
    coat_length=0.3,
    hair="short",
    hair_colour=(110, 84, 50),
    skin=(206, 200, 196),
    right="rope-end",
    left_shoe=None,
    right_shoe=(120, 122, 116),
)
"""Tobias as found: in oilskins, the left foot bare, a piece of rope in his right hand."""

ROWS = (
    GroupRow(
        members=(
            GroupMember(
                figure=DrawnPerson(
                    coat=(72, 78, 68), hat="broad", hat_colour=(120, 104, 74), beard=True,
                    hair_colour=(170, 170, 170), buttons=4, right="rod",
                ),
                x=0.15,
                number="1",
            ),
            GroupMember(figure=TOBIAS, x=0.45, number="2"),
            GroupMember(
                figure=DrawnPerson(
                    coat=(120, 70, 54), hat="feather", hat_colour=(66, 92, 66), coat_length=0.2,
                    left="whip", size=1.02,
                ),
                x=0.635,
                number="3",
            ),
            GroupMember(
                figure=DrawnPerson(
                    coat=(60, 62, 76), hat="flat", hat_colour=(76, 72, 70), buttons=5,
                    hair_colour=(50, 44, 40), left="spanner", size=1.02,
                ),
                x=0.85,
                number="4",
            ),
        ),
        ground=0.86,
        height=0.47,
    ),
    GroupRow(
        members=(
            GroupMember(
                figure=DrawnPerson(
                    coat=(110, 104, 120), legs=(84, 78, 96), skirt=True, hat="scarf",
                    hat_colour=(240, 238, 230), posture="sitting", left="tray", size=0.95,
                ),
                x=0.27,
                number="5",
            ),
            GroupMember(
                figure=DrawnPerson(
                    coat=(70, 96, 110), legs=(60, 70, 84), skirt=True, hair="braid",
                    hair_colour=(96, 66, 40), posture="sitting", right="book", size=0.95,
                ),
                x=0.53,
                number="6",
            ),
            GroupMember(
                figure=DrawnPerson(
                    coat=(150, 92, 86), legs=(110, 74, 70), skirt=True, hair="bun",
                    hair_colour=(60, 40, 30), posture="sitting", left="twig", size=0.95,
                ),
                x=0.74,
                number="7",
            ),
        ),
        ground=0.965,
        height=0.47,
        bench=True,
    ),
)  # fmt: skip


def draw_tower(draw: ImageDraw.ImageDraw, size: Size) -> None:
    """Draw the base of the bell tower; in the arch is a bell without a clapper."""
    width, height = size
    draw.rectangle((0, height * 0.62, width, height), fill=(132, 142, 96))
    draw.polygon(
        [(0, height * 0.5), (width * 0.2, height * 0.36), (width * 0.5, height * 0.5),
         (width, height * 0.4), (width, height * 0.64), (0, height * 0.64)],
        fill=(146, 164, 158),
    )  # fmt: skip
    left, right = width * 0.28, width * 0.74
    draw.rectangle((left, 0, right, height * 0.72), fill=(176, 166, 150), outline=(90, 82, 74),
                   width=5)  # fmt: skip
    for row in range(18):
        for column in range(8):
            x = left + column * (right - left) / 8 + (row % 2) * 22
            y = row * height * 0.04
            box = (x + 3, y + 3, min(x + (right - left) / 8 - 3, right - 4), y + height * 0.04 - 3)
            if box[2] > box[0]:
                shade = 150 + (row * 13 + column * 29) % 34
                draw.rounded_rectangle(box, 10, fill=(shade + 14, shade + 6, shade - 8))
    _draw_arch(draw, width, height)


def _draw_arch(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    middle, top = width * 0.51, height * 0.02
    draw.rectangle((middle - width * 0.15, height * 0.1, middle + width * 0.15, height * 0.335),
                   fill=(58, 56, 60))  # fmt: skip
    draw.pieslice((middle - width * 0.15, top - 20, middle + width * 0.15, height * 0.22), 180, 360,
                  fill=(58, 56, 60))  # fmt: skip
    draw.rectangle((middle - width * 0.15, top + 26, middle + width * 0.15, top + 46),
                   fill=(104, 78, 52))  # fmt: skip
    crown, rim = top + 46, height * 0.262
    bell = [
        (middle - width * 0.035, crown), (middle + width * 0.035, crown),
        (middle + width * 0.06, crown + (rim - crown) * 0.55), (middle + width * 0.105, rim),
        (middle - width * 0.105, rim), (middle - width * 0.06, crown + (rim - crown) * 0.55),
    ]  # fmt: skip
    draw.polygon(bell, fill=(164, 128, 66), outline=(84, 62, 30))
    draw.line((middle - width * 0.02, crown + 20, middle - width * 0.05, rim - 20),
              fill=(206, 174, 110), width=10)  # fmt: skip
    mouth = (middle - width * 0.105, rim - height * 0.026, middle + width * 0.105,
             rim + height * 0.026)  # fmt: skip
    draw.ellipse(mouth, fill=(30, 26, 24), outline=(206, 170, 96), width=9)
