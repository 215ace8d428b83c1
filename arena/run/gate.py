"""The scheduler's door: where matches wait to be let in, and to go on between two turns."""

import asyncio
from collections.abc import Callable

from arena.schedule.book import Book, Turn
from arena.schedule.footprint import Offer

PROBES_LAST = 1_000_000
"""Added to the priority of what does not influence play, so that it fills the gaps."""


class Gate:
    """Waits for what the book decides; the only place where a match waits for another."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._room: Callable[[], None] = self._wake

    def on_room(self, let_in: Callable[[], None]) -> None:
        """Call `let_in` whenever there may be room for a match that is parked."""
        self._room = let_in

    def offer(self, offers: tuple[Offer, ...]) -> None:
        """Park matches, in the order in which they shall be let in."""
        self._book.offer(offers)

    def admit(self) -> tuple[str, ...]:
        """Return the matches that are let in now; some that were paused may go on as well."""
        admitted = self._book.admit()
        self._wake()
        return admitted

    def leave(self, match: str, *, whole: bool) -> None:
        """Give back the room of a match that is over; what broke off teaches nothing of lengths."""
        self._book.end(match, whole=whole)
        self._room()

    async def turn(self, match: str) -> None:
        """Return when the match may take its next turn; a match is never stopped within one."""
        while not self._book.may_go_on(match):
            future = self._waiting.setdefault(match, asyncio.get_running_loop().create_future())
            await asyncio.shield(future)

    def learn(self, match: str, seat: str, endpoint: str, turn: Turn) -> None:
        """Tell the book what a turn cost and what of it was found in the cache."""
        self._book.learn(match, seat, endpoint, turn)
        self._room()

    def priority(self, match: str, *, probe: bool) -> int:
        """Return the priority of a request: old matches first, probes in the gaps."""
        return self._book.rank(match) + (PROBES_LAST if probe else 0)

    def _wake(self) -> None:
        for match in [match for match in self._waiting if self._book.may_go_on(match)]:
            future = self._waiting.pop(match)
            if not future.done():
                future.set_result(None)
