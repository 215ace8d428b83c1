"""Write a report from its options: the page and the tables."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ConfigError
from eval.metrics.call_costs import PriceTable, read_prices
from eval.played_match import UnreadMatch
from eval.report.build import make_report
from eval.report.collection.breaches import Breach, find_breaches
from eval.report.collection.match_facts import collect_runs
from eval.report.page import render_page
from eval.report.report_context import ReportContext
from eval.report.table_formats import write_tables


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenReport:
    """The result of writing a report."""

    matches: int
    tables: int
    size: int
    """Bytes of the page."""
    unread: tuple[UnreadMatch, ...]
    breaches: tuple[Breach, ...]


def write_report(
    folders: Sequence[Path],
    out: Path,
    *,
    tables: Path | None = None,
    prices: Path | None = None,
    language: str = "en",
    overwrite: bool = False,
) -> WrittenReport:
    """Write the report of runs to the file `out`, and its tables to a folder.

    Raises `RecordError` or `ConfigError` if that fails; then nothing is written.
    """
    _check_file(out, overwrite=overwrite)
    if tables is not None:
        _check_folder(tables, overwrite=overwrite)
    table = None if prices is None else _read_prices(prices)
    collected = collect_runs(folders, prices=table)
    report = make_report(ReportContext(collected=collected, language=language))
    page = render_page(report).encode("utf-8", "replace")
    try:
        count = write_tables(report, tables) if tables else 0
        _write(out, page)
    except OSError as error:
        place = error.filename or str(out)
        raise ConfigError(f"cannot write {str(place)!r}: {error.strerror or error}") from error
    return WrittenReport(
        matches=len(collected.matches),
        tables=count,
        size=len(page),
        unread=collected.unread,
        breaches=find_breaches(collected.matches),
    )


def _check_file(out: Path, *, overwrite: bool) -> None:
    if out.is_dir():
        raise ConfigError(f"{str(out)!r} is a folder; name the HTML file to write")
    if os.path.lexists(out) and not out.is_file():
        raise ConfigError(f"{str(out)!r} is not a regular file; name the HTML file to write")
    if os.path.lexists(out) and not overwrite:
        raise ConfigError(f"{str(out)!r} exists already; name another file, or add --overwrite")
    parent = out.absolute().parent
    if not parent.is_dir():
        raise ConfigError(f"cannot write into {str(parent)!r}: no such folder; create it")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise ConfigError(f"cannot write into {str(parent)!r}: no permission; name another folder")


def _read_prices(path: Path) -> PriceTable:
    """Read a price table; only from a regular file, since a pipe could be endless."""
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113 - raise for no name
        raise ConfigError(f"the price table {str(path)!r} cannot be read: it is not a regular file")
    return read_prices(path)


def _check_folder(folder: Path, *, overwrite: bool) -> None:
    if os.path.lexists(folder) and not folder.is_dir():
        raise ConfigError(f"{str(folder)!r} is not a folder; name one that is new or empty")
    if folder.is_dir() and any(folder.iterdir()) and not overwrite:
        raise ConfigError(f"{str(folder)!r} is not empty; name another folder, or add --overwrite")


def _write(out: Path, data: bytes) -> None:
    """Write a file atomically."""
    draft = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        draft.write_bytes(data)
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)
