"""Reading of a WellPlay folder into typed values: `script_info.json`, then its roles.

Settings of the published game program (`stage`, `open_discuss_rounds`, `keep_asking`,
`privacy_discuss_rounds`) belong to a game, not to a script, and are ignored.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts_mm.importers.imported_script import folder_name
from scripts_mm.importers.json_objects import list_sorted, note_unknown, read_object
from scripts_mm.importers.lenient_reader import LenientReader
from scripts_mm.importers.wellplay.role_file import RawWellPlayRole, read_role
from scripts_mm.name_similarity import find_equal_name, find_similar_name
from scripts_mm.names import fold_name, text_form
from scripts_mm.safe_io import preview, safe_check
from scripts_mm.script import ScriptError
from scripts_mm.script_schema import MAX_ROLES

ROLES_FOLDER = "json"
"""The folder of role files, by which a WellPlay script is recognised."""
INFO_FILE = "script_info.json"

_INFO_KEYS = frozenset(
    {
        *("agent_num", "script_name", "character_name", "acts_num", "stage"),
        *("open_discuss_rounds", "keep_asking", "privacy_discuss_rounds"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawWellPlayScript:
    """A folder as published."""

    folder: str
    title: str
    roles: tuple[RawWellPlayRole, ...]
    agents: object
    """Declared number of roles, of any type."""
    acts: object
    """Declared number of acts, of any type."""


def is_wellplay(folder: Path) -> bool:
    """Return whether a folder is a WellPlay script: it has role files in `json`."""
    try:
        return any(path.suffix.casefold() == ".json" for path in (folder / ROLES_FOLDER).iterdir())
    except OSError:
        return False


def read_raw_script(folder: Path, reader: LenientReader) -> RawWellPlayScript:
    """Read the folder's role files. Raises ScriptError if no role can be read."""
    if not is_wellplay(folder):
        raise ScriptError(f"{str(folder)!r} contains no role files in {ROLES_FOLDER!r}")
    inner = folder / ROLES_FOLDER
    info = read_object(inner / INFO_FILE, f"{ROLES_FOLDER}/{INFO_FILE}", reader)
    note_unknown(info, _INFO_KEYS, INFO_FILE, reader)
    roles = _roles(inner, _role_names(info, reader), reader)
    if not roles:
        raise ScriptError(f"{str(inner)!r}: wanted a role's file, got none that can be read")
    name = folder_name(folder)
    title = reader.name(info.get("script_name"), f"{INFO_FILE}: script_name")
    return RawWellPlayScript(
        folder=name,
        title=title,
        roles=roles,
        agents=info.get("agent_num"),
        acts=info.get("acts_num"),
    )


def _role_names(info: Mapping[str, Any], reader: LenientReader) -> list[str]:
    """Return the names of the roles in play order, each once."""
    names: list[str] = []
    place = f"{INFO_FILE}: character_name"
    if not info:
        return names
    for value in reader.entries(reader.get(dict(info), "character_name", INFO_FILE), place):
        name = unicodedata.normalize("NFC", value) if isinstance(value, str) else ""
        if not name.strip():
            reader.notes.error("role-without-name", place, f"{preview(value)} is not a role's name")
        elif fold_name(name) in map(fold_name, names):
            reader.notes.error("role-twice", place, f"{name!r} is listed twice and read once")
        else:
            names.append(name)
    return names


def _roles(inner: Path, names: list[str], reader: LenientReader) -> tuple[RawWellPlayRole, ...]:
    """Return the listed roles with a file, then the roles of files that are not listed."""
    files = _role_files(inner, reader)
    found: list[RawWellPlayRole] = []
    for name in names:
        stem = _find_role_file(name, files, reader)
        path = files.pop(stem, None)
        if path is not None:
            _add(found, read_role(path, name, reader), reader)
    for stem, path in files.items():
        role = read_role(path, stem, reader, listed=False)
        if role is None:
            continue
        twin = next((one for one in found if _is_same_role(one, role)), None)
        if twin is not None:
            detail = f"{stem!r} is not listed and has the script of {twin.name!r}; left out"
            reader.notes.error("role-twice", path.name, detail)
        else:
            detail = f"{INFO_FILE} does not list {stem!r}, whose file contains a role; it is last"
            reader.notes.warn("role-not-listed", path.name, detail)
            _add(found, role, reader)
    return tuple(found)


def _add(found: list[RawWellPlayRole], role: RawWellPlayRole | None, reader: LenientReader) -> None:
    if role is None:
        return
    if fold_name(role.name) in (fold_name(one.name) for one in found):
        reader.notes.error("role-twice", role.name, "a role with this name exists; left out")
    elif len(found) == MAX_ROLES:
        detail = f"more than {MAX_ROLES} roles; {role.name!r} is left out"
        reader.notes.error("too-many-roles", role.name, detail)
    else:
        found.append(role)


def _is_same_role(one: RawWellPlayRole, other: RawWellPlayRole) -> bool:
    """Return whether two roles have the same private script under two names."""
    ours = text_form("".join(one.script))
    return bool(ours) and ours == text_form("".join(other.script))


def _role_files(inner: Path, reader: LenientReader) -> dict[str, Path]:
    """Return the JSON files that can be roles, by their names without suffix."""
    files: dict[str, Path] = {}
    for path in list_sorted(inner):
        hidden = path.name.startswith(".") or safe_check(path.is_dir)
        if hidden or path.suffix.casefold() != ".json":
            reader.notes.info(
                "stray-file", f"{ROLES_FOLDER}/{path.name}", "not read: not a role's file"
            )
        elif path.name.casefold() != INFO_FILE:
            files[unicodedata.normalize("NFC", path.stem)] = path
    return files


def _find_role_file(name: str, files: Mapping[str, Path], reader: LenientReader) -> str:
    """Return the name of the role's file without suffix, or an empty string."""
    if name in files:
        return name
    close = find_equal_name(name, list(files))
    if close is not None:
        detail = f"the file {close!r} is read as that of role {name!r}"
        reader.notes.info("name-matched", name, detail)
        return close
    near = find_similar_name(name, list(files))
    like = f"; {near!r} is one character away" if near else ""
    detail = f"{ROLES_FOLDER} has no file of this role{like}; the role is left out"
    reader.notes.error("role-file-missing", name, detail)
    return ""
