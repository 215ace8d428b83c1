"""The typefaces of each kind of writing, and their search on this machine.

The pictures of bundled scripts are committed, so only redrawing them needs the first face of every
hand (`find_fonts`). Generated cases use any faces that are installed, and without any the two in
this package (`find_any_fonts`). All are free and packaged by Debian; `ARENA_FONTS` names folders to
search first.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Literal

from PIL import ImageFont

from scripts_mm.script import Language, ScriptError

Hand = Literal[
    "letter", "note", "pencil", "quick", "heavy", "type", "print", "bold", "sans",
    "sans-bold", "mono",
]  # fmt: skip
"""`letter`: careful pen; `note`: hasty marker; `pencil`: a remark; `quick`:
a slanting hand; `heavy`: a broad pen; `type`: a typewriter; `print`
and `bold`: book type; `sans`: screens and plans; `mono`: a desk printer."""
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
FontFile = tuple[Path, int]
"""A font file and the number of the face in it."""

FONTS_ENV = "ARENA_FONTS"
"""Environment variable: folders with fonts, separated as in PATH."""
SYSTEM_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path("~/.local/share/fonts"),
)
BUNDLED = Path(__file__).parents[1] / "fonts"
"""Folder of the package's own fonts: the signs of generated cases only."""
_BUNDLED_HAND = "ArenaHand.ttf"
_BUNDLED_SANS = "ArenaSans.otf"


@dataclass(frozen=True, slots=True, kw_only=True)
class FontFace:
    """A font file's name, the index of its face and its Debian package."""

    file: str
    package: str
    index: int = 0
    """Index of the face in a collection; in Noto's, 2 is Simplified Chinese, 7 its monospace."""


def _cjk(file: str, index: int = 2) -> FontFace:
    return FontFace(file=f"Noto{file}.ttc", package="fonts-noto-cjk", index=index)


def _wen(file: str) -> FontFace:
    return FontFace(file=f"LXGWWenKai{file}.ttf", package="fonts-lxgw-wenkai")


def _dejavu(file: str) -> FontFace:
    return FontFace(file=f"DejaVu{file}.ttf", package="fonts-dejavu-core")


def _liberation(file: str) -> FontFace:
    return FontFace(file=f"Liberation{file}.ttf", package="fonts-liberation")


def _bwht(file: str) -> FontFace:
    return FontFace(file=f"BecauseWe{file}-Regular.otf", package="fonts-bwht")


def _dkg(file: str) -> FontFace:
    return FontFace(file=f"{file}.ttf", package="fonts-dkg-handwriting")


_BREIP = FontFace(file="Breip.ttf", package="fonts-breip")
_GARAMOND = FontFace(file="EBGaramond12-Regular.otf", package="fonts-ebgaramond")
_UKAI = FontFace(file="ukai.ttc", package="fonts-arphic-ukai")
_UMING = FontFace(file="uming.ttc", package="fonts-arphic-uming")
_ZENHEI = FontFace(file="wqy-zenhei.ttc", package="fonts-wqy-zenhei")
_MICROHEI = FontFace(file="wqy-microhei.ttc", package="fonts-wqy-microhei")
_SERIF, _SERIF_BOLD = _cjk("SerifCJK-Regular"), _cjk("SerifCJK-Bold")
_SANS, _SANS_BOLD = _cjk("SansCJK-Regular"), _cjk("SansCJK-Bold")
_MONO = _cjk("SansCJK-Regular", 7)

FACES: Mapping[Language, Mapping[Hand, tuple[FontFace, ...]]] = {
    "en": {
        "print": (_SERIF, _GARAMOND, _dejavu("Serif"), _liberation("Serif-Regular")),
        "bold": (_SERIF_BOLD, _dejavu("Serif-Bold"), _liberation("Serif-Bold")),
        "sans": (_SANS, _dejavu("Sans"), _liberation("Sans-Regular")),
        "sans-bold": (_SANS_BOLD, _dejavu("Sans-Bold"), _liberation("Sans-Bold")),
        "mono": (_MONO, _dejavu("SansMono"), _liberation("Mono-Regular")),
        "letter": (
            FontFace(file="DancingScript-Regular.otf", package="fonts-dancingscript"),
            _BREIP,
            _wen("-Light"),
        ),
        "note": (_bwht("Connect"), _bwht("Organize"), _bwht("Learn"), _dkg("dkgBd")),
        "pencil": (_dkg("dkg"), _BREIP, _bwht("Organize"), _dkg("dkgIt")),
        "quick": (_dkg("dkgIt"),),
        "heavy": (_dkg("dkgBd"),),
        "type": (
            FontFace(file="Courier Prime.otf", package="fonts-courier-prime"),
            FontFace(file="Courier Prime Code.otf", package="fonts-courier-prime"),
            _dejavu("SansMono"),
            _liberation("Mono-Regular"),
        ),
    },
    "zh": {
        "print": (_SERIF, _UMING),
        "bold": (_SERIF_BOLD, _ZENHEI),
        "sans": (_SANS, _ZENHEI, _MICROHEI),
        "sans-bold": (_SANS_BOLD, _ZENHEI, _MICROHEI),
        "mono": (_MONO, _wen("Mono-Regular")),
        "letter": (_UKAI, _wen("-Light"), _wen("-Regular")),
        "note": (_wen("-Regular"), _UKAI, _wen("-Bold")),
        "pencil": (_wen("-Light"), _UKAI),
        "quick": (_wen("-Light"),),
        "heavy": (_wen("-Bold"),),
        "type": (_SERIF, _UMING, _wen("Mono-Regular")),
    },
}
"""The typefaces by language and hand; bundled pictures use the first of each."""

