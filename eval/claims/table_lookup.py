"""Find the fact table of a match: in its run, else from the bundled script."""

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
"""The number of cached tables: enough for a suite."""


def find_table(match: PlayedMatch) -> FactTable | None:
    """Return the fact table of the match's script; None: not found, or of another case.

    An older run stores none, so only bundled scripts have one there. Raises `RecordError` if a
    stored table cannot be read.
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
    """Return the hash and the fact table of a bundled script; cached for all its matches."""
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
