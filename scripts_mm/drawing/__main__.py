"""Draw a script's pictures: `python -m scripts_mm.drawing FOLDER [LANGUAGE ...]`.

Those of a bundled script are drawn by its package in `cases`, those of any other folder by the
painters that its `drawing.toml` names.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

from scripts_mm.drawing.cases import load_drawings
from scripts_mm.drawing.painters import read_drawings
from scripts_mm.drawing.primitives.fonts import Fonts, find_fonts
from scripts_mm.drawing.primitives.paper import encode_png
from scripts_mm.script import LANGUAGES, Language, ScriptError


def redraw_pictures(folder: Path, languages: Sequence[Language] = LANGUAGES) -> list[Path]:
    """Draw the pictures of the script in `folder` and return the files written.

    Equal fonts and an equal Pillow version give equal bytes. Raises ScriptError for a script
    without drawings and for missing fonts.
    """
    found: dict[Language, Fonts] = {language: find_fonts(language) for language in languages}
    script = folder.resolve().name
    written: list[Path] = []
    for language, fonts in found.items():
        drawings = read_drawings(folder.resolve(), language)
        if drawings is None:
            drawings = load_drawings(script, language)
        drawn = {
            name: encode_png(draw(fonts, Random(f"{script}/{name}")))
            for name, draw in drawings.items()
        }
        target = folder / language / "pictures"
        target.mkdir(parents=True, exist_ok=True)
        for name, data in drawn.items():
            (target / name).write_bytes(data)
            written.append(target / name)
    return written


def main(words: Sequence[str]) -> int:
    """Redraw by the command line and print the files written; return 2 on an error."""
    known: dict[str, Language] = {language: language for language in LANGUAGES}
    if not words or words[0].startswith("-") or any(word not in known for word in words[1:]):
        sys.stderr.write(f"usage: python -m scripts_mm.drawing FOLDER [{' | '.join(known)}]\n")
        return 2
    try:
        languages: list[Language] = [known[word] for word in words[1:]]
        written = redraw_pictures(Path(words[0]), languages or LANGUAGES)
    except ScriptError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.writelines(f"{path} ({path.stat().st_size} bytes)\n" for path in written)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
