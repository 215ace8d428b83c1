"""Wording: texts in TOML files, one per language; tables of keys and texts with placeholders."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType


class Wording:
    """Texts of one language: `wording("rules.head", name=value)` returns one."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Store `texts` by key, as `table.key`."""
        self.texts = texts

    def __call__(self, key: str, **values: object) -> str:
        """Return the text `key` with `values` for its placeholders; values can contain braces."""
        return self.texts[key].format_map(values)

    def get(self, key: str, **values: object) -> str:
        """Return the text `key`, or an empty text if there is none."""
        return self(key, **values) if key in self.texts else ""


@cache
def load_wording(path: Path) -> Wording:
    """Return the texts of a TOML file."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return Wording(
        MappingProxyType(
            {
                f"{table}.{key}": str(text)
                for table, texts in tables.items()
                for key, text in texts.items()
            }
        )
    )
