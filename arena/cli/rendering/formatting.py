"""Display format of numbers: rates, shares, durations, counts."""

UNKNOWN = "-"
"""Shown if no server reports the number, or if nothing was counted."""
_MINUTE = 60
_HOUR = 3600


def format_percent(part: int, whole: int) -> str:
    """Return a share with one decimal, rounded half up on the decimal value."""
    if whole <= 0:
        return UNKNOWN
    tenths = (2000 * part + whole) // (2 * whole)
    return f"{tenths // 10}.{tenths % 10} %"


def format_rate(n: float, seconds: float) -> str:
    """Return a rate in about three digits."""
    if seconds <= 0:
        return UNKNOWN
    rate = n / seconds
    digits = 2 if rate < 10 else 1 if rate < 100 else 0  # noqa: PLR2004 - three digits
    return f"{rate:,.{digits}f}"


def format_duration(seconds: float) -> str:
    """Return a duration for people: `8.2 s`, `3 min 05 s`, `2 h 07 min`."""
    if round(seconds, 1) < _MINUTE:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE:02} s"
    return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE:02} min"


def format_count(n: int) -> str:
    """Return a count in a few characters: `812`, `8.1k`, `2.4M`."""
    for size, letter in ((10**6, "M"), (10**3, "k")):
        if n >= size:
            return f"{n / size:.1f}{letter}"
    return str(n)


def format_plural(n: int, one: str, many: str = "") -> str:
    """Return `n` with an English noun: `1 script`, `2,000 scripts`; `many`: irregular plural."""
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"
