"""The pictures of the bundled scripts: one package a script, called by its id.

Each package offers `drawings(language)`: how every picture is drawn, by its file name.
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
"""Draws one picture of one language; the same generator gives the same picture."""
Drawings = Callable[[Language], Mapping[str, Drawing]]
"""Every picture of a script in one language, by its file name."""


def list_script_ids() -> tuple[str, ...]:
    """Return the ids of the scripts that have drawings."""
    return tuple(sorted(name.replace("_", "-") for name in _packages()))


def load_drawings(script: str, language: Language) -> Mapping[str, Drawing]:
    """Return the drawings of `script` in `language`; ScriptError for a script without any."""
    name = script.replace("-", "_")
    if name not in _packages():
        raise ScriptError(
            f"no drawings for script {script!r}; there are {', '.join(list_script_ids())}"
        )
    package = import_module(f"{__name__}.{name}")
    return cast("Drawings", package.drawings)(language)


def _packages() -> set[str]:
    return {module.name for module in iter_modules(__path__) if module.ispkg}
