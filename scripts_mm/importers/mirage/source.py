"""Reading of a MIRAGE folder, with one stage or several, into typed values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from scripts_mm.importers.aliases import split_label
from scripts_mm.importers.imported_script import folder_language, folder_name
from scripts_mm.importers.json_objects import read_object
from scripts_mm.importers.lenient_reader import LenientReader
from scripts_mm.importers.stage_numbers import parse_stage_number
from scripts_mm.name_similarity import find_equal_name, find_similar_name
from scripts_mm.names import fold_name, normal_form
from scripts_mm.safe_io import describe_size, preview, safe_check
from scripts_mm.script import PART_NAMES, PartName, ScriptError
from scripts_mm.script_schema import MAX_ROLES

ROLE_FILES = {"zh": "人物剧本.json", "en": "script.json"}
CLUE_FILES = {"zh": "线索.json", "en": "clues.json"}
LAST_STAGE = 99
_PARTS: Mapping[str, PartName] = {name: name for name in PART_NAMES}
"""The six fields by their names in lower case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawMirageRole:
    """A role as published: its fields in each stage."""

    name: str
    aliases: tuple[str, ...]
    """Names in later stages."""
    stages: Mapping[int, Mapping[PartName, str]]
    """Cleaned texts, including empty ones, by stage and field."""

    def texts(self) -> Iterator[tuple[int, PartName, str]]:
        """Yield stage, field and text, in the order of the file."""
        for stage, fields in sorted(self.stages.items()):
            for name in PART_NAMES:
                if fields.get(name):
                    yield stage, name, fields[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawMirageScript:
    """A folder as published."""

    folder: str
    roles: tuple[RawMirageRole, ...]
    clues: Mapping[str, Any]
    """The clue file's object, not yet parsed."""


@dataclass(slots=True)
class _RoleDraft:
    """A role during the reading of its stages."""

    name: str
    aliases: list[str] = field(default_factory=list[str])
    stages: dict[int, dict[PartName, str]] = field(default_factory=dict[int, dict[PartName, str]])


def is_mirage(folder: Path) -> bool:
    """Return whether a folder is a MIRAGE script, by the name of its role file."""
    return any(safe_check((folder / name).is_file) for name in ROLE_FILES.values())


def read_raw_script(folder: Path, reader: LenientReader) -> RawMirageScript:
    """Read the folder's roles and clues. Raises ScriptError if no role can be read."""
    path = _find_file(folder, ROLE_FILES, reader)
    if path is None:
        wanted = " or ".join(ROLE_FILES.values())
        raise ScriptError(f"{str(folder)!r} contains no {wanted}")
    roles = _roles(read_object(path, path.name, reader), path.name, reader)
    if not roles:
        told = next((f": {one.detail}" for one in reader.notes.found), "")
        raise ScriptError(f"{str(path)!r}: wanted roles, got none that can be read{told}")
    clues = _find_file(folder, CLUE_FILES, reader)
    if clues is None:
        reader.notes.warn("no-clues", "clues", f"no {' or '.join(CLUE_FILES.values())}")
    return RawMirageScript(
        folder=folder_name(folder),
        roles=roles,
        clues=read_object(clues, clues.name, reader) if clues is not None else {},
    )


def _find_file(folder: Path, names: Mapping[str, str], reader: LenientReader) -> Path | None:
    """Return the file of a kind; of two, the one in the parent folder's language."""
    there = {language: folder / name for language, name in names.items()}
    there = {language: path for language, path in there.items() if safe_check(path.is_file)}
    if not there:
        return None
    own = folder_language(folder) or ""
    path = there.get(own, next(iter(there.values())))
    for other in there.values():
        if other != path:
            reader.notes.warn("second-file", other.name, f"not read: {path.name!r} is")
    return path


def _roles(top: dict[str, Any], place: str, reader: LenientReader) -> tuple[RawMirageRole, ...]:
    found: list[_RoleDraft] = []
    for stage, key, fields in _role_objects(top, place, reader):
        role = _find_or_add_role(key, found, stage, reader)
        if role is not None:
            texts = _fields(fields, f"{role.name}, stage {stage}", reader)
            role.stages.setdefault(stage, {}).update(texts)
    for role in found:
        _note_missing(role, reader)
    return tuple(
        RawMirageRole(name=role.name, aliases=tuple(role.aliases), stages=role.stages)
        for role in found
    )


def _role_objects(
    top: dict[str, Any], place: str, reader: LenientReader
) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield each role's object with its stage and key, at any depth."""
    stages = {key: value for key, value in top.items() if _is_stage(value)}
    numbers = number_stages(list(stages), place, reader)
    for key, value in top.items():
        if key in stages:
            for name, inner in stages[key].items():
                if _is_role(inner):
                    yield numbers[key], name, inner
                else:
                    _note_other(name, inner, key, reader)
        elif _is_role(value):
            if stages:
                reader.notes.warn("role-beside-stages", preview(key), "read as of stage 1")
            yield 1, key, value
        else:
            _note_other(key, value, place, reader)


def number_stages(keys: list[str], place: str, reader: LenientReader) -> dict[str, int]:
    """Return the number of each stage by its key, or by position if a key has none."""
    said = [parse_stage_number(key) for key in keys]
    good = [number for number in said if number is not None and number <= LAST_STAGE]
    if len(good) == len(keys) and all(one < other for one, other in pairwise(good)):
        return dict(zip(keys, good, strict=True))
    detail = f"the stages are {', '.join(map(preview, keys))}; numbered by their order"
    reader.notes.warn("stage-names", place, detail)
    return {key: min(at, LAST_STAGE) for at, key in enumerate(keys, 1)}


def _is_role(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    keys = (str(key).strip().casefold() for key in cast("dict[object, object]", value))
    return any(key in PART_NAMES for key in keys)


def _is_stage(value: object) -> bool:
    return isinstance(value, dict) and any(
        map(_is_role, cast("dict[object, object]", value).values())
    )


def _note_other(key: str, value: object, place: str, reader: LenientReader) -> None:
    detail = f"{preview(key)} is {preview(value)}, not a role, {describe_size(value)}; not read"
    reader.notes.warn("text-beside-roles", place, detail)


def _find_or_add_role(
    key: str, found: list[_RoleDraft], stage: int, reader: LenientReader
) -> _RoleDraft | None:
    """Return the role that a key names in this stage: a known or a new one."""
    name = reader.name(key, f"role, stage {stage}")
    if not name:
        reader.notes.error(
            "role-without-name", f"stage {stage}", "a role without a name is left out"
        )
        return None
    role = _find_role(name, found, reader)
    if role is not None:
        if stage in role.stages:
            detail = f"{name!r} is in stage {stage} twice; the last text of a field is kept"
            reader.notes.error("role-twice", role.name, detail)
        return role
    if len(found) == MAX_ROLES:
        reader.notes.error("too-many-roles", name, f"more than {MAX_ROLES} roles; left out")
        return None
    if any(stage > min(other.stages) for other in found):
        near = find_similar_name(name, [other.name for other in found])
        like = f"; {near!r} is one character away" if near else ""
        reader.notes.warn("role-appears-late", name, f"first in stage {stage}{like}")
    found.append(_RoleDraft(name=name))
    return found[-1]


def _find_role(name: str, found: list[_RoleDraft], reader: LenientReader) -> _RoleDraft | None:
    """Return the earlier role with this name, a similar one, or one that is a part of it."""
    by_name = {other.name: other for other in found}
    for other in found:
        if fold_name(name) in map(fold_name, (other.name, *other.aliases)):
            return other
    close = find_equal_name(name, list(by_name))
    if close is not None:
        reader.notes.info("name-matched", name, f"read as role {close!r}")
        return by_name[close]
    parts = split_label(name)
    forms = {normal_form(part) for part in parts} if len(parts) > 1 else set[str]()
    for other in found:
        if forms & set(map(normal_form, (other.name, *other.aliases, *split_label(other.name)))):
            detail = f"{name!r} is read as a new name of this role"
            reader.notes.warn("role-renamed", other.name, detail)
            other.aliases += [name, *parts]
            return other
    return None


def _fields(fields: dict[str, Any], place: str, reader: LenientReader) -> dict[PartName, str]:
    """Return the texts of those of the six fields that are present."""
    found: dict[PartName, str] = {}
    for key, value in fields.items():
        plain = key.strip().casefold()
        name = _PARTS.get(plain)
        if name is None:
            detail = f"key {preview(key)} of {describe_size(value)} is unknown and not read"
            reader.notes.warn("unknown-key", place, detail)
            continue
        if key != name.capitalize():
            reader.notes.info(
                "key-form", place, f"key {preview(key)} is read as {name.capitalize()!r}"
            )
        text = reader.text(value, f"{place}.{name}")
        if name in found:
            detail = f"key {preview(key)} repeats a field; both texts are kept"
            reader.notes.error("field-twice", place, detail)
            text = "\n\n".join(filter(None, (found[name], text)))
        found[name] = text
    return found


def _note_missing(role: _RoleDraft, reader: LenientReader) -> None:
    """Note fields missing in the role's first stage, and a role without any text."""
    first = role.stages[min(role.stages)]
    missing = [name.capitalize() for name in PART_NAMES if name not in first]
    if missing:
        detail = f"no {', '.join(missing)} in its first stage; read as empty"
        reader.notes.warn("missing-key", role.name, detail)
    if not any(text for fields in role.stages.values() for text in fields.values()):
        reader.notes.error("role-without-script", role.name, "all fields are empty")
