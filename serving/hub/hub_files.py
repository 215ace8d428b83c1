"""Select the files of a hub model that an engine needs: pure."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from pathlib import PurePosixPath
from typing import Final

_TEXTS: Final = ("*.json", "*.model", "*.txt", "*.jinja", "*.tiktoken")
_SAFE: Final = "*.safetensors"
_PICKLED: Final = "*.bin"
_CODE: Final = "*.py"
_ELSEWHERE: Final = ("onnx/*", "openvino/*", "original/*", "gguf/*", "metal/*", ".*")
"""Copies of the weights for other programs."""
_TWICE: Final = "consolidated*.safetensors"
"""The same weights in the original authors' layout."""
_METADATA: Final = (
    *("config.json", "preprocessor_config.json", "processor_config.json"),
    "*.safetensors.index.json",
)


def select_files(
    names: Iterable[str], *, pickled: bool = False, code: bool = False
) -> tuple[str, ...]:
    """Return the files to fetch: weights as safetensors, configuration, tokenizer and templates.

    With `pickled` also pickled weights, if their folder has no safetensors; with `code` also the
    model's own code.
    """
    there = [name for name in names if not any(fnmatch(name, one) for one in _ELSEWHERE)]
    patterns = (*_TEXTS, _SAFE, *((_CODE,) if code else ()))
    found = [name for name in there if _matches(name, patterns)]
    if any(fnmatch(name, "model*.safetensors") for name in found):
        found = [name for name in found if not fnmatch(name, _TWICE)]
    safe = {_parent_folder(name) for name in found if fnmatch(name, _SAFE)}
    if pickled:
        more = (
            name for name in there if fnmatch(name, _PICKLED) and _parent_folder(name) not in safe
        )
        found += [name for name in more if PurePosixPath(name).name != "training_args.bin"]
    return tuple(found)


def select_metadata(names: Iterable[str]) -> tuple[str, ...]:
    """Return the small files from which a model's needs can be computed."""
    return tuple(name for name in names if _matches(name, _METADATA) and "/" not in name)


def weight_bytes(sizes: Mapping[str, int], *, pickled: bool = False) -> int:
    """Return the bytes of the needed weight files; 0: none can be loaded."""
    wanted = select_files(sizes, pickled=pickled)
    return sum(sizes[name] for name in wanted if _matches(name, (_SAFE, _PICKLED)))


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def _parent_folder(name: str) -> str:
    return str(PurePosixPath(name).parent)
