"""Pictures of clues in the prompts of a seat: inline, as its notes, or on a board.

A limit on pictures hides none of them. Of the pictures revealed since the seat's last request, the
prompt (or the board) shows as many of the newest as its limit allows, and the seat describes the
others in notes. The record names those for which the context has no room.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from arena.core.events import Adjustment, ClueRevealed, PromptAdjusted
from arena.core.observation import ClueObservation, Observation
from arena.core.option_labels import list_options
from arena.core.quoting import quote
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.errors import ContextLengthError, UnanswerableError
from arena.games.wording import Wording
from arena.models.chat import CallId, ChatModel, Message
from arena.players.context.auxiliary_calls import AuxReply, complete_text, run_all, word_limit
from arena.players.context.token_budget import TokenBudget
from arena.players.event_lines import ClueRenderer, clue_messages
from arena.players.model_limits import PictureMode
from arena.players.wording import find_wording
from scripts_mm.script import Language, Picture

NOTE_WORDS: dict[Language, int] = {"en": 120, "zh": 200}
"""Maximum length of a note that the prompt asks for: English words, Chinese characters."""
NOTE_TOKENS = 320
MAX_ON_BOARD = 16
"""Newest pictures on one board; `scripts_mm.image_grid` composes no more (a test compares them)."""
_AT_ONCE = 4
"""Pictures that a seat reads concurrently, at most."""


class PictureRef(NamedTuple):
    """A clue and one of its pictures, counted from 1."""

    clue: ClueObservation
    number: int

    @property
    def id(self) -> str:
        """The name of the picture in records: `clue-2/1`."""
        return f"{self.clue.key}/{self.number}"

    @property
    def picture(self) -> Picture:
        """The picture itself."""
        return self.clue.pictures[self.number - 1]


def picture_refs(observation: Observation) -> tuple[PictureRef, ...]:
    """Return all pictures that were revealed to a seat, in the order of reveal."""
    clues = {clue.key: clue for clue in reversed(observation.clues)}
    return tuple(
        PictureRef(clue, number)
        for key in dict.fromkeys(clue.key for clue in observation.clues)
        for clue in (clues[key],)
        for number in range(1, len(clue.pictures) + 1)
    )


def older_pictures(messages: Sequence[Message], most: int) -> set[int]:
    """Return the indexes of the messages whose pictures are older than the `most` newest."""
    shown = [place for place, message in enumerate(messages) if message.picture]
    return set(shown[: max(0, len(shown) - most)])


def drop_picture(say: Wording, message: Message) -> Message:
    """Return the message that replaces a picture in a log and names it."""
    return replace(message, text=f"{message.text} {say('line.not_shown')}", picture=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturePlan:
    """How a prompt shows pictures."""

    show: ClueRenderer
    shown: tuple[PictureRef, ...]
    """The pictures that this or an earlier prompt shows, in the order of reveal."""
    board: tuple[PictureRef, ...] = ()
    """The newest of these, if they are composed into one picture."""
    adjustments: tuple[PromptAdjusted, ...] = ()
    """For the record: the new pictures with notes, and those with truncated or empty notes."""
    is_new: bool = False
    """Whether any of `shown` was revealed since the seat's last request."""


