"""Where the trace of a benchmark comes from: a file, a run's folder, or words for its shape."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from arena.bench.recorded import trace_of
from arena.bench.synthetic import SMALL, Shape, synthetic_trace
from arena.bench.trace import Trace, load_trace
from arena.core.options import option_choices
from arena.errors import ConfigError
from arena.games.registry import DEFAULT, find_game

SYNTHETIC = "synthetic:"
QUICK = Shape(
    scripts=6,
    matches=36,
    seats=4,
    script_tokens=8000,
    preset="short",
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

    Raises `ConfigError` or `RecordError` where there is none.
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
    """Return the reference shape with what `words` change: of the shape, or of the game's options.

    Another game starts with its own options, and not with those of the reference.
    """
    written: dict[str, str] = {}
    for word in filter(None, words.split(",")):
        name, _, value = word.partition("=")
        written[name] = value
    names = {one.name for one in fields(Shape)} - {"options"}
    changes = {name: _read(name, text) for name, text in written.items() if name in names}
    game = find_game(written.get("game", DEFAULT))
    options = [Shape().options] if game.name == DEFAULT else []
    for name, text in written.items():
        if name in names:
            continue
        if name not in option_choices(game.options):
            raise ConfigError(
                f"a shape has no {name!r}; it has: {', '.join(sorted(names))}, and the options of "
                f"game {game.name!r}"
            )
        options.append(f"{name}={text}")
    return replace(Shape(), **changes, options=",".join(options))


def _read(name: str, text: str) -> Any:
    default: Any = getattr(Shape(), name)
    try:
        return text == "true" if isinstance(default, bool) else type(default)(text)
    except ValueError as error:
        kind = type(default).__name__
        raise ConfigError(f"{name!r} of a shape is a {kind}, got {text!r}") from error
