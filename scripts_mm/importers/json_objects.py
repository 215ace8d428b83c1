"""JSON files that should contain one object each, read leniently."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from scripts_mm.importers.lenient_reader import LenientReader, natural_sort_key
from scripts_mm.safe_io import MAX_JSON, describe_size, parse_json, preview, read_bytes
from scripts_mm.script import ScriptError


def read_object(path: Path, place: str, reader: LenientReader) -> dict[str, Any]:
    """Return the object in a JSON file; an unreadable one is noted and counts as empty."""

    def note_duplicate(key: str) -> None:
        detail = f"key {preview(key)} is in one object twice; its last value is read"
        reader.notes.error("key-twice", place, detail)

    try:
        data = parse_json(read_bytes(path, MAX_JSON), path, on_double=note_duplicate)
    except ScriptError as error:
        reader.notes.error("file-unreadable", place, str(error))
        return {}
    if not isinstance(data, dict):
        reader.notes.error("file-unreadable", place, f"wanted an object, got {preview(data)}")
        return {}
    return cast("dict[str, Any]", data)


def note_unknown(
    fields: Mapping[str, Any], known: frozenset[str], place: str, reader: LenientReader
) -> None:
    """Note the keys that are not read, with the size of their values."""
    for key in sorted(fields.keys() - known):
        detail = f"key {preview(key)} of {describe_size(fields[key])} is unknown and not read"
        reader.notes.info("unknown-key", place, detail)


def list_sorted(folder: Path) -> list[Path]:
    """Return the entries of a folder in natural order; none if it cannot be read."""
    try:
        return sorted(folder.iterdir(), key=lambda path: natural_sort_key(path.name))
    except OSError:
        return []


def note_stray_files(folder: Path, known: frozenset[str], reader: LenientReader) -> None:
    """Note the files and folders in `folder` that are not part of the script."""
    for path in list_sorted(folder):
        if path.name not in known:
            detail = "not read: not part of the script"
            reader.notes.info("stray-file", path.name, detail)
