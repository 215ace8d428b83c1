"""Write the tables of a report as Markdown, CSV, LaTeX and JSON."""

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from eval.report.elements import Cell, Column, FigureCell, HeatCell, RunReport, Table, format_cell

_LATEX: Final[Mapping[str, str]] = MappingProxyType(
    {
        "\\": r"\textbackslash{}",
        **{char: f"\\{char}" for char in "&%$#_{}"},
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
    }
)
_FORMULA: Final = re.compile(r"^[=+\-@\t\r]")
"""The start of a text that a spreadsheet reads as a formula."""


def write_tables(report: RunReport, folder: Path) -> int:
    """Write every table of a report in four formats; return the number of tables."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = report.tables()
    for table in tables:
        for suffix, write in FORMATS.items():
            (folder / f"{_file_name(table.name)}.{suffix}").write_text(
                write(table), encoding="utf-8", newline=""
            )
    return len(tables)


def to_markdown(table: Table) -> str:
    """Return a table as Markdown, rounded."""
    heads = [_plain_markdown(column.title) for column in table.columns]
    rules = ["---:" if column.align == "right" else "---" for column in table.columns]
    rows = [
        [_plain_markdown(format_cell(*pair)) for pair in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    lines = [f"| {' | '.join(line)} |" for line in (heads, rules, *rows)]
    note = f"\n{_plain_markdown(table.note)}\n" if table.note else ""
    return f"## {_plain_markdown(table.title)}\n\n{chr(10).join(lines)}\n{note}"


def to_csv(table: Table) -> str:
    """Return a table as CSV, unrounded; a figure has extra columns for its interval and its n."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    parts = [_parts(table, number) for number in range(len(table.columns))]
    writer.writerow(
        _key(column, part) for column, own in zip(table.columns, parts, strict=True) for part in own
    )
    for row in table.rows:
        writer.writerow(
            _escape_formula(_flatten_cell(cell).get(part))
            for cell, own in zip(row, parts, strict=True)
            for part in own
        )
    return stream.getvalue()


def to_latex(table: Table) -> str:
    """Return a table as LaTeX (booktabs), rounded."""
    shape = "".join("r" if column.align == "right" else "l" for column in table.columns)
    heads = " & ".join(_escape_latex(column.title) for column in table.columns)
    rows = [
        " & ".join(
            _escape_latex(format_cell(*pair)) for pair in zip(row, table.columns, strict=True)
        )
        for row in table.rows
    ]
    body = "".join(f"{row} \\\\\n" for row in rows)
    return (
        f"% {' '.join(table.title.split())}\n\\begin{{tabular}}{{{shape}}}\n\\toprule\n"
        f"{heads} \\\\\n\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n"
    )


def to_json(table: Table) -> str:
    """Return a table as JSON, unrounded."""
    keys = [column.key for column in table.columns]
    value = {
        "name": table.name,
        "title": table.title,
        "columns": [{"key": one.key, "title": one.title} for one in table.columns],
        "rows": [
            {key: _json_cell(cell) for key, cell in zip(keys, row, strict=True)}
            for row in table.rows
        ],
        "note": table.note,
    }
    return f"{json.dumps(value, ensure_ascii=False, indent=1)}\n"


FORMATS: Final[Mapping[str, Callable[[Table], str]]] = MappingProxyType(
    {"md": to_markdown, "csv": to_csv, "tex": to_latex, "json": to_json}
)
"""File suffix -> writer."""


def _flatten_cell(cell: Cell) -> dict[str, str | int | float | None]:
    """Return a cell as columns; the empty name is its value."""
    match cell:
        case FigureCell():
            bounds = {"low": cell.low, "high": cell.high, "n": cell.count, "chance": cell.chance}
            return {"": cell.value, **bounds}
        case HeatCell():
            return {"": cell.text, "share": cell.share}
        case _:
            return {"": cell}


def _parts(table: Table, number: int) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(part for row in table.rows for part in _flatten_cell(row[number]))
    ) or ("",)


def _key(column: Column, part: str) -> str:
    return f"{column.key}_{part}" if part else column.key


def _json_cell(cell: Cell) -> object:
    flat = _flatten_cell(cell)
    return flat[""] if len(flat) == 1 else {name or "value": value for name, value in flat.items()}


def _escape_formula(value: str | int | float | None) -> str | int | float | None:
    """Return a value that spreadsheets do not read as a formula."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def _plain_markdown(text: str) -> str:
    """Return a text escaped for one cell of a Markdown table."""
    line = " ".join(text.split())
    escaped = re.sub(r"([\\`*_\[\]|~#!])", r"\\\1", line)
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _escape_latex(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in " ".join(text.split()))


def _file_name(name: str) -> str:
    return re.sub(r"[^\w-]", "-", name)
