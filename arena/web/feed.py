"""Feed of a match: the fragments of its record, which may still grow."""

import asyncio
from collections.abc import Iterator
from time import monotonic
from typing import Final

from arena.core.events import MatchStarted
from arena.core.observation import Spectator
from arena.core.seats import SeatId
from arena.core.state import MatchState
from arena.errors import RecordError
from arena.records.match_record import MatchRecord
from arena.records.script_copies import read_script
from arena.view.i18n.en import EN
from arena.view.i18n.messages import Messages
from arena.web.event_stream import encode_change, encode_event
from arena.web.fragments import Links, MatchFragments

_POLL_SECONDS: Final = 0.25
"""Seconds between two reads of a record, which all viewers of one match share."""


class MatchFeed:
    """Fragments of one match for one observer, read from the record as it grows.

    Events come from the record, so the process that plays the match need not know of the page, and
    a restarted server continues where it was.
    """

    def __init__(self, record: MatchRecord, observer: SeatId | Spectator, links: Links) -> None:
        """Follow `record`; nothing is read yet."""
        self.record, self._observer, self._links = record, observer, links
        self._start = 0
        self._looked = float("-inf")
        self.log: MatchFragments | None = None
        """None: the match has no event yet."""

    @property
    def messages(self) -> Messages:
        """Return the messages in the language of the match; in English before its first event."""
        return self.log.messages if self.log else EN

    @property
    def count(self) -> int:
        """Return the number of events read."""
        return self.log.count if self.log else 0

    @property
    def is_over(self) -> bool:
        """Return whether the record has its last event."""
        return self.log is not None and self.log.is_over

    @property
    def state(self) -> MatchState | None:
        """Return the match after the last event read; None: it has none yet."""
        return self.log.state if self.log else None

    def read(self, *, at_once: bool = False) -> None:
        """Read new events of the record, unless it was read a moment ago; raises `RecordError`."""
        now = monotonic()
        if self.is_over or (now - self._looked < _POLL_SECONDS and not at_once):
            return
        self._looked = now
        events, self._start = self.record.new_events(self._start)
        if not events:
            return
        if self.log is None:
            first = events[0]
            if not isinstance(first, MatchStarted):
                name = self.record.path.name
                raise RecordError(f"the record of match {name!r} does not start with a match")
            script = read_script(self.record.run, first.script_sha256)
            self.log = MatchFragments(script, self._observer, self._links)
        self.log.add(events)

    def show(self, known: int | None = None) -> Iterator[str]:
        """Yield the fragments of the first `known` events; None: of all."""
        return self.log.show(known) if self.log else iter(())

    def encode(self, seen: int, known: int | None = None) -> Iterator[str]:
        """Yield the messages of a stream after event `seen`, up to event `known`.

        Before an answer, its question is sent again, now with a link to it.
        """
        last = self.count if known is None else known
        for number in range(seen + 1, last + 1):
            assert self.log is not None, "an event without a log"
            question = self.log.question_of(number)
            if 0 < question <= seen:
                yield encode_change(self.log.fragment(question, last))
            yield encode_event(number, self.log.fragment(number, last))

    async def wait_beyond(self, number: int) -> None:
        """Return when there are more than `number` events, or the match is over."""
        self.read()
        while self.count <= number and not self.is_over:
            await asyncio.sleep(_POLL_SECONDS)
            self.read()
