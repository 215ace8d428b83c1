"""Weight index of a folder: the names of its tensors, from index files and headers alone."""

import json
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError

from serving.errors import ServingError

_INDEX_FILES: Final = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
_LENGTH_BYTES: Final = 8
_MAX_HEADER_BYTES: Final = 100_000_000
"""Limit of a header's size in the safetensors format; a larger number is not a size."""


class WeightIndexError(ServingError):
    """A folder's weights are missing or broken."""


class _WeightIndex(BaseModel):
    weight_map: dict[str, str]


def has_weights(folder: Path) -> bool:
    """Return whether the folder has a weight file that is not empty, safetensors or pickled."""
    return any(path.stat().st_size for path in _list_files(folder))


def read_tensor_names(folder: Path) -> Callable[[str], bool]:
    """Return a function that tells whether the weights in `folder` have a tensor of some name.

    An index is trusted if every file that it names exists. Raises `WeightIndexError` if there are
    no weights, or a part of them is missing or truncated.
    """
    files = _list_files(folder)
    if not files:
        raise WeightIndexError(f"{str(folder)!r} should hold weights (*.safetensors or *.bin)")
    kind = files[0].suffix
    for name in _INDEX_FILES:
        index = folder / name
        if index.is_file() and kind in name:
            return _read_index(index).__contains__
    try:
        if kind == ".safetensors":
            return {name for path in files for name in _read_header(path)}.__contains__
        return _search_pickles(files)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise WeightIndexError(f"the weights in {str(folder)!r} are truncated: {error}") from error


def _list_files(folder: Path) -> list[Path]:
    """Return the files that an engine would read: pickled ones only if there are no safetensors."""
    safe = sorted(folder.glob("*.safetensors"))
    return safe or sorted(path for path in folder.glob("*.bin") if path.name != "training_args.bin")


def _read_index(path: Path) -> frozenset[str]:
    try:
        weight_map = _WeightIndex.model_validate_json(path.read_bytes()).weight_map
    except (OSError, ValidationError) as error:
        raise WeightIndexError(
            f"{str(path)!r} should be an index of weights, but is not"
        ) from error
    absent = sorted({file for file in weight_map.values() if not (path.parent / file).is_file()})
    if absent:
        raise WeightIndexError(f"{str(path.parent)!r} lacks {', '.join(absent)} of its weights")
    return frozenset(weight_map)


def _read_header(path: Path) -> Iterable[str]:
    with path.open("rb") as file:
        length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
        if not 0 < length < _MAX_HEADER_BYTES:
            raise ValueError(f"{path.name} has no header")
        return json.loads(file.read(length)).keys()


def _search_pickles(files: Iterable[Path]) -> Callable[[str], bool]:
    """Search names in the bytes of the pickles, where torch writes them; no pickle is loaded."""
    contents: list[bytes] = []
    for path in files:
        with zipfile.ZipFile(path) as archive:
            name = next((name for name in archive.namelist() if name.endswith("/data.pkl")), "")
            contents.append(archive.read(name))
    content = b"".join(contents)
    return lambda name: _pickle_text(name) in content


def _pickle_text(text: str) -> bytes:
    """Return `text` as pickle protocol 2 writes it: opcode X, four bytes of length, UTF-8."""
    encoded = text.encode()
    return b"X" + len(encoded).to_bytes(4, "little") + encoded
