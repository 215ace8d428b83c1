"""What a seat heard, in units: a line of talk, a clue's text, a picture or the note of it.

A log that does not fit is told anew from some of these. The seat's own words stand in it as lines
like those of the others; what it was asked and what it thought do not.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from arena.core.events import Asked, Concluded, Revealed, Spoke, Voted
from arena.core.views import Heard, View
from arena.models.chat import Message
from arena.players import prompts
from arena.players.fitting.pictures import beyond, unpictured
from arena.players.prompts import Show
from arena.players.wording import Wording, wording

UnitKind = Literal["introduction", "talk", "host", "clue", "picture", "placed"]
"""`picture`: as it is, or a note of it; `placed`: a line that points to the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """The smallest part of a log that is kept or left out."""

    event: int
    """Its event's place among those that the seat heard."""
    kind: UnitKind
    name: str
    """Of a clue its id, of a picture the clue's id and its number: `plan/1`; else empty."""
    message: Message


def units(
    view: View, show: Show, pictures: int | None = None, board: Collection[str] = ()
) -> tuple[Unit, ...]:
    """Return all that was heard; of pictures as they are, the newest `pictures` at most.

    `board`: the names of the pictures that are told of by a line that points to the board.
    """
    say = wording(view.language)
    clues = {clue.id: clue for clue in view.clues}
    found: list[Unit] = []
    for number, event in enumerate(view.heard):
        if isinstance(event, Revealed):
            for place, message in enumerate(show(clues[event.clue])):
                name = f"{event.clue}/{place}" if place else event.clue
                kind = ("placed" if name in board else "picture") if place else "clue"
                found.append(Unit(event=number, kind=kind, name=name, message=message))
        elif line := _line(say, view, event):
            message = Message(role="user", text=line)
            found.append(Unit(event=number, kind=_kind(event), name="", message=message))
    old = set[int]() if pictures is None else beyond([unit.message for unit in found], pictures)
    return tuple(
        replace(unit, message=unpictured(say, unit.message)) if place in old else unit
        for place, unit in enumerate(found)
    )


def told(chosen: Iterable[Unit]) -> tuple[Message, ...]:
    """Return units as messages."""
    return prompts.joined([unit.message for unit in chosen])


def gapped(say: Wording, found: Sequence[Unit], chosen: Collection[int]) -> tuple[Message, ...]:
    """Return those of `found` whose places are `chosen`; a mark stands where some are left out."""
    gap = Message(role="user", text=say("log.gap"))
    lines: list[Message] = []
    left_out = False
    for place, unit in enumerate(found):
        if place in chosen:
            lines += (gap, unit.message) if left_out else (unit.message,)
        left_out = place not in chosen
    return prompts.joined([*lines, gap] if left_out else lines)


def named(chosen: Iterable[Unit]) -> str:
    """Return the names of clues and pictures, for a note; empty: there are none among `chosen`.

    `log`: the text of the clue `log`; `plan+1+2`: that of `plan` with its first and second picture,
    as they are or as notes; `plan/1`: the picture alone. Lines that point to a board are not named.
    """
    found: dict[str, str] = {}
    for unit in chosen:
        clue, _, number = unit.name.rpartition("/")
        if unit.kind == "picture" and clue in found:
            found[clue] += f"+{number}"
        elif unit.name and unit.kind != "placed":
            found[unit.name] = unit.name
    return ", ".join(found.values())


def span(chosen: Sequence[Unit], heard: int) -> str:
    """Return how many units these are and of which events, for a note."""
    first, last = chosen[0].event + 1, chosen[-1].event + 1
    return f"{len(chosen)} lines (events {first}-{last} of {heard})"


def _kind(event: Heard) -> UnitKind:
    if isinstance(event, Spoke):
        return "introduction" if event.verb == "introduce" else "talk"
    return "talk" if isinstance(event, Asked | Concluded | Voted) else "host"


def _line(say: Wording, view: View, event: Heard) -> str:
    if isinstance(event, Spoke | Asked | Concluded | Voted):
        return prompts.spoken_line(say, event)
    return prompts.heard_line(say, view, event)
