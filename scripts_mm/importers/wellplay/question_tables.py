"""The question tables of a WellPlay folder: one per role, and their union for the game master."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts_mm.findings import FindingLog
from scripts_mm.importers.json_objects import list_sorted
from scripts_mm.importers.lenient_reader import LenientReader
from scripts_mm.importers.wellplay.table_rows import QuestionRow, read_rows
from scripts_mm.name_similarity import find_equal_name, find_similar_name
from scripts_mm.names import text_form
from scripts_mm.safe_io import safe_check

TABLES_FOLDER = "final_result"
_UNIONS = frozenset({"gm", "fsa"})
"""Names of the table of all roles' questions; its rows are not additional questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTable:
    """The rows of one role's questions."""

    role: str
    rows: tuple[QuestionRow, ...]


def read_question_tables(
    folder: Path, roles: Sequence[str], reader: LenientReader
) -> tuple[QuestionTable, ...]:
    """Return the rows of each role with a table, in the order of the roles."""
    tables, unions = _find_tables(folder / TABLES_FOLDER, roles, reader)
    rows: dict[str, tuple[QuestionRow, ...]] = {}
    for stem, path in tables.items():
        role = _find_role(stem, roles, reader)
        if role is None:
            continue
        if role in rows:
            detail = f"a second table of {role!r}; its rows are not read"
            reader.notes.error("table-twice", path.name, detail)
        else:
            rows[role] = read_rows(path, reader)
    for role in roles:
        if not rows.get(role):
            reader.notes.warn("no-questions", role, "no questions from the view of this role")
    for path in unions:
        _note_union(path, [row for own in rows.values() for row in own], reader)
    return tuple(QuestionTable(role=role, rows=rows[role]) for role in roles if role in rows)


def _find_tables(
    folder: Path, roles: Sequence[str], reader: LenientReader
) -> tuple[dict[str, Path], list[Path]]:
    """Return the tables by their names without suffix, and the union tables.

    A role can have the name of a union table; then the table is the role's.
    """
    if not safe_check(folder.is_dir):
        reader.notes.warn("no-tables", TABLES_FOLDER, "the folder of question tables is missing")
        return {}, []
    tables: dict[str, Path] = {}
    unions: list[Path] = []
    for path in list_sorted(folder):
        hidden = path.name.startswith(".") or safe_check(path.is_dir)
        if hidden or path.suffix.casefold() != ".csv":
            reader.notes.info(
                "stray-file", f"{TABLES_FOLDER}/{path.name}", "not read: not a question table"
            )
        elif path.stem.casefold() in _UNIONS and find_equal_name(path.stem, roles) is None:
            unions.append(path)
        else:
            tables[unicodedata.normalize("NFC", path.stem)] = path
    return tables, unions


def _find_role(stem: str, roles: Sequence[str], reader: LenientReader) -> str | None:
    if stem in roles:
        return stem
    role = find_equal_name(stem, roles)
    if role is not None:
        reader.notes.info("name-matched", stem, f"the table is read as that of role {role!r}")
        return role
    near = find_similar_name(stem, roles)
    like = f", though {near!r} is one character away" if near else ""
    detail = f"no role has the name of this table{like}; its rows are not read"
    reader.notes.error("table-without-role", stem, detail)
    return None


def _note_union(path: Path, rows: Sequence[QuestionRow], reader: LenientReader) -> None:
    """Note how far the union, which is not used, differs from the roles' tables."""
    aside = FindingLog()
    union = read_rows(path, LenientReader(aside, repairs=True))
    found, wanted = Counter(map(_row_form, union)), Counter(map(_row_form, rows))
    place, notes = path.name, reader.notes
    if len(union) != len(rows):
        detail = f"{len(union)} rows, but the roles' tables have {len(rows)}; not used"
        notes.warn("union-size", place, detail)
    if reworded := (found - wanted).total():
        detail = f"{reworded} of {len(union)} rows are in no role's table; not used"
        notes.info("union-reworded", place, detail)
    for code in ("row-short", "row-long", "key-moved", "row-too-long", "row-empty"):
        places = [one.place for one in aside.found if one.code == code]
        if places:
            notes.info("union-irregular", place, f"{code} at {', '.join(places)}; not used")
    doubtful = [row for row in union if len(row.key) > 1 and row.sort.casefold() == "a"]
    if doubtful:
        numbers = ", ".join(str(row.number) for row in doubtful)
        notes.info("union-irregular", place, f"keys of several letters in rows {numbers}; not used")


def _row_form(row: QuestionRow) -> tuple[str, ...]:
    return tuple(map(text_form, (row.value, row.sort, row.stem, *row.options, row.key)))
