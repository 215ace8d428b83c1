"""Geometry of the charts: coordinates for the template, which draws SVG with the page's fonts."""

from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import Final

from eval.report.elements import ChartArc, GraphChart, LineChart

WIDTH: Final = 640
HEIGHT: Final = 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 12, 10, 24
_TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_GRAPH: Final = 420
_RADIUS: Final = 130
_NODE: Final = 9
_BEND: Final = 0.16


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A mark on an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnLine:
    """One line in the coordinates of the picture."""

    name: str
    path: str
    band: str
    dots: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnChart:
    """A line chart in the coordinates of the picture."""

    lines: tuple[DrawnLine, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    level: float | None
    left: float = _LEFT
    right: float = WIDTH - _RIGHT
    top: float = _TOP
    bottom: float = HEIGHT - _BOTTOM


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnNode:
    """A node, and the position of its name."""

    x: float
    y: float
    name: str
    name_x: float
    name_y: float
    anchor: str
    marked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnArc:
    """An arrow."""

    path: str
    width: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnGraph:
    """A graph in the coordinates of the picture."""

    nodes: tuple[DrawnNode, ...]
    arcs: tuple[DrawnArc, ...]


def draw_lines(chart: LineChart) -> DrawnChart:
    """Return a line chart in the coordinates of the picture; the vertical range is 0 to 1."""
    xs = [x for line in chart.lines for x, _ in line.points]
    least, most = (0.0, 1.0) if chart.diagonal else (min(xs, default=0.0), max(xs, default=1.0))

    def across(x: float) -> float:
        share = (x - least) / (most - least) if most > least else 0.5
        return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT), 1)

    def up(y: float) -> float:
        return round(HEIGHT - _BOTTOM - y * (HEIGHT - _TOP - _BOTTOM), 1)

    ticks = _TICKS if chart.diagonal else _whole_ticks(least, most)
    return DrawnChart(
        lines=tuple(
            DrawnLine(
                name=line.name,
                path=_join([(across(x), up(y)) for x, y in line.points]),
                band=_join(
                    [(across(x), up(high)) for x, _, high in line.bounds]
                    + [(across(x), up(low)) for x, low, _ in reversed(line.bounds)]
                ),
                dots=tuple((across(x), up(y)) for x, y in line.points),
            )
            for line in chart.lines
        ),
        across=tuple(Tick(at=across(x), text=f"{x:g}") for x in ticks),
        up=tuple(Tick(at=up(y), text=f"{y:g}") for y in _TICKS),
        level=None if chart.level is None else up(chart.level),
    )


def draw_graph(graph: GraphChart) -> DrawnGraph:
    """Return a graph with its nodes on a circle."""
    places = [_place(number, len(graph.nodes)) for number in range(len(graph.nodes))]
    most = max((arc.weight for arc in graph.arcs), default=1)
    return DrawnGraph(
        nodes=tuple(
            DrawnNode(
                x=x,
                y=y,
                name=node.name,
                name_x=round(WIDTH / 2 + (x - WIDTH / 2) * 1.13, 1),
                name_y=round(_GRAPH / 2 + (y - _GRAPH / 2) * 1.13 + 4, 1),
                anchor=_anchor(x),
                marked=node.marked,
            )
            for node, (x, y) in zip(graph.nodes, places, strict=True)
        ),
        arcs=tuple(
            DrawnArc(
                path=_bend(places[arc.source], places[arc.target], arc),
                width=round(1 + 3 * arc.weight / most, 1),
                label=arc.label,
            )
            for arc in graph.arcs
        ),
    )


def _whole_ticks(least: float, most: float) -> tuple[float, ...]:
    step = next((one for one in (1, 2, 5, 10, 20, 50) if (most - least) / one <= 10), 100)  # noqa: PLR2004
    first = -(-int(least) // step) * step
    return tuple(float(x) for x in range(first, int(most) + 1, step))


def _join(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)


def _place(number: int, of: int) -> tuple[float, float]:
    turn = 2 * pi * number / max(1, of) - pi / 2
    return (
        round(WIDTH / 2 + 1.3 * _RADIUS * cos(turn), 1),
        round(_GRAPH / 2 + _RADIUS * sin(turn), 1),
    )


def _anchor(x: float) -> str:
    if abs(x - WIDTH / 2) < _NODE:
        return "middle"
    return "start" if x > WIDTH / 2 else "end"


def _bend(source: tuple[float, float], target: tuple[float, float], arc: ChartArc) -> str:
    """Return a curved path that ends before the node, so that both directions are visible."""
    (x, y), (to_x, to_y) = source, target
    across, down = to_x - x, to_y - y
    length = hypot(across, down) or 1.0
    if arc.source == arc.target:
        return f"M{x},{y} m-6,-6 a10,10 0 1,1 12,0"
    middle = ((x + to_x) / 2 - _BEND * down, (y + to_y) / 2 + _BEND * across)
    end = hypot(to_x - middle[0], to_y - middle[1]) or length
    short = (_NODE + 5) / end
    stop = (to_x + (middle[0] - to_x) * short, to_y + (middle[1] - to_y) * short)
    return f"M{x},{y} Q{middle[0]:.1f},{middle[1]:.1f} {stop[0]:.1f},{stop[1]:.1f}"
