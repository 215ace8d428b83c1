"""The command `python -m scripts_mm.generate.font_subset`: rebuild the fonts in the package.

A machine without fonts draws generated cases with two small ones: a plain face and a hand, each
with the characters of the generator's words, cut out of free fonts that Debian packages. Their
licence is in the same folder; it requires another name for a changed font.
"""

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from unicodedata import category

from scripts_mm.drawing.primitives.fonts import BUNDLED, SYSTEM_FOLDERS
from scripts_mm.generate.text.lexicon import list_texts
from scripts_mm.script import LANGUAGES, ScriptError

_ttlib: Final[Any] = import_module("fontTools.ttLib")
_subset: Final[Any] = import_module("fontTools.subset")
SOURCES: Mapping[str, tuple[str, int, str]] = MappingProxyType(
    {
        "ArenaSans.otf": ("NotoSansCJK-Regular.ttc", 2, "Arena Sans"),
        "ArenaHand.ttf": ("LXGWWenKai-Regular.ttf", -1, "Arena Hand"),
    }
)
"""By file: the font that it is cut from, the face in a collection (-1: there is one), its name."""
_DRAWN = "…—–·×°　“”‘’（）《》、。，：；？！"
"""Signs that drawings add to the words."""
_NAMES = (1, 3, 4, 6, 16)
"""Entries of a font's table of names that contain its name."""
_TABLES_DROPPED = ("GSUB", "GPOS", "GDEF", "BASE", "vhea", "vmtx", "VORG", "kern", "DSIG", "meta")
"""Tables that the drawings, which set signs one after another, do not need."""


def list_signs() -> frozenset[str]:
    """Return every sign that a generated picture can contain."""
    signs = {sign for language in LANGUAGES for text in list_texts(language) for sign in text}
    printable = {chr(code) for code in range(0x20, 0x7F)}
    return frozenset(one for one in signs | printable | {*_DRAWN} if category(one)[0] != "C")


def cut_font(source: Path, face: int, name: str, signs: Iterable[str]) -> Any:
    """Return the font with only `signs`, under another name."""
    font = _ttlib.TTFont(source, fontNumber=face, recalcTimestamp=False)
    options = _subset.Options()
    options.drop_tables += list(_TABLES_DROPPED)
    options.hinting = False
    options.desubroutinize = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 4, 6, 13, 14]
    cutter = _subset.Subsetter(options)
    cutter.populate(text="".join(sorted(signs)))
    cutter.subset(font)
    for record in font["name"].names:
        if record.nameID in _NAMES:
            record.string = name.replace(" ", "") if record.nameID == 6 else name  # noqa: PLR2004 - the PostScript name has no space
    return font


def rebuild(folders: Iterable[Path] = SYSTEM_FOLDERS, out: Path = BUNDLED) -> None:
    """Write the fonts of the package. Raises ScriptError if a source is not installed."""
    there = {path.name: path for folder in folders for path in sorted(folder.rglob("*"))}
    missing = sorted({source for source, _, _ in SOURCES.values()} - {*there})
    if missing:
        raise ScriptError(
            f"wanted the fonts {', '.join(missing)}, found none; install them with "
            "'apt-get install fonts-noto-cjk fonts-lxgw-wenkai'"
        )
    signs = list_signs()
    for file, (source, face, name) in SOURCES.items():
        cut_font(there[source], face, name, signs).save(out / file)


if __name__ == "__main__":
    rebuild()
