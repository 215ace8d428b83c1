"""Which tensors a folder's weights hold, told from indexes and headers; no tensor is read."""

import json
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError

from serving.errors import ServingError

_INDEXES: Final = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
_LENGTH: Final = 8
_MOST: Final = 100_000_000
"""Bytes of a header; a longer one is no header."""


class TensorsError(ServingError):
    """A folder's weights are missing or broken."""


class _Index(BaseModel):
    weight_map: dict[str, str]


def holds_weights(folder: Path) -> bool:
    """Tell whether there is a file of weights that is not empty, as safetensors or pickled."""
    return any(path.stat().st_size for path in _files(folder))


def read_names(folder: Path) -> Callable[[str], bool]:
    """Return a test for whether a tensor of some name is among the weights of `folder`.

    Where there is an index it is believed, once every file that it names is there. Raises
    `TensorsError` where there are no weights or a part of them is missing or torn.
    """
    files = _files(folder)
    if not files:
        raise TensorsError(
            f"{str(folder)!r} was to hold weights, but has no *.safetensors or *.bin"
        )
    kind = files[0].suffix
    for name in _INDEXES:
        index = folder / name
        if index.is_file() and kind in name:
            return _indexed(index).__contains__
    try:
        if kind == ".safetensors":
            return {name for path in files for name in _header(path)}.__contains__
        return _pickled(files)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise TensorsError(f"the weights in {str(folder)!r} are torn: {error}") from error


def _files(folder: Path) -> list[Path]:
    """Return the files that an engine would read: pickled ones only without safetensors."""
    safe = sorted(folder.glob("*.safetensors"))
    return safe or sorted(path for path in folder.glob("*.bin") if path.name != "training_args.bin")


def _indexed(path: Path) -> frozenset[str]:
    try:
        places = _Index.model_validate_json(path.read_bytes()).weight_map
    except (OSError, ValidationError) as error:
        raise TensorsError(f"{str(path)!r} was to be an index of weights, but is not") from error
    absent = sorted({file for file in places.values() if not (path.parent / file).is_file()})
    if absent:
        raise TensorsError(f"{str(path.parent)!r} lacks {', '.join(absent)} of its weights")
    return frozenset(places)


def _header(path: Path) -> Iterable[str]:
    with path.open("rb") as file:
        length = int.from_bytes(file.read(_LENGTH), "little")
        if not 0 < length < _MOST:
            raise ValueError(f"{path.name} has no header")
        return json.loads(file.read(length)).keys()


def _pickled(files: Iterable[Path]) -> Callable[[str], bool]:
    """Look for names in the pickles' bytes: torch writes them in there, and nothing is run."""
    texts: list[bytes] = []
    for path in files:
        with zipfile.ZipFile(path) as archive:
            name = next((name for name in archive.namelist() if name.endswith("/data.pkl")), "")
            texts.append(archive.read(name))
    whole = b"".join(texts)
    return lambda name: _spelt(name) in whole


def _spelt(name: str) -> bytes:
    """Return how a pickle of protocol 2 writes a short text: its length in four bytes, then it."""
    text = name.encode()
    return b"X" + len(text).to_bytes(4, "little") + text
