"""What a benchmark replays: the calls of matches, what each adds to a prompt and what it waits for.

A trace of 10,000 matches fits in memory because its matches may be made when they are looked at
(`Lazy`), because equal pieces are one object, and because a piece has a length and a name: its
words are made only when a real server is to be asked (`content.text_of`).
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Final, Literal, overload

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from arena.errors import RecordError

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One message of a prompt. Equal keys mean equal content; one picture a piece at most."""

    key: str
    tokens: int
    """With what the template puts round it; of a reply, the tokens that the model returned."""
    role: Role = "user"
    text: str = ""
    """Empty: made from the key when it is wanted."""
    picture: str = ""
    """The name of a picture of the trace, shown after the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One call of a model."""

    number: int
    """Unique in its match; a turn comes after its parents in `TraceMatch.turns`."""
    seat: str
    ask: str
    added: tuple[Piece, ...]
    """What the seat's log grows by before this turn, after the reply of its turn before."""
    output: int
    """Tokens of the reply, exactly."""
    parents: tuple[int, ...] = ()
    """Turns that must be answered before."""
    choice: bool = False
    """The reply is one of a few options."""
    probe: bool = False
    """A silent probe: asked after everything else, and nothing of it stays in the seat's log."""
    aside: bool = False
    """A picture's reading or a summary: as urgent as the ask that needs it, but no turn of the
    game, and nothing of it stays in the seat's log."""
    whole: bool = False
    """`added` is the whole prompt: the log begins anew with it."""
    reply: str = ""
    """The recorded words of the reply; empty where they are made."""

    @property
    def beside(self) -> bool:
        """Whether nothing of it stays in the seat's log."""
        return self.probe or self.aside


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceMatch:
    """The calls of one match, in an order in which they could be made one after the other."""

    id: str
    script: str
    pair: tuple[str, str]
    """Who plays the civilians and who the murderer; the swapped match has them swapped."""
    turns: tuple[Turn, ...]

    def __post_init__(self) -> None:
        """Refuse a match that nobody could replay."""
        seen: set[int] = set()
        for turn in self.turns:
            if turn.number in seen or not seen.issuperset(turn.parents):
                raise ValueError(
                    f"turn {turn.number} of match {self.id!r} must have a number of its own and "
                    f"parents that come before it, got {turn.parents} after {sorted(seen)[-5:]}"
                )
            if turn.output < 1:
                raise ValueError(f"turn {turn.number} of match {self.id!r} has no output")
            seen.add(turn.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A picture of a trace."""

    width: int
    """Pixels."""
    height: int
    size: int
    """Bytes of the file; of a drawn one, about."""
    path: Path | None = None
    """None: drawn from its name (`content.read_picture`)."""


class Lazy(Sequence[TraceMatch]):
    """Matches that are made each time they are looked at: nothing of them is kept."""

    def __init__(self, count: int, make: Callable[[int], TraceMatch]) -> None:
        self._count, self._make = count, make

    def __len__(self) -> int:
        """Return how many matches there are."""
        return self._count

    @overload
    def __getitem__(self, index: int) -> TraceMatch: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[TraceMatch]: ...
    def __getitem__(self, index: int | slice) -> TraceMatch | Sequence[TraceMatch]:
        """Return one match, made now, or a part of them, still to be made."""
        if isinstance(index, slice):
            part = range(self._count)[index]
            return Lazy(len(part), lambda i: self._make(part[i]))
        return self._make(range(self._count)[index])


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Matches to replay, and the pictures that they show."""

    name: str
    matches: Sequence[TraceMatch]
    """May be `Lazy`: keep what is looked at twice."""
    pictures: Mapping[str, Shown] = field(default_factory=dict[str, Shown])

    def prompt(self, match: TraceMatch, turn: Turn) -> tuple[Piece, ...]:
        """Return the prompt of `turn`: all pieces in order, own replies among them."""
        log: list[Piece] = []
        if not turn.whole:
            for earlier in match.turns:
                if earlier is turn or earlier.number == turn.number:
                    break
                if earlier.seat == turn.seat and not earlier.beside:
                    if earlier.whole:
                        log.clear()
                    log += earlier.added
                    log.append(self.reply(match, earlier))
        return (*log, *turn.added)

    def reply(self, match: TraceMatch, turn: Turn) -> Piece:
        """Return the reply of `turn` as it stands in later prompts of the same seat."""
        key = reply_key(match.id, turn.seat, turn.number)
        return Piece(key=key, tokens=turn.output, role="assistant", text=turn.reply)


def reply_key(match: str, seat: str, number: int) -> str:
    """Return the key of the reply to turn `number`."""
    return f"{match}/{seat}/{number}"


VERSION: Final = 1


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Header(_Line):
    kind: Literal["trace"] = "trace"
    version: Literal[1] = VERSION
    name: str
    pictures: dict[str, Shown]
    """Their paths are relative to the folder of the trace."""


class _PieceLine(_Line):
    """A piece, written before the first match that shows it; named by its place among pieces."""

    kind: Literal["piece"] = "piece"
    piece: Piece


class _MatchLine(_Line):
    kind: Literal["match"] = "match"
    id: str
    script: str
    pair: tuple[str, str]
    turns: tuple[tuple[Turn, tuple[int, ...]], ...]
    """Each turn without its pieces, and the pieces that it adds."""


_LINE: TypeAdapter[_PieceLine | _MatchLine] = TypeAdapter(_PieceLine | _MatchLine)


def save_trace(trace: Trace, path: Path) -> None:
    """Write `trace` as lines of JSON; each piece once. Raises `RecordError`."""
    folder = path.resolve().parent
    pictures = {
        name: replace(shown, path=shown.path and Path(os.path.relpath(shown.path, folder)))
        for name, shown in trace.pictures.items()
    }
    numbers: dict[Piece, int] = {}
    header = _Header(name=trace.name, pictures=pictures)
    lines = chain([header], *(_lines(match, numbers) for match in trace.matches))
    try:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(line.model_dump_json() + "\n" for line in lines)
    except OSError as error:
        raise RecordError(f"cannot write the trace {str(path)!r}: {error.strerror}") from error


def load_trace(path: Path) -> Trace:
    """Return the trace that was written to `path`, or raise `RecordError`."""
    pieces: list[Piece] = []
    matches: list[TraceMatch] = []
    number = 1
    try:
        with path.open(encoding="utf-8") as file:
            header = _Header.model_validate_json(file.readline())
            for text in file:
                number += 1
                line = _LINE.validate_json(text)
                if isinstance(line, _PieceLine):
                    pieces.append(line.piece)
                else:
                    matches.append(_match(line, pieces))
    except OSError as error:
        raise RecordError(f"cannot read the trace {str(path)!r}: {error.strerror}") from error
    except (ValidationError, ValueError, IndexError) as error:
        raise RecordError(
            f"a trace of version {VERSION} is wanted, but line {number} of {str(path)!r} is not "
            f"one of it: {str(error).splitlines()[0]}"
        ) from error
    folder = path.resolve().parent
    pictures = {
        name: replace(shown, path=shown.path and folder / shown.path)
        for name, shown in header.pictures.items()
    }
    return Trace(name=header.name, matches=tuple(matches), pictures=pictures)


def _lines(match: TraceMatch, numbers: dict[Piece, int]) -> Iterator[_Line]:
    for turn in match.turns:
        for piece in turn.added:
            if piece not in numbers:
                numbers[piece] = len(numbers)
                yield _PieceLine(piece=piece)
    turns = tuple(
        (replace(turn, added=()), tuple(numbers[piece] for piece in turn.added))
        for turn in match.turns
    )
    yield _MatchLine(id=match.id, script=match.script, pair=match.pair, turns=turns)


def _match(line: _MatchLine, pieces: Sequence[Piece]) -> TraceMatch:
    return TraceMatch(
        id=line.id,
        script=line.script,
        pair=line.pair,
        turns=tuple(
            replace(turn, added=tuple(pieces[number] for number in added))
            for turn, added in line.turns
        ),
    )
