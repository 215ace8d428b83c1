"""Time in which this process ran, for limits that a pause of it must not use up."""

import time


class AwakeClock:
    """Counts seconds between looks; a gap of more than `longest` is a pause and does not count.

    A process that was stopped, a machine that slept and a clock that jumped all leave such a gap.
    """

    def __init__(self, longest: float) -> None:
        self.seconds = 0.0
        self._longest = longest
        self._last = time.monotonic()

    def look(self) -> float:
        """Count the time since the last look; return all that was counted."""
        now = time.monotonic()
        gap, self._last = now - self._last, now
        if 0 < gap <= self._longest:
            self.seconds += gap
        return self.seconds
