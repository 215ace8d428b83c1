"""Cache of the stand-ins: each is built once per machine, and again when its recipe changes."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from serving.errors import EngineError
from serving.host.xdg_folders import cache_folder

SHIM: Final = Path(__file__).resolve().parent.parent / "shim"
"""The folder that must be on the PYTHONPATH of a process that imports torchvision."""

_MADE: Final = "made.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandinRecipe:
    """The recipe of a stand-in: a module with `make_standin`, and its inputs under serving/."""

    folder: str
    module: str
    files: tuple[str, ...]


_WORDS: Final = ("standin/bpe_tokenizer.py", "standin/words.json")

RECIPES: Mapping[str, StandinRecipe] = MappingProxyType(
    {
        "stand-in": StandinRecipe(
            folder="standin",
            module="serving.standin.qwen",
            files=("standin/qwen.py", *_WORDS, "standin/chat_template.jinja"),
        ),
        "stand-in-yi": StandinRecipe(
            folder="standin-yi",
            module="serving.standin.yi",
            files=(
                "standin/yi.py",
                *_WORDS,
                "yi_vl/model_dims.py",
                "yi_vl/checkpoints/writer.py",
                "yi_vl/checkpoints/config_files.py",
                "yi_vl/checkpoints/tiny_tokenizer.py",
                "yi_vl/checkpoints/random_weights.py",
            ),
        ),
    }
)
"""The recipes of all stand-ins, by profile name."""


def standin_folder(
    texts: Iterable[str] = (), *, name: str = "stand-in", cache: Path | None = None
) -> Path:
    """Return the folder of a stand-in's checkpoint; build it if it is missing or broken.

    Building takes about ten seconds in a child process and is atomic. Raises `EngineError` if it
    fails.
    """
    lines = tuple(texts)
    place = cache or cache_folder()
    folder = place / f"{RECIPES[name].folder}-{recipe_hash(lines, name)}"
    if is_whole(folder):
        return folder
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place, prefix=".standin-") as scratch:
            made = Path(scratch) / "model"
            _make(made, lines, RECIPES[name])
            _replace(folder, made)
    except OSError as error:
        raise EngineError(f"the stand-in cannot be built in {str(place)!r}: {error}") from error
    return folder


def recipe_hash(texts: Iterable[str], name: str = "stand-in") -> str:
    """Return 12 hexadecimal digits that change with every input of the checkpoint."""
    digest = hashlib.sha256()
    for file in RECIPES[name].files:
        digest.update((SHIM.parent / file).read_bytes())
    digest.update(json.dumps(list(texts), ensure_ascii=False).encode())
    return digest.hexdigest()[:12]


def is_whole(folder: Path) -> bool:
    """Return whether every file exists with its original size."""
    try:
        sizes = json.loads((folder / _MADE).read_text(encoding="utf-8"))
        return all((folder / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, AttributeError):
        return False


def _make(folder: Path, texts: tuple[str, ...], recipe: StandinRecipe) -> None:
    others = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([str(SHIM), str(SHIM.parent.parent), *([others] if others else [])])
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "serving.standin", recipe.module, str(folder)],
        input=json.dumps(texts),
        env={**os.environ, "PYTHONPATH": path, "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise EngineError(f"the stand-in cannot be built: {said[-1]}")
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}
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