BUNDLED_HANDS: frozenset[Hand] = frozenset({"quick", "heavy"})
"""Hands that only bundled scripts write; generated cases choose among the faces of the others."""


@dataclass(frozen=True, slots=True)
class Fonts:
    """The typefaces of one language; without any, Pillow's default face replaces all."""

    language: Language
    files: Mapping[Hand, FontFile] = field(default_factory=dict[Hand, FontFile])
    choices: Mapping[Hand, tuple[FontFile, ...]] = field(
        default_factory=dict[Hand, tuple[FontFile, ...]]
    )
    """All faces of each hand, if there are more than the one in use."""

    def get(self, hand: Hand, size: int) -> Font:
        """Return the typeface of `hand`, `size` pixels high."""
        if not self.files:
            return ImageFont.load_default(size)
        path, index = self.files[hand]
        return _load_face(path, size, index)

    def pick_faces(self, rng: Random) -> "Fonts":
        """Return the same fonts with a random one of the faces of every hand."""
        drawn: dict[Hand, FontFile] = dict(self.files)
        for hand, places in self.choices.items():
            if hand not in BUNDLED_HANDS:
                drawn[hand] = rng.choice(places)
        return Fonts(self.language, drawn, self.choices)


@lru_cache(maxsize=64)
def _load_face(path: Path, size: int, index: int) -> Font:
    return ImageFont.truetype(path, size, index, layout_engine=ImageFont.Layout.BASIC)


def find_fonts(language: Language, folders: Iterable[Path] | None = None) -> Fonts:
    """Return the first face of every hand from `folders` (default: ARENA_FONTS, then system).

    Raises ScriptError, in one line, with the missing files and the packages to install.
    """
    there = _index_files(_default_folders() if folders is None else folders)
    faces: dict[Hand, FontFace] = {hand: several[0] for hand, several in FACES[language].items()}
    missing = [face for face in faces.values() if face.file not in there]
    if missing:
        raise ScriptError(_missing_message(language, missing))
    found: dict[Hand, FontFile] = {
        hand: (there[face.file], face.index) for hand, face in faces.items()
    }
    return Fonts(language, found)


def find_any_fonts(language: Language, folders: Iterable[Path] | None = None) -> Fonts:
    """Return the installed faces of `language`; a hand without any uses another hand's.

    Without any face it returns the two of the package.
    """
    there = _index_files(_default_folders() if folders is None else folders)
    found: dict[Hand, tuple[FontFile, ...]] = {
        hand: tuple((there[face.file], face.index) for face in faces if face.file in there)
        for hand, faces in FACES[language].items()
    }
    kept = tuple(place for places in found.values() for place in places)
    if not kept:
        return _open_package_fonts(language)
    choices: dict[Hand, tuple[FontFile, ...]] = {
        hand: places or kept[:1] for hand, places in found.items()
    }
    first: dict[Hand, FontFile] = {hand: places[0] for hand, places in choices.items()}
    return Fonts(language, first, choices)


def _open_package_fonts(language: Language) -> Fonts:
    """Return the package's own fonts: a hand for what is written, a plain face for the rest."""
    files: dict[Hand, FontFile] = {
        hand: (BUNDLED / (_BUNDLED_HAND if hand in _WRITTEN else _BUNDLED_SANS), 0)
        for hand in FACES[language]
    }
    return Fonts(language, files)


_WRITTEN: frozenset[Hand] = frozenset({"letter", "note", "pencil"})


def _missing_message(language: Language, faces: Iterable[FontFace]) -> str:
    files = ", ".join(sorted({face.file for face in faces}))
    packages = " ".join(sorted({face.package for face in faces}))
    return (
        f"no fonts to draw {language!r} pictures: {files} not found; install them with "
        f"'apt-get install {packages}', or name their folder in {FONTS_ENV}"
    )


def _default_folders() -> tuple[Path, ...]:
    named = [Path(part) for part in os.environ.get(FONTS_ENV, "").split(os.pathsep) if part]
    return (*named, *(path.expanduser() for path in SYSTEM_FOLDERS))


def _index_files(folders: Iterable[Path]) -> dict[str, Path]:
    """Return every font file by name; the first folder wins."""
    hands = [hand for faces in FACES.values() for hand in faces.values()]
    wanted = {face.file for faces in hands for face in faces}
    found: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.name in wanted:
                found.setdefault(path.name, path)
    return found
