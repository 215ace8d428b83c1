"""Reads scenes: `library/ID/scenes/NAME.toml`, with the palette and what they are based on."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from scripts_mm.catalog import LIBRARY
from scripts_mm.drawing.rendered.scene_data import Label, Scene
from scripts_mm.script import LANGUAGES, Language, ScriptError

SCENES = "scenes"
"""The folder of a script's scenes."""
_PALETTE = Path(__file__).with_name("palette.toml")


def list_scenes(script: str) -> tuple[str, ...]:
    """Return the names of a script's photographs, without those that only lie on another."""
    names = sorted(path.stem for path in (LIBRARY / script / SCENES).glob("*.toml"))
    return tuple(name for name in names if "+" not in name)


@lru_cache(maxsize=8)
def load_scene(script: str, name: str, language: Language) -> Scene:
    """Return a scene in one language. Raises ScriptError for a bad or missing file or key."""
    table = _select(_read_table(script, name), language)
    table["materials"] = {**_read_palette(), **table.get("materials", {})}
    try:
        # Strict JSON takes arrays as tuples and whole numbers as floats, and nothing else.
        scene = TypeAdapter(Scene).validate_json(json.dumps(table), strict=True, extra="forbid")
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ScriptError(f"{script}/{SCENES}/{name}.toml: {key}: {first['msg']}") from error
    labels = {key: _locate_picture(label, script, language) for key, label in scene.labels.items()}
    return replace(scene, labels=labels)


def _locate_picture(label: Label, script: str, language: Language) -> Label:
    """Return the label with the path of its picture file in one language."""
    if not label.picture:
        return label
    folders = (f"{script}/{language}/pictures", f"{script}/{SCENES}")
    for folder in folders:
        path = LIBRARY / folder / label.picture
        if path.is_file():
            return replace(label, picture=str(path))
    raise ScriptError(f"no picture {label.picture!r} for a label in {' or '.join(folders)}")


def _read_table(script: str, name: str) -> dict[str, Any]:
    """Return a scene's file, with what it takes over from the scene in its key `based_on`."""
    path = LIBRARY / script / SCENES / f"{name}.toml"
    table = _read_toml(path, f"{script}/{SCENES}/{name}.toml")
    if "based_on" not in table:
        return table
    base = _read_table(script, table.pop("based_on"))
    things = [*base.get("things", ()), *table.get("things", ())]
    tables = {
        key: {**base.get(key, {}), **table.get(key, {})}
        for key in ("camera", "film", "materials", "labels")
    }
    return {**base, **table, **tables, "things": things}


def _read_toml(path: Path, place: str) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ScriptError(f"cannot read {place}: {error}") from error


@lru_cache(maxsize=1)
def _read_palette() -> Mapping[str, Any]:
    """Return the materials that every scene knows."""
    return _read_toml(_PALETTE, _PALETTE.name)


def _select(value: Any, language: Language) -> Any:
    """Return the tables of a file with those of `language` merged in and the others left out."""
    if isinstance(value, list):
        return [_select(part, language) for part in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    table = cast("dict[str, Any]", value)
    shared = {key: _select(part, language) for key, part in table.items() if key not in LANGUAGES}
    own = cast("dict[str, Any]", table.get(language, {}))
    return _merge(shared, own)


def _merge(table: dict[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with another merged into it, table by table."""
    merged = dict(table)
    for key, part in own.items():
        old = merged.get(key)
        both = isinstance(part, dict) and isinstance(old, dict)
        merged[key] = _merge_tables(old, part) if both else part
    return merged


def _merge_tables(old: Any, part: Any) -> dict[str, Any]:
    return _merge(cast("dict[str, Any]", old), cast("dict[str, Any]", part))
