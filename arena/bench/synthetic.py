"""Traces that nobody played: matches of a game, with lengths drawn around given means."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from random import Random
from typing import Final

from arena.bench.bounds import check_count
from arena.bench.content import PICTURE_FRAME, shown_as
from arena.bench.course import ReplyLengths, Step, make_turns, play_course
from arena.bench.trace import Lazy, Piece, Shown, Trace, TraceMatch
from arena.core.events import ClueRevealed
from arena.core.observation import Observation
from arena.core.options import GameOptions
from arena.core.play import MatchSetup
from arena.core.requests import DecisionRequest
from arena.errors import ConfigError
from arena.games.choosing import read_options
from arena.games.registry import DEFAULT, find_game
from arena.records.config import MAX_MATCHES
from scripts_mm.script import Clue, Picture, Role, Script, Truth

INSTRUCTION_TOKENS: Final = 60
"""Of the message that tells a seat what to do now."""
_MOST_TOKENS: Final = 1_000_000
"""Of a part of a prompt: more than any model's context holds."""
_BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "scripts": (1, MAX_MATCHES),
    "matches": (1, MAX_MATCHES),
    "seats": (2, 100),
    "pictures": (0, 1000),
    "contestants": (2, 26),
    "unasked": (0, 1000),
    "output": (1, _MOST_TOKENS),
    "script_tokens": (1, _MOST_TOKENS),
    "rules_tokens": (1, _MOST_TOKENS),
    "picture_tokens": (1, _MOST_TOKENS),
}
"""Least and most of what a shape counts; contestants are called by a letter each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a synthetic trace is like. The defaults are the reference: 75 requests a match."""

    scripts: int = 16
    matches: int = 192
    """Script by script, two by two: a pair of contestants plays, then with the sides swapped."""
    seats: int = 6
    script_tokens: int = 8000
    """Of a private script, on average over the roles."""
    pictures: int = 6
    """Clues of a script with a picture each; the game decides who sees them, and when."""
    picture_tokens: int = 900
    output: int = 150
    """Tokens of a reply, on average; a bare choice takes one."""
    private: bool = False
    """No two matches share anything: every script is its match's own."""
    seed: int = 0
    rules_tokens: int = 600
    unasked: int = 3
    """Questions of a match that their seats do not ask."""
    contestants: int = 4
    """They meet each other in pairs, in turn."""
    spread: float = 0.2
    """Scripts and replies are at most so much longer or shorter than their mean."""
    game: str = DEFAULT
    preset: str = "long"
    """Of the game."""
    options: str = ""
    """Of the game, over the preset, as a user writes them: NAME=VALUE, separated by commas."""

    def __post_init__(self) -> None:
        """Refuse a shape of which no trace can be made."""
        for name, (low, high) in _BOUNDS.items():
            check_count(f"{name} of a shape", getattr(self, name), low, high)
        if not 0 <= self.spread < 1:
            raise ConfigError(f"spread of a shape must be in [0, 1), got {self.spread:g}")
        _ = self.game_options

    @property
    def game_options(self) -> GameOptions:
        """The options of the game; `ConfigError` where it has no such preset or option."""
        written = (word.partition("=") for word in self.options.split(",") if word)
        return read_options(
            find_game(self.game), self.preset, {name: value for name, _, value in written}
        )


REFERENCE = Shape()
"""Six seats, scripts of 8k tokens, six pictures, 75 requests of 150 out."""
SMALL = Shape(
    scripts=3,
    matches=12,
    seats=4,
    script_tokens=700,
    preset="short",
    pictures=2,
    picture_tokens=48,
    output=24,
    rules_tokens=160,
    unasked=0,
)
"""For a model on a CPU: 20 turns a match, prompts of 1k to 2k tokens."""


