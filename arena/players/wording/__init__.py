"""The platform's texts in prompts, one file per language; a game's texts are in its package."""

from functools import cache
from pathlib import Path

from arena.games.wording import Wording, load_wording
from scripts_mm.script import Language

_FOLDER = Path(__file__).parent


@cache
def find_wording(language: Language) -> Wording:
    """Return the platform's texts in `language`."""
    return load_wording(_FOLDER / f"{language}.toml")


@cache
def find_method_wording(method: str, language: Language) -> Wording:
    """Return the texts of a player's method in `language`."""
    return load_wording(_FOLDER / method / f"{language}.toml")
