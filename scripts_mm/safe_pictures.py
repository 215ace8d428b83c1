"""Safe opening of untrusted pictures: type by content, limits before decoding."""

import struct
import warnings
import zlib
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO

from PIL import Image

from scripts_mm.image_headers import Mime, detect_mime, guess_format, header_size, is_complete
from scripts_mm.script import Picture, PictureKind, ScriptError

MAX_BYTES = 20 * 1024 * 1024
"""Bytes of one picture file."""
MAX_PIXELS = 40_000_000
"""Pixels of one picture: 120 MB when decoded."""
MAX_SIDE = 8192
"""Pixels of one side."""
MAX_PICTURES = 64
"""Distinct pictures of one script."""

_FORMATS: dict[Mime, str] = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP"}
_BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    LookupError,
    TypeError,
    ArithmeticError,
    MemoryError,
    RuntimeError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
)
"""Exceptions of Pillow's readers for the three formats on malformed bytes."""

_decoded: set[str] = set()
"""SHA-256 of each picture that this process decoded without an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureInfo:
    """The hash, type and size of a picture, from its bytes."""

    sha256: str
    mime: Mime
    width: int
    """Pixels."""
    height: int
    """Pixels."""


def inspect_picture(data: bytes, name: str) -> PictureInfo:
    """Check all of a picture and return its type and size; errors call it `name`.

    Raises ScriptError for a picture that is empty, too large, of another type, over the limits in
    pixels (checked before decoding), truncated, broken or animated.
    """
    if not data:
        raise ScriptError(f"picture {name!r} is empty (0 bytes)")
    if len(data) > MAX_BYTES:
        raise ScriptError(f"picture {name!r} has {len(data)} bytes; the limit is {MAX_BYTES}")
    mime = detect_mime(data)
    if mime is None:
        raise ScriptError(
            f"picture {name!r} is neither PNG, JPEG nor WebP; "
            f"its content looks like {guess_format(data)}"
        )
    size = header_size(data, mime)
    if size is None or 0 in size:
        raise ScriptError(f"picture {name!r} is broken: its {_FORMATS[mime]} header is incomplete")
    _check_limits(size, name)
    if not is_complete(data, mime):
        raise ScriptError(
            f"picture {name!r} is truncated: the end of the {_FORMATS[mime]} is missing"
        )
    if (digest := sha256(data).hexdigest()) not in _decoded:
        _decode(data, mime, size, name)
        _decoded.add(digest)
    return PictureInfo(sha256=digest, mime=mime, width=size[0], height=size[1])


def make_picture(
    data: bytes,
    file: str,
    *,
    kind: PictureKind | None = None,
    transcript: str = "",
    description: str = "",
) -> Picture:
    """Check `data` and return it as the picture `file`. Raises ScriptError."""
    info = inspect_picture(data, file)
    return Picture(
        sha256=info.sha256,
        file=file,
        mime=info.mime,
        width=info.width,
        height=info.height,
        kind=kind,
        transcript=transcript,
        description=description,
    )


def _check_limits(size: tuple[int, int], name: str) -> None:
    width, height = size
    if width * height > MAX_PIXELS:
        raise ScriptError(
            f"picture {name!r} claims {width}x{height} = {width * height / 1e6:.0f} megapixels; "
            f"the limit is {MAX_PIXELS / 1e6:.0f}"
        )
    if max(size) > MAX_SIDE:
        raise ScriptError(
            f"picture {name!r} is {width}x{height} pixels; the limit is {MAX_SIDE} per side"
        )


def _decode(data: bytes, mime: Mime, size: tuple[int, int], name: str) -> None:
    """Decode the whole picture once: only that proves that it can be shown."""
    form = _FORMATS[mime]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if mime == "image/png":
                with Image.open(BytesIO(data), formats=[form]) as image:
                    image.verify()
            with Image.open(BytesIO(data), formats=[form]) as image:
                frames = 1 if mime == "image/jpeg" else int(getattr(image, "n_frames", 1))
                found = image.size
                image.load()
    except _BROKEN as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ScriptError(f"picture {name!r} is a truncated or broken {form}: {reason}") from error
    if found != size:
        raise ScriptError(f"picture {name!r} is broken: {size} in its header, {found} in its data")
    if frames > 1:
        raise ScriptError(f"picture {name!r} is an animation of {frames} frames; wanted one frame")
