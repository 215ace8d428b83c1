"""A table of figures on a terminal."""

from rich import box
from rich.console import Console, ConsoleDimensions
from rich.table import Table as Grid
from rich.text import Text

from arena.view.sanitize import sanitize_line
from eval.report.elements import Table, format_cell

_GAP = 3
"""Maximum cells next to a column."""
_MAX_CELLS = 1000
"""Cells of a line in a file or a pipe."""
_MIN_CELLS = 8
"""Minimum characters of a column of words on a narrow terminal."""


def print_figures(screen: Console, table: Table) -> None:
    """Print a whole table: on a narrow terminal its lines wrap, because figures must not be cut."""
    grid = figure_table(table)
    least = sum((column.min_width or 0) + _GAP for column in grid.columns)
    least = least if screen.is_terminal else _MAX_CELLS
    screen.size = ConsoleDimensions(max(screen.width, least), screen.height)
    screen.print(grid, crop=False)


def figure_table(table: Table) -> Grid:
    """Return a table of a report for a terminal; names in it can come from records.

    Columns that contain only zeros are left out.
    """
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    shown = [
        number
        for number, _ in enumerate(table.columns)
        if not number or any(row[number] for row in table.rows)
    ]
    for number in shown:
        column = table.columns[number]
        texts = [format_cell(row[number], column) for row in table.rows]
        longest = max(map(len, (column.title, *texts)))
        is_whole = column.align == "right" or not number
        grid.add_column(
            Text(column.title),
            justify=column.align,
            overflow="fold",
            min_width=longest if is_whole else min(longest, _MIN_CELLS),
        )
    for row in table.rows:
        cells = ((row[number], table.columns[number]) for number in shown)
        grid.add_row(*(Text(sanitize_line(format_cell(*pair))) for pair in cells))
    return grid
