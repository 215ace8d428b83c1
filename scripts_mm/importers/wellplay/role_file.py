"""Reading of one role's file of a WellPlay folder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts_mm.importers.json_objects import note_unknown, read_object
from scripts_mm.importers.lenient_reader import LenientReader

_ROLE_KEYS = frozenset(
    {
        *("acts_num", "script", "acts_goal", "victims", "kill_by_me", "is_murderer"),
        *("questions", "final_goal", "acts_performance", "secrets"),
    }
)
_NEEDED = ("script", "acts_goal", "victims", "kill_by_me", "is_murderer", "questions")


@dataclass(frozen=True, slots=True, kw_only=True)
class RawWellPlayRole:
    """A role as published. Lists of texts have one entry per act; entries can be empty."""

    name: str
    acts: object
    """Declared number of acts, of any type."""
    script: tuple[str, ...]
    goals: tuple[str, ...]
    performance: tuple[str, ...]
    questions: tuple[str, ...]
    """Open questions by act, one per line."""
    final_goal: str
    secrets: str
    victims: tuple[str, ...]
    """This role's names for the victims."""
    kills: tuple[bool, ...]
    """Per victim: whether this role is the killer."""
    flagged: bool
    """Whether `is_murderer` is 1."""


def read_role(
    path: Path, name: str, reader: LenientReader, *, listed: bool = True
) -> RawWellPlayRole | None:
    """Return the role of a file; None, with a note, if it contains none."""
    place = f"{path.parent.name}/{path.name}"
    fields = read_object(path, place, reader)
    if not fields.keys() & _ROLE_KEYS:
        if listed:
            detail = "the file has no field of a role; the role is left out"
            reader.notes.error("role-file-missing", name, detail)
        else:
            reader.notes.info("stray-file", place, "not read: it has no field of a role")
        return None
    own = reader.name(name, "character_name")
    if not own:
        reader.notes.error("role-without-name", place, "a role without a name is left out")
        return None
    note_unknown(fields, _ROLE_KEYS, own, reader)
    for key in _NEEDED:
        reader.get(fields, key, own)
    return _build_role(own, fields, reader)


def _build_role(own: str, fields: dict[str, Any], reader: LenientReader) -> RawWellPlayRole:
    script = _texts(fields.get("script"), f"{own}.script", reader)
    if not any(script):
        reader.notes.error("role-without-script", own, "the private script is empty")
    kills = f"{own}.kill_by_me"
    return RawWellPlayRole(
        name=own,
        acts=fields.get("acts_num"),
        script=script,
        goals=_texts(fields.get("acts_goal"), f"{own}.acts_goal", reader),
        performance=_texts(fields.get("acts_performance"), f"{own}.acts_performance", reader),
        questions=_questions(fields.get("questions"), f"{own}.questions", reader),
        final_goal=reader.text(fields.get("final_goal"), f"{own}.final_goal"),
        secrets=reader.text(fields.get("secrets"), f"{own}.secrets"),
        victims=tuple(
            reader.name(value, f"{own}.victims")
            for value in _list(fields.get("victims"), f"{own}.victims", reader)
        ),
        kills=tuple(
            reader.flag(value, kills) for value in _list(fields.get("kill_by_me"), kills, reader)
        ),
        flagged=reader.flag(fields.get("is_murderer"), f"{own}.is_murderer"),
    )


def _list(value: Any, place: str, reader: LenientReader) -> list[Any]:
    return [] if value is None else reader.entries(value, place)


def _texts(value: Any, place: str, reader: LenientReader) -> tuple[str, ...]:
    return tuple(reader.text(entry, place) for entry in _list(value, place, reader))


def _questions(value: Any, place: str, reader: LenientReader) -> tuple[str, ...]:
    """Return the open questions of each act; a list of texts only is the first act's."""
    entries = _list(value, place, reader)
    if not any(isinstance(entry, list) for entry in entries):
        whole = "\n".join(filter(None, (reader.text(entry, place) for entry in entries)))
        return (whole,) if whole else ()
    return tuple(
        "\n".join(filter(None, (reader.text(one, place) for one in _list(entry, place, reader))))
        for entry in entries
    )
