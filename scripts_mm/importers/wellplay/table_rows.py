"""Rows of a WellPlay question table, repaired by five rules.

The rules, whose numbers are in findings: (1) cells are stripped; (2) empty cells after the ninth
are dropped; (3) missing cells are added at the end; (4) if `truth` is empty and the last option is
one or two letters a to e, that is the key; so is such a letter in a tenth cell after two empty
ones; (5) rows without text are skipped. Nothing else is repaired. Cells of the format have one
line: a quotation mark that is not closed in its line is a character.
"""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts_mm.importers.lenient_reader import LenientReader
from scripts_mm.safe_io import MAX_JSON, read_bytes
from scripts_mm.script import ScriptError

COLUMNS = ("value", "type", "question", "a", "b", "c", "d", "e", "truth")
_SIZE = len(COLUMNS)
_TRUTH = COLUMNS.index("truth")
_HEADINGS = frozenset({"value", "type", "question", "truth"})
"""Names of columns that, unlike the letters of options, cannot be values of cells."""
_USUAL = range(_SIZE)
_OPTIONS = slice(COLUMNS.index("a"), _TRUTH)
_END = "end"
"""A sentinel line after each line: an unclosed quotation mark would take it in."""
_KEY = re.compile(r"[a-e]{1,2}", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """A repaired row; `number` counts the rows after the header from 1, including empty ones."""

    number: int
    value: str
    sort: str
    stem: str
    options: tuple[str, ...]
    """The five option cells; unused ones are empty."""
    key: str


def read_rows(path: Path, reader: LenientReader) -> tuple[QuestionRow, ...]:
    """Return the rows of a table. Unreadable rows are noted and left out."""
    place = path.name
    try:
        text = _decode(read_bytes(path, MAX_JSON), place, reader)
        cells = _parse_cells(text, place, reader)
    except (ScriptError, csv.Error) as error:
        reader.notes.error("file-unreadable", place, str(error))
        return ()
    order, data = _parse_header(cells, place, reader)
    found: list[QuestionRow] = []
    spaced = 0
    for number, raw in enumerate(data, 1):
        where = f"{place} row {number}"
        row = [reader.text(cell, where) for cell in raw]
        if not any(row):
            detail = "repair rule 5 (rows without text are skipped)"
            reader.notes.info("row-empty", where, detail)
            continue
        spaced += any(cell != cell.strip() and cell.strip() for cell in raw)
        if order == _USUAL:
            row = _repair_row(row, where, reader)
        else:
            _note_places(row, where, order, reader)
        found.append(_make_row(number, row, order))
    if spaced:
        detail = f"repair rule 1 (cells are stripped): {spaced} rows have outer white space"
        reader.notes.info("outer-space", place, detail)
    return tuple(found)


def _parse_cells(text: str, place: str, reader: LenientReader) -> list[list[str]]:
    """Return one row per line; a quotation ends at the end of its line at the latest."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    rows: list[list[str]] = []
    broken: list[str] = []
    for number, line in enumerate(lines, 1):
        found = list(csv.reader([f"{line}\n", _END]))
        if found[-1] == [_END]:
            rows.append(found[0])
        else:
            broken.append(str(number))
            rows += csv.reader([line], quoting=csv.QUOTE_NONE)
    if broken:
        detail = f"a quotation mark is not closed in its line; read as text: {', '.join(broken)}"
        reader.notes.error("quote-not-closed", place, detail)
    return rows


def _decode(data: bytes, place: str, reader: LenientReader) -> str:
    """Return the text of a file in UTF-8, with or without a BOM, else in GB 18030."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError as error:
        raise ScriptError(f"{place!r} is neither UTF-8 nor GB 18030") from error
    reader.notes.warn("encoding", place, "the file is not UTF-8; it is read as GB 18030")
    return text


def _parse_header(
    rows: list[list[str]], place: str, reader: LenientReader
) -> tuple[Sequence[int], list[list[str]]]:
    """Return the index of each column, and the rows after the header."""
    names = [cell.strip().casefold() for cell in rows[0]] if rows else []
    if names[:_SIZE] == [*COLUMNS]:
        return _USUAL, rows[1:]
    if set(COLUMNS) <= set(names):
        reader.notes.warn("columns-reordered", place, f"the columns are {', '.join(names)}")
        return [names.index(name) for name in COLUMNS], rows[1:]
    if _HEADINGS & set(names):
        detail = f"the columns are {', '.join(names)}; read by position"
        reader.notes.warn("columns-unknown", place, detail)
        return _USUAL, rows[1:]
    detail = "no header; the first row is read as a question" if rows else "the file is empty"
    reader.notes.warn("no-header", place, detail)
    return _USUAL, rows


def _make_row(number: int, cells: list[str], order: Sequence[int]) -> QuestionRow:
    value, sort, stem, *options, key = (cells[at] if at < len(cells) else "" for at in order)
    return QuestionRow(
        number=number, value=value, sort=sort, stem=stem, options=tuple(options), key=key
    )


def _repair_row(cells: list[str], place: str, reader: LenientReader) -> list[str]:
    """Return nine cells."""
    row = list(cells)
    while len(row) > _SIZE and not row[-1]:
        row.pop()
    if len(row) < len(cells):
        detail = f"repair rule 2 (empty cells after the ninth are dropped): {len(cells)} cells"
        reader.notes.warn("row-long", place, detail)
    if len(row) < _SIZE:
        detail = f"repair rule 3 (missing cells are added): {len(row)} cells"
        reader.notes.warn("row-short", place, detail)
        row += [""] * (_SIZE - len(row))
    if len(row) > _SIZE:
        _refit(row, place, reader)
    elif not row[_TRUTH]:
        _move_key(row, place, reader)
    return row


def _note_places(cells: list[str], place: str, order: Sequence[int], reader: LenientReader) -> None:
    """Note missing cells in a row of reordered columns, and text outside all columns."""
    if len(cells) <= max(order):
        detail = f"repair rule 3 (missing cells are added): {len(cells)} cells"
        reader.notes.warn("row-short", place, detail)
    beside = [at for at, cell in enumerate(cells) if cell and at not in order]
    if beside:
        columns = ", ".join(str(at + 1) for at in beside)
        detail = f"text in no column of the format, not read: cell {columns} of {len(cells)}"
        reader.notes.error("row-too-long", place, detail)


def _move_key(row: list[str], place: str, reader: LenientReader) -> None:
    """Use the last option as the key if it is only one or two letters."""
    filled = [at for at in _USUAL[_OPTIONS] if row[at]]
    if len(filled) > 1 and _KEY.fullmatch(row[filled[-1]]) is not None:
        at = filled[-1]
        detail = f"repair rule 4 (a key among the options): {row[at]!r} in column {COLUMNS[at]}"
        reader.notes.warn("key-moved", place, detail)
        row[_TRUTH], row[at] = row[at], ""


def _refit(row: list[str], place: str, reader: LenientReader) -> None:
    """Reduce a row with text after the ninth cell to nine; keep its key only if it is certain."""
    late = len(row) == _SIZE + 1 and not row[_TRUTH] and not row[_TRUTH - 1]
    last, kept = row[-1], row[_TRUTH]
    if late and _KEY.fullmatch(last) is not None:
        detail = f"repair rule 4 (a key after two empty cells): {last!r} in a tenth cell"
        reader.notes.warn("key-moved", place, detail)
        row[_TRUTH] = last
    else:
        sure = _KEY.fullmatch(kept) is not None and _KEY.fullmatch(last) is None
        what = "its key is kept" if sure else "its key is uncertain, so it is not scored"
        detail = f"{len(row)} cells with text after the ninth, perhaps a comma too many; {what}"
        reader.notes.error("row-too-long", place, detail)
        row[_TRUTH] = kept if sure else ""
    del row[_SIZE:]
