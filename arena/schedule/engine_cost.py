"""Costs of an engine's work, estimated while it runs, and the most economical number of matches.

The time of a window of calls is the sum of three kinds of work: prompt tokens that were not in the
cache, steps that generate one token for every request in flight, and tokens of context that those
steps read. The seconds of each are the non-negative least-squares solution over the last windows,
so the estimate follows a restart or a slower GPU as old windows leave.

More live matches share each step, so a generated token costs less; but if their contexts exceed the
cache, prompt tokens are computed again. `stretch` balances the two.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

_WINDOWS: Final = 24
_DECAY: Final = 0.93
"""Weight of a window relative to the next one."""
_CALLS: Final = 8
"""Minimum calls in a window, which also has at least as many calls as are in flight."""
_PRIOR: Final = (1.0, 200.0, 6e-4)
"""Seconds of a step and of a token of context read, relative to a computed token.

GPUs agree in this: reading all weights takes the time of computing about 200 tokens.
"""
_ATTENTION: Final = 2.5e-5
"""Work of a computed token for each token of context before it, relative to its own.

4 x layers x hidden / (2 x parameters): 2e-5 to 3e-5 for models of 7 to 72 billion parameters.
"""
_DESCENTS: Final = 60
_FIRM: Final = 1.0
"""Weight of the prior: as much as one window."""
_WEIGHT: Final = 0.1
"""Minimum weight of the last window's best stretch in the smoothed stretch."""
_CAUTION: Final = 2
"""Windows of stretch 1 that count before the first: costs from a few calls are noisy."""
_LRU: Final = 1.3
"""Lost tokens per token that exceeds the cache: least recently used is not least needed."""
_STRETCHES: Final = tuple(1.12**n for n in range(20))
_SLACK: Final = 1.08
"""The smallest stretch is chosen that costs at most this many times the best one."""


