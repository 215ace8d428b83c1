"""A match that is followed: the fragments of its record, which may still grow."""

import asyncio
from time import monotonic
from typing import Final

from arena.core.observation import Spectator
from arena.core.seats import SeatId
from arena.core.state import MatchState, reduce
from arena.records.match_record import MatchRecord
from arena.view.i18n.choice import messages_for
from arena.view.i18n.en import EN
from arena.view.i18n.messages import Messages
from arena.view.match_view import MatchView
from arena.web.fragments import Fragment, Links, render_event

_POLL_SECONDS: Final = 0.25
"""Between two looks at a record: many watchers of one match share them."""


class MatchFeed:
    """Fragments of one match as one observer may see it, read from the record as it grows.

    Events are the record's own, so what plays the match need not know of the page, and a server
    that is started again goes on where it was.
    """

    def __init__(self, record: MatchRecord, observer: SeatId | Spectator, links: Links) -> None:
        """Follow `record`; nothing is read yet."""
        self._record, self._observer, self._links = record, observer, links
        self._state: MatchState | None = None
        self._start = 0
        self._looked = float("-inf")
        self.fragments: list[Fragment] = []
        """Of every event so far, those that show nothing included."""

    @property
    def messages(self) -> Messages:
        """The messages in the language of the match; in English before its first event."""
        return messages_for(self._state.started.language) if self._state else EN

    @property
    def is_over(self) -> bool:
        """Whether the record has its last event."""
        return self._state is not None and self._state.ended is not None

    @property
    def state(self) -> MatchState | None:
        """The match after the last event that was read; None: it has none yet."""
        return self._state

    def read(self, *, at_once: bool = False) -> None:
        """Take what is new in the record, unless it was read a moment ago; raises `RecordError`."""
        now = monotonic()
        if self.is_over or (now - self._looked < _POLL_SECONDS and not at_once):
            return
        self._looked = now
        events, self._start = self._record.new_events(self._start)
        for event in events:
            state = self._state or MatchState(script=self._record.script())
            self._state = reduce(state, event)
            view = MatchView(state=self._state, observer=self._observer, messages=self.messages)
            number = len(self.fragments) + 1
            self.fragments.append(render_event(view, number, event, self._links))

    async def wait_beyond(self, number: int) -> None:
        """Return when there are more than `number` events, or the match is over."""
        self.read()
        while len(self.fragments) <= number and not self.is_over:
            await asyncio.sleep(_POLL_SECONDS)
            self.read()
