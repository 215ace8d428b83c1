"""Several pictures as one."""

from io import BytesIO
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFont

from scripts_mm.image_grid import GRID_SIDE, MAX_GRID_PICTURES, compose_grid
from scripts_mm.safe_pictures import inspect_picture
from scripts_mm.script import ScriptError

RED, GREEN, BLUE, WHITE = (200, 0, 0), (0, 160, 0), (0, 0, 200), (255, 255, 255)


def drawn(
    size: tuple[int, int], colour: tuple[int, ...] = RED, *, mode: str = "RGB", form: str = "PNG"
) -> bytes:
    out = BytesIO()
    [first, *rest] = colour
    Image.new(mode, size, colour if rest else first).save(out, form)
    return out.getvalue()


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


def extent(image: Image.Image, colour: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """Return the box of all points of one colour."""
    same = Image.new("L", image.size)
    same.putdata([255 * (point == colour) for point in image.get_flattened_data()])
    box = same.getbbox()
    assert box is not None, f"{colour} is nowhere"
    return box


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 400), st.integers(1, 400)), min_size=1, max_size=MAX_GRID_PICTURES
    )
)
def test_a_board_of_any_pictures_is_a_square_picture(
    sizes: list[tuple[int, int]],
) -> None:
    pictures = [drawn(size) for size in sizes]
    board = compose_grid(pictures, side=300)
    info = inspect_picture(board, "board")
    assert (info.mime, info.width, info.height) == ("image/png", 300, 300)
    assert compose_grid(pictures, side=300) == board


def test_every_picture_keeps_its_ratio_and_its_place() -> None:
    colours = (RED, GREEN, BLUE)
    pictures = [drawn((200, 100), colour) for colour in colours]
    board = opened(compose_grid(pictures, side=600, numbers=False))
    boxes = [extent(board, colour) for colour in colours]
    for left, top, right, bottom in boxes:
        assert (right - left) / (bottom - top) == pytest.approx(2, abs=0.05)
    assert boxes == sorted(boxes, key=lambda box: (box[1], box[0]))
    assert all(a[3] <= b[1] for a, b in pairwise(boxes))


@pytest.mark.slow
def test_tall_pictures_stand_beside_each_other_and_wide_ones_below() -> None:
    tall = opened(compose_grid([drawn((50, 200), c) for c in (RED, BLUE)], numbers=False))
    assert extent(tall, RED)[2] <= extent(tall, BLUE)[0]
    wide = opened(compose_grid([drawn((200, 50), c) for c in (RED, BLUE)], numbers=False))
    assert extent(wide, RED)[3] <= extent(wide, BLUE)[1]


@pytest.mark.slow
def test_a_picture_alone_fills_the_board_without_a_number() -> None:
    alone = drawn((300, 300))
    assert compose_grid([alone]) == compose_grid([alone], numbers=False)
    assert extent(opened(compose_grid([alone])), RED) == (4, 4, GRID_SIDE - 4, GRID_SIDE - 4)


def test_numbers_stand_in_the_corners_of_their_cells() -> None:
    pictures = [drawn((100, 100), RED) for _ in range(4)]
    with_them = opened(compose_grid(pictures, side=400))
    without = opened(compose_grid(pictures, side=400, numbers=False))
    corners = {(x, y): (x, y, x + 16, y + 16) for x in (0, 200) for y in (0, 200)}
    cut = {at: with_them.crop(box).tobytes() for at, box in corners.items()}
    assert len(set(cut.values())) == 4
    assert all(cut[at] != without.crop(box).tobytes() for at, box in corners.items())


def test_numbers_need_no_font_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*given: object, **named: object) -> ImageFont.FreeTypeFont:
        raise OSError("no fonts here")

    before = compose_grid([drawn((9, 9))] * 3)
    monkeypatch.setattr(ImageFont, "truetype", none)
    assert compose_grid([drawn((9, 9))] * 3) == before


@pytest.mark.parametrize(
    ("mode", "colour", "form"),
    [
        ("RGBA", (200, 0, 0, 0), "PNG"),
        ("LA", (9, 0), "PNG"),
        ("1", (1,), "PNG"),
        ("I;16", (65535,), "PNG"),
        ("L", (255,), "JPEG"),
        ("CMYK", (0, 0, 0, 0), "JPEG"),
        ("RGB", (255, 255, 255), "WEBP"),
    ],
)
def test_pictures_of_every_kind_are_shown_on_white(
    mode: str, colour: tuple[int, ...], form: str
) -> None:
    board = opened(compose_grid([drawn((64, 64), colour, mode=mode, form=form)], side=100))
    assert board.getpixel((50, 50)) == WHITE


@pytest.mark.parametrize("count", [0, MAX_GRID_PICTURES + 1])
def test_none_and_too_many_pictures_are_refused_in_one_line(count: int) -> None:
    with pytest.raises(ScriptError, match=rf"1 to 16 pictures, got {count}$"):
        compose_grid([drawn((5, 5))] * count)


def test_a_file_that_is_no_picture_is_named_by_its_place() -> None:
    with pytest.raises(ScriptError, match="'2 of a board' is neither PNG"):
        compose_grid([drawn((5, 5)), b"<svg/>"])
