"""SQLite table of the complete matches of a run. The files are authoritative; it can be rebuilt."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, fields
from pathlib import Path

from arena.errors import RecordError
from arena.records.match_summary import MatchSummary
from arena.records.record_files import atomic_write
from arena.records.run_record import RunRecord

INDEX = "index.sqlite"
_COLUMNS = tuple(field.name for field in fields(MatchSummary))


def rebuild_index(run: RunRecord) -> Path:
    """Write a new `index.sqlite` from the run's `done.json` files and return its path.

    A match with a damaged record has no row. Raises only `RecordError`.
    """
    path = run.path / INDEX
    try:
        atomic_write(path, _database(_summaries(run)))
    except sqlite3.Error as error:
        raise RecordError(f"cannot write {str(path)!r}: {error}") from error
    return path


def _summaries(run: RunRecord) -> Iterator[MatchSummary]:
    for match in run.matches():
        try:
            summary = match.summary()
        except RecordError:
            continue
        if summary is not None:
            yield summary


def _database(rows: Iterable[MatchSummary]) -> bytes:
    """Return the bytes of a database; its drafts and journals are never in the run's folder."""
    names = ", ".join(f'"{name}"' for name in _COLUMNS)
    places = ", ".join("?" for _ in _COLUMNS)
    with closing(sqlite3.connect(":memory:")) as base:
        with base:
            base.execute(f"CREATE TABLE matches ({names}, PRIMARY KEY (match))")
            base.executemany(
                f"INSERT OR REPLACE INTO matches VALUES ({places})",  # noqa: S608
                map(_row, rows),
            )
        return base.serialize()


def _row(summary: MatchSummary) -> tuple[object, ...]:
    values = asdict(summary)
    return tuple(
        json.dumps(values[name], ensure_ascii=False)
        if isinstance(values[name], dict | tuple | list)
        else values[name]
        for name in _COLUMNS
    )
