"""A trace shaped like real scripts: their roles, texts and pictures, and talk that nobody held.

Two things are simpler than in a match: common clues kept from murderers are shown to all seats,
and every vote is one token, from murderers too where only civilians vote.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from arena.bench.content import PICTURE_FRAME
from arena.bench.fitting import Fit, fitted
from arena.bench.seating import Lengths, Seating
from arena.bench.trace import Lazy, Piece, Shown, Trace, TraceMatch
from arena.core.actions import SeatId
from arena.core.options import Options
from arena.core.protocols.whodunit import plan
from arena.core.views import shown
from arena.models.chat import Message
from arena.players.prompts import clue_messages
from arena.players.wording import wording
from arena.run.needs import outline
from scripts_mm.script import Clue, Picture, Script

PAIR = ("the model", "the model again")
SWAPPED = ("the model again", "the model")
"""Contestants of a plan: one model plays all seats; with sides swapped they change places."""
_BYTES_A_TOKEN = 4
"""Of UTF-8, English and Chinese prose alike; a little low, so that a guess is too many tokens."""
_FRAME = 8
_SPREAD = 0.2
_BYTES_A_PIXEL = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """How scripts are played: what all matches of a plan have in common."""

    options: Options
    matches: int
    """Of each script, before sides are swapped."""
    swap: bool
    reply: int
    """Tokens of a reply, in the mean; a vote takes one."""
    picture_tokens: Callable[[Picture], int]
    fit: Fit | None = None
    """Where prompts are cut to fit a small context, and pictures may be read apart."""

    @property
    def each(self) -> int:
        """Return the matches of one script, those with sides swapped too."""
        return self.matches * (2 if self.swap else 1)


def scripted_trace(scripts: Mapping[str, Script], played: Played) -> Trace:
    """Return the trace of `scripts`, by key, the matches of one script side by side; made lazily.

    Raises `ScriptError` where a script cannot be played under these options.
    """
    casts = tuple(_Cast.of(key, script, played) for key, script in scripts.items())

    def match(index: int) -> TraceMatch:
        cast, number = casts[index // played.each], index % played.each
        swapped = played.swap and number % 2 == 1
        name = f"{cast.key}/{number}"
        turns = cast.seating.turns(name, cast.heads, cast.clues, cast.key)
        return TraceMatch(
            id=name,
            script=cast.key,
            pair=SWAPPED if swapped else PAIR,
            turns=fitted(name, turns, played.fit) if played.fit else turns,
        )

    return Trace(
        name="scripts",
        matches=Lazy(len(casts) * played.each, match),
        pictures={name: one for cast in casts for name, one in cast.pictures.items()},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cast:
    """One script: what seats' logs begin with, and what all are shown where the plan says so."""

    key: str
    seating: Seating
    heads: Mapping[str, tuple[Piece, ...]]
    clues: tuple[Piece, ...]
    pictures: Mapping[str, Shown]

    @staticmethod
    def of(key: str, script: Script, played: Played) -> "_Cast":
        """Return the cast of a script."""
        heads = outline(script, played.options).heads
        say = wording(script.language)

        def pieces(clues: Sequence[Clue]) -> tuple[Piece, ...]:
            told = (clue_messages(say, shown(clue, played.options)) for clue in clues)
            return tuple(_piece(message, played) for messages in told for message in messages)

        common = tuple(clue for clue in script.clues if clue.owner is None)
        return _Cast(
            key=key,
            seating=Seating(
                plan=plan(played.options),
                seats=tuple(heads),
                lengths=Lengths(output=played.reply, spread=_SPREAD, unasked=0, seed=0),
            ),
            heads={
                seat: (
                    *(_piece(message, played) for message in messages),
                    *pieces([clue for clue in script.clues if clue.owner == seat]),
                    *pieces(_dealt(common, seat, tuple(heads), played.options)),
                )
                for seat, messages in heads.items()
            },
            clues=pieces(common),
            pictures=MappingProxyType(
                {picture.sha256: _shown(picture) for picture in script.pictures}
            ),
        )


def _dealt(
    common: Sequence[Clue], seat: SeatId, seats: Sequence[SeatId], options: Options
) -> Sequence[Clue]:
    """Return the common clues that a seat has from the start; lots are dealt in their order."""
    match options.clues:
        case "at_deal":
            return common
        case "owner":
            return common[seats.index(seat) :: len(seats)]
        case _:
            return ()


def _piece(message: Message, played: Played) -> Piece:
    """Return a message as a piece: equal messages are equal pieces."""
    picture = message.picture
    content = "\0".join((message.role, message.text, picture.sha256 if picture else ""))
    if picture is None:
        tokens = len(message.text.encode(errors="replace")) // _BYTES_A_TOKEN + _FRAME
    else:
        # A replay takes a picture's own tokens to be those of its piece without this frame.
        tokens = played.picture_tokens(picture) + PICTURE_FRAME
    return Piece(
        key=hashlib.sha256(content.encode(errors="replace")).hexdigest()[:32],
        tokens=tokens,
        role="system" if message.role == "system" else "user",
        picture=picture.sha256 if picture else "",
    )


def _shown(picture: Picture) -> Shown:
    size = round(picture.width * picture.height * _BYTES_A_PIXEL)
    return Shown(width=picture.width, height=picture.height, size=size)
