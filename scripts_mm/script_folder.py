"""The native format: a folder with `script.json` and `pictures/`, one folder per language.

All input is checked here, so every `LoadedScript` can be played.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from dataclasses import fields as dataclass_fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from scripts_mm.atomic_folder import write_folder
from scripts_mm.names import file_error
from scripts_mm.safe_io import MAX_JSON, parse_json, read_bytes
from scripts_mm.safe_pictures import MAX_BYTES, MAX_PICTURES, make_picture
from scripts_mm.schema_validation import validate_script
from scripts_mm.script import (
    Clue,
    FactualQuestion,
    KeyClue,
    Killing,
    Part,
    Picture,
    Question,
    Role,
    Script,
    ScriptError,
    Truth,
)
from scripts_mm.script_schema import FORMAT_VERSION, ClueFile, PictureFile, RoleFile, ScriptFile

SCRIPT_FILE = "script.json"
"""Name of the file that makes a folder a script."""
PICTURES_FOLDER = "pictures"
"""Name of the folder with its pictures."""


_NOWHERE = Path()
"""The folder of a script that was not read from one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedScript:
    """A script that was read and checked, with the folder of its pictures."""

    script: Script
    folder: Path
    sha256: str
    """Hash by `content_hash`: equal for equal scripts in any folder."""

    @property
    def path(self) -> str:
        """The absolute path of its folder; empty if a program made the script."""
        return "" if self.folder == _NOWHERE else str(self.folder.resolve())

    def read_picture(self, picture: Picture) -> bytes:
        """Return the bytes of `picture`. Raises ScriptError if they changed since loading."""
        data = _read_picture(self.folder, picture.file)
        if sha256(data).hexdigest() != picture.sha256:
            raise ScriptError(
                f"picture {picture.file!r} of {str(self.folder)!r} changed since it was loaded"
            )
        return data


def load_script(folder: Path) -> LoadedScript:
    """Read the script in `folder` and check all of it; every picture is decoded once.

    Raises ScriptError in one line: the file, the place in it, what was wanted and what was got.
    """
    model = read_script_file(folder)
    script = _build_script(model, folder / SCRIPT_FILE, lambda file: _read_picture(folder, file))
    return LoadedScript(script=script, folder=folder, sha256=content_hash(script))


def wrap_script(script: Script) -> LoadedScript:
    """Return a loaded script for `script`, which a program made and which has no pictures."""
    assert not script.pictures, f"script {script.id!r} has pictures and no folder"
    return LoadedScript(script=script, folder=_NOWHERE, sha256=content_hash(script))


def read_script_file(folder: Path) -> ScriptFile:
    """Read and check only `script.json`, without its pictures. Raises ScriptError."""
    if not folder.is_dir():
        what = "is a file; a script's folder is wanted" if folder.exists() else "does not exist"
        raise ScriptError(f"{str(folder)!r} {what}")
    path = folder / SCRIPT_FILE
    return validate_script(parse_json(read_bytes(path, MAX_JSON), path), path)


def save_script(
    script: Script, pictures: Mapping[str, bytes], folder: Path, *, force: bool = False
) -> None:
    """Write `script` and its pictures (bytes by file name) to `folder` atomically.

    The same script gives the same bytes. Raises ScriptError for a script that cannot be loaded
    again, for missing or other pictures, and for a folder that exists and is not empty (`force`
    replaces an older script).
    """
    path = folder / SCRIPT_FILE
    model = validate_script(_file_fields(script), path)
    files = [picture.file for picture in script.pictures]
    if missing := [file for file in files if file not in pictures]:
        raise ScriptError(f"script {script.id!r} has no bytes for picture {missing[0]!r}")
    if _build_script(model, path, lambda file: pictures[file]) != script:
        raise ScriptError(f"script {script.id!r} names pictures that differ from the given ones")
    kept = {"format": FORMAT_VERSION, **model.model_dump(mode="json", exclude_defaults=True)}
    text = json.dumps(kept, indent=2, ensure_ascii=False) + "\n"
    contents = {f"{PICTURES_FOLDER}/{file}": pictures[file] for file in files}
    write_folder(folder, {SCRIPT_FILE: text.encode(), **contents}, marker=SCRIPT_FILE, force=force)


