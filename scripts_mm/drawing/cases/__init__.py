"""The pictures of the bundled scripts: one package per script, named after its id.

Each package has `drawings(language)`, which returns the drawing of every picture by file name.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from random import Random
from typing import cast

from PIL import Image

from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.script import Language, ScriptError

Drawing = Callable[[Fonts, Random], Image.Image]
"""A function that draws one picture in one language; equal generators give equal pictures."""
Drawings = Callable[[Language], Mapping[str, Drawing]]
"""A function from a language to the drawings of a script, by file name."""


def list_script_ids() -> tuple[str, ...]:
    """Return the ids of the scripts that have drawings."""
    return tuple(sorted(name.replace("_", "-") for name in _packages()))


def load_drawings(script: str, language: Language) -> Mapping[str, Drawing]:
    """Return the drawings of `script` in `language`. Raises ScriptError if it has none."""
    name = script.replace("-", "_")
    if name not in _packages():
        raise ScriptError(
            f"no drawings for script {script!r}; known: {', '.join(list_script_ids())}"
        )
    package = import_module(f"{__name__}.{name}")
    return cast("Drawings", package.drawings)(language)


def _packages() -> set[str]:
    return {module.name for module in iter_modules(__path__) if module.ispkg}
