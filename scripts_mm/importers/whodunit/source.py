"""Reading of `env_p_all.json` of a WhodunitBench folder into typed values.

Values of a wrong type, missing and unknown keys become findings; the rest is read.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from scripts_mm.importers.lenient_reader import LenientReader
from scripts_mm.importers.whodunit.question_lists import (
    RawQuestion,
    note_copy_differences,
    read_parallel_lists,
    read_question_list,
)
from scripts_mm.names import fold_name
from scripts_mm.safe_io import MAX_JSON, parse_json, preview, read_bytes
from scripts_mm.script import ScriptError
from scripts_mm.script_schema import MAX_ROLES

DATA_FILE = "env_p_all.json"
"""The current data; the other snapshots in a folder are older and not imported."""
IMAGES_FOLDER = "img"

_TEXTS = {"ju_name", "task_nm", "task_m", "public_clue", "murder", "reason"}
_LISTS = {"role", "key_role", "role-q", "key_clues_pool", "key_clues_questions"}
_PARALLEL = {"key_clue_q", "ei_q", "cxi_q", "key_q", "key_ans", "key_sc"}
_KEYS = _TEXTS | _LISTS | _PARALLEL
_ROLE_KEYS = {"name", "back", "m", "r_q", "q", "a", "self", "answer"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RawWhodunitRole:
    """A role as published."""

    name: str
    back: str
    flagged: bool
    """Whether `m` is 1: a stated murderer."""
    introduction: str
    reply: str
    questions: tuple[RawQuestion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawWhodunitScript:
    """A folder as published."""

    folder: str
    roles: tuple[RawWhodunitRole, ...]
    civilian_mission: str
    murderer_mission: str
    public: str
    pool: tuple[tuple[str, tuple[str, ...]], ...]
    """Buckets of key clues: `p`, `N-step` or a role's name, with the texts."""
    mmr: tuple[RawQuestion, ...]
    tiu: tuple[RawQuestion, ...]
    miu: tuple[RawQuestion, ...]
    key_roles: tuple[str, ...]
    murder: str
    reason: str


def read_raw_script(folder: Path, reader: LenientReader) -> RawWhodunitScript:
    """Read the folder's `env_p_all.json`. Raises ScriptError if no role can be read."""
    path = folder / DATA_FILE
    if not folder.is_dir():
        raise ScriptError(f"{str(folder)!r} is not a folder with a WhodunitBench script")
    data = parse_json(read_bytes(path, MAX_JSON), path, on_double=_duplicate_noter(reader))
    if not isinstance(data, dict):
        raise ScriptError(f"{str(path)!r}: wanted an object, got {preview(data)}")
    top = reader.fields(data, "the whole file")
    roles = _roles(top, reader)
    if not roles:
        raise ScriptError(f"{str(path)!r}: role: wanted a list of roles, got none that can be read")
    name = (folder if folder.name.strip(".") else folder.resolve()).name
    _note_header(top, name, reader)
    case = RawWhodunitScript(
        folder=name,
        roles=roles,
        civilian_mission=reader.text(reader.get(top, "task_nm", "task_nm"), "task_nm"),
        murderer_mission=reader.text(reader.get(top, "task_m", "task_m"), "task_m"),
        public=reader.text(reader.get(top, "public_clue", "public_clue"), "public_clue"),
        pool=_pool(top, reader),
        mmr=_mmr_questions(top, reader),
        tiu=_picture_questions(top, "ei_q", reader),
        miu=_picture_questions(top, "cxi_q", reader),
        key_roles=_names(reader.get(top, "key_role", "key_role"), "key_role", reader),
        murder="、".join(_names(reader.get(top, "murder", "murder"), "murder", reader, one=True)),
        reason=reader.text(reader.get(top, "reason", "reason"), "reason"),
    )
    _note_declared(top, len(case.mmr), reader)
    return case


def _duplicate_noter(reader: LenientReader) -> Any:
    def note(key: str) -> None:
        detail = f"key {preview(key)} is in one object twice; its last value is read"
        reader.notes.error("key-twice", "the whole file", detail)

    return note


def _note_header(top: dict[str, Any], folder: str, reader: LenientReader) -> None:
    for key in top.keys() - _KEYS:
        reader.notes.info("unknown-key", preview(key), "this key is unknown and not read")
    name = top.get("ju_name")
    if name != folder:
        detail = (
            f"the name in the data is {preview(name)}, the folder's {folder!r}; used: the folder"
        )
        reader.notes.info("id-differs", "ju_name", detail)


def _note_declared(top: dict[str, Any], count: int, reader: LenientReader) -> None:
    """Compare the old question ranges, which are not used, with the actual questions."""
    ranges = reader.fields(top.get("role-q"), "role-q")
    numbers = [
        number
        for owner, value in ranges.items()
        for number in reader.entries(value, f"role-q.{owner}")
        if isinstance(number, int)
    ]
    if numbers and max(numbers) != count:
        detail = f"declares {max(numbers)} questions, key_clues_questions has {count}; not used"
        reader.notes.info("declared-count", "role-q", detail)


