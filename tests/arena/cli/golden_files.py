"""Screens as they should be, kept as text; ARENA_WRITE_GOLDEN=1 writes them anew to be read."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def as_kept(name: str, text: str) -> bool:
    """Tell whether `text` is the kept screen `name`."""
    file = FOLDER / f"{name}.txt"
    if os.environ.get("ARENA_WRITE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert text.splitlines() == file.read_text(encoding="utf-8").splitlines()
    return True
