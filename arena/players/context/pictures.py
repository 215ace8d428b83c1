"""How a seat is shown the pictures of clues: as they are, as notes of its own, or on a board.

No picture goes unseen because of a limit: of those that were revealed since the seat was last
asked, as many of the newest as a prompt (or a board) may hold are shown, and the others are read
for notes. What the context has no room for is named in the record.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from arena.core.events import Revealed
from arena.core.views import SeenClue, View
from arena.errors import ContextError, ModelError
from arena.models.chat import CallId, ChatModel, Message
from arena.players import prompts
from arena.players.fitting.aside import Said, most_words, said, together
from arena.players.fitting.budget import Budget
from arena.players.means import PictureMode
from arena.players.prompts import Show
from arena.players.wording import Wording, quoted, wording
from scripts_mm.script import Language, Picture

NOTE_WORDS: dict[Language, int] = {"en": 120, "zh": 200}
"""How long a note of a picture is asked to be at most: English words, Chinese characters."""
NOTE_TOKENS = 320
MOST_ON_BOARD = 16
"""Pictures on one board, as `scripts_mm.board` composes it; older ones are shown no more."""
_AT_ONCE = 4
"""Pictures that a seat reads at the same time."""

Place = tuple[SeenClue, int]
"""A clue and one of its pictures, counted from 1."""


def places(view: View) -> tuple[Place, ...]:
    """Return all pictures that were revealed to a seat, in the order of reveal."""
    return tuple(
        (clue, number) for clue in view.clues for number in range(1, len(clue.pictures) + 1)
    )


def name(place: Place) -> str:
    """Return how records name a picture: `plan/1`."""
    return f"{place[0].id}/{place[1]}"


def beyond(messages: Sequence[Message], most: int) -> set[int]:
    """Return the places of the messages whose pictures are older than the `most` newest."""
    shown = [place for place, message in enumerate(messages) if message.picture]
    return set(shown[: max(0, len(shown) - most)])


def unpictured(say: Wording, message: Message) -> Message:
    """Return what stands in a log where a picture stood: the words that name it."""
    return replace(message, text=f"{message.text} {say('log.not_shown')}", picture=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibits:
    """How a seat is told of pictures in one ask."""

    show: Show
    """Tells a clue."""
    shown: tuple[Place, ...]
    """Those that it is shown or was shown, in the order of reveal."""
    board: tuple[Place, ...] = ()
    """The newest of these, where they are composed into one picture."""
    notes: tuple[str, ...] = ()
    """For the record: what was read of that which is new, and what became of the reading."""
    new: bool = False
    """Whether any of `shown` was revealed since the seat was asked last."""


class Gallery:
    """The pictures of one seat in one match."""

    def __init__(self, model: ChatModel, mode: PictureMode, budget: Budget) -> None:
        self._model, self._mode, self._budget = model, mode, budget
        self._read: dict[str, Said] = {}
        self._reading, self._few = asyncio.Lock(), asyncio.Semaphore(_AT_ONCE)

    @property
    def limit(self) -> int | None:
        """How many pictures a prompt may hold; one at least, else none of a clue were seen."""
        most = self._budget.means.pictures
        if self._mode == "board":
            return 1
        return None if most is None else max(1, most)

    async def exhibit(self, view: View, asked: Sequence[int]) -> Exhibits:
        """Return how pictures are told, after the seat has read those that it is not shown.

        `asked`: how many events the seat had heard at each of its earlier asks.
        """
        unseen = self._unseen(view, asked)
        await self._look_at([place for place in places(view) if name(place) in unseen], view)
        fresh = _revealed(view, asked[-1] if asked else 0, len(view.heard))
        shown = tuple(place for place in places(view) if name(place) not in unseen)
        board = shown[-MOST_ON_BOARD:] if self._mode == "board" else ()
        return Exhibits(
            show=partial(self._told, view, unseen, {name(place) for place in board}),
            shown=shown,
            board=board,
            notes=self._notes([one for one in fresh if one in unseen]),
            new=any(name(place) in fresh for place in shown),
        )

    def board(self, view: View, exhibits: Exhibits) -> tuple[Message, ...]:
        """Return one picture of several; nothing where pictures are shown in another way."""
        compose, shown = self._budget.means.compose, exhibits.board
        if not shown or compose is None:
            return ()
        board = compose([clue.pictures[number - 1] for clue, number in shown])
        return (_board(wording(view.language), shown, board),)

    def _unseen(self, view: View, asked: Sequence[int]) -> frozenset[str]:
        """Return the pictures of which no prompt shows more than a note."""
        most = self._at_a_time()
        if most is None:
            return frozenset()
        if len(places(view)) <= most:
            return frozenset()
        found: set[str] = set()
        for start, stop in pairwise((0, *asked, len(view.heard))):
            new = _revealed(view, start, stop)
            found.update(new[: max(0, len(new) - most)])
        return frozenset(found)

    def _at_a_time(self) -> int | None:
        """Return how many new pictures an ask can show; None: all."""
        if self._mode == "inline":
            return self.limit
        return MOST_ON_BOARD if self._mode == "board" and self._budget.means.compose else 0

    def _notes(self, new: Sequence[str]) -> tuple[str, ...]:
        if not new:
            return ()
        cut = [one for one in new if self._read[one].cut]
        empty = [one for one in new if not quoted(self._read[one].text)]
        note = f"pictures: read for notes: {', '.join(new)}"
        note += f"; cut short: {', '.join(cut)}" if cut else ""
        return (f"{note}; nothing made out: {', '.join(empty)}" if empty else note,)

    def _told(
        self, view: View, unseen: Collection[str], board: Collection[str], clue: SeenClue
    ) -> tuple[Message, ...]:
        say = wording(view.language)
        text, *pictures = prompts.clue_messages(say, clue)
        told: list[Message] = [text]
        for number, message in enumerate(pictures, start=1):
            one = name((clue, number))
            if one in unseen:
                note = quoted(self._read[one].text) or say("reading.nothing")
                told.append(_of(say, "log.picture_noted", clue, number, note=note))
            elif self._mode == "inline":
                told.append(message)
            elif one in board:
                told.append(_of(say, "log.picture_placed", clue, number))
            else:
                told.append(unpictured(say, message))
        return tuple(told)

    async def _look_at(self, wanted: Sequence[Place], view: View) -> None:
        """Read what was not read yet: once, however many asks want it at the same time."""
        async with self._reading:
            unread = [place for place in wanted if name(place) not in self._read]
            await together([self._look(view, place) for place in unread])

    async def _look(self, view: View, place: Place) -> None:
        clue, number = place
        say, means = wording(view.language), self._budget.means
        tokens = min(NOTE_TOKENS, means.reply_tokens)
        words = min(NOTE_WORDS[view.language], most_words(tokens, view.language))
        message = Message(
            role="user",
            text=say("reading.picture", title=quoted(clue.title), words=words),
            picture=clue.pictures[number - 1],
        )
        if (needs := self._budget.count((message,))) > self._budget.room(tokens):
            raise ModelError(
                f"to read the picture {name(place)!r} takes {needs} tokens and {tokens} of reply, "
                f"but {view.seat}'s model has {self._budget.total} tokens; raise context_budget, "
                "or play with pictures=ocr"
            )
        label = CallId(seat=view.seat, request="reading", kind="reading", chunk=name(place))
        try:
            async with self._few:
                self._read[name(place)] = await said(self._model, label, message, tokens)
        except ContextError as error:
            # No shorter prompt can help: one picture is the least.
            raise ModelError(f"to read the picture {name(place)!r}: {error}") from error


def _revealed(view: View, start: int, stop: int) -> list[str]:
    """Return the pictures that were revealed first from event `start` to before `stop`."""
    seen = {event.clue for event in view.heard[:start] if isinstance(event, Revealed)}
    new = {event.clue for event in view.heard[start:stop] if isinstance(event, Revealed)} - seen
    return [name(place) for place in places(view) if place[0].id in new]


def _of(say: Wording, key: str, clue: SeenClue, number: int, **more: object) -> Message:
    count, title = len(clue.pictures), quoted(clue.title)
    return Message(role="user", text=say(key, title=title, number=number, count=count, **more))


def _board(say: Wording, shown: Sequence[Place], board: Picture) -> Message:
    told = say("log.separator").join(
        say("log.board_place", place=place, number=number, title=quoted(clue.title))
        for place, (clue, number) in enumerate(shown, start=1)
    )
    return Message(role="user", text=say("log.board", places=told), picture=board)
