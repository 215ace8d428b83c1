"""SQLite table of the complete matches of a run. The files are authoritative; this is rebuilt."""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict, fields
from pathlib import Path

from arena.errors import RecordError
from arena.records.run_record import RunRecord
from arena.records.summary import MatchSummary

INDEX = "index.sqlite"
_COLUMNS = tuple(field.name for field in fields(MatchSummary))


def rebuild_index(run: RunRecord) -> Path:
    """Write a new `index.sqlite` from the run's `done.json` files and return its path."""
    rows = [summary for match in run.matches() if (summary := match.summary()) is not None]
    path = run.path / INDEX
    draft = path.with_suffix(".draft")
    try:
        draft.unlink(missing_ok=True)
        _write(draft, rows)
        draft.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise RecordError(f"cannot write {str(path)!r}: {error}") from error
    return path


def _write(path: Path, rows: Iterable[MatchSummary]) -> None:
    names = ", ".join(f'"{name}"' for name in _COLUMNS)
    places = ", ".join("?" for _ in _COLUMNS)
    with closing(sqlite3.connect(path)) as base, base:
        base.execute(f"CREATE TABLE matches ({names}, PRIMARY KEY (match))")
        base.executemany(f"INSERT INTO matches VALUES ({places})", map(_row, rows))  # noqa: S608


def _row(summary: MatchSummary) -> tuple[object, ...]:
    values = asdict(summary)
    return tuple(
        json.dumps(values[name], ensure_ascii=False)
        if isinstance(values[name], dict | tuple | list)
        else values[name]
        for name in _COLUMNS
    )
