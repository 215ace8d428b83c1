"""What a report is made of: sections of tables, charts, excerpts and sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from eval.rounding import round_half_up

NONE: Final = "–"
"""Shown for a value that is undefined."""
Align = Literal["left", "right"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureCell:
    """A figure with its interval, and the chance level beside it; all in the unit that is shown."""

    value: float | None
    low: float | None = None
    high: float | None = None
    count: int | None = None
    """Values that it is the mean of."""
    chance: float | None = None
    places: int = 1
    least: float | None = None
    most: float | None = None
    """The range of its bar; None: it has no bar."""
    is_point: bool = False
    """The bar has no natural zero: only the place of the value is marked."""

    @property
    def text(self) -> str:
        """The value with its interval and its n."""
        if self.value is None:
            return NONE
        bounds = f" [{self.show(self.low)}, {self.show(self.high)}]" if self.low is not None else ""
        return f"{self.show(self.value)}{bounds}{self.small}"

    def show(self, value: float | None) -> str:
        """Return a value in its places; those of ratings have no mark at the thousands."""
        if value is None or self.is_point:
            return format_number(value, self.places)
        return _format_grouped(value, self.places)

    @property
    def small(self) -> str:
        """The n, as it follows the value."""
        return f" (n {self.count})" if self.count is not None else ""

    def at(self, value: float | None) -> float:
        """Return where a value lies on the bar, 0 to 100."""
        least, most = self.least or 0.0, self.most if self.most is not None else 1.0
        share = ((value or 0.0) - least) / (most - least) if most > least else 0.0
        return round(100 * min(1.0, max(0.0, share)), 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatCell:
    """A cell of a heat map: lines of text on a colour."""

    lines: tuple[str, ...]
    share: float | None
    """0 to 1; None: no colour."""

    @property
    def text(self) -> str:
        """All lines as one."""
        return "; ".join(self.lines)


Cell = str | int | float | None | FigureCell | HeatCell


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table."""

    key: str
    """Its name in CSV and JSON."""
    title: str
    help: str = ""
    align: Align = "right"
    places: int = 1
    """Of numbers that are no whole ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table. It is shown whole and unrounded only in JSON and CSV."""

    name: str
    """Its name as a file."""
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    folded: bool = False
    """Shown when it is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartLine:
    """One line of a chart."""

    name: str
    points: tuple[tuple[float, float], ...]
    bounds: tuple[tuple[float, float, float], ...] = ()
    """x, low, high of a band around it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    """Lines over a range of 0 to 1."""

    title: str
    across: str
    up: str
    lines: tuple[ChartLine, ...]
    diagonal: bool = False
    """Whether the line of x = y is drawn."""
    level: float | None = None
    """A dashed line across, such as the chance level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartNode:
    """One node of a graph."""

    name: str
    marked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartArc:
    """An arrow from one node to another, both by their number."""

    source: int
    target: int
    weight: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphChart:
    """Nodes on a circle, and arrows between them."""

    title: str
    nodes: tuple[ChartNode, ...]
    arcs: tuple[ChartArc, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportParagraph:
    """A sentence; `missing` tells what is not there, and how to get it."""

    text: str
    missing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """What somebody said in a match, and why it is shown."""

    why: str
    where: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotations:
    """Excerpts of one kind."""

    title: str
    quotes: tuple[Quotation, ...]


ReportBlock = Table | LineChart | GraphChart | ReportParagraph | Quotations


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One part of the report."""

    name: str
    title: str
    blocks: tuple[ReportBlock, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """Everything that the page and the tables show."""

    language: str
    title: str
    facts: tuple[tuple[str, str], ...]
    """What stands at the top, as (name, value)."""
    alarms: tuple[str, ...]
    """Why no figure of the report may be trusted."""
    warnings: tuple[str, ...]
    """What every reader must know first."""
    sections: tuple[Section, ...]

    def tables(self) -> Sequence[Table]:
        """Return every table, in order."""
        return [
            block
            for section in self.sections
            for block in section.blocks
            if isinstance(block, Table)
        ]


def format_number(value: float | None, places: int = 1) -> str:
    """Return a number as tables print it: rounded half up, with all its places."""
    return NONE if value is None else f"{round_half_up(value, places):.{places}f}"


def format_cell(cell: Cell, column: Column) -> str:
    """Return a cell as text."""
    match cell:
        case None:
            return NONE
        case str():
            return cell
        case int():
            return f"{cell:,}" if column.align == "right" else str(cell)
        case float():
            return _format_grouped(cell, column.places)
        case FigureCell() | HeatCell():
            return cell.text


def _format_grouped(value: float, places: int) -> str:
    """Return a number with its thousands apart."""
    return f"{round_half_up(value, places):,.{places}f}"
