"""How a seat is shown the pictures of clues: as they are, as notes of its own, or on a board."""

import asyncio
from collections.abc import Sequence
from functools import partial

from arena.core.views import SeenClue, View
from arena.errors import ContextError, ModelError
from arena.models.chat import ChatModel, Label, Message
from arena.players import prompts
from arena.players.fitting.aside import said, together
from arena.players.fitting.budget import Budget
from arena.players.means import PictureMode
from arena.players.prompts import Show
from arena.players.wording import Wording, quoted, wording
from scripts_mm.script import Language, Picture

NOTE_WORDS: dict[Language, int] = {"en": 120, "zh": 200}
"""How long a note of a picture is asked to be: English words, Chinese characters."""
NOTE_TOKENS = 320
MOST_ON_BOARD = 16
"""Pictures on one board; older ones are shown no more."""

Place = tuple[SeenClue, int]
"""A clue and one of its pictures, counted from 1."""


def places(view: View) -> tuple[Place, ...]:
    """Return all pictures that a seat was ever shown, in the order of reveal."""
    return tuple(
        (clue, number) for clue in view.clues for number in range(1, len(clue.pictures) + 1)
    )


def name(place: Place) -> str:
    """Return how records name a picture: `plan/1`."""
    return f"{place[0].id}/{place[1]}"


class Gallery:
    """The pictures of one seat in one match."""

    def __init__(self, model: ChatModel, mode: PictureMode, budget: Budget) -> None:
        self._model, self._mode, self._budget = model, mode, budget
        self._notes: dict[str, str] = {}
        self._reading = asyncio.Lock()

    async def show(self, view: View) -> Show:
        """Return how clues are told to the seat, after it has read the pictures that are new."""
        say = wording(view.language)
        if self._mode == "notes":
            await self._read(view)
            return partial(_noted, say, self._notes)
        if self._mode == "board":
            return partial(_placed, say)
        return partial(prompts.clue_messages, say)

    def board(self, view: View) -> tuple[Message, ...]:
        """Return one picture of the newest pictures that the seat was shown; nothing without any.

        Empty, too, where pictures are shown in another way.
        """
        shown = places(view)[-MOST_ON_BOARD:]
        compose = self._budget.means.compose
        if self._mode != "board" or not shown or compose is None:
            return ()
        board = compose([clue.pictures[number - 1] for clue, number in shown])
        return (_board(wording(view.language), shown, board),)

    async def _read(self, view: View) -> None:
        """Read what was not read yet: once, however many asks want it at the same time."""
        async with self._reading:
            unread = [place for place in places(view) if name(place) not in self._notes]
            await together([self._look(view, place) for place in unread])

    async def _look(self, view: View, place: Place) -> None:
        clue, number = place
        say, means = wording(view.language), self._budget.means
        words = NOTE_WORDS[view.language]
        message = Message(
            role="user",
            text=say("reading.picture", title=quoted(clue.title), words=words),
            picture=clue.pictures[number - 1],
        )
        tokens = min(NOTE_TOKENS, means.reply_tokens)
        if (needs := self._budget.count((message,))) > self._budget.room(tokens):
            raise ModelError(
                f"to read the picture {name(place)!r} takes {needs} tokens and {tokens} of reply, "
                f"but {view.seat}'s model has {self._budget.total} tokens; raise context_budget, "
                "or play with pictures=ocr"
            )
        label = Label(seat=view.seat, ask="reading", part="reading", piece=name(place))
        try:
            self._notes[name(place)] = await said(self._model, label, message, tokens)
        except ContextError as error:
            # No shorter prompt can help: one picture is the least.
            raise ModelError(f"to read the picture {name(place)!r}: {error}") from error


def newest(
    say: Wording, messages: Sequence[Message], most: int
) -> tuple[tuple[Message, ...], tuple[Picture, ...]]:
    """Return messages with the `most` newest of their pictures, and the pictures taken out."""
    shown = [place for place, message in enumerate(messages) if message.picture]
    old = set(shown[: max(0, len(shown) - most)])
    kept = tuple(
        _words(say, message) if place in old else message for place, message in enumerate(messages)
    )
    gone = tuple(p for place in sorted(old) if (p := messages[place].picture) is not None)
    return kept, gone


def _words(say: Wording, message: Message) -> Message:
    return Message(role=message.role, text=f"{message.text} {say('log.not_shown')}")


def _noted(say: Wording, notes: dict[str, str], clue: SeenClue) -> tuple[Message, ...]:
    def note(number: int) -> Message:
        text = quoted(notes[name((clue, number))]) or say("reading.nothing")
        return _of(say, "log.picture_noted", clue, number, note=text)

    return _told(say, clue, [note(number) for number in range(1, len(clue.pictures) + 1)])


def _placed(say: Wording, clue: SeenClue) -> tuple[Message, ...]:
    numbers = range(1, len(clue.pictures) + 1)
    return _told(say, clue, [_of(say, "log.picture_placed", clue, n) for n in numbers])


def _told(say: Wording, clue: SeenClue, lines: Sequence[Message]) -> tuple[Message, ...]:
    return (prompts.clue_messages(say, clue)[0], *lines)


def _of(say: Wording, key: str, clue: SeenClue, number: int, **more: object) -> Message:
    count, title = len(clue.pictures), quoted(clue.title)
    return Message(role="user", text=say(key, title=title, number=number, count=count, **more))


def _board(say: Wording, shown: Sequence[Place], board: Picture) -> Message:
    told = say("log.separator").join(
        say("log.board_place", place=place, number=number, title=quoted(clue.title))
        for place, (clue, number) in enumerate(shown, start=1)
    )
    return Message(role="user", text=say("log.board", places=told), picture=board)
