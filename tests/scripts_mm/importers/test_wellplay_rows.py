"""The one repair rule of WellPlay tables: what it mends, what it leaves, and that it says so."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts_mm.findings import FindingLog
from scripts_mm.importers.lenient_reader import LenientReader
from scripts_mm.importers.wellplay.table_rows import QuestionRow, read_rows
from tests.scripts_mm.publishing import HEADER, table


def read(tmp_path: Path, data: bytes) -> tuple[tuple[QuestionRow, ...], dict[str, list[str]]]:
    """Return the rows of a table and the places of each code found."""
    path = tmp_path / "role.csv"
    path.write_bytes(data)
    notes = FindingLog()
    rows = read_rows(path, LenientReader(notes, repairs=True))
    found: dict[str, list[str]] = {}
    for one in notes.found:
        found.setdefault(one.code, []).append(one.place)
        if one.code in ("row-short", "row-long", "key-moved", "row-empty", "outer-space"):
            assert one.detail.startswith("repair rule ")
    return rows, found


WHOLE = ["b", "a", "Where?", "mill", "barn", "loft", "well", "", "c"]


@pytest.mark.parametrize(
    ("cells", "options", "key", "codes"),
    [
        (WHOLE, "mill barn loft well", "c", []),
        ([*WHOLE[:7], "b"], "mill barn loft well", "b", ["row-short", "key-moved"]),
        ([*WHOLE[:7], "b", ""], "mill barn loft well", "b", ["key-moved"]),
        ([*WHOLE[:7], "BD", ""], "mill barn loft well", "BD", ["key-moved"]),
        ([*WHOLE, ""], "mill barn loft well", "c", ["row-long"]),
        ([*WHOLE, "", ""], "mill barn loft well", "c", ["row-long"]),
        ([*WHOLE[:7], "", "", "d"], "mill barn loft well", "d", ["key-moved"]),
        ([*WHOLE[:6], "", "c", ""], "mill barn loft", "c", ["key-moved"]),
        (["b", "a", "Where?", "a"], "a", "", ["row-short"]),
        ([*WHOLE[:7], "tower", "", "b"], "mill barn loft well tower", "", ["row-too-long"]),
        ([*WHOLE[:8], "c", "by Ilse"], "mill barn loft well", "c", ["row-too-long"]),
        ([*WHOLE[:7], "tower", "hill", "b"], "mill barn loft well tower", "", ["row-too-long"]),
        ([" b", "a ", " Where? ", *WHOLE[3:]], "mill barn loft well", "c", ["outer-space"]),
        (WHOLE[:8], "mill barn loft well", "", ["row-short"]),
        (WHOLE[:3], "", "", ["row-short"]),
    ],
)
def test_a_row_is_mended_by_the_rule_and_no_further(
    tmp_path: Path, cells: list[str], options: str, key: str, codes: list[str]
) -> None:
    (row,), found = read(tmp_path, table([cells]))
    assert [option for option in row.options if option] == options.split()
    assert row.key == key
    assert (row.value, row.sort, row.stem) == ("b", "a", "Where?")
    assert sorted(found) == sorted(codes)


def test_rows_without_text_are_skipped_and_the_others_keep_their_numbers(tmp_path: Path) -> None:
    rows, found = read(tmp_path, table([WHOLE, [], [""] * 9, [" ", "\t"], WHOLE]))
    assert [row.number for row in rows] == [1, 5]
    assert [one.rsplit(" ", 1)[1] for one in found["row-empty"]] == ["2", "3", "4"]


@pytest.mark.parametrize("data", [table([WHOLE]), table([WHOLE], bom=True)])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
def test_bom_and_line_endings_make_no_difference(
    tmp_path: Path, data: bytes, ending: bytes
) -> None:
    (row,), found = read(tmp_path, data.replace(b"\n", ending))
    assert row.stem == "Where?"
    assert found == {}


def test_commas_and_quotes_in_cells_are_text(tmp_path: Path) -> None:
    cells = ["b", "a", 'Who said "no, never"?', "=1+1", "{0}", "x,y", '""', "", "a"]
    (row,), found = read(tmp_path, table([cells]))
    assert row.stem == 'Who said "no, never"?'
    assert row.options == ("=1+1", "{0}", "x,y", '""', "")
    assert found == {}


@pytest.mark.parametrize("column", range(9))
@pytest.mark.parametrize("closed", [None, 2, 7, 8])
def test_a_quote_that_is_not_closed_swallows_no_other_row(
    tmp_path: Path, column: int, closed: int | None
) -> None:
    opened = [*WHOLE[:7], "", "c"]
    opened[column] = f'"{opened[column]}'
    lines = [HEADER, opened, [*WHOLE], WHOLE]
    if closed is not None:
        lines[2][closed] = f'{lines[2][closed]}"'
    rows, found = read(tmp_path, "\n".join(map(",".join, lines)).encode())
    assert [row.number for row in rows] == [1, 2, 3]
    assert rows[1].stem.strip('"') == rows[2].stem == "Where?"
    assert set(found) >= {"quote-not-closed"}
    assert found["quote-not-closed"] == ["role.csv"]


def test_no_cell_has_two_lines(tmp_path: Path) -> None:
    rows, found = read(tmp_path, table([["b", "a", "Where?\nWhen?", *WHOLE[3:]], WHOLE]))
    assert [row.number for row in rows] == [1, 2, 3]
    assert rows[0].stem == '"Where?'
    assert "quote-not-closed" in found


def test_rows_of_reordered_columns_lose_nothing_in_silence(tmp_path: Path) -> None:
    header = ["question", "value", "type", *HEADER[3:]]
    short = ["Where?", "b", "a", "mill", "barn"]
    long = ["Where?", "b", "a", *WHOLE[3:], "by Ilse"]
    rows, found = read(tmp_path, table([short, long], header=header))
    assert [row.stem for row in rows] == ["Where?", "Where?"]
    assert found["row-short"] == ["role.csv row 1"]
    assert found["row-too-long"] == ["role.csv row 2"]


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ([name.upper() for name in HEADER], None),
        ([f" {name}" for name in HEADER], None),
        ([*HEADER, "note"], None),
        (["truth", *HEADER[:-1]], "columns-reordered"),
        (["value", "type", "question", "1", "2", "3", "4", "5", "answer"], "columns-unknown"),
    ],
)
def test_columns_are_found_by_their_names(
    tmp_path: Path, header: list[str], code: str | None
) -> None:
    cells = ["c", *WHOLE[:-1]] if header[0] == "truth" else WHOLE
    (row,), found = read(tmp_path, table([cells], header=header))
    assert (row.stem, row.key) == ("Where?", "c")
    assert list(found) == ([code] if code else [])


def test_a_table_without_header_loses_no_row(tmp_path: Path) -> None:
    rows, found = read(tmp_path, table([WHOLE], header=WHOLE))
    assert len(rows) == 2
    assert list(found) == ["no-header"]
    assert read(tmp_path, b"")[0] == ()


def test_other_encodings_are_read_or_told(tmp_path: Path) -> None:
    text = table([["b", "a", "灯在哪里？", *WHOLE[3:]]]).decode()
    (row,), found = read(tmp_path, text.encode("gb18030"))
    assert row.stem == "灯在哪里？"
    assert list(found) == ["encoding"]
    rows, found = read(tmp_path, b"value,type\n\xff\xff\xff")
    assert rows == ()
    assert list(found) == ["file-unreadable"]


@given(cells=st.lists(st.sampled_from(["", "a", "c", "mill", " ", "bd"]), max_size=12))
def test_no_row_with_text_is_ever_lost(
    tmp_path_factory: pytest.TempPathFactory, cells: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    rows, _ = read(folder, table([cells, WHOLE]))
    assert len(rows) == 1 + any(cell.strip() for cell in cells)
    assert rows[-1].key == "c"
