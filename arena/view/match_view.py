"""View of a match at one moment for one observer."""

from dataclasses import dataclass

from arena.core.events import Event, MatchEnded, PhaseStarted, RequestsOpened, SeatEliminated
from arena.core.game import Texts
from arena.core.observation import Observation, Spectator, observe, reaches
from arena.core.seats import SeatId
from arena.core.state import MatchState
from arena.games.game_registry import find_game
from arena.view.i18n.messages import Messages
from arena.view.sanitize import sanitize_line


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchView:
    """A match at one moment for one observer, and the language of the view."""

    state: MatchState
    observer: SeatId | Spectator
    messages: Messages

    @property
    def seat(self) -> SeatId | None:
        """Return the observing seat; None: a spectator."""
        return None if isinstance(self.observer, Spectator) else self.observer

    @property
    def truth(self) -> bool:
        """Return whether everything is shown, and not only public information."""
        return isinstance(self.observer, Spectator) and self.observer.truth

    def sees(self, event: Event) -> bool:
        """Tell whether the observer may know of `event`."""
        if not reaches(event.audience, self.observer):
            return False
        return isinstance(event, MatchEnded) or not self._is_after_own_end(event)

    def observe(self) -> Observation:
        """Return the observation of the match; for a seat, as after all open answers."""
        moment = None if self.seat is None else len(self.state.history)
        return observe(self.state, self.observer, moment)

    def is_private(self, event: Event) -> bool:
        """Tell whether `event` is marked as private, because not all seats know it."""
        return self.seat is not None and event.audience != "all"

    def texts(self) -> Texts:
        """Return the game's own texts for the observer."""
        return find_game(self.state.started.game).texts(self.observe())

    def names(self, seats: tuple[str, ...]) -> str:
        """Return the names of `seats` as a list in words."""
        return self.messages.join(tuple(sanitize_line(seat) for seat in seats))

    def audience(self, event: Event) -> str:
        """Return the audience of `event`, in words."""
        messages, audience = self.messages, event.audience
        if audience == (self.seat,):
            return messages.private
        if isinstance(audience, str):
            return messages.shown_to_all if audience == "all" else messages.private
        return messages.shown_to.format(names=self.names(audience))

    def seat_label(self, seat: str) -> str:
        """Return the name of a seat with a request, if the observer may know of the request."""
        named = self.truth or is_everybody_asked(self.state)
        return sanitize_line(seat) if named else self.messages.a_seat

    def _is_after_own_end(self, event: Event) -> bool:
        """Tell whether `event` happened after the observing seat had left the game."""
        if self.seat not in self.state.eliminated:
            return False
        for past in self.state.history:
            if past is event:
                return False
            if isinstance(past, SeatEliminated) and past.seat == self.seat:
                return True
        return True


def is_everybody_asked(state: MatchState) -> bool:
    """Tell whether every living seat acts in this phase, so that a turn reveals no secret.

    If only one seat acts at night, it has a power. If only one seat does not vote, it is the
    murderer.
    """
    asked: set[SeatId] = set()
    for event in reversed(state.history):
        if isinstance(event, RequestsOpened):
            asked.update(request.seat for request in event.requests)
        if isinstance(event, PhaseStarted):
            break
    return asked.issuperset(state.living)
