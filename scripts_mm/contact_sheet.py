"""The contact sheet: all pictures of a script in one image, with sizes and tokens."""

from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from scripts_mm.script import Picture, ScriptError
from scripts_mm.script_folder import LoadedScript
from scripts_mm.vision_tokens import SERVED_MAX_PIXELS, VisionFamily, count_vision_tokens

COLUMNS = 4
_TILE = (360, 420)
_LINE = 22
_EDGE = 12
_FAMILY: VisionFamily = "qwen2.5-vl"


def draw_contact_sheet(loaded: LoadedScript, family: VisionFamily = _FAMILY) -> Image.Image:
    """Return all pictures of a script side by side (mode RGB), each with its name below.

    Tokens are counted for `family` with the servers' pixel cap (`vision_tokens`). Raises
    ScriptError for a script without pictures, or with one changed since it was loaded.
    """
    pictures = loaded.script.pictures
    if not pictures:
        raise ScriptError(f"script {loaded.script.id!r} has no pictures")
    rows = -(-len(pictures) // COLUMNS)
    wide, high = _TILE[0] + _EDGE, _TILE[1] + 2 * _LINE + _EDGE
    sheet = Image.new("RGB", (COLUMNS * wide + _EDGE, rows * high + _EDGE), (236, 236, 232))
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(16)
    for nth, picture in enumerate(pictures):
        left, top = _EDGE + nth % COLUMNS * wide, _EDGE + nth // COLUMNS * high
        with Image.open(BytesIO(loaded.read_picture(picture))) as image:
            small = image.convert("RGB")
        small.thumbnail(_TILE, Image.Resampling.LANCZOS)
        sheet.paste(small, (left + (_TILE[0] - small.width) // 2, top))
        below = top + _TILE[1] + 2
        draw.text((left, below), f"{nth + 1}  {picture.file}", (20, 20, 20), font)
        draw.text((left, below + _LINE - 4), _size_line(picture, family), (90, 90, 90), font)
    return sheet


def _size_line(picture: Picture, family: VisionFamily) -> str:
    count = count_vision_tokens(picture.width, picture.height, family, max_pixels=SERVED_MAX_PIXELS)
    return f"{picture.kind or '?'}, {picture.width} x {picture.height}, {count} tokens"
