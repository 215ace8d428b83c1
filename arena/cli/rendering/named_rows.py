"""Rows that begin with names of any length: a table, or paragraphs if it does not fit."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from arena.cli.rendering.layout import Block
from arena.view.sanitize import sanitize_line

_MAX_PIPED_CELLS = 10_000
"""Cells of a table in a file or a pipe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRows:
    """Rows whose first columns are names, which are never cut so that they can be copied."""

    heads: Sequence[str]
    """Column headings of one or more lines, so that a column of small numbers is narrow."""
    rows: Sequence[Sequence[str]]
    names: int
    """Number of leading columns that are names; the others hold numbers or a few words."""
    words: int = 0
    """Number of trailing columns that are words; they are left-aligned, like names."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield a table if it fits or if there is no terminal; else one paragraph per row."""
        table = self._table(two_lines=console.is_terminal)
        wide = options.update(max_width=_MAX_PIPED_CELLS)
        width = Measurement.get(console, wide, table).maximum
        if width <= options.max_width or not console.is_terminal:
            yield from console.render(table, options.update(max_width=width))
        else:
            for row in self.rows:
                yield from self._paragraph(row)

    def _table(self, *, two_lines: bool) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 1))
        right = range(self.names, len(self.heads) - self.words)
        for number, lines in enumerate(self.heads):
            head = lines if two_lines else lines.replace("\n", " ")
            table.add_column(
                Text(head),
                justify="right" if number in right else "left",
                no_wrap=True,
                vertical="bottom",
            )
        for row in self.rows:
            table.add_row(*(Text(sanitize_line(cell)) for cell in row))
        return table

    def _paragraph(self, row: Sequence[str]) -> tuple[RenderableType, ...]:
        heads = (head.replace("\n", " ") for head in self.heads)
        cells = [f"{head} {cell}" for head, cell in zip(heads, row, strict=True) if cell]
        names = cells[: self.names] if self.names > 1 else row[:1]
        return (
            Block(head=Text(), body=", ".join(names), style="bold", indent=0),
            Block(head=Text("  "), body=", ".join(cells[self.names :])),
        )


def print_rows(console: Console, rows: NamedRows) -> None:
    """Print rows; without a terminal, they can exceed the console's width."""
    console.print(rows, crop=False)
