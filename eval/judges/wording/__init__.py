"""The texts of the judges' prompts, one file per language, and their common hash."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from arena.games.wording import Wording, load_wording
from scripts_mm.script import LANGUAGES, Language

_FOLDER: Final = Path(__file__).parent
_SHOWN: Final = 10


@cache
def find_wording(language: Language) -> Wording:
    """Return the texts in `language`."""
    return load_wording(_FOLDER / f"{language}.toml")


@cache
def wording_hash() -> str:
    """Return a hash of all prompts; metrics combine only judgements of one hash."""
    content = b"\0".join((_FOLDER / f"{one}.toml").read_bytes() for one in LANGUAGES)
    return hashlib.sha256(content).hexdigest()[:_SHOWN]
