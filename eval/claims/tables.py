"""The fact table of a match: as its run keeps it, else that of the bundled script it played."""

from pathlib import Path

from arena.core.seats import SeatId
from arena.errors import RecordError
from eval.played import PlayedMatch
from scripts_mm.catalog import LIBRARY, find_script
from scripts_mm.facts.files import load_facts, parse_facts
from scripts_mm.facts.table import FactTable
from scripts_mm.names import folded
from scripts_mm.script import Language, ScriptError


def find_table(match: PlayedMatch) -> FactTable | None:
    """Return the fact table of the match's script; None: nobody has it, or it is of another case.

    An older run keeps none: it has one only where a bundled script was played. Raises `RecordError`
    where the one that is kept cannot be read.
    """
    table = _kept(match) or _bundled(match)
    seats = match.started.seats
    return table if table is not None and _fits(table, seats, match.script.language) else None


def _kept(match: PlayedMatch) -> FactTable | None:
    data = match.record.facts() if match.record is not None else None
    if data is None:
        return None
    try:
        return parse_facts(data, Path(f"facts of {match.script.id}"))
    except ScriptError as error:
        raise RecordError(f"{match.run!r}: {error}; restore them, or remove the file") from error


def _bundled(match: PlayedMatch) -> FactTable | None:
    if not (LIBRARY / match.script.id).is_dir():
        return None
    try:
        loaded = find_script(match.script.id, match.script.language)
        same = loaded.sha256 == match.started.script_sha256
        return load_facts(loaded.folder) if same else None
    except ScriptError:
        return None


def _fits(table: FactTable, seats: tuple[SeatId, ...], language: Language) -> bool:
    named = {folded(one.names.get(language, "")) for one in table.people}
    return all(folded(seat) in named for seat in seats)
