"""Pictures that nobody vouches for: every byte string is a picture or one line of refusal."""

import struct
import warnings
import zlib
from contextlib import suppress
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from scripts_mm.image_headers import detect_mime, header_size
from scripts_mm.safe_pictures import MAX_BYTES, inspect_picture
from scripts_mm.script import ScriptError
from tests.scripts_mm.making import chunk, png, png_claiming


def _saved(form: str, mode: str = "RGB", **options: object) -> bytes:
    out = BytesIO()
    image = Image.effect_mandelbrot((90, 50), (-2, -1, 1, 1), 30).convert(mode)
    image.save(out, form, **options)
    return out.getvalue()


GOOD = {
    "rgb.png": _saved("PNG"),
    "palette.png": _saved("PNG", "P"),
    "grey.png": _saved("PNG", "L"),
    "alpha.png": _saved("PNG", "RGBA"),
    "photo.jpg": _saved("JPEG"),
    "print.jpg": _saved("JPEG", "CMYK"),
    "slow.jpg": _saved("JPEG", progressive=True),
    "lossy.webp": _saved("WEBP"),
    "exact.webp": _saved("WEBP", lossless=True),
    "alpha.webp": _saved("WEBP", "RGBA"),
}


@pytest.mark.parametrize("name", GOOD)
def test_each_allowed_kind_is_known_by_its_content(name: str) -> None:
    info = inspect_picture(GOOD[name], "a.name")
    assert (info.width, info.height) == (90, 50)
    assert info.mime == {"png": "image/png", "jpg": "image/jpeg"}.get(name[-3:], "image/webp")


def test_equal_bytes_are_decoded_once_and_broken_ones_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[str] = []
    open_image = Image.open

    def note(file: BytesIO, formats: list[str]) -> Image.Image:
        opened.extend(formats)
        return open_image(file, formats=formats)

    def is_decoded(data: bytes) -> bool:
        opened.clear()
        with suppress(ScriptError):
            inspect_picture(data, "a.name")
        return bool(opened)

    monkeypatch.setattr(Image, "open", note)
    good, other, broken = png(31, 17), png(17, 31), png(31, 18).replace(b"IDAT", b"IDAX")
    assert [is_decoded(one) for one in (good, good, other)] == [True, False, True]
    assert [is_decoded(broken) for _ in range(2)] == [True, True]


@pytest.mark.parametrize("name", GOOD)
def test_the_header_is_read_as_pillow_reads_it(name: str) -> None:
    mime = detect_mime(GOOD[name])
    assert mime is not None
    assert header_size(GOOD[name], mime) == (90, 50)


@settings(max_examples=150, deadline=None)
@given(name=st.sampled_from(sorted(GOOD)), share=st.floats(0, 1, exclude_max=True))
def test_a_picture_cut_anywhere_is_refused(name: str, share: float) -> None:
    data = GOOD[name]
    with pytest.raises(ScriptError, match="picture 'cut' is"):
        inspect_picture(data[: int(share * len(data))], "cut")


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    name=st.sampled_from(sorted(GOOD)),
    changes=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=8),
)
def test_a_picture_with_wrong_bytes_is_read_or_refused_and_nothing_else(
    name: str, changes: list[tuple[int, int]]
) -> None:
    data = bytearray(GOOD[name])
    for at, value in changes:
        data[at % min(len(data), 400)] = value
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with suppress(ScriptError):
            inspect_picture(bytes(data), "odd")


@given(
    data=st.binary(max_size=200),
    magic=st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"]),
)
def test_noise_is_refused(data: bytes, magic: bytes) -> None:
    with pytest.raises(ScriptError):
        inspect_picture(magic + data, "noise")


def _jpeg_claiming(width: int, height: int) -> bytes:
    frame = struct.pack(">BHHB", 8, height, width, 3) + bytes(9)
    return b"\xff\xd8\xff\xc0" + struct.pack(">H", len(frame) + 2) + frame + b"\xff\xd9"


def _webp_claiming(width: int, height: int) -> bytes:
    canvas = bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + canvas
    return b"RIFF" + struct.pack("<I", len(body)) + body


@pytest.mark.parametrize(
    "data",
    [
        png_claiming(20000, 20000),
        png_claiming(2**31 - 1, 2**31 - 1),
        _jpeg_claiming(65535, 65535),
        _webp_claiming(16_777_216, 16_777_216),
    ],
)
def test_a_bomb_is_refused_by_its_header_and_never_decoded(
    monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("opened")

    monkeypatch.setattr(Image, "open", forbidden)
    with pytest.raises(ScriptError, match="megapixels; the limit is 40"):
        inspect_picture(data, "bomb.png")


def test_a_picture_of_35_megapixels_is_within_the_limits() -> None:
    out = BytesIO()
    Image.new("1", (7000, 5000)).save(out, "PNG")
    assert inspect_picture(out.getvalue(), "plan.png").width == 7000


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "is empty"),
        (b"GIF89a" + bytes(20), "GIF"),
        (b"<svg xmlns='x'/>", "SVG"),
        (b"%PDF-1.7", "PDF"),
        (b"\0\0\0\x1cftypavif" + bytes(20), "AVIF"),
        (b"hello", "something unknown"),
        (bytes(MAX_BYTES + 1), "the limit is 20971520"),
        (png_claiming(0, 5), "header is incomplete"),
        (png().replace(b"IDAT", b"IDOT"), "truncated or broken PNG"),
    ],
)
def test_what_is_no_picture_is_named(data: bytes, part: str) -> None:
    with pytest.raises(ScriptError) as caught:
        inspect_picture(data, "thing.png")
    assert part in str(caught.value)
    assert "'thing.png'" in str(caught.value)


def test_a_png_with_a_wrong_checksum_is_refused() -> None:
    data = bytearray(png())
    data[-13] ^= 1
    with pytest.raises(ScriptError, match="truncated or broken PNG"):
        inspect_picture(bytes(data), "odd.png")


@pytest.mark.parametrize("form", ["PNG", "WEBP"])
def test_an_animation_is_refused(form: str) -> None:
    frames = [Image.new("RGB", (20, 20), (shade, 0, 0)) for shade in (0, 90, 200)]
    out = BytesIO()
    frames[0].save(out, form, save_all=True, append_images=frames[1:], duration=100)
    with pytest.raises(ScriptError, match="an animation of 3 frames"):
        inspect_picture(out.getvalue(), "moving")


@pytest.mark.slow
def test_a_text_chunk_that_unpacks_to_much_is_refused_and_not_kept() -> None:
    packed = b"Comment\0\0" + zlib.compress(bytes(200 * 1024 * 1024))
    data = png()
    with pytest.raises(ScriptError):
        inspect_picture(data[:33] + chunk(b"zTXt", packed) + data[33:], "text.png")


def test_warnings_of_pillow_stay_inside() -> None:
    out = BytesIO()
    palette = Image.new("P", (20, 20))
    palette.save(out, "PNG", transparency=bytes(range(100)))
    broken_exif = BytesIO()
    Image.new("RGB", (20, 20)).save(broken_exif, "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        inspect_picture(out.getvalue(), "p.png")
        inspect_picture(broken_exif.getvalue(), "e.jpg")
