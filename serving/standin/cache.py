"""The stand-in is made once a machine, and again when its recipe changes."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from serving.errors import EngineError
from serving.places import cache_folder

SHIM: Final = Path(__file__).resolve().parent.parent / "shim"
"""The folder that must stand on the PYTHONPATH of a process that imports torchvision."""

_RECIPE: Final = ("checkpoint.py", "tokenizer.py", "words.json", "chat_template.jinja")
_MADE: Final = "made.json"


def standin_folder(texts: Iterable[str] = (), *, cache: Path | None = None) -> Path:
    """Return the folder of the stand-in's checkpoint; make it where it is missing or broken.

    Making it takes some ten seconds, in a child process, and is seen whole or not at all.
    Raises `EngineError` where it cannot be made.
    """
    lines = tuple(texts)
    place = cache or cache_folder()
    folder = place / f"standin-{recipe_hash(lines)}"
    if is_whole(folder):
        return folder
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place, prefix=".standin-") as scratch:
            made = Path(scratch) / "model"
            _make(made, lines)
            _replace(folder, made)
    except OSError as error:
        raise EngineError(f"the stand-in cannot be made in {str(place)!r}: {error}") from error
    return folder


def recipe_hash(texts: Iterable[str]) -> str:
    """Return 12 hexadecimal digits that change with anything the checkpoint is made from."""
    digest = hashlib.sha256()
    for name in _RECIPE:
        digest.update(Path(__file__).with_name(name).read_bytes())
    digest.update(json.dumps(list(texts), ensure_ascii=False).encode())
    return digest.hexdigest()[:12]


def is_whole(folder: Path) -> bool:
    """Tell whether every file is there with the size that it had when it was made."""
    try:
        sizes = json.loads((folder / _MADE).read_text(encoding="utf-8"))
        return all((folder / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, AttributeError):
        return False


def _make(folder: Path, texts: tuple[str, ...]) -> None:
    others = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([str(SHIM), str(SHIM.parent.parent), *([others] if others else [])])
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "serving.standin", str(folder)],
        input=json.dumps(texts),
        env={**os.environ, "PYTHONPATH": path, "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise EngineError(f"the stand-in cannot be made: {said[-1]}")
    sizes = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
    (folder / _MADE).write_text(json.dumps(sizes), encoding="utf-8")


def _replace(folder: Path, made: Path) -> None:
    """Move `made` to `folder`, unless another process was faster."""
    if is_whole(folder):
        return
    shutil.rmtree(folder, ignore_errors=True)
    try:
        made.rename(folder)
    except OSError:
        if not is_whole(folder):
            raise
