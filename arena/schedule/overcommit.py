"""Overcommit of KV capacity: the ratio of reserved tokens to capacity, controlled by cache misses.

The controller uses additive increase and multiplicative decrease (AIMD). Its signal is the
avoidable miss: the tokens that an engine without eviction would have found in its cache, minus the
tokens that the engine reports as cached. Misses mean that the running matches evict each other, so
the ratio must fall fast. A clean window proves only that the present load fits, so the ratio rises
in small steps.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OvercommitController:
    """Overcommit ratio of one endpoint, and the counts of the current measurement window."""

    value: float = 0.9
    """Reserved tokens over capacity. The default won a sweep on the simulated engine
    (BENCHMARKS.md)."""
    low: float = 0.5
    high: float = 1.1
    decrease: float = 0.85
    """Factor for the value after a window with more than `max_miss_rate` misses."""
    increase: float = 0.02
    """Addend for the value after a window with at most `clean_miss_rate` misses."""
    max_miss_rate: float = 0.03
    """Missed tokens over predicted tokens."""
    clean_miss_rate: float = 0.005
    """Missed tokens over predicted tokens."""
    min_window: int = 32
    """Turns. A window has at least this many turns, and at least one per live seat."""
    turns: int = 0
    """Turns in the current window."""
    predicted: int = 0
    """Tokens in the current window that a cache without eviction would hold."""
    missed: int = 0
    """Tokens in the current window that the engine should have cached but did not."""
    cooldown: int = 0
    """Turns to ignore: the last decrease cannot have affected their cache hits yet."""

    def __post_init__(self) -> None:
        """Reject a value outside its bounds."""
        if not 0 < self.low <= self.value <= self.high:
            raise ValueError(
                f"overcommit must be within 0 < {self.low:g} <= overcommit <= {self.high:g}, got "
                f"{self.value:g}"
            )

    def update(
        self, predicted: int, reported: int, *, seats: int, pressed: bool = True
    ) -> "OvercommitController":
        """Return the controller after a turn with `predicted` and `reported` cached tokens.

        `seats` is the number of live seats on the endpoint. `pressed` says that matches wait for
        capacity; a clean window without pressure proves nothing, so the value stays.
        """
        if self.cooldown:
            return self._next(self.value, cooldown=self.cooldown - 1)
        turns, total = self.turns + 1, self.predicted + predicted
        missed = self.missed + max(0, predicted - reported)
        window = max(self.min_window, seats)
        # Decrease before the window ends if it is already lost: `missed` exceeds the limit even if
        # the remaining turns have as many predicted tokens on average and miss none of them.
        # Eviction gets worse while the controller waits. Then ignore one turn of each seat: those
        # turns still pay for blocks that were evicted before the decrease.
        if missed * turns > self.max_miss_rate * total * window:
            return self._next(max(self.low, self.value * self.decrease), cooldown=window)
        if turns < window:
            return self._next(self.value, turns=turns, predicted=total, missed=missed)
        if pressed and total and missed <= self.clean_miss_rate * total:
            return self._next(min(self.high, self.value + self.increase))
        return self._next(self.value)

    def _next(
        self,
        value: float,
        *,
        turns: int = 0,
        predicted: int = 0,
        missed: int = 0,
        cooldown: int = 0,
    ) -> "OvercommitController":
        """Return a copy with a new value and new counts; by default a new window begins."""
        return OvercommitController(
            value=value,
            low=self.low,
            high=self.high,
            decrease=self.decrease,
            increase=self.increase,
            max_miss_rate=self.max_miss_rate,
            clean_miss_rate=self.clean_miss_rate,
            min_window=self.min_window,
            turns=turns,
            predicted=predicted,
            missed=missed,
            cooldown=cooldown,
        )
