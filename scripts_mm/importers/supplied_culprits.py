"""Supplied culprits: a user's file for a format whose files do not name them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from scripts_mm.names import normal_form
from scripts_mm.safe_io import MAX_JSON, parse_json, preview, read_bytes
from scripts_mm.script import ScriptError


@dataclass(frozen=True, slots=True, kw_only=True)
class SuppliedCulprits:
    """The culprits that a user supplied."""

    culprits: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Culprits' names by a script's title or folder."""

    def culprits_of(self, *titles: str) -> tuple[str, ...] | None:
        """Return the culprits supplied for one of these titles; None: none are supplied."""
        for title in titles:
            if title in self.culprits:
                return self.culprits[title]
        forms = {normal_form(title) for title in titles}
        return next((one for key, one in self.culprits.items() if normal_form(key) in forms), None)


NO_CULPRITS = SuppliedCulprits()


def read_culprits(path: Path) -> SuppliedCulprits:
    """Read a JSON object from titles or folders to a name or list of names. Raises ScriptError."""
    data = parse_json(read_bytes(path, MAX_JSON), path)
    if not isinstance(data, dict):
        raise ScriptError(
            f"{str(path)!r}: wanted an object from titles to lists of names, got {preview(data)}"
        )
    told = cast("dict[str, Any]", data)
    forms = Counter(map(normal_form, told))
    twice = [title for title in told if forms[normal_form(title)] > 1]
    if twice:
        raise ScriptError(f"{str(path)!r}: title given twice: {', '.join(map(repr, twice))}")
    return SuppliedCulprits(
        culprits={title: _parse_names(value, title, path) for title, value in told.items()}
    )


def _parse_names(value: Any, title: str, path: Path) -> tuple[str, ...]:
    several = isinstance(value, list)
    names = cast("list[object]", value) if several else [value]
    found = [name.strip() for name in names if isinstance(name, str) and name.strip()]
    if len(found) < len(names):
        raise ScriptError(f"{str(path)!r}: {title!r}: wanted a list of names, got {preview(value)}")
    return tuple(dict.fromkeys(found))
