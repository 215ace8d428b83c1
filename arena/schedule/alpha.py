"""How much of a cache's capacity may be promised to matches: more or less, as misses show.

Additive increase, multiplicative decrease on the *avoidable miss*: what a server without eviction
would have had cached, less what it reports (shared/PERFORMANCE.md 6.2).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Alpha:
    """The promised share of a capacity, and what was seen since it changed last."""

    value: float = 0.9
    """To begin with: the best of a sweep on the simulated engine (BENCHMARKS.md)."""
    low: float = 0.5
    high: float = 1.1
    cut: float = 0.85
    """A window that misses more than `most_missed` multiplies the value by this."""
    step: float = 0.02
    """A window that misses no more than `clean` adds this."""
    most_missed: float = 0.03
    """Of the tokens that were predicted to be cached."""
    clean: float = 0.005
    least_window: int = 32
    """Turns; a window is at least this and one turn of each live seat."""
    turns: int = 0
    predicted: int = 0
    missed: int = 0
    rest: int = 0
    """Turns that are not counted any more: they were cached or lost before the last cut."""

    def __post_init__(self) -> None:
        """Refuse a value outside its bounds."""
        if not 0 < self.low <= self.value <= self.high:
            raise ValueError(
                f"alpha must be within 0 < {self.low:g} <= alpha <= {self.high:g}, got "
                f"{self.value:g}"
            )

    def after(self, predicted: int, reported: int, *, seats: int, pressed: bool = True) -> "Alpha":
        """Return alpha after a turn: tokens predicted to be cached, and reported to be.

        `seats` are live on the endpoint. `pressed`: matches wait for room; without that a clean
        window proves nothing and alpha stays. A cut comes as soon as a window is sure to be bad,
        then one turn of each seat is not counted.
        """
        if self.rest:
            return self._moved(self.value, rest=self.rest - 1)
        turns, total = self.turns + 1, self.predicted + predicted
        missed = self.missed + max(0, predicted - reported)
        window = max(self.least_window, seats)
        if missed * turns > self.most_missed * total * window:
            return self._moved(max(self.low, self.value * self.cut), rest=window)
        if turns < window:
            return self._moved(self.value, turns=turns, predicted=total, missed=missed)
        if pressed and total and missed <= self.clean * total:
            return self._moved(min(self.high, self.value + self.step))
        return self._moved(self.value)

    def _moved(
        self, value: float, *, turns: int = 0, predicted: int = 0, missed: int = 0, rest: int = 0
    ) -> "Alpha":
        return Alpha(
            value=value,
            low=self.low,
            high=self.high,
            cut=self.cut,
            step=self.step,
            most_missed=self.most_missed,
            clean=self.clean,
            least_window=self.least_window,
            turns=turns,
            predicted=predicted,
            missed=missed,
            rest=rest,
        )
