"""The truth of a MIRAGE script: text from the language's `Truth.json`, supplied culprits."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from scripts_mm.findings import FindingLog
from scripts_mm.importers.json_objects import list_sorted, read_object
from scripts_mm.importers.lenient_reader import LenientReader
from scripts_mm.name_similarity import find_equal_name, find_similar_name
from scripts_mm.names import fold_name, normal_form
from scripts_mm.safe_io import safe_check
from scripts_mm.script import Truth

TRUTH_FILE = "Truth.json"
_NEAR = 0.9
"""Minimum similarity ratio of two titles in normal form that are probably the same."""


def read_truth_text(folder: Path, title: str, reader: LenientReader) -> str:
    """Return the text of the truth for `title`; if there is none, an empty text and a note."""
    path = _find_truth_file(folder)
    if path is None:
        detail = f"there is no {TRUTH_FILE} in the folder or next to it"
        reader.notes.warn("no-truth", TRUTH_FILE, detail)
        return ""
    texts = read_object(path, path.name, reader)
    key = _find_key(title, texts, folder, path.parent == folder, reader)
    text = reader.text(texts.get(key), f"{path.name}: {key}") if key is not None else ""
    if key is not None and not text:
        reader.notes.warn("no-truth", path.name, f"the text of {key!r} is empty")
    return text


def build_truth(
    text: str, given: Sequence[str] | None, roles: Sequence[str], notes: FindingLog
) -> Truth:
    """Return the truth with the given culprits; those who are not roles are not playable."""
    if not given:
        how = "none is supplied" if given is None else "an empty list is supplied"
        detail = f"no field of the format names a culprit, and {how} with --culprits"
        notes.warn("no-murderer", "truth", detail)
    culprits: list[str] = []
    strangers: list[str] = []
    for name in given or ():
        role = name if name in roles else find_equal_name(name, roles)
        if role is None:
            near = find_similar_name(name, roles)
            like = f", though {near!r} is one character away" if near else ""
            detail = f"the supplied culprit, {name!r}, is not a role{like}; kept as not playable"
            notes.warn("murderer-not-playable", "truth", detail)
            strangers.append(name)
        elif role != name:
            detail = f"the supplied culprit, {name!r}, is read as role {role!r}"
            notes.info("name-matched", "truth", detail)
        culprits.append(role or name)
    return Truth(
        culprits=tuple(dict.fromkeys(culprits)),
        not_playable=tuple(dict.fromkeys(strangers)),
        text=text,
    )


def _find_truth_file(folder: Path) -> Path | None:
    """Return the file of truths in the folder, else next to it, ignoring case."""
    for place in (folder, folder.resolve().parent):
        for path in list_sorted(place):
            if path.name.casefold() == TRUTH_FILE.casefold() and safe_check(path.is_file):
                return path
    return None


def _find_key(
    title: str, texts: dict[str, Any], folder: Path, own: bool, reader: LenientReader
) -> str | None:
    """Return the key of this script's truth; a similar key is used and noted."""
    keys = list(texts)
    close = title if title in texts else find_equal_name(title, keys)
    if close is not None:
        if close != title:
            detail = f"the title {close!r} is read as that of {title!r}"
            reader.notes.info("name-matched", TRUTH_FILE, detail)
        return close
    others = {fold_name(path.name) for path in list_sorted(folder.resolve().parent)}
    near = [key for key in keys if fold_name(key) not in others and _likeness(key, title) >= _NEAR]
    if len(near) == 1 or (own and len(keys) == 1):
        found = near[0] if len(near) == 1 else keys[0]
        detail = f"no truth is called {title!r}; used: that of {found!r}"
        reader.notes.warn("truth-title-near", TRUTH_FILE, detail)
        return found
    detail = f"no truth is called {title!r}; known: {', '.join(keys) or 'none'}"
    reader.notes.warn("no-truth", TRUTH_FILE, detail)
    return None


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, normal_form(one), normal_form(other)).ratio()
