"""Where the trace of a benchmark comes from: a file, a run's folder, or words for its shape."""

from dataclasses import fields, replace
from pathlib import Path

from arena.bench.recorded import trace_of
from arena.bench.synthetic import SMALL, Shape, synthetic_trace
from arena.bench.trace import Trace, load_trace
from arena.errors import ConfigError

SYNTHETIC = "synthetic:"
QUICK = Shape(
    scripts=6,
    matches=36,
    seats=4,
    script_tokens=8000,
    rounds=1,
    pictures=5,
    picture_tokens=700,
    output=100,
)
"""With `QUICK_KV_TOKENS` of cache about a dozen matches fit where they share scripts."""
QUICK_KV_TOKENS = 400_000
SIMULATED = Shape(scripts=8, matches=64)
"""For an H200: contexts of 15k to 20k tokens, three times as many as its cache holds."""
SERVED = SMALL
"""For a real server of which nothing is known; it may be a CPU."""


def trace_from(words: str) -> Trace:
    """Return the trace in a file, of a run's folder, or of `synthetic:matches=64,scripts=8,...`.

    Raises `ConfigError` or `StoreError` where there is none.
    """
    if words.startswith(SYNTHETIC):
        return synthetic_trace(_shape(words.removeprefix(SYNTHETIC)))
    path = Path(words)
    if path.is_dir():
        return trace_of(path)
    if not path.exists():
        raise ConfigError(
            f"no trace {words!r}; wanted a file, a run's folder or {SYNTHETIC}matches=64,scripts=8"
        )
    return load_trace(path)


def _shape(words: str) -> Shape:
    """Return the reference shape with what `words` change."""
    kinds: dict[str, type[bool | int | float | str]] = {
        one.name: type(getattr(Shape(), one.name)) for one in fields(Shape)
    }
    changes: dict[str, bool | int | float | str] = {}
    for word in filter(None, words.split(",")):
        name, _, value = word.partition("=")
        if name not in kinds:
            raise ConfigError(f"a shape has no {name!r}; it has: {', '.join(kinds)}")
        try:
            changes[name] = value == "true" if kinds[name] is bool else kinds[name](value)
        except ValueError as error:
            raise ConfigError(
                f"{name!r} of a shape is a {kinds[name].__name__}, got {value!r}"
            ) from error
    try:
        return replace(Shape(), **changes)
    except ValueError as error:
        raise ConfigError(str(error)) from error
