"""The result of every importer, and the id, language and ending by a folder's name."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts_mm.findings import Finding, FindingLog
from scripts_mm.importers.lenient_reader import guess_language
from scripts_mm.names import MAX_ID, id_error, normal_form
from scripts_mm.script import Ending, Language, Script

_LANGUAGE_FOLDERS: Mapping[str, Language] = {
    **dict.fromkeys(("zh", "zhcn", "zhhans", "cn", "chn", "chinese", "中文", "汉语"), "zh"),
    **dict.fromkeys(("en", "eng", "enus", "engb", "english", "英文", "英语"), "en"),
}
_OPEN = re.compile(r"开放|\bopen\b", re.IGNORECASE)
_CLOSED = re.compile(r"封闭|\bclosed?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedScript:
    """An imported script, the bytes of its pictures by file name, and its findings."""

    script: Script
    pictures: Mapping[str, bytes]
    findings: tuple[Finding, ...]


def folder_name(folder: Path) -> str:
    """Return the name of a folder in NFC, also for the paths `.` and `..`."""
    name = (folder if folder.name.strip(".") else folder.resolve()).name
    return unicodedata.normalize("NFC", name)


def script_id(name: str) -> str:
    """Return a folder's name as a script's id, changed only if it is not a valid id."""
    if id_error(name) is None:
        return name
    plain = "".join(char if char.isalnum() or char in "._-" else "-" for char in name)
    parts = [part for part in plain.split("-") if part]
    return "-".join(parts).strip("._-")[:MAX_ID].rstrip("._-") or "script"


def make_script_id(name: str, notes: FindingLog) -> str:
    """Return the id for a folder's name, and note a change."""
    found = script_id(name)
    if found != name:
        notes.info("id-changed", "folder", f"{name!r} is not a valid id; used: {found!r}")
    return found


def folder_language(folder: Path) -> Language | None:
    """Return the language that the parent folder is named after."""
    return _LANGUAGE_FOLDERS.get(normal_form(folder.resolve().parent.name))


def detect_language(folder: Path, texts: list[str], notes: FindingLog) -> Language:
    """Return the language by the parent folder's name, else by the texts."""
    written, told = guess_language(texts), folder_language(folder)
    if told is not None and told != written and any(text.strip() for text in texts):
        detail = f"the folder says {told!r}, the texts are {written!r}; used: the folder"
        notes.warn("language-disagreement", "folder", detail)
    return told or written


def detect_ending(name: str, notes: FindingLog) -> Ending:
    """Return the ending stated by a folder's name or title; default: closed."""
    open_, closed = _OPEN.search(name), _CLOSED.search(name)
    if open_ and closed:
        detail = f"{name!r} states an open and a closed ending; used: closed"
        notes.warn("ending-unclear", "folder", detail)
    return "open" if open_ and not closed else "closed"