def content_hash(script: Script) -> str:
    """Return the SHA-256 of the script's canonical JSON, including its pictures' hashes.

    `Truth.unaware` and `Truth.in_league` are younger than the first records, which name their
    scripts by this hash: where they are empty, they do not count.
    """
    text = json.dumps(
        script, default=_fields_for_hash, sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return sha256(text.encode()).hexdigest()


def _fields_for_hash(value: Any) -> dict[str, Any]:
    found = {field.name: getattr(value, field.name) for field in dataclass_fields(value)}
    left_out = ("unaware", "in_league") if isinstance(value, Truth) else ()
    return {name: one for name, one in found.items() if one or name not in left_out}


def _file_fields(script: Script) -> dict[str, Any]:
    """Return the fields of the file: all except those read from the pictures."""
    fields = asdict(script)
    for clue in fields["clues"]:
        clue["pictures"] = [
            {key: picture[key] for key in PictureFile.model_fields} for picture in clue["pictures"]
        ]
    return fields


def _build_script(model: ScriptFile, path: Path, read: Callable[[str], bytes]) -> Script:
    """Return the checked script; `read` returns a picture's bytes."""
    found = _read_pictures(model, path, read)
    truth = _model_fields(model.truth)
    truth["key_clues"] = tuple(KeyClue(**_model_fields(key)) for key in model.truth.key_clues)
    truth["killings"] = tuple(Killing(**_model_fields(one)) for one in model.truth.killings)
    fields = _model_fields(model)
    del fields["format"]
    fields["roles"] = tuple(_build_role(role) for role in model.roles)
    fields["factual"] = tuple(FactualQuestion(**_model_fields(one)) for one in model.factual)
    fields["clues"] = tuple(_build_clue(clue, found) for clue in model.clues)
    fields["truth"] = Truth(**truth)
    try:
        fields["questions"] = tuple(
            Question(**_model_fields(question)) for question in model.questions
        )
        return Script(**fields)
    except ScriptError as error:
        raise ScriptError(f"{str(path)!r}: {error}") from error


def _model_fields(model: BaseModel) -> dict[str, Any]:
    """Return the fields of `model` by name, to construct the frozen value with them."""
    return {name: getattr(model, name) for name in type(model).model_fields}


def _read_pictures(
    model: ScriptFile, path: Path, read: Callable[[str], bytes]
) -> Mapping[str, Picture]:
    """Return every picture by its file name, each file read and checked once."""
    places = {
        picture.file: f"clues[{at}].pictures[{nth}]"
        for at, clue in reversed(tuple(enumerate(model.clues)))
        for nth, picture in reversed(tuple(enumerate(clue.pictures)))
    }
    if len(places) > MAX_PICTURES:
        raise ScriptError(
            f"{str(path)!r}: names {len(places)} pictures; the limit is {MAX_PICTURES}"
        )
    found: dict[str, Picture] = {}
    for file, place in reversed(places.items()):
        try:
            found[file] = make_picture(read(file), file)
        except ScriptError as error:
            raise ScriptError(f"{str(path)!r}: {place}: {error}") from error
    return found


def _build_role(role: RoleFile) -> Role:
    fields = _model_fields(role)
    fields["parts"] = tuple(Part(**_model_fields(part)) for part in role.parts)
    return Role(**fields)


def _build_clue(clue: ClueFile, found: Mapping[str, Picture]) -> Clue:
    fields = _model_fields(clue)
    fields["pictures"] = tuple(
        replace(found[picture.file], **_model_fields(picture)) for picture in clue.pictures
    )
    return Clue(**fields)


def _read_picture(folder: Path, file: str) -> bytes:
    """Read a picture from the script's own folder; refuse links and other paths."""
    if (fault := file_error(file)) is not None:
        raise ScriptError(f"wanted {fault}, got {file!r}")
    if (folder / PICTURES_FOLDER).is_symlink():
        raise ScriptError(
            f"{str(folder / PICTURES_FOLDER)!r} is a link; a regular folder is wanted"
        )
    return read_bytes(folder / PICTURES_FOLDER / file, MAX_BYTES)
