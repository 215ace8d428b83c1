"""A grid of pictures in one image, for models that accept one image per prompt."""

import math
from collections.abc import Sequence
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from scripts_mm.safe_pictures import inspect_picture
from scripts_mm.script import ScriptError

MAX_GRID_PICTURES = 16
"""Pictures on one board; more would be too small to read."""
GRID_SIDE = 896
"""Pixels of a board's side: twice Yi-VL's 448, so that other models see more detail."""

_GAP = 8
"""Pixels round each cell."""
_ZOOM = 2
"""Enlargement of Pillow's bitmap font: 11 pixels high, and no font file needed."""
_PAD = 4


def compose_grid(
    pictures: Sequence[bytes], *, side: int = GRID_SIDE, numbers: bool = True
) -> bytes:
    """Return one square PNG that shows `pictures` in rows, in their order, on white.

    Each picture keeps its aspect ratio and fills its cell; the number of columns maximises the
    area covered. `numbers`: each cell has its number, from 1, in its upper left corner. The same
    pictures give the same bytes with one version of Pillow. Raises ScriptError for no picture,
    for more than `MAX_GRID_PICTURES`, and as `inspect_picture`.
    """
    if not 1 <= len(pictures) <= MAX_GRID_PICTURES:
        raise ScriptError(f"wanted 1 to {MAX_GRID_PICTURES} pictures, got {len(pictures)}")
    shown = [_open_on_white(data, f"{n} of a board") for n, data in enumerate(pictures, 1)]
    columns = _best_columns([image.size for image in shown], side)
    rows = -(-len(shown) // columns)
    board = Image.new("RGB", (side, side), "white")
    for place, image in enumerate(shown):
        row, column = divmod(place, columns)
        left, top = column * side // columns, row * side // rows
        cell = ((column + 1) * side // columns - left, (row + 1) * side // rows - top)
        fit = image.resize(_fit_size(image.size, cell), Image.Resampling.LANCZOS)
        at = (left + (cell[0] - fit.width) // 2, top + (cell[1] - fit.height) // 2)
        board.paste(fit, at)
        if numbers and len(shown) > 1:
            board.paste(_render_number(place + 1), (left, top))
    out = BytesIO()
    board.save(out, format="PNG", compress_level=6)
    return out.getvalue()


def _open_on_white(data: bytes, name: str) -> Image.Image:
    """Return a picture in RGB, on white where it is transparent."""
    info = inspect_picture(data, name)
    with Image.open(BytesIO(data)) as image:
        # Pillow converts 16-bit modes to RGB only by way of grey.
        plain = image.convert("L") if image.mode.startswith("I") else image
        colours = plain.convert("RGBA")
    paper = Image.new("RGBA", (info.width, info.height), "white")
    return Image.alpha_composite(paper, colours).convert("RGB")


def _best_columns(sizes: Sequence[tuple[int, int]], side: int) -> int:
    """Return the number of columns for which pictures of `sizes` cover most of the board."""

    def area_covered(columns: int) -> int:
        cell = (side // columns, side // -(-len(sizes) // columns))
        return sum(math.prod(_fit_size(size, cell)) for size in sizes)

    return max(range(1, len(sizes) + 1), key=area_covered)


def _fit_size(size: tuple[int, int], cell: tuple[int, int]) -> tuple[int, int]:
    """Return the largest size of a picture in a cell minus the gap, with its aspect ratio."""
    room = tuple(max(1, length - _GAP) for length in cell)
    scale = min(room[0] / size[0], room[1] / size[1])
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def _render_number(n: int) -> Image.Image:
    """Return a number, black on white in a frame."""
    font = ImageFont.load_default_imagefont()
    left, top, right, bottom = (round(edge) for edge in font.getbbox(str(n)))
    small = Image.new("RGB", (right - left, bottom - top), "white")
    ImageDraw.Draw(small).text((-left, -top), str(n), fill="black", font=font)
    large = small.resize((small.width * _ZOOM, small.height * _ZOOM), Image.Resampling.NEAREST)
    plate = Image.new("RGB", (large.width + 2 * _PAD, large.height + 2 * _PAD), "white")
    plate.paste(large, (_PAD, _PAD))
    ImageDraw.Draw(plate).rectangle((0, 0, plate.width - 1, plate.height - 1), outline="black")
    return plate
