"""A clock for time limits that stops while this process is suspended."""

import time


class AwakeClock:
    """Counts seconds between looks; a gap longer than `longest` is a suspension and is not counted.

    A stopped process, a sleeping machine and a clock jump all leave such a gap.
    """

    def __init__(self, longest: float) -> None:
        self.seconds = 0.0
        self._longest = longest
        self._last = time.monotonic()

    def look(self) -> float:
        """Add the time since the last look; return the total."""
        now = time.monotonic()
        gap, self._last = now - self._last, now
        if 0 < gap <= self._longest:
            self.seconds += gap
        return self.seconds
