"""Rows that begin with names: no name is cut, however narrow the screen is."""

import pytest

from arena.cli.console.screens import open_screen
from arena.cli.rendering.named_rows import NamedRows, print_rows
from tests.arena.cli.rendering.test_streams import XTERM, Terminal
from tests.arena.cli.tiny import paper

LONG = "http://127.0.0.1:8000/v1#qwen2.5-vl-72b+cot"
ROWS = NamedRows(
    heads=("civilians", "murderer", "civ\nwins", "missing"),
    rows=[(LONG, "qwen2.5-vl-32b+cot", "1", "2"), ("naive", LONG, "3", "14")],
    names=2,
)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_names_are_whole_on_every_terminal(width: int) -> None:
    terminal = Terminal()
    print_rows(open_screen(terminal, env={**XTERM, "NO_COLOR": "1"}, width=width), ROWS)
    lines = terminal.getvalue().splitlines()
    assert sum(LONG in line for line in lines) == 2
    assert max(map(len, lines)) <= width


def test_a_table_that_does_not_fit_becomes_paragraphs() -> None:
    terminal = Terminal()
    print_rows(open_screen(terminal, env={**XTERM, "NO_COLOR": "1"}, width=80), ROWS)
    assert terminal.getvalue().splitlines()[-2:] == [
        f"civilians naive, murderer {LONG}",
        "  civ wins 3, missing 14",
    ]


def test_without_a_terminal_a_row_is_one_line() -> None:
    console, stream = paper(40)
    print_rows(console, ROWS)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 3
    assert lines[0].split() == ["civilians", "murderer", "civ", "wins", "missing"]
    assert lines[2].split() == ["naive", LONG, "3", "14"]
