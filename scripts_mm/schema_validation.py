"""Validation of JSON against the file models, with one-line errors that name the place."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from scripts_mm.names import fold_name
from scripts_mm.safe_io import preview
from scripts_mm.script import ScriptError
from scripts_mm.script_schema import ScriptFile

Model = TypeVar("Model", bound=BaseModel)


def validate_script(value: object, path: Path) -> ScriptFile:
    """Return `value`, read from `path`, as a `ScriptFile`. Raises ScriptError."""
    model = validate_model(ScriptFile, value, path)
    for place, name in _name_groups(model):
        _refuse_duplicates(path, place, name)
    return model


def validate_model(wanted: type[Model], value: object, path: Path) -> Model:
    """Return `value`, read from `path`, as the model `wanted`. Raises ScriptError in one line."""
    try:
        data = json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = f"U+{ord(error.object[error.start]):04X}"
        raise ScriptError(f"{str(path)!r}: lone surrogate {half}; wanted Unicode text") from error
    try:
        return wanted.model_validate_json(data)
    except ValidationError as error:
        raise ScriptError(f"{str(path)!r}: {_describe_error(error)}") from error


def _describe_error(error: ValidationError) -> str:
    """Return the first error as `place: wanted X, got Y`, and the number of others."""
    first, *others = error.errors(include_url=False)
    came = preview(first["input"])
    match first["type"]:
        case "missing":
            text = "wanted this key, got nothing"
        case "extra_forbidden":
            text = "unknown key; wanted only keys of the published schema"
        case "value_error":
            text = f"{first['msg'].removeprefix('Value error, ')}, got {came}"
        case _:
            wanted = first["msg"].removeprefix("Input should be ")
            text = f"wanted {wanted[0].lower()}{wanted[1:]}, got {came}"
    more = f" (and {len(others)} more)" if others else ""
    return f"{_format_location(first['loc'])}: {text}{more}"


def _format_location(location: tuple[int | str, ...]) -> str:
    parts = [f"[{step}]" if isinstance(step, int) else f".{_format_key(step)}" for step in location]
    return "".join(parts).removeprefix(".") or "the whole file"


def _format_key(key: str) -> str:
    return key if key.isidentifier() else preview(key)


def _name_groups(model: ScriptFile) -> Iterable[tuple[str, list[tuple[str, str]]]]:
    """Yield the groups of names that must be distinct, each name with its place."""
    roles = [(f"roles[{at}].name", role.name) for at, role in enumerate(model.roles)]
    aliases = [
        (f"roles[{at}].aliases[{nth}]", alias)
        for at, role in enumerate(model.roles)
        for nth, alias in enumerate(role.aliases)
    ]
    yield "role", roles + aliases
    yield "clue", [(f"clues[{at}].id", clue.id) for at, clue in enumerate(model.clues)]
    questions = enumerate(model.questions)
    yield "question", [(f"questions[{at}].id", question.id) for at, question in questions]
    keys = enumerate(model.truth.key_clues)
    yield "key clue", [(f"truth.key_clues[{at}].id", key.id) for at, key in keys]


def _refuse_duplicates(path: Path, what: str, names: list[tuple[str, str]]) -> None:
    """Raise ScriptError for two names of one kind that a reader cannot distinguish."""
    seen: dict[str, tuple[str, str]] = {}
    for place, name in names:
        other = seen.setdefault(fold_name(name), (place, name))
        if other[0] == place:
            continue
        how = "again" if other[1] == name else f"which equals {other[1]!r} except for its form"
        raise ScriptError(
            f"{str(path)!r}: {place}: wanted a {what} with a unique name, got {name!r} {how} "
            f"(see {other[0]})"
        )
