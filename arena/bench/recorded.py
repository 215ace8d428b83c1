"""A run that was played, as a trace: its calls as they were, each after those it depends on."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

from arena.bench.content import FRAME_TOKENS
from arena.bench.course import Dependencies, dependencies
from arena.bench.trace import Piece, Shown, Trace, TraceMatch, Turn, reply_key
from arena.core.events import MatchStarted
from arena.errors import RecordError
from arena.models.chat import ChoiceConstraint, Completion, Message, Request
from arena.records.match_record import MatchRecord
from arena.records.run_record import RunRecord, open_run

Count = Callable[[Message], int]
"""Tokens of one message, with what the template puts round it."""

_TOKENS_A_CHARACTER: Final = 0.25
_PROBE: Final = "probe/"


def trace_of(folder: Path, *, count: Count | None = None) -> Trace:
    """Return the trace of the run in `folder`: its complete matches in which a model was asked.

    Replies have the lengths that the server reported. Those of other messages are counted by
    `count`, or without it estimated from their characters, at the mean of the run's prompts.
    Raises `RecordError` where there is no run or none of its matches asked a model.
    """
    run = open_run(folder)
    played = [_Played.of(match) for match in run.matches() if match.is_complete()]
    played = [one for one in played if one.calls]
    if not played:
        raise RecordError(f"no complete match of the run {str(folder)!r} asked a model")
    counted = count or _estimate([call for one in played for call in one.calls])
    pieces: dict[str, Piece] = {}
    matches = tuple(_Reader(one, counted, pieces).match() for one in played)
    names = {piece.picture for piece in pieces.values() if piece.picture}
    return Trace(
        name=run.path.resolve().name,
        matches=matches,
        pictures={name: _shown(run, name) for name in sorted(names)},
    )


_Answered = tuple[Request, Completion]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Played:
    """A match as it was recorded."""

    id: str
    started: MatchStarted
    dependencies: Dependencies
    calls: tuple[_Answered, ...]
    """Those that a chat model answered, in the order of their answers."""

    @staticmethod
    def of(match: MatchRecord) -> "_Played":
        events = match.events()
        started = next((event for event in events if isinstance(event, MatchStarted)), None)
        if started is None:
            raise RecordError(f"match {str(match.path)!r} is complete, but never started")
        return _Played(
            id=match.path.name,
            started=started,
            dependencies=dependencies(events),
            calls=tuple(
                (call.request, call.completion)
                for call in match.calls().values()
                if call.completion is not None and call.request.call_id.kind != "search"
            ),
        )


class _Reader:
    """Turns the calls of one match into turns, in the order of their answers."""

    def __init__(self, played: _Played, count: Count, pieces: dict[str, Piece]) -> None:
        self._played, self._count, self._pieces = played, count, pieces
        self._logs: dict[str, tuple[Message, ...]] = {}
        self._replies: dict[tuple[str, str], list[Turn]] = {}
        """Seat and words to the turns whose reply they were, in order."""
        self._last: dict[str, int] = {}
        """Ask to the last call that was made for it."""
        self._said: dict[str, int] = {}
        """Seat to its last turn in the game."""
        self._asides: dict[str, set[int]] = {}
        """Seat to the readings and summaries since then, for which its next turn waits."""
        self._before: list[set[int]] = []
        """For each turn, all turns that it waits for, directly or not."""

    def match(self) -> TraceMatch:
        """Return the match."""
        started = self._played.started
        return TraceMatch(
            id=self._played.id,
            script=f"{started.script}-{started.language}",
            pair=(started.civilians, started.murderer),
            turns=tuple(
                self._turn(number, request, completion)
                for number, (request, completion) in enumerate(self._played.calls)
            ),
        )

    def _turn(self, number: int, request: Request, completion: Completion) -> Turn:
        seat, ask = request.call_id.seat, request.call_id.request
        if request.call_id.is_auxiliary:
            return self._aside(number, request, completion)
        probe, log = ask.startswith(_PROBE), self._logs.get(seat, ())
        goes_on = _same(request.messages[: len(log)], log)
        messages = request.messages[len(log) :] if goes_on else request.messages
        quoted = self._quoted(seat, messages)
        turn = Turn(
            number=number,
            seat=seat,
            ask=ask,
            added=tuple(map(self._piece, [seat] * len(messages), messages, quoted)),
            output=max(1, completion.output_tokens),
            parents=self._parents(number, ask, self._used(seat, quoted)),
            choice=isinstance(request.constraint, ChoiceConstraint),
            probe=probe,
            whole=not goes_on,
            reply=completion.text,
        )
        self._last[ask] = self._said[seat] = number
        if not probe:
            said = Message(role="assistant", text=completion.text)
            self._logs[seat] = (*request.messages, said)
            self._replies.setdefault((seat, completion.text), []).append(turn)
        return turn

    def _aside(self, number: int, request: Request, completion: Completion) -> Turn:
        """Return a reading or a summary: a prompt of its own, beside the seat's log."""
        seat = request.call_id.seat
        self._asides.setdefault(seat, set()).add(number)
        return Turn(
            number=number,
            seat=seat,
            ask=request.call_id.request,
            added=tuple(self._piece(seat, message, None) for message in request.messages),
            output=max(1, completion.output_tokens),
            parents=self._direct({self._said[seat]} if seat in self._said else set()),
            choice=False,
            probe=request.call_id.request.startswith(_PROBE),
            aside=True,
            whole=True,
            reply=completion.text,
        )

    def _quoted(self, seat: str, messages: Sequence[Message]) -> list[Turn | None]:
        """Return, for each message, the turn whose reply it is: equal words in their order."""
        told: Counter[str] = Counter()
        turns: list[Turn | None] = []
        for message in messages:
            same = self._replies.get((seat, message.text), [])
            place = told[message.text]
            own = message.role == "assistant" and place < len(same)
            turns.append(same[place] if own else None)
            told[message.text] += own
        return turns

    def _parents(self, number: int, ask: str, used: Iterable[int]) -> tuple[int, ...]:
        """Return the turns for which an ask waits, and those whose replies its prompt holds."""
        again = self._last.get(ask)
        parents = (
            self._played.dependencies.calls_before(ask, self._last) if again is None else {again}
        )
        return self._direct({parent for parent in {*parents, *used} if parent < number})

    def _used(self, seat: str, quoted: Sequence[Turn | None]) -> set[int]:
        return self._asides.pop(seat, set()) | {turn.number for turn in quoted if turn is not None}

    def _direct(self, parents: set[int]) -> tuple[int, ...]:
        """Return those of `parents` that no other of them waits for, and note what waits now."""
        direct = parents - {one for parent in parents for one in self._before[parent]}
        self._before.append(direct.union(*(self._before[parent] for parent in direct)))
        return tuple(sorted(direct))

    def _piece(self, seat: str, message: Message, turn: Turn | None) -> Piece:
        if turn is not None:
            key = reply_key(self._played.id, seat, turn.number)
            return Piece(key=key, tokens=turn.output, role="assistant", text=message.text)
        picture = message.picture.sha256 if message.picture else ""
        content = "\0".join((message.role, message.text, picture))
        key = hashlib.sha256(content.encode()).hexdigest()[:32]
        if key not in self._pieces:
            self._pieces[key] = Piece(
                key=key,
                tokens=max(1, self._count(message)),
                role=message.role,
                text=message.text,
                picture=picture,
            )
        return self._pieces[key]


