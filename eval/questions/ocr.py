"""Read text in pictures by OCR (rapidocr, an extra), cached by the picture's hash."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from arena.errors import ConfigError
from arena.install_advice import install_command
from arena.records.record_files import atomic_write, read_text
from scripts_mm.script import Picture

_PACKAGE: Final = "rapidocr-onnxruntime"

ReadText = Callable[[bytes], str]
"""A function from a picture's bytes to its text, line by line."""


def read_texts(
    pictures: Iterable[Picture], read: Callable[[Picture], bytes], cache: Path
) -> Mapping[str, str]:
    """Return the text of each picture by its hash; each is read once and stored in `cache`.

    Raises `ConfigError` if the reader is not installed, even if all texts are cached, since they
    depend on its version.
    """
    folder = cache / find_reader()
    found: dict[str, str] = {}
    reader: ReadText | None = None
    for picture in pictures:
        if picture.sha256 in found:
            continue
        path = folder / f"{picture.sha256}.txt"
        text = read_text(path)
        if text is None:
            reader = reader or open_reader()
            text = reader(read(picture))
            folder.mkdir(parents=True, exist_ok=True)
            atomic_write(path, text)
        found[picture.sha256] = text
    return found


def find_reader() -> str:
    """Return the name and version of the reader; raises `ConfigError` if it is not installed."""
    try:
        return f"{_PACKAGE}-{version(_PACKAGE)}"
    except PackageNotFoundError as error:
        raise ConfigError(
            f"pictures=ocr needs {_PACKAGE}, which is not installed; install it with "
            f"`{install_command('ocr')}`, or choose pictures=transcript"
        ) from error


def open_reader() -> ReadText:
    """Load the models of the reader, which takes a second or two."""
    engine: Any = import_module("rapidocr_onnxruntime").RapidOCR()

    def read(data: bytes) -> str:
        lines, _ = engine(_to_pixels(data))
        return "\n".join(str(line[1]) for line in lines or ())

    return read


def _to_pixels(data: bytes) -> NDArray[np.uint8]:
    """Return a picture as height x width x (blue, green, red), with transparency as white.

    The reader itself decodes palette pictures wrongly and finds no text in them.
    """
    with Image.open(BytesIO(data)) as image:
        colours = image.convert("RGBA")
    paper = Image.new("RGBA", colours.size, "white")
    pixels = np.asarray(Image.alpha_composite(paper, colours).convert("RGB"), dtype=np.uint8)
    return np.ascontiguousarray(pixels[:, :, ::-1])
