"""The data of a bundled script's pictures, read from its file `drawing.toml`.

The file has one table per picture, named after the picture's file without `.png`. Its keys are
fields of the painter's spec; those below `en` or `zh` depend on the language. A key `painter` names
the painter (`scripts_mm.drawing.painters`); the bundled scripts name theirs in a package instead.
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from PIL import Image
from pydantic import TypeAdapter, ValidationError

from scripts_mm.catalog import LIBRARY
from scripts_mm.drawing.cases import Drawing
from scripts_mm.drawing.primitives.fonts import Fonts
from scripts_mm.script import LANGUAGES, Language, ScriptError

T = TypeVar("T")
Painter = Callable[[T, Fonts, Random], Image.Image]
"""A function that draws a kind of picture from its spec."""
DATA_FILE = "drawing.toml"


class PictureData:
    """The data of a script's pictures in one language."""

    def __init__(self, script: str, language: Language, library: Path | None = None) -> None:
        self._place = f"{script}/{DATA_FILE}"
        file = (LIBRARY if library is None else library) / script / DATA_FILE
        try:
            tables = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ScriptError(f"cannot read {self._place}: {error}") from error
        stray = [key for key, table in tables.items() if not isinstance(table, dict)]
        if stray:
            raise ScriptError(f"{self._place}: {stray[0]}: wanted the table of a picture")
        self._tables = {
            picture: _select_language(table, language) for picture, table in tables.items()
        }
        self.painters: Mapping[str, object] = {
            picture: table.pop("painter", None) for picture, table in self._tables.items()
        }
        """The painter that each picture's table names, or None."""

    def read(self, picture: str, wanted: type[T]) -> T:
        """Return a picture's table as a `wanted`. Raises ScriptError for a bad or missing key."""
        text = json.dumps(self._tables.get(picture, {}))
        try:
            # Strict JSON takes arrays as tuples and whole numbers as floats, and nothing else.
            return TypeAdapter(wanted).validate_json(text, strict=True, extra="forbid")
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in (picture, *first["loc"]))
            raise ScriptError(f"{self._place}: {place}: {first['msg']}") from error

    def texts(self, picture: str) -> Mapping[str, str]:
        """Return a picture's table, in which every value is a text."""
        return self.read(picture, dict[str, str])

    def draw(self, picture: str, wanted: type[T], painter: Painter[T]) -> Drawing:
        """Return the drawing of a picture by a painter of `wanted` specs."""
        spec = self.read(picture, wanted)
        return lambda fonts, rng: painter(spec, fonts, rng)


def _select_language(table: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Return the common keys and those of `language`."""
    shared = {key: value for key, value in table.items() if key not in LANGUAGES}
    return {**shared, **table.get(language, {})}
