"""Texts of the method, one file per language."""

from functools import cache
from pathlib import Path

from arena.games.wording import Wording, load_wording
from arena.players import wording
from scripts_mm.script import Language

_FOLDER = Path(wording.__file__).parent / "thinkthrice"


@cache
def find_texts(language: Language) -> Wording:
    """Return the texts in `language`."""
    return load_wording(_FOLDER / f"{language}.toml")


def number_lines(lines: tuple[str, ...]) -> str:
    """Return `lines` numbered from 1, one per line."""
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))