def _roles(top: dict[str, Any], reader: LenientReader) -> tuple[RawWhodunitRole, ...]:
    roles: list[RawWhodunitRole] = []
    taken: set[str] = set()
    for at, value in enumerate(reader.entries(reader.get(top, "role", "role"), "role")):
        place = f"role[{at}]"
        fields = reader.fields(value, place)
        name = reader.name(fields.get("name"), f"{place}.name")
        if not name:
            detail = "a role without a name is left out"
            reader.notes.error("role-without-name", place, detail)
        elif len(roles) == MAX_ROLES:
            detail = f"more than {MAX_ROLES} roles; {name!r} is left out: {_extent(fields)}"
            reader.notes.error("too-many-roles", place, detail)
        elif fold_name(name) in taken:
            detail = f"role {name!r} is repeated and left out: {_extent(fields)}"
            reader.notes.error("role-twice", place, detail)
        else:
            taken.add(fold_name(name))
            roles.append(_role(fields, name, place, reader))
    return tuple(roles)


def _extent(fields: dict[str, Any]) -> str:
    """Return the size of a left-out role, in words."""
    sizes = (f"{preview(key)} of {len(str(value))} characters" for key, value in fields.items())
    return ", ".join(sizes)


def _role(fields: dict[str, Any], name: str, place: str, reader: LenientReader) -> RawWhodunitRole:
    for key in fields.keys() - _ROLE_KEYS:
        reader.notes.info("unknown-key", f"{place}.{preview(key)}", "unknown and not read")
    back = reader.text(reader.get(fields, "back", place), f"{place}.back")
    if not back:
        reader.notes.error("role-without-script", name, "the private script is empty")
    return RawWhodunitRole(
        name=name,
        back=back,
        flagged=reader.flag(reader.get(fields, "m", place), f"{place}.m"),
        introduction=reader.text(fields.get("self"), f"{place}.self"),
        reply=reader.text(fields.get("answer"), f"{place}.answer"),
        questions=_role_questions(fields, place, reader),
    )


def _role_questions(
    fields: dict[str, Any], place: str, reader: LenientReader
) -> tuple[RawQuestion, ...]:
    """Read `r_q`, else its older copy in `q` and `a`."""
    copy_place = f"{place}.q"
    if "r_q" in fields:
        found = read_question_list(fields["r_q"], f"{place}.r_q", reader)
        note_copy_differences(found, fields.get("q"), copy_place, reader)
        return found
    if isinstance(fields.get("q"), list):
        detail = "r_q is missing; its copy in q and a is read"
        reader.notes.warn("copy-read", copy_place, detail)
        return read_parallel_lists(fields, ("q", "a", ""), place, reader)
    held = f"q holds {preview(fields['q'], 30)}" if "q" in fields else "r_q and q are missing"
    reader.notes.error("questions-unreadable", place, f"no questions can be read: {held}")
    return ()


def _mmr_questions(top: dict[str, Any], reader: LenientReader) -> tuple[RawQuestion, ...]:
    """Read `key_clues_questions`, else the copies of it in parallel lists."""
    names = ("key_q", "key_ans", "key_sc")
    copies = reader.fields(top.get("key_clue_q", top), "key_clue_q")
    if "key_clues_questions" in top:
        found = read_question_list(top["key_clues_questions"], "key_clues_questions", reader)
        note_copy_differences(found, copies.get("key_q"), "key_clue_q.key_q", reader)
        return found
    reader.notes.warn("copy-read", "key_clues_questions", "missing; the copy key_q is read")
    return read_parallel_lists(copies, names, "key_clue_q", reader)


def _picture_questions(
    top: dict[str, Any], key: str, reader: LenientReader
) -> tuple[RawQuestion, ...]:
    fields = reader.fields(reader.get(top, key, key), key)
    return read_parallel_lists(fields, ("key_q", "key_ans", ""), key, reader) if fields else ()


def _pool(top: dict[str, Any], reader: LenientReader) -> tuple[tuple[str, tuple[str, ...]], ...]:
    key = "key_clues_pool"
    found: list[tuple[str, tuple[str, ...]]] = []
    for bucket, value in reader.fields(reader.get(top, key, key), key).items():
        place = f"{key}.{preview(bucket)}"
        texts = (reader.text(text, place) for text in reader.entries(value, place))
        found.append((reader.name(bucket, place), tuple(texts)))
    return tuple(found)


def _names(value: Any, place: str, reader: LenientReader, *, one: bool = False) -> tuple[str, ...]:
    """Read a list of names; `one`: a single name is wanted."""
    is_list = isinstance(value, list)
    values = cast("list[Any]", value) if is_list else [value]
    if is_list == one and value is not None:
        wanted = "a name" if one else "a list"
        reader.notes.warn("wrong-type", place, f"wanted {wanted}, got {preview(value)}")
    return tuple(name for name in (reader.name(text, place) for text in values) if name)
