"""Tables as files: unrounded where a program reads them, harmless wherever they are opened."""

import csv
import io
import json
from pathlib import Path

from eval.report.elements import Column, FigureCell, Table
from eval.report.table_formats import to_csv, to_json, to_latex, to_markdown, write_tables
from tests.eval.report.made_reports import facts, report

FIGURE = FigureCell(value=12.345, low=10.0, high=20.25, count=4, chance=15.5)
TABLE = Table(
    name="rates",
    title="Rates & 50%",
    columns=(
        Column(key="name", title="Name_1", align="left"),
        Column(key="rate", title="Rate"),
    ),
    rows=(("a|b <b>$x$</b> \\\n=1", FIGURE), ("=SUM(1)", None)),
)


def test_csv_keeps_every_digit_and_gives_an_interval_columns_of_its_own() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(TABLE))))
    assert rows[0]["rate"] == "12.345"
    assert [rows[0][f"rate_{part}"] for part in ("low", "high", "n", "chance")] == [
        "10.0",
        "20.25",
        "4",
        "15.5",
    ]
    assert rows[1]["rate"] == ""


def test_csv_holds_no_formula_that_a_spreadsheet_would_run() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(TABLE))))
    assert rows[1]["name"] == "'=SUM(1)"


def test_latex_has_booktabs_rules_and_no_bare_special_character() -> None:
    text = to_latex(TABLE)
    assert [text.count(f"\\{one}rule") for one in ("top", "mid", "bottom")] == [1, 1, 1]
    assert "Name\\_1 & Rate" in text
    assert "\\$x\\$" in text
    assert "\\textbackslash{}" in text
    assert "12.3 [10.0, 20.3] (n 4)" in text


def test_a_latex_title_cannot_end_its_comment() -> None:
    table = Table(name="x", title="a\n\\input{b}", columns=TABLE.columns, rows=())
    assert to_latex(table).splitlines()[0] == "% a \\input{b}"


def test_a_markdown_cell_cannot_end_its_cell_or_hold_markup() -> None:
    [*_, first, _second] = to_markdown(TABLE).splitlines()
    assert first.replace("\\|", "").count("|") == 3
    assert "<b>" not in first


def test_json_has_values_and_intervals_by_the_keys_of_the_columns() -> None:
    value = json.loads(to_json(TABLE))
    assert value["rows"][0]["rate"] == {
        "value": 12.345,
        "low": 10.0,
        "high": 20.25,
        "n": 4,
        "chance": 15.5,
    }
    assert value["rows"][1]["rate"] is None


def test_every_table_of_a_report_is_written_in_four_formats(tmp_path: Path) -> None:
    found = report(facts())
    count = write_tables(found, tmp_path)
    assert count == len({one.name for one in found.tables()}) == len(found.tables())
    assert len(list(tmp_path.iterdir())) == 4 * count
