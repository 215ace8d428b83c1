"""The size and type that a picture's header claims, read without decoding.

Pillow allocates a WebP's whole canvas on opening, so the size limit is checked before that.
Layouts: PNG specification 11.2.2 (IHDR), ITU T.81 B.2.2 (SOFn), RFC 9649 section 2 (VP8, VP8L,
VP8X).
"""

from typing import Literal

Mime = Literal["image/png", "image/jpeg", "image/webp"]

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"IEND\xaeB`\x82"
"""The last chunk has no data, so its checksum is always the same."""
_KNOWN_OTHERS = (
    (b"", b"GIF8", "GIF"),
    (b"", b"BM", "BMP"),
    (b"", b"II*\0", "TIFF"),
    (b"", b"MM\0*", "TIFF"),
    (b"", b"%PDF", "PDF"),
    (b"ftyp", b"", "HEIC, AVIF or MP4"),
    (b"", b"<", "SVG, HTML or XML"),
)
_SOF = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_BARE = {0x01, *range(0xD0, 0xD9)}
"""JPEG markers without a length field."""
_BOX = slice(4, 8)


def detect_mime(data: bytes) -> Mime | None:
    """Return the type by the first bytes; None: not one of the three allowed."""
    if data.startswith(_PNG):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def guess_format(data: bytes) -> str:
    """Return the likely format of `data`, for an error about a type that is not allowed."""
    for box, start, name in _KNOWN_OTHERS:
        if (box and data[_BOX] == box) or (start and data.startswith(start)):
            return name
    return "something unknown"


def header_size(data: bytes, mime: Mime) -> tuple[int, int] | None:
    """Return the width and height in pixels by the header; None: the header is incomplete."""
    if mime == "image/png":
        return _png_size(data)
    return _jpeg_size(data) if mime == "image/jpeg" else _webp_size(data)


def is_complete(data: bytes, mime: Mime) -> bool:
    """Return whether the format's end mark is present; decoders can accept files without it."""
    if mime == "image/png":
        return _PNG_END in data
    if mime == "image/webp":
        return len(data) >= int.from_bytes(data[4:8], "little") + 8
    frame = _find_frame_header(data)
    return frame is not None and data.find(b"\xff\xd9", frame) >= 0


def _png_size(data: bytes) -> tuple[int, int] | None:
    if data[12:16] != b"IHDR" or len(data) < 24:  # noqa: PLR2004 - IHDR's width and height end there
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = _find_frame_header(data)
    if at is None or len(data) < at + 9:
        return None
    return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(
        data[at + 5 : at + 7], "big"
    )


def _find_frame_header(data: bytes) -> int | None:
    """Return the offset of the JPEG's first start-of-frame marker."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:  # noqa: PLR2004 - every marker begins so
        marker = data[at + 1]
        if marker in _SOF:
            return at
        if marker == 0xFF:  # noqa: PLR2004 - a fill byte
            at += 1
        elif marker in _BARE:
            at += 2
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    if len(data) < 30:  # noqa: PLR2004 - the longest of the three headers ends there
        return None
    if data[12:16] == b"VP8X":
        return (
            1 + int.from_bytes(data[24:27], "little"),
            1 + int.from_bytes(data[27:30], "little"),
        )
    if data[12:16] == b"VP8L" and data[20] == 0x2F:  # noqa: PLR2004 - signature of VP8L
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if data[12:16] == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        return (
            int.from_bytes(data[26:28], "little") & 0x3FFF,
            int.from_bytes(data[28:30], "little") & 0x3FFF,
        )
    return None
