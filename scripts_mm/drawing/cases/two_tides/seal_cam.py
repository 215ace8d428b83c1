"""Four stills of the seal station's camera: a kneeling man at the pool, with times."""

from dataclasses import dataclass
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from scripts_mm.drawing.primitives.canvas import Canvas, scale_size
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.drawing.primitives.paper import Size, add_vignette, make_noise, shade_image

_FRAME: Size = (480, 350)
_RED = (196, 62, 56)
_WHITE = (226, 226, 220)


@dataclass(frozen=True, slots=True, kw_only=True)
class SealCamSpec:
    """The words on the stills."""

    camera: str
    stamps: tuple[str, str, str, str]


def draw_seal_cam(spec: SealCamSpec, fonts: Fonts, rng: Random) -> Image.Image:
    """Draw the four stills, two by two; the milk in the bottle sinks from one to the next."""
    sheet = Image.new("RGB", (_FRAME[0] * 2 + 30, _FRAME[1] * 2 + 30), (16, 17, 20))
    for nth, stamp in enumerate(spec.stamps):
        still = _draw_still(nth, fonts, rng)
        draw = ImageDraw.Draw(still)
        for at, text, anchor in (((14, 22), spec.camera, "lm"), ((466, 328), stamp, "rm")):
            font = fonts.get("mono", 20)
            left, top, right, bottom = draw.textbbox(at, text, font, anchor=anchor)
            draw.rectangle((left - 6, top - 4, right + 6, bottom + 4), fill=(0, 0, 0))
            draw.text(at, text, (232, 238, 230), font, anchor=anchor)
        sheet.paste(still, (10 + nth % 2 * (_FRAME[0] + 10), 10 + nth // 2 * (_FRAME[1] + 10)))
    return sheet


def _draw_still(nth: int, fonts: Fonts, rng: Random) -> Image.Image:
    image = Image.new("RGB", scale_size(_FRAME), (58, 66, 70))
    pen = Canvas(image, fonts, line=0)
    _draw_place(pen, rng)
    _draw_seals(pen, nth)
    _draw_man(pen, nth)
    image = image.resize(_FRAME, Image.Resampling.LANCZOS).filter(ImageFilter.GaussianBlur(0.7))
    image = Image.blend(image, image.convert("L").convert("RGB"), 0.3)
    image = shade_image(image, make_noise(_FRAME, 3, rng), 0.10)
    lines = Image.new("L", _FRAME, 255)
    draw = ImageDraw.Draw(lines)
    for y in range(nth % 3, _FRAME[1], 3):
        draw.line((0, y, _FRAME[0], y), fill=228)
    return add_vignette(ImageChops.multiply(image, Image.merge("RGB", (lines,) * 3)), 0.42)


def _draw_place(pen: Canvas, rng: Random) -> None:
    pen.shape(((0, 0), (480, 0), (480, 130), (0, 130)), (92, 98, 98))
    for x in range(0, 480, 40):
        pen.rod(((x, 0), (x, 130)), (80, 86, 86), 2)
    pen.shape(((0, 130), (480, 130), (480, 350), (0, 350)), (120, 122, 118))
    pen.shape(((150, 158), (480, 150), (480, 350), (214, 350)), (70, 110, 126))
    pen.rod(((150, 158), (214, 350)), (190, 194, 190), 7)
    pen.rod(((150, 158), (480, 150)), (190, 194, 190), 6)
    for _ in range(22):
        x, y = rng.uniform(240, 460), rng.uniform(176, 330)
        pen.rod(((x, y), (x + rng.uniform(8, 26), y)), (112, 148, 160), 1.6)


def _draw_seals(pen: Canvas, nth: int) -> None:
    """Draw two seals in the pool and the pup on the edge."""
    for x, y in ((350 + nth * 16, 212 - nth * 5), (300 - nth * 12, 292 + nth * 6)):
        pen.oval((x - 46, y - 17, x + 46, y + 17), (62, 66, 72))
        pen.oval((x + 26, y - 26, x + 62, y + 4), (72, 76, 82))
        pen.oval((x + 44, y - 17, x + 50, y - 11), (16, 16, 18))
    pen.oval((196, 214, 286, 256), (196, 192, 182))
    pen.oval((182, 196, 222, 234), (206, 202, 192))
    pen.oval((192, 208, 198, 214), (22, 22, 24))
    pen.shape(((276, 234), (306, 222), (304, 250)), (186, 182, 172))


def _draw_man(pen: Canvas, nth: int) -> None:
    """Draw the kneeling man: white apron, striped hat with a bobble, bottle and tube."""
    lean = (0, 4, -2, 3)[nth]
    dark = (52, 62, 58)
    pen.shape(((70, 214), (146, 214), (168, 296), (56, 296)), dark)
    pen.rod(((78, 290), (128, 300), (160, 292)), (40, 42, 48), 26)
    pen.shape(((74 + lean, 140), (136 + lean, 140), (148, 236), (66, 236)), dark)
    pen.shape(((92 + lean, 152), (138 + lean, 156), (150, 282), (92, 284)), _WHITE)
    pen.rod(((128 + lean, 158), (160, 186), (178, 206)), dark, 17)
    pen.rod(((84 + lean, 156), (112, 176), (146, 168)), dark, 17)
    pen.oval((86 + lean, 96, 132 + lean, 146), (190, 158, 136))
    for row, colour in enumerate((_RED, _WHITE, _RED, _WHITE)):
        top = 104 - row * 9
        inset = row * 4
        pen.shape(((84 + lean + inset, top + 10), (134 + lean - inset, top + 10),
                   (130 + lean - inset, top), (88 + lean + inset, top)), colour)  # fmt: skip
    pen.oval((101 + lean, 58, 119 + lean, 76), _RED)
    pen.shape(((144, 128), (164, 128), (164, 174), (144, 174)), (150, 160, 164))
    full = 132 + nth * 10
    pen.shape(((146, full), (162, full), (162, 172), (146, 172)), (244, 242, 234))
    pen.rod(((154, 174), (168, 196), (188, 218)), (214, 190, 150), 3)