def _same(some: Sequence[Message], others: Sequence[Message]) -> bool:
    """Tell whether messages say the same: of a picture, its content alone counts."""
    return len(some) == len(others) and all(
        (one.role, one.text) == (other.role, other.text)
        and (one.picture and one.picture.sha256) == (other.picture and other.picture.sha256)
        for one, other in zip(some, others, strict=True)
    )


def _estimate(calls: Sequence[_Answered]) -> Count:
    """Return what counts a message at the run's mean of tokens a character and a picture."""
    plain = [call for call in calls if not any(m.picture for m in call[0].messages)]
    text = sum(_characters(request) for request, _ in plain)
    left = sum(done.prompt_tokens - FRAME_TOKENS * len(asked.messages) for asked, done in plain)
    rate = left / text if text and left > 0 else _TOKENS_A_CHARACTER
    pictures, seen = 0.0, 0
    for request, completion in calls:
        shown = sum(message.picture is not None for message in request.messages)
        told = rate * _characters(request) + FRAME_TOKENS * len(request.messages)
        pictures += completion.prompt_tokens - told if shown else 0
        seen += shown
    picture = max(1.0, pictures / seen) if seen else 0.0

    def count(message: Message) -> int:
        own = picture if message.picture else 0.0
        return round(rate * len(message.text) + own) + FRAME_TOKENS

    return count


def _characters(request: Request) -> int:
    return sum(len(message.text) for message in request.messages)


def _shown(run: RunRecord, name: str) -> Shown:
    data = run.read_picture(name)
    try:
        with Image.open(BytesIO(data)) as image:
            width, height = image.size
    except OSError as error:
        raise RecordError(f"picture {name!r} of run {run.path.name!r} is none: {error}") from error
    return Shown(
        width=width, height=height, size=len(data), path=run.path.resolve() / "pictures" / name
    )
