"""Numbers as they are shown: rates, shares, times, and the sums that they come from."""

from dataclasses import dataclass

from arena.models.chat import Completion, Label

NOT_TOLD = "-"
"""Stands where no server told the number, or where nothing was counted."""
_MINUTE = 60
_HOUR = 3600


@dataclass(slots=True, kw_only=True)
class Tally:
    """What model calls cost so far."""

    turns: int = 0
    """Asks that a model has answered at least once."""
    readings: int = 0
    """Pictures that were read for a seat's notes: no turns."""
    summaries: int = 0
    """Texts that were made shorter: no turns."""
    prompt_tokens: int = 0
    told_tokens: int = 0
    """Prompt tokens of the calls whose server told how many were cached."""
    cached_tokens: int = 0
    output_tokens: int = 0

    def add(self, label: Label, completion: Completion) -> None:
        """Count a call."""
        self.turns += label.part == "answer" and label.attempt == 1
        self.readings += label.part == "reading"
        self.summaries += label.part == "summary"
        self.prompt_tokens += completion.prompt_tokens
        self.output_tokens += completion.output_tokens
        if completion.cached_tokens is not None:
            self.told_tokens += completion.prompt_tokens
            self.cached_tokens += completion.cached_tokens

    @property
    def hit_rate(self) -> str:
        """The cached share of the prompt tokens, as far as servers tell."""
        return percent(self.cached_tokens, self.told_tokens)


def percent(part: int, whole: int) -> str:
    """Return a share with one decimal, rounded half up on the decimal value (METRICS)."""
    if whole <= 0:
        return NOT_TOLD
    tenths = (2000 * part + whole) // (2 * whole)
    return f"{tenths // 10}.{tenths % 10} %"


def per_second(n: float, seconds: float) -> str:
    """Return a rate in three digits or so."""
    if seconds <= 0:
        return NOT_TOLD
    rate = n / seconds
    digits = 2 if rate < 10 else 1 if rate < 100 else 0  # noqa: PLR2004 - three digits
    return f"{rate:,.{digits}f}"


def span(seconds: float) -> str:
    """Return a time as a person says it: `8.2 s`, `3 min 05 s`, `2 h 07 min`."""
    if round(seconds, 1) < _MINUTE:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE:02} s"
    return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE:02} min"


def short(n: int) -> str:
    """Return a count in a few characters: `812`, `8.1k`, `2.4M`."""
    for size, letter in ((10**6, "M"), (10**3, "k")):
        if n >= size:
            return f"{n / size:.1f}{letter}"
    return str(n)
