"""Traces that nobody played: the protocol's own phases, with lengths drawn round given means."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

from arena.bench.content import PICTURE_FRAME, shown_as
from arena.bench.seating import Lengths, Seating
from arena.bench.trace import Lazy, Piece, Shown, Trace, TraceMatch
from arena.core.options import Options
from arena.core.protocols.whodunit import PRESETS, plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a synthetic trace is like. The defaults are the reference: 75 requests a match."""

    scripts: int = 16
    matches: int = 192
    """Script by script, two by two: a pair of contestants plays, then with the sides swapped."""
    seats: int = 6
    script_tokens: int = 8000
    """Of a private script, in the mean over the roles."""
    rounds: int = 5
    """Of discussion; a seat shares, asks, and the one it asked answers."""
    pictures: int = 6
    """Public ones of a script, shown to all seats after the introductions."""
    picture_tokens: int = 900
    output: int = 150
    """Tokens of a reply, in the mean; a vote takes one."""
    private: bool = False
    """No two matches share anything: every script is its match's own."""
    seed: int = 0
    rules_tokens: int = 600
    unasked: int = 3
    """Questions of a match that are put to nobody."""
    contestants: int = 4
    """They meet each other in pairs, in turn."""
    spread: float = 0.2
    """Scripts and replies are at most so much longer or shorter than their mean."""
    preset: str = "default"
    """Of the protocol: it says which asks are simultaneous."""

    def __post_init__(self) -> None:
        """Refuse what no trace could be made of."""
        least: Mapping[str, int] = {"scripts": 1, "seats": 2, "contestants": 2, "output": 1}
        for name in ("matches", "rounds", "script_tokens", "rules_tokens", "picture_tokens"):
            least = {**least, name: 1}
        for name, low in least.items():
            if getattr(self, name) < low:
                raise ValueError(f"{name} of a shape must be >= {low}, got {getattr(self, name)}")
        if not 0 <= self.spread < 1:
            raise ValueError(f"spread of a shape must be in [0, 1), got {self.spread:g}")
        if self.preset not in PRESETS:
            raise ValueError(f"no preset {self.preset!r}; there are {', '.join(PRESETS)}")


REFERENCE = Shape()
"""PERFORMANCE section 4: six seats, scripts of 8k tokens, six pictures, 75 requests of 150 out."""
SMALL = Shape(
    scripts=3,
    matches=12,
    seats=4,
    script_tokens=700,
    rounds=1,
    pictures=2,
    picture_tokens=48,
    output=24,
    rules_tokens=160,
    unasked=0,
)
"""For a model on a CPU: 20 turns a match, prompts of 1k to 2k tokens."""


def synthetic_trace(shape: Shape) -> Trace:
    """Return a trace of `shape`; the same shape gives the same trace. Matches are made lazily."""
    options: Any = {**PRESETS[shape.preset], "rounds": shape.rounds}
    seating = Seating(
        plan=plan(Options(**options)),
        seats=tuple(f"seat-{number}" for number in range(1, shape.seats + 1)),
        lengths=Lengths(
            output=shape.output, spread=shape.spread, unasked=shape.unasked, seed=shape.seed
        ),
    )
    heads = [_heads(shape, seating.seats, number) for number in range(shape.scripts)]
    shown = [_clues(shape, number) for number in range(shape.scripts)]
    pairs = tuple(combinations([f"model-{chr(97 + n)}" for n in range(shape.contestants)], 2))

    def match(index: int) -> TraceMatch:
        number, meeting = _meeting(shape, index // 2)
        again, which = divmod(meeting, len(pairs))
        civilians, murderer = pairs[which][::-1] if index % 2 else pairs[which]
        script = _script(shape, number)
        name = f"{script}-{civilians}-{murderer}-{again}"
        own = name if shape.private else ""
        return TraceMatch(
            id=name,
            script=script,
            pair=(civilians, murderer),
            turns=seating.turns(
                name,
                {seat: _owned(head, own) for seat, head in heads[number].items()},
                _owned(shown[number], own),
                own or script,
            ),
        )

    return Trace(
        name=f"synthetic-{shape.scripts}x{shape.matches}-seed{shape.seed}",
        matches=Lazy(shape.matches, match),
        pictures=_pictures(shape),
    )


def _meeting(shape: Shape, place: int) -> tuple[int, int]:
    """Return script and number of the meeting at `place`: all of a script stand together."""
    each, more = divmod(-(-shape.matches // 2), shape.scripts)
    longer = more * (each + 1)
    if place < longer:
        return divmod(place, each + 1)
    number, meeting = divmod(place - longer, each)
    return more + number, meeting


def _script(shape: Shape, number: int) -> str:
    return f"s{shape.seed}-{number:02d}"


def _heads(shape: Shape, seats: tuple[str, ...], number: int) -> dict[str, tuple[Piece, ...]]:
    """Return rules and role of each seat of a script: what every match of it begins with."""
    rules = Piece(key=f"rules-{shape.seed}", tokens=shape.rules_tokens, role="system")
    chance = Random(f"{shape.seed}/script/{number}")
    factors = [1 + shape.spread * (2 * chance.random() - 1) for _ in seats]
    mean = sum(factors) / len(factors)
    return {
        seat: (
            rules,
            Piece(
                key=f"{_script(shape, number)}/{seat}",
                tokens=max(1, round(shape.script_tokens * factor / mean)),
            ),
        )
        for seat, factor in zip(seats, factors, strict=True)
    }


def _clues(shape: Shape, number: int) -> tuple[Piece, ...]:
    return tuple(
        Piece(
            key=f"{_script(shape, number)}/picture/{place}",
            tokens=shape.picture_tokens + PICTURE_FRAME,
            picture=_picture(shape, number, place),
        )
        for place in range(shape.pictures)
    )


def _pictures(shape: Shape) -> dict[str, Shown]:
    one = shown_as(shape.picture_tokens)
    return {
        _picture(shape, number, place): one
        for number in range(shape.scripts)
        for place in range(shape.pictures)
    }


def _picture(shape: Shape, number: int, place: int) -> str:
    return hashlib.sha256(f"{shape.seed}/{number}/{place}".encode()).hexdigest()


def _owned(pieces: tuple[Piece, ...], owner: str) -> tuple[Piece, ...]:
    """Return the pieces under names of their owner's own, so that no other match shares them."""
    if not owner:
        return pieces
    return tuple(
        Piece(
            key=f"{owner}/{piece.key}",
            tokens=piece.tokens,
            role=piece.role,
            picture=piece.picture,
        )
        for piece in pieces
    )
