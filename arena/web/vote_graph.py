"""Graph of a vote: who voted for whom, as numbers for the template. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import east_asian_width

from arena.view.i18n.messages import Messages
from arena.view.items import TallyItem
from arena.view.sanitize import sanitize_line

_ROW: Final = 34
_MAX_COLUMNS: Final = 20
"""Maximum columns of a name in the picture; Chinese characters take two."""
_COLUMN: Final = 8.5
_BETWEEN: Final = 180
_COUNT: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteNode:
    """A voter, or a candidate."""

    name: str
    label: str
    color: str
    """Colour of the style sheet; `x`: none."""
    y: float
    votes: int = 0
    is_named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteEdge:
    """Votes of one seat for one candidate."""

    path: str
    color: str
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteGraph:
    """Graph in the coordinates of its picture."""

    height: float
    voters: tuple[VoteNode, ...]
    choices: tuple[VoteNode, ...]
    edges: tuple[VoteEdge, ...]
    summary: str
    """The same in words."""
    width: float
    left: float
    """Position at which the names of the voters end."""
    right: float


def draw_votes(item: TallyItem, colors: Mapping[str, int], messages: Messages) -> VoteGraph | None:
    """Return the graph of a vote; None: the observer does not know who voted for whom."""
    if not item.known:
        return None
    cast = Counter((one.seat, one.choice) for one in item.known)
    counts = Counter(one.choice for one in item.known)
    voters = list(dict.fromkeys(one.seat for one in item.known))
    seats = {one.choice for one in item.known if one.is_seat}
    ranked = [name for name, _ in item.counts if name in counts]
    choices = list(dict.fromkeys([*ranked, *sorted(counts, key=lambda name: name not in seats)]))
    height = _ROW * max(len(voters), len(choices))
    at = {name: _row_middle(row, len(voters), height) for row, name in enumerate(voters)}
    to = {name: _row_middle(row, len(choices), height) for row, name in enumerate(choices)}
    most, left = max(cast.values()), _width_of(voters)
    right = left + _BETWEEN
    return VoteGraph(
        height=height,
        width=right + _width_of(choices) + _COUNT,
        left=left,
        right=right,
        voters=tuple(_node(name, at[name], colors) for name in voters),
        choices=tuple(
            VoteNode(
                name=sanitize_line(name),
                label=shorten(name),
                color=str(colors[name]) if name in seats and name in colors else "x",
                y=to[name],
                votes=counts[name],
                is_named=name in item.named,
            )
            for name in choices
        ),
        edges=tuple(
            VoteEdge(
                path=_curve(left + 8, at[seat], right - 12, to[choice]),
                color=str(colors.get(seat, "x")),
                width=round(1.5 + 2.5 * number / most, 2),
            )
            for (seat, choice), number in cast.items()
        ),
        summary=messages.join(
            tuple(
                f"{sanitize_line(seat)} → {sanitize_line(choice)}{f' × {n}' if n > 1 else ''}"
                for (seat, choice), n in cast.items()
            )
        ),
    )


def shorten(name: str, columns: int = _MAX_COLUMNS) -> str:
    """Return a name shortened to `columns`, on one line."""
    line = sanitize_line(name)
    if _columns_of(line) <= columns:
        return line
    while _columns_of(line) >= columns:
        line = line[: min(len(line) - 1, columns)]
    return f"{line}…"


def _columns_of(line: str) -> int:
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in line)


def _width_of(names: Sequence[str]) -> float:
    return _COLUMN * max(_columns_of(shorten(name)) for name in names)


def _node(name: str, y: float, colors: Mapping[str, int]) -> VoteNode:
    return VoteNode(
        name=sanitize_line(name), label=shorten(name), color=str(colors.get(name, "x")), y=y
    )


def _row_middle(row: int, rows: int, height: float) -> float:
    """Return the middle of a row of a column that fills the height."""
    return round((row + 0.5) * height / rows, 1)


def _curve(left: float, start: float, right: float, end: float) -> str:
    middle = (left + right) / 2
    return f"M{left} {start}C{middle} {start} {middle} {end} {right} {end}"
