"""Which typeface stands for which kind of writing, and where it lies on this machine.

The finished pictures are committed, so only who redraws them needs the fonts. All of them are free
and packaged by Debian; `ARENA_FONTS` names folders to look in first.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from PIL import ImageFont

from scripts_mm.script import Language, ScriptError

Hand = Literal["letter", "note", "pencil", "type", "print", "bold", "sans", "sans-bold", "mono"]
"""`letter`: a pen with care; `note`: a marker in haste; `pencil`: a remark; `type`: a typewriter;
`print` and `bold`: book type; `sans`: screens and plans; `mono`: a desk printer."""
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

FOLDERS = "ARENA_FONTS"
"""Environment variable: folders with fonts, separated like those of PATH."""
SYSTEM = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path("~/.local/share/fonts"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """A font file by name, the face inside it and the Debian package that has it."""

    file: str
    package: str
    index: int = 0
    """Number of the face in a collection; 2 is Simplified Chinese in Noto's, 7 its fixed width."""


_SERIF = Face(file="NotoSerifCJK-Regular.ttc", package="fonts-noto-cjk", index=2)
_SANS = Face(file="NotoSansCJK-Regular.ttc", package="fonts-noto-cjk", index=2)
_COMMON: Mapping[Hand, Face] = {
    "print": _SERIF,
    "bold": Face(file="NotoSerifCJK-Bold.ttc", package="fonts-noto-cjk", index=2),
    "sans": _SANS,
    "sans-bold": Face(file="NotoSansCJK-Bold.ttc", package="fonts-noto-cjk", index=2),
    "mono": Face(file="NotoSansCJK-Regular.ttc", package="fonts-noto-cjk", index=7),
}
FACES: Mapping[Language, Mapping[Hand, Face]] = {
    "en": {
        **_COMMON,
        "letter": Face(file="DancingScript-Regular.otf", package="fonts-dancingscript"),
        "note": Face(file="BecauseWeConnect-Regular.otf", package="fonts-bwht"),
        "pencil": Face(file="dkg.ttf", package="fonts-dkg-handwriting"),
        "type": Face(file="Courier Prime.otf", package="fonts-courier-prime"),
    },
    "zh": {
        **_COMMON,
        "letter": Face(file="ukai.ttc", package="fonts-arphic-ukai"),
        "note": Face(file="LXGWWenKai-Regular.ttf", package="fonts-lxgw-wenkai"),
        "pencil": Face(file="LXGWWenKai-Light.ttf", package="fonts-lxgw-wenkai"),
        "type": _SERIF,
    },
}
"""The typeface of every kind of writing in every language."""


@dataclass(frozen=True, slots=True)
class Fonts:
    """The typefaces of one language; without any, Pillow's own stands for all of them."""

    language: Language
    files: Mapping[Hand, tuple[Path, int]] = field(default_factory=dict[Hand, tuple[Path, int]])

    def get(self, hand: Hand, size: int) -> Font:
        """Return the typeface of `hand`, `size` pixels high."""
        if not self.files:
            return ImageFont.load_default(size)
        path, index = self.files[hand]
        return ImageFont.truetype(path, size, index, layout_engine=ImageFont.Layout.BASIC)


def find_fonts(language: Language, folders: Iterable[Path] | None = None) -> Fonts:
    """Return the typefaces of `language` found in `folders` (default: ARENA_FONTS, then system).

    Raises ScriptError, in one line, with the files that are missing and the packages to install.
    """
    there = _files(_default_folders() if folders is None else folders)
    faces = FACES[language]
    missing = [face for face in faces.values() if face.file not in there]
    if missing:
        files = ", ".join(sorted({face.file for face in missing}))
        packages = " ".join(sorted({face.package for face in missing}))
        raise ScriptError(
            f"no fonts to draw {language!r} pictures: {files} not found; install them with "
            f"'apt-get install {packages}', or name their folder in {FOLDERS}"
        )
    return Fonts(language, {hand: (there[face.file], face.index) for hand, face in faces.items()})


def _default_folders() -> tuple[Path, ...]:
    named = [Path(part) for part in os.environ.get(FOLDERS, "").split(os.pathsep) if part]
    return (*named, *(path.expanduser() for path in SYSTEM))


def _files(folders: Iterable[Path]) -> dict[str, Path]:
    """Return every font file by name; the first folder wins."""
    wanted = {face.file for faces in FACES.values() for face in faces.values()}
    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.name in wanted:
                found.setdefault(path.name, path)
    return found
