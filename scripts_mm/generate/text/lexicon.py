"""The lexicon of generated cases: one folder of books per language, cached.

A wording can contain choices, `[one|other|]`: it stands for all sentences that they compose, the
first of which has the first part of every choice.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Any, cast

from scripts_mm.script import Language

FOLDER = Path(__file__).parent / "words"
WordPool = tuple[str, ...]
"""Alternative wordings of one thing, or alternative things of one kind."""
_CHOICE = re.compile(r"\[([^\[\]]*)\]")


@cache
def load_book(language: Language, book: str) -> Mapping[str, Any]:
    """Return a whole book: `facts`, `traits`, `life`, `role`, `case`, `pictures`, ..."""
    text = (FOLDER / language / f"{book}.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


@cache
def pool(language: Language, book: str, *path: str) -> WordPool:
    """Return the wordings at `path` in a book, composed; a single text counts as a list of one."""
    return tuple(chain.from_iterable(pool_groups(language, book, *path)))


@cache
def pool_groups(language: Language, book: str, *path: str) -> tuple[WordPool, ...]:
    """Return the wordings at `path` like `pool`, those that one text composes in one group."""
    found = _look_up(language, book, path)
    return tuple(map(compose, (found,) if isinstance(found, str) else found))


def compose(wording: str) -> WordPool:
    """Return every sentence that the choices of a wording compose."""
    parts = _CHOICE.split(wording)
    several = [part.split("|") if at % 2 else (part,) for at, part in enumerate(parts)]
    return tuple("".join(one) for one in product(*several))


@cache
def plot_pool(language: Language, plot: str, book: str, *path: str) -> WordPool:
    """Return the wordings of a plot at `path` in a book, or else those of every plot."""
    found: Any = load_book(language, "plots")[plot]
    for step in (book, *path):
        found = found.get(step) if isinstance(found, Mapping) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return (
        pool(language, book, *path) if found is None else pool(language, "plots", plot, book, *path)
    )


@cache
def pool_for_value(language: Language, book: str, value: str, *path: str) -> WordPool:
    """Return the wordings at `path`, those for `value` if they differ by value."""
    found = _look_up(language, book, path)
    return pool(language, book, *path, *([value] if isinstance(found, dict) else ()))


@cache
def pairs(language: Language, book: str, *path: str) -> tuple[WordPool, ...]:
    """Return the rows of texts at `path` in a book."""
    return tuple(tuple(row) for row in _look_up(language, book, path))


def _look_up(language: Language, book: str, path: Sequence[str]) -> Any:
    found: Any = load_book(language, book)
    for step in path:
        found = found[step]
    return found


def list_texts(language: Language) -> Iterator[str]:
    """Yield every text of every book of a language."""
    for file in sorted((FOLDER / language).rglob("*.json")):
        yield from _texts(load_book(language, str(file.relative_to(FOLDER / language))[:-5]))


def _texts(found: Any) -> Iterator[str]:
    if isinstance(found, str):
        yield _CHOICE.sub(lambda choice: choice.group(1).replace("|", " "), found)
    elif isinstance(found, list | Mapping):
        several = cast("Any", found)
        for one in several.values() if isinstance(found, Mapping) else several:
            yield from _texts(one)


def setting_book(name: str) -> str:
    """Return the book of a setting."""
    return f"settings/{name}"