class PicturePolicy:
    """The pictures of one seat in one match."""

    def __init__(
        self, model: ChatModel, mode: PictureMode, budget: TokenBudget, *, reader: str = ""
    ) -> None:
        """Read pictures with `model`; `reader` names a reader other than the seat."""
        self._model, self._mode, self._budget = model, mode, budget
        self._reader = reader
        self._notes: dict[str, AuxReply] = {}
        self._lock, self._few = asyncio.Lock(), asyncio.Semaphore(_AT_ONCE)

    @property
    def limit(self) -> int | None:
        """Pictures of a prompt, at most; at least one, or the model would never see any."""
        most = self._budget.limits.pictures
        if self._mode == "board":
            return 1
        return None if most is None else max(1, most)

    async def plan(
        self, observation: Observation, request: DecisionRequest, asked: Sequence[int]
    ) -> PicturePlan:
        """Return the plan for the pictures; first make the notes that it needs.

        `asked`: the number of observed events at each earlier request.
        """
        refs, now = picture_refs(observation), len(observation.events)
        noted = self._find_noted(observation, asked)
        await self._read_all([ref for ref in refs if ref.id in noted], observation, request.seat)
        fresh = _list_revealed(observation, asked[-1] if asked else 0, now)
        shown = tuple(ref for ref in refs if ref.id not in noted)
        board = shown[-MAX_ON_BOARD:] if self._mode == "board" else ()
        return PicturePlan(
            show=partial(self._render, observation.language, noted, {ref.id for ref in board}),
            shown=shown,
            board=board,
            adjustments=self._adjustments(request, tuple(one for one in fresh if one in noted)),
            is_new=any(ref.id in fresh for ref in shown),
        )

    def board(self, observation: Observation, plan: PicturePlan) -> tuple[Message, ...]:
        """Return the message with the board; no message in other modes."""
        compose, shown = self._budget.limits.compose, plan.board
        if not shown or compose is None:
            return ()
        say = find_wording(observation.language)
        names = (
            say("line.board_place", place=place, number=ref.number, title=quote(ref.clue.title))
            for place, ref in enumerate(shown, start=1)
        )
        places = list_options(names, observation.language)
        picture = compose([ref.picture for ref in shown])
        return (Message(role="user", text=say("line.board", places=places), picture=picture),)

    def _find_noted(self, observation: Observation, asked: Sequence[int]) -> frozenset[str]:
        """Return the pictures that appear in prompts only as notes."""
        most = self._max_new()
        if most is None or len(picture_refs(observation)) <= most:
            return frozenset()
        found: set[str] = set()
        for start, stop in pairwise((0, *asked, len(observation.events))):
            new = _list_revealed(observation, start, stop)
            found.update(new[: max(0, len(new) - most)])
        return frozenset(found)

    def _max_new(self) -> int | None:
        """Return how many new pictures a prompt can show; None: all."""
        if self._mode == "inline":
            return self.limit
        return MAX_ON_BOARD if self._mode == "board" and self._budget.limits.compose else 0

    def _adjustments(
        self, request: DecisionRequest, new: tuple[str, ...]
    ) -> tuple[PromptAdjusted, ...]:
        if not new:
            return ()
        truncated = tuple(one for one in new if self._notes[one].truncated)
        empty = tuple(one for one in new if not quote(self._notes[one].text))
        found: tuple[tuple[Adjustment, tuple[str, ...]], ...] = (
            ("picture_read", new),
            ("picture_note_truncated", truncated),
            ("picture_note_empty", empty),
        )
        return tuple(
            PromptAdjusted(seat=request.seat, request=request.id, adjustment=one, pictures=pictures)
            for one, pictures in found
            if pictures
        )

    def _render(
        self,
        language: Language,
        noted: Collection[str],
        board: Collection[str],
        clue: ClueObservation,
    ) -> tuple[Message, ...]:
        say = find_wording(language)
        text, *pictures = clue_messages(say, clue)
        found: list[Message] = [text]
        for number, message in enumerate(pictures, start=1):
            ref = PictureRef(clue, number)
            if ref.id in noted:
                note = quote(self._notes[ref.id].text) or say("reading.nothing")
                found.append(_picture_line(say, "line.picture_noted", ref, note=note))
            elif self._mode == "inline":
                found.append(message)
            elif ref.id in board:
                found.append(_picture_line(say, "line.picture_placed", ref))
            else:
                found.append(drop_picture(say, message))
        return tuple(found)

    async def _read_all(
        self, wanted: Sequence[PictureRef], observation: Observation, seat: SeatId
    ) -> None:
        """Read each picture once, even if several simultaneous requests need it."""
        async with self._lock:
            unread = [ref for ref in wanted if ref.id not in self._notes]
            await run_all([self._read(observation, ref, seat) for ref in unread])

    async def _read(self, observation: Observation, ref: PictureRef, seat: SeatId) -> None:
        language, limits = observation.language, self._budget.limits
        tokens = min(NOTE_TOKENS, limits.reply_tokens)
        words = min(NOTE_WORDS[language], word_limit(tokens, language))
        prompt = find_wording(language)("reading.picture", title=quote(ref.clue.title), words=words)
        message = Message(role="user", text=prompt, picture=ref.picture)
        if (needs := self._budget.count((message,))) > self._budget.max_prompt(tokens):
            raise UnanswerableError(
                f"to read the picture {ref.id!r} takes {needs} tokens and {tokens} of reply, but "
                f"{seat}'s model has {self._budget.total} tokens; raise "
                "context_budget, or play with pictures=ocr"
            )
        chunk = f"{self._reader}/{ref.id}" if self._reader else ref.id
        call_id = CallId(seat=seat, request="reading", kind="reading", chunk=chunk)
        try:
            async with self._few:
                self._notes[ref.id] = await complete_text(self._model, call_id, message, tokens)
        except ContextLengthError as error:
            # A shorter prompt is impossible: this one holds a single picture.
            raise UnanswerableError(f"to read the picture {ref.id!r}: {error}") from error


def _list_revealed(observation: Observation, start: int, stop: int) -> list[str]:
    """Return the pictures whose first reveal is from event `start` to before `stop`."""
    events = observation.events
    seen = {event.clue for event in events[:start] if isinstance(event, ClueRevealed)}
    new = {event.clue for event in events[start:stop] if isinstance(event, ClueRevealed)} - seen
    return [ref.id for ref in picture_refs(observation) if ref.clue.key in new]


def _picture_line(say: Wording, key: str, ref: PictureRef, **more: Any) -> Message:
    count, title = len(ref.clue.pictures), quote(ref.clue.title)
    return Message(role="user", text=say(key, title=title, number=ref.number, count=count, **more))
