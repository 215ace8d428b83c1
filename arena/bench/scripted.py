"""A trace shaped like real scripts: their roles, texts and pictures, and talk of a given length."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from arena.bench.content import PICTURE_FRAME
from arena.bench.course import ReplyLengths, Step, make_turns, play_course
from arena.bench.fitting import Fit, fitted
from arena.bench.trace import Lazy, Piece, Shown, Trace, TraceMatch
from arena.core.game import Game
from arena.core.observation import Observation
from arena.core.options import GameOptions
from arena.core.play import MatchSetup, start_match
from arena.core.requests import DecisionRequest
from arena.models.chat import Message
from arena.players import prompts
from scripts_mm.script import Picture, Script

PAIR = ("the model", "the model again")
SWAPPED = ("the model again", "the model")
"""Contestants of a plan: one model plays all seats; with sides swapped they change places."""
_BYTES_A_TOKEN = 4
"""Of UTF-8, English and Chinese prose alike; a little low, so that a guess is too many tokens."""
_FRAME = 8
_SPREAD = 0.2
_BYTES_A_PIXEL = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptWorkload:
    """How scripts are played: what all matches of a plan have in common."""

    game: Game
    options: GameOptions
    matches: int
    """Of each script, before sides are swapped."""
    swap: bool
    reply: int
    """Tokens of a reply, on average; a bare choice takes one."""
    picture_tokens: Callable[[Picture], int]
    fit: Fit | None = None
    """Where prompts are cut to fit a small context, and pictures may be read apart."""

    @property
    def each(self) -> int:
        """Return the matches of one script, those with sides swapped too."""
        return self.matches * (2 if self.swap else 1)


def scripted_trace(scripts: Mapping[str, Script], workload: ScriptWorkload) -> Trace:
    """Return the trace of `scripts`, by key, the matches of one script in a row; made lazily.

    Raises `ScriptError` where a script cannot be played under these options.
    """
    keys = tuple(scripts)
    lengths = ReplyLengths(output=workload.reply, spread=_SPREAD, seed=0)
    for script in scripts.values():
        start_match(workload.game, _setup(script, workload))

    @cache
    def course(key: str) -> tuple[Step, ...]:
        setup = _setup(scripts[key], workload)
        return play_course(workload.game, setup, _Pieces(workload))

    def match(index: int) -> TraceMatch:
        key, number = keys[index // workload.each], index % workload.each
        name = f"{key}/{number}"
        turns = make_turns(course(key), name, lengths)
        return TraceMatch(
            id=name,
            script=key,
            pair=SWAPPED if workload.swap and number % 2 == 1 else PAIR,
            turns=fitted(name, turns, workload.fit) if workload.fit else turns,
        )

    return Trace(
        name="scripts",
        matches=Lazy(len(keys) * workload.each, match),
        pictures={
            picture.sha256: _shown(picture)
            for script in scripts.values()
            for picture in script.pictures
        },
    )


@dataclass(frozen=True, slots=True)
class _Pieces:
    """The messages of prompts as players write them."""

    workload: ScriptWorkload

    def header(self, seen: Observation) -> tuple[Piece, ...]:
        """Return rules and private script."""
        return self._pieces(prompts.header(seen))

    def event(self, seen: Observation, number: int) -> tuple[Piece, ...]:
        """Return a clue or a line of the game master."""
        return self._pieces(prompts.event_messages(seen, number))

    def instruction(self, seen: Observation, request: DecisionRequest) -> Piece:
        """Return the instruction."""
        text = prompts.instruction(seen, request)
        return _piece(Message(role="user", text=text), self.workload)

    def _pieces(self, messages: tuple[Message, ...]) -> tuple[Piece, ...]:
        return tuple(_piece(message, self.workload) for message in messages)


def _setup(script: Script, workload: ScriptWorkload) -> MatchSetup:
    return MatchSetup(script=script, options=workload.options, seed=0)


def _piece(message: Message, workload: ScriptWorkload) -> Piece:
    """Return a message as a piece: equal messages are equal pieces."""
    picture = message.picture
    content = "\0".join((message.role, message.text, picture.sha256 if picture else ""))
    if picture is None:
        tokens = len(message.text.encode(errors="replace")) // _BYTES_A_TOKEN + _FRAME
    else:
        # A replay takes a picture's own tokens to be those of its piece without this frame.
        tokens = workload.picture_tokens(picture) + PICTURE_FRAME
    return Piece(
        key=hashlib.sha256(content.encode(errors="replace")).hexdigest()[:32],
        tokens=tokens,
        role="system" if message.role == "system" else "user",
        picture=picture.sha256 if picture else "",
    )


def _shown(picture: Picture) -> Shown:
    size = round(picture.width * picture.height * _BYTES_A_PIXEL)
    return Shown(width=picture.width, height=picture.height, size=size)
