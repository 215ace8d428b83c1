"""Texts of a game, one TOML file a language: tables of keys with texts to be filled in."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType


class Wording:
    """The texts of one language: `wording("rules.head", name=value)` gives one, filled in."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Hold `texts` by key, as `table.key`."""
        self.texts = texts

    def __call__(self, key: str, **values: object) -> str:
        """Return the text `key`; the values are filled in as they are and never read as texts."""
        return self.texts[key].format_map(values)

    def get(self, key: str, **values: object) -> str:
        """Return the text `key`, or nothing where there is none."""
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