@dataclass(slots=True, kw_only=True)
class _Window:
    """Work of an engine between two moments."""

    began: float
    calls: int = 0
    computed: float = 0.0
    """Computed tokens plus their attention to the context, in equivalent tokens without context."""
    missed: float = 0.0
    """Part of `computed` that a cache without eviction would have held."""
    output: int = 0
    prompt: int = 0
    read: float = 0.0
    """Sum over calls of output tokens x tokens of context."""
    flight: float = 0.0
    """Integral over time of the requests in flight, in request seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _ClosedWindow:
    """A completed window."""

    seconds: float
    calls: int
    computed: float
    missed: float
    output: int
    prompt: int
    read: float
    batch: float
    """Mean requests in flight."""
    reserved: float
    """Reserved tokens over the tokens that fit."""


@dataclass(slots=True)
class EngineCost:
    """Estimated costs of one engine, and its most economical stretch."""

    stretch: float = 1.0
    """Reserved tokens to aim for, as a multiple of those that fit."""
    _windows: int = 0
    _flying: int = 0
    _changed: float = 0.0
    """Time of the last change of the number of requests in flight."""
    _window: _Window | None = None
    _rows: deque[_ClosedWindow] = field(
        default_factory=lambda: deque[_ClosedWindow](maxlen=_WINDOWS)
    )

    def begin(self, now: float) -> None:
        """Record that a request is sent."""
        if self._window is None:
            self._window, self._changed = _Window(began=now), now
        self._count_in_flight(now, 1)

    def end(self, now: float, *, prompt: int, output: int, cached: int, missed: int) -> bool:
        """Record a completion; return whether a window is complete: then call `close`."""
        self._count_in_flight(now, -1)
        window = self._window
        assert window is not None, "a request ends that was begun"
        window.calls += 1
        # The missed tokens precede the new ones in the context.
        window.missed += missed * (1 + _ATTENTION * (cached + missed / 2))
        new = max(0, prompt - cached)
        window.computed += new * (1 + _ATTENTION * (cached + new / 2))
        window.prompt += prompt
        window.output += output
        window.read += output * (prompt + output / 2)
        return window.calls >= max(_CALLS, self._flying) and now > window.began

    def fail(self, now: float) -> None:
        """Record that a request has no completion."""
        self._count_in_flight(now, -1)

    def close(self, now: float, *, reserved: float, own: float) -> None:
        """End a window. `own`: mean tokens of a seat's context that no other match shares.

        `reserved` are the reserved tokens over those that fit.
        """
        window = self._window
        assert window is not None
        self._window = _Window(began=now)
        if not window.computed or not window.output:
            # The server does not report its cached tokens, so the computed tokens are unknown.
            return
        seconds = now - window.began
        self._rows.append(
            _ClosedWindow(
                seconds=seconds,
                calls=window.calls,
                computed=window.computed,
                missed=window.missed,
                output=window.output,
                prompt=window.prompt,
                read=window.read,
                batch=max(window.flight / seconds, 1e-6),
                reserved=max(reserved, 1e-3),
            )
        )
        best = _best_stretch(self._rows, learn_costs(self._rows), own)
        # Costs are flat around the best stretch, so it jumps between windows; matches cannot.
        self._windows += 1
        self.stretch *= (best / self.stretch) ** max(_WEIGHT, 1 / (self._windows + _CAUTION))

    def _count_in_flight(self, now: float, change: int) -> None:
        if self._window is not None:
            self._window.flight += self._flying * (now - self._changed)
        self._changed = now
        self._flying += change


def learn_costs(rows: Sequence[_ClosedWindow]) -> NDArray[np.float64]:
    """Return the seconds of a computed token, of a step and of a token of context read."""
    seconds = np.array([row.seconds for row in rows])
    work = np.array([(row.computed, row.output / row.batch, row.read) for row in rows])
    # Relative errors: a long window says no more than a short one.
    weight = np.sqrt(_DECAY ** np.arange(len(rows))[::-1]) / seconds
    prior = np.array(_PRIOR)
    expected = (work @ prior) * weight
    unit = float((expected * seconds * weight).sum() / (expected**2).sum())
    scale = unit * prior
    scaled = work * scale * weight[:, None]
    products = scaled.T @ scaled + np.eye(3) * _FIRM**2
    wanted = scaled.T @ (seconds * weight) + _FIRM**2
    return np.array(_solve_positive(products.tolist(), wanted.tolist())) * scale


def _solve_positive(products: list[list[float]], wanted: list[float]) -> list[float]:
    """Return the least-squares solution without negative values, from its normal equations.

    By coordinate descent, which converges since the matrix is positive definite.
    """
    found = [1.0] * len(wanted)
    for _ in range(_DESCENTS):
        for i, row in enumerate(products):
            others = sum(one * value for one, value in zip(row, found, strict=True))
            found[i] = max(0.0, found[i] + (wanted[i] - others) / row[i])
    return found


def _best_stretch(rows: Sequence[_ClosedWindow], costs: NDArray[np.float64], own: float) -> float:
    prefill, step, read = costs.tolist()
    weights = _DECAY ** np.arange(len(rows))[::-1]

    def mean(values: Sequence[float]) -> float:
        return float(weights @ np.array(values)) / calls

    calls = float(weights @ np.array([row.calls for row in rows]))
    fresh = mean([row.computed - row.missed for row in rows])
    output, reading = mean([row.output for row in rows]), mean([row.read for row in rows])
    again = own * (1 + _ATTENTION * mean([row.prompt for row in rows]))
    together = mean([row.calls * row.batch / row.reserved for row in rows])

    def seconds(stretch: float) -> float:
        missed = again * _LRU * (1 - 1 / stretch)
        batch = max(together * stretch, 1.0)
        return prefill * (fresh + missed) + step * output / batch + read * reading

    best = min(map(seconds, _STRETCHES))
    return next(one for one in _STRETCHES if seconds(one) <= _SLACK * best)
