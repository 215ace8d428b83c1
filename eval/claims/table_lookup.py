"""The fact table of a match: as its run keeps it, else that of the bundled script it played."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from arena.core.seats import SeatId
from arena.errors import RecordError
from eval.played_match import PlayedMatch
from scripts_mm.catalog import LIBRARY, find_script
from scripts_mm.facts.fact_table import FactTable
from scripts_mm.facts.facts_file import load_facts, parse_facts
from scripts_mm.names import fold_name
from scripts_mm.script import Language, ScriptError

_SCRIPTS: Final = 64
"""Whose tables are kept in memory: those of a suite."""


def find_table(match: PlayedMatch) -> FactTable | None:
    """Return the fact table of the match's script; None: nobody has it, or it is of another case.

    An older run keeps none: it has one only where a bundled script was played. Raises `RecordError`
    where the one that is kept cannot be read.
    """
    table = _table_in_run(match) or _table_in_library(match)
    seats = match.started.seats
    return table if table is not None and _fits(table, seats, match.script.language) else None


def _table_in_run(match: PlayedMatch) -> FactTable | None:
    data = match.record.facts() if match.record is not None else None
    if data is None:
        return None
    try:
        return _parse(data, match.script.id)
    except ScriptError as error:
        raise RecordError(f"{match.run!r}: {error}; restore them, or remove the file") from error


def _table_in_library(match: PlayedMatch) -> FactTable | None:
    sha256, table = _library_table(match.script.id, match.script.language)
    return table if sha256 == match.started.script_sha256 else None


@lru_cache(maxsize=_SCRIPTS)
def _parse(data: bytes, script: str) -> FactTable:
    return parse_facts(data, Path(f"facts of {script}"))


@lru_cache(maxsize=_SCRIPTS)
def _library_table(script: str, language: Language) -> tuple[str, FactTable | None]:
    """Return the hash and the fact table of a bundled script; all its matches ask for them."""
    if not (LIBRARY / script).is_dir():
        return "", None
    try:
        loaded = find_script(script, language)
        return loaded.sha256, load_facts(loaded.folder)
    except ScriptError:
        return "", None


def _fits(table: FactTable, seats: tuple[SeatId, ...], language: Language) -> bool:
    named = {fold_name(one.names.get(language, "")) for one in table.people}
    return all(fold_name(seat) in named for seat in seats)