def synthetic_trace(shape: Shape) -> Trace:
    """Return a trace of `shape`; the same shape gives the same trace. Matches are made lazily."""
    lengths = ReplyLengths(output=shape.output, spread=shape.spread, seed=shape.seed)
    pairs = tuple(combinations([f"model-{chr(97 + n)}" for n in range(shape.contestants)], 2))

    @cache
    def course(script: int) -> tuple[Step, ...]:
        return _play(shape, script)

    def match(index: int) -> TraceMatch:
        number, meeting = _meeting(shape, index // 2)
        again, which = divmod(meeting, len(pairs))
        civilians, murderer = pairs[which][::-1] if index % 2 else pairs[which]
        script = _script(shape, number)
        name = f"{script}-{civilians}-{murderer}-{again}"
        owner = name if shape.private else ""
        turns = make_turns(course(number), name, lengths, owner=owner)
        return TraceMatch(id=name, script=script, pair=(civilians, murderer), turns=turns)

    return Trace(
        name=f"synthetic-{shape.scripts}x{shape.matches}-seed{shape.seed}",
        matches=Lazy(shape.matches, match),
        pictures=_pictures(shape),
    )


class _Pieces:
    """The prompts of one script: rules, private scripts and pictures of the wanted lengths."""

    def __init__(self, shape: Shape, number: int) -> None:
        self._shape, self._number = shape, number
        self._headers = _headers(shape, number)

    def header(self, seen: Observation) -> tuple[Piece, ...]:
        """Return rules and private script."""
        return self._headers[seen.seat]

    def event(self, seen: Observation, number: int) -> tuple[Piece, ...]:
        """Return the picture of a clue."""
        event = seen.events[number]
        if not isinstance(event, ClueRevealed):
            return ()
        tokens = self._shape.picture_tokens + PICTURE_FRAME
        return tuple(Piece(key=name, tokens=tokens, picture=name) for name in event.pictures)

    def instruction(self, seen: Observation, request: DecisionRequest) -> Piece:
        """Return an instruction that differs by seat and kind alone."""
        key = f"{_script(self._shape, self._number)}/{seen.seat}/{request.kind}"
        return Piece(key=key, tokens=INSTRUCTION_TOKENS)


def _play(shape: Shape, number: int) -> tuple[Step, ...]:
    """Return the course of all matches of a script; they differ in the lengths of replies."""
    names = tuple(f"seat-{place}" for place in range(1, shape.seats + 1))
    script = Script(
        id=_script(shape, number),
        title="",
        language="en",
        roles=tuple(Role(name=name, script="-") for name in names),
        truth=Truth(culprits=names[-1:]),
        clues=tuple(
            Clue(id=name, title=name, pictures=(replace(_PICTURE, sha256=name),))
            for name in _pictures_of(shape, number)
        ),
    )
    setup = MatchSetup(script=script, options=shape.game_options, seed=number)
    source = _Pieces(shape, number)
    return play_course(find_game(shape.game), setup, source, unasked=shape.unasked)


_PICTURE: Final = Picture(sha256="", file="0.png", mime="image/png", width=1, height=1)


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


def _headers(shape: Shape, number: int) -> Mapping[str, tuple[Piece, ...]]:
    """Return rules and role of each seat of a script: what every match of it begins with."""
    rules = Piece(key=f"rules-{shape.seed}", tokens=shape.rules_tokens, role="system")
    chance = Random(f"{shape.seed}/script/{number}")
    factors = [1 + shape.spread * (2 * chance.random() - 1) for _ in range(shape.seats)]
    mean = sum(factors) / len(factors)
    return {
        f"seat-{place}": (
            rules,
            Piece(
                key=f"{_script(shape, number)}/seat-{place}",
                tokens=max(1, round(shape.script_tokens * factor / mean)),
            ),
        )
        for place, factor in enumerate(factors, start=1)
    }


def _pictures(shape: Shape) -> dict[str, Shown]:
    one = shown_as(shape.picture_tokens)
    return {name: one for n in range(shape.scripts) for name in _pictures_of(shape, n)}


def _pictures_of(shape: Shape, number: int) -> Iterator[str]:
    for place in range(shape.pictures):
        yield hashlib.sha256(f"{shape.seed}/{number}/{place}".encode()).hexdigest()
