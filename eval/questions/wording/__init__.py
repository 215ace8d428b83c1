"""The texts of the questions' prompts, one file per language."""

from functools import cache
from pathlib import Path

from arena.games.wording import Wording, load_wording
from scripts_mm.script import Language


@cache
def find_wording(language: Language) -> Wording:
    """Return the texts in `language`."""
    return load_wording(Path(__file__).parent / f"{language}.toml")
