"""Chart of silent ballots: how much each seat suspects the right ones, speech by speech."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from arena.web.review import SilentVote

WIDTH: Final = 640
HEIGHT: Final = 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 630, 14, 206
_APART: Final = 3
"""Distance between lines of seats with equal values."""
_TICKS: Final = (0.0, 0.5, 1.0)
_MAX_MARKS: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveLine:
    """Line of one seat, or of all together."""

    name: str
    color: str
    points: str
    """Points of a polyline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BallotChart:
    """Chart in the coordinates of its picture, and its table."""

    lines: tuple[CurveLine, ...]
    mean: str
    chance: float
    """Position of a guess among the others."""
    up: tuple[tuple[float, int], ...]
    """Position and per cent."""
    across: tuple[tuple[float, int], ...]
    """Position and number of the event."""
    seats: tuple[str, ...]
    rows: tuple[tuple[int, tuple[SilentVote | None, ...]], ...]
    """Number of the event, and the vote of each seat."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = _RIGHT
    bottom: int = _BOTTOM


def draw_ballot_chart(ballots: Sequence[SilentVote], colors: Mapping[str, int]) -> BallotChart:
    """Return the chart of the silent ballots of a match; there must be at least one.

    `colors`: the colour of each of its seats.
    """
    moments = sorted({one.event for one in ballots})
    places = {
        event: round(_LEFT + at * (_RIGHT - _LEFT) / max(1, len(moments) - 1), 1)
        for at, event in enumerate(moments)
    }
    asked = [seat for seat in colors if any(one.seat == seat for one in ballots)]
    found = {(one.event, one.seat): one for one in ballots}
    means = [
        (places[event], fmean(shares))
        for event in moments
        if (shares := [s for one in ballots if one.event == event and (s := one.share) is not None])
    ]
    step = -(-len(moments) // _MAX_MARKS)
    return BallotChart(
        lines=tuple(
            CurveLine(
                name=seat,
                color=str(colors[seat]),
                points=" ".join(
                    _point(places[one.event], one.share, row * _APART)
                    for one in ballots
                    if one.seat == seat and one.share is not None
                ),
            )
            for row, seat in enumerate(asked)
        ),
        mean=" ".join(_point(x, share, 0) for x, share in means),
        chance=_height(1 / max(1, len(colors) - 1)),
        up=tuple((_height(share), round(100 * share)) for share in _TICKS),
        across=tuple((places[event], event) for event in moments[::step]),
        seats=tuple(asked),
        rows=tuple((event, tuple(found.get((event, seat)) for seat in asked)) for event in moments),
    )


def _point(x: float, share: float, shift: int) -> str:
    return f"{x},{round(_height(share) - shift, 1)}"


def _height(share: float) -> float:
    return round(_BOTTOM - share * (_BOTTOM - _TOP), 1)
