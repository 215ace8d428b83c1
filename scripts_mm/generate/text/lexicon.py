"""The lexicon of generated cases: one folder of books per language, cached."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

from scripts_mm.script import Language

FOLDER = Path(__file__).parent / "words"
WordPool = tuple[str, ...]
"""Alternative wordings of one thing, or alternative things of one kind."""


@cache
def load_book(language: Language, book: str) -> Mapping[str, Any]:
    """Return a whole book: `facts`, `traits`, `life`, `role`, `case`, `pictures`, ..."""
    text = (FOLDER / language / f"{book}.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


@cache
def pool(language: Language, book: str, *path: str) -> WordPool:
    """Return the wordings at `path` in a book; a single text is a pool of one."""
    found: Any = load_book(language, book)
    for step in path:
        found = found[step]
    return (found,) if isinstance(found, str) else tuple(found)


@cache
def pool_for_value(language: Language, book: str, value: str, *path: str) -> WordPool:
    """Return the wordings at `path`, those for `value` if they differ by value."""
    found: Any = load_book(language, book)
    for step in path:
        found = found[step]
    return pool(language, book, *path, *([value] if isinstance(found, dict) else ()))


@cache
def pairs(language: Language, book: str, *path: str) -> tuple[WordPool, ...]:
    """Return the rows of texts at `path` in a book."""
    found: Any = load_book(language, book)
    for step in path:
        found = found[step]
    return tuple(tuple(row) for row in found)


def list_texts(language: Language) -> Iterator[str]:
    """Yield every text of every book of a language."""
    for file in sorted((FOLDER / language).rglob("*.json")):
        yield from _texts(load_book(language, str(file.relative_to(FOLDER / language))[:-5]))


def _texts(found: Any) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(found, list | Mapping):
        several = cast("Any", found)
        for one in several.values() if isinstance(found, Mapping) else several:
            yield from _texts(one)


def setting_book(name: str) -> str:
    """Return the book of a setting."""
    return f"settings/{name}"
