"""Picture clues of a WhodunitBench folder: one per file, in natural order."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts_mm.findings import FindingLog
from scripts_mm.image_headers import Mime
from scripts_mm.importers.lenient_reader import make_unique, natural_sort_key
from scripts_mm.importers.whodunit.source import IMAGES_FOLDER
from scripts_mm.names import file_error
from scripts_mm.safe_io import error_reason, read_bytes
from scripts_mm.safe_pictures import MAX_BYTES, MAX_PICTURES, make_picture
from scripts_mm.script import Clue, Language, Picture, ScriptError

_SUFFIXES: Mapping[str, Mime] = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
}
_OTHER_PICTURES = frozenset({".gif", ".bmp", ".tif", ".tiff", ".heic", ".avif", ".svg"})
_TITLES = {"zh": "图片", "en": "Picture"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureClues:
    """The picture clues, and the pictures' bytes by file name."""

    clues: tuple[Clue, ...]
    files: Mapping[str, bytes]


def build_picture_clues(folder: Path, language: Language, notes: FindingLog) -> PictureClues:
    """Return a clue for each picture in `img`; a broken picture becomes a finding.

    Ids count all picture files, so that repairing a broken one does not change other ids.
    """
    clues: list[Clue] = []
    files: dict[str, bytes] = {}
    taken: set[str] = set()
    for number, path in enumerate(_candidates(folder / IMAGES_FOLDER, notes), 1):
        file = _file_name(path, number, taken, notes)
        place = f"{IMAGES_FOLDER}/{path.name}"
        if len(files) == MAX_PICTURES:
            detail = f"more than {MAX_PICTURES} pictures; this one is left out"
            notes.error("too-many-pictures", place, detail)
            continue
        try:
            data = read_bytes(path, MAX_BYTES)
            picture = make_picture(data, file)
        except ScriptError as error:
            notes.error("picture-unusable", place, str(error))
            continue
        _note_type(path, picture.mime, notes)
        _note_twin(picture, clues, place, notes)
        files[file] = data
        title = f"{_TITLES[language]} {number}"
        clues.append(Clue(id=f"picture-{number}", title=title, pictures=(picture,)))
    return PictureClues(clues=tuple(clues), files=files)


def _candidates(folder: Path, notes: FindingLog) -> list[Path]:
    """Return the picture files, sorted; other entries of the folder are noted."""
    if not folder.is_dir():
        notes.warn("no-pictures", IMAGES_FOLDER, "the folder of pictures is missing")
        return []
    try:
        paths = sorted(folder.iterdir(), key=lambda path: natural_sort_key(path.name))
    except OSError as error:
        notes.error(
            "no-pictures", IMAGES_FOLDER, f"the folder cannot be read: {error_reason(error)}"
        )
        return []
    wanted = [path for path in paths if _is_candidate(path)]
    for path in paths:
        if path not in wanted:
            notes.info("stray-file", f"{IMAGES_FOLDER}/{path.name}", "not read: not a picture file")
    if not wanted:
        notes.warn("no-pictures", IMAGES_FOLDER, "the folder contains no picture")
    return wanted


def _is_candidate(path: Path) -> bool:
    known = path.suffix.casefold() in {*_SUFFIXES, *_OTHER_PICTURES}
    return known and not path.name.startswith(".") and not path.is_dir()


def _file_name(path: Path, number: int, taken: set[str], notes: FindingLog) -> str:
    """Return the file's name, or a plain one if its name is not allowed."""
    name = path.name
    if file_error(name) is not None:
        name = f"picture-{number}{path.suffix.casefold()}"
    if make_unique(name, taken) != name:
        name = f"picture-{number}-{len(taken)}{path.suffix.casefold()}"
    if name != path.name:
        notes.info("file-renamed", f"{IMAGES_FOLDER}/{path.name}", f"kept as {name!r}")
    return name


def _note_type(path: Path, mime: Mime, notes: FindingLog) -> None:
    expected = _SUFFIXES.get(path.suffix.casefold())
    if expected != mime:
        detail = f"the content is {mime}, unlike the name; used: the content"
        notes.info("picture-type", f"{IMAGES_FOLDER}/{path.name}", detail)


def _note_twin(picture: Picture, clues: list[Clue], place: str, notes: FindingLog) -> None:
    for clue in clues:
        if clue.pictures[0].sha256 == picture.sha256:
            notes.warn("picture-twice", place, f"same bytes as {clue.pictures[0].file!r}")
            return
