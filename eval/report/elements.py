"""The elements of a report: sections of tables, charts, excerpts and paragraphs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from eval.rounding import round_half_up

NONE: Final = "–"
"""The text of an undefined value."""
Align = Literal["left", "right"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureCell:
    """A figure with its interval and chance level; all in the displayed unit."""

    value: float | None
    low: float | None = None
    high: float | None = None
    count: int | None = None
    """The number of averaged values."""
    chance: float | None = None
    places: int = 1
    least: float | None = None
    most: float | None = None
    """The range of its bar; None: no bar."""
    is_point: bool = False
    """Whether the bar has no natural zero, so that only the value's position is marked."""

    @property
    def text(self) -> str:
        """The value with its interval and its n."""
        if self.value is None:
            return NONE
        bounds = f" [{self.show(self.low)}, {self.show(self.high)}]" if self.low is not None else ""
        return f"{self.show(self.value)}{bounds}{self.small}"

    def show(self, value: float | None) -> str:
        """Return a value with its decimal places; ratings have no thousands separator."""
        if value is None or self.is_point:
            return format_number(value, self.places)
        return _format_grouped(value, self.places)

    @property
    def small(self) -> str:
        """The n, as a suffix of the value."""
        return f" (n {self.count})" if self.count is not None else ""

    def at(self, value: float | None) -> float:
        """Return the position of a value on the bar, 0 to 100."""
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
    """Decimal places of non-integer numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table. Only JSON and CSV have it complete and unrounded."""

    name: str
    """The stem of its file name."""
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    folded: bool = False
    """Whether it is collapsed on the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartLine:
    """One line of a chart."""

    name: str
    points: tuple[tuple[float, float], ...]
    bounds: tuple[tuple[float, float, float], ...] = ()
    """The band around it, as (x, low, high)."""


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
    """The height of a dashed horizontal line, such as the chance level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartNode:
    """One node of a graph."""

    name: str
    marked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartArc:
    """An arrow between two nodes, given by their numbers."""

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
    """A paragraph; `missing` marks one that names absent data and how to get it."""

    text: str
    missing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """An utterance of a match, and why it is shown."""

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
    """The content of the page and the tables."""

    language: str
    title: str
    facts: tuple[tuple[str, str], ...]
    """The facts at the top, as (name, value)."""
    alarms: tuple[str, ...]
    """Reasons why no figure of the report is valid."""
    warnings: tuple[str, ...]
    """Warnings to every reader."""
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
    """Return a number as in tables: rounded half up, with all decimal places."""
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
    """Return a number with thousands separators."""
    return f"{round_half_up(value, places):,.{places}f}"
