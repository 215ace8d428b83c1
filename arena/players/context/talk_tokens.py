"""Tokens of the talk that a seat heard: the lines of a log never change, so each counts once."""

from arena.core.events import Event
from arena.core.observation import Observation
from arena.core.seats import SeatId
from arena.players.context.log_entries import is_talk
from arena.players.context.token_budget import TokenSizes
from arena.players.event_lines import event_messages


class TalkTokens:
    """Count of everything that seats said, asked and voted, for one seat in one match."""

    def __init__(self, sizes: TokenSizes) -> None:
        """Count with `sizes`; nothing is counted yet."""
        self._sizes = sizes
        self._seat: SeatId | None = None
        self._counted: tuple[Event, ...] = ()
        self._tokens = 0

    def count(self, observation: Observation) -> int:
        """Return an upper estimate of the tokens of all talk; only new events are written."""
        known, events = len(self._counted), observation.events
        if observation.seat != self._seat or events[:known] != self._counted:
            self._seat, known, self._tokens = observation.seat, 0, 0
        for number in range(known, len(events)):
            if is_talk(events[number]):
                lines = event_messages(observation, number)
                self._tokens += sum(map(self._sizes.message_tokens, lines))
        self._counted = events
        return self._tokens
