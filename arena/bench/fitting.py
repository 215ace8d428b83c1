"""Matches as a model with a small context plays them: prompts cut to fit, pictures read apart."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from arena.bench.trace import Piece, Turn
from arena.players.model_limits import Overflow, PictureMode

NOTE_TOKENS: Final = 200
"""Of what a seat notes of a picture."""
_ASK_TOKENS: Final = 48
"""Of the words with which a picture is to be read, or a text to be made shorter."""
_KEPT: Final = 0.5
"""Of the context, that holds what was summarised or kept once it was full."""

Kind = Literal["reading", "summary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """What a model can be shown at once, and what happens to the rest."""

    context: int
    """Tokens of a prompt and its reply."""
    overflow: Overflow
    pictures: PictureMode = "inline"


def fitted(match: str, turns: Sequence[Turn], fit: Fit) -> tuple[Turn, ...]:
    """Return `turns` of a match with the calls that `fit` adds, no prompt longer than it allows.

    A seat whose prompt would not fit begins anew: with half of the context where the log is made
    shorter by a summary (a call more) or by leaving old talk out, with all of it each time where
    what matters is looked up. Pictures that are read apart cost each seat a call each.
    """
    table = _Table(match=match, fit=fit, next=max((turn.number for turn in turns), default=-1) + 1)
    for turn in turns:
        table.play(turn)
    return tuple(table.turns)


def kind_of(turn: Turn) -> Kind | None:
    """Return which of the added calls `turn` is; None: one of the game's."""
    end = turn.ask.rpartition("/")[2].partition("-")[0]
    return "reading" if end == "reading" else "summary" if end == "summary" else None


@dataclass(slots=True, kw_only=True)
class _Table:
    match: str
    fit: Fit
    next: int
    """The number of the next added turn."""
    turns: list[Turn] = field(default_factory=list[Turn])
    logs: dict[str, int] = field(default_factory=dict[str, int])
    """Tokens of each seat's log."""
    shown: set[str] = field(default_factory=set[str])
    """Seats that were shown a board."""

    def play(self, turn: Turn) -> None:
        """Add a turn, and before it the calls that it needs."""
        before = len(self.turns)
        added = self._told(turn)
        log = self.logs.get(turn.seat, 0)
        size = sum(piece.tokens for piece in added)
        whole = turn.whole or log + size + turn.output > self.fit.context
        if whole and not turn.whole:
            added = self._shorter(turn, log + size)
            log, size = 0, sum(piece.tokens for piece in added)
        extra = tuple(one.number for one in self.turns[before:])
        self.turns.append(replace(turn, added=added, whole=whole, parents=(*turn.parents, *extra)))
        if not turn.beside:
            self.logs[turn.seat] = log + size + turn.output

    def _told(self, turn: Turn) -> tuple[Piece, ...]:
        """Return what the log grows by, pictures as the seat is shown them."""
        if self.fit.pictures == "inline":
            return turn.added
        tell = self._read if self.fit.pictures == "notes" else self._board
        pieces = (tell(turn, n, one) if one.picture else one for n, one in enumerate(turn.added))
        return tuple(piece for piece in pieces if piece is not None)

    def _read(self, turn: Turn, number: int, piece: Piece) -> Piece:
        """Let the seat read a picture; return its note."""
        ask = Piece(key="reading/ask", tokens=_ASK_TOKENS)
        self._call(turn, f"reading-{number}", (piece, ask), NOTE_TOKENS)
        return self._piece(turn, f"note-{number}", NOTE_TOKENS)

    def _board(self, turn: Turn, number: int, piece: Piece) -> Piece | None:
        """Return the first picture of a seat, which takes as many tokens as a board does."""
        del number
        if turn.seat in self.shown:
            return None
        self.shown.add(turn.seat)
        return piece

    def _shorter(self, turn: Turn, tokens: int) -> tuple[Piece, ...]:
        """Return the prompt of a log that begins anew; it would have had `tokens`."""
        room = max(1, self.fit.context - turn.output)
        if self.fit.overflow == "retrieve":
            return (self._piece(turn, "found", room),)
        kept = max(1, min(room, int(self.fit.context * _KEPT)))
        if self.fit.overflow == "summarise":
            length = max(1, min(self.fit.context - NOTE_TOKENS - _ASK_TOKENS, tokens - kept))
            text = self._piece(turn, "old", length)
            ask = Piece(key="summary/ask", tokens=_ASK_TOKENS)
            self._call(turn, "summary", (text, ask), NOTE_TOKENS)
        return (self._piece(turn, "kept", kept),)

    def _call(self, turn: Turn, name: str, prompt: tuple[Piece, ...], output: int) -> None:
        number, self.next = self.next, self.next + 1
        self.turns.append(
            Turn(
                number=number,
                seat=turn.seat,
                ask=f"{turn.ask}/{name}",
                added=prompt,
                output=output,
                parents=turn.parents,
                probe=turn.probe,
                aside=True,
                whole=True,
            )
        )

    def _piece(self, turn: Turn, name: str, tokens: int) -> Piece:
        return Piece(key=f"{self.match}/{turn.seat}/{turn.number}/{name}", tokens=tokens)
