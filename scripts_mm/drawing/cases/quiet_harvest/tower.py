"""The bell tower behind the Keepers of the Quiet, nine years ago."""

from PIL import ImageDraw

from scripts_mm.drawing.primitives.paper import Size


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
