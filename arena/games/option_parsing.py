"""Parsing of game options from user input."""

from collections.abc import Mapping
from difflib import get_close_matches

from pydantic import TypeAdapter, ValidationError

from arena.core.game import Game
from arena.core.options import GameOptions, option_choices
from arena.errors import ConfigError

_ALIASES = {"self": "self_vote"}
_OR_NONE = "or none"
"""Suffix of the choices of an option that can be none."""


def read_options(game: Game, preset: str, written: Mapping[str, object]) -> GameOptions:
    """Return the options of `preset`, overridden by `written`, or raise `ConfigError`."""
    if preset not in game.presets:
        raise ConfigError(
            f"game {game.name!r} has no preset {preset!r}; there are: {', '.join(game.presets)}"
        )
    legal = option_choices(game.options)
    values: dict[str, object] = dict(game.presets[preset])
    for alias, text in written.items():
        name = alias if alias in legal else _ALIASES.get(alias, alias)
        if name not in legal:
            near = get_close_matches(name, legal, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise ConfigError(
                f"game {game.name!r} has no option {alias!r}{hint}; there are: {', '.join(legal)}"
            )
        values[name] = None if text == "none" and legal[name].endswith(_OR_NONE) else text
    try:
        return TypeAdapter(game.options).validate_python(values)
    except ValidationError as error:
        raise ConfigError(_explain(error, legal)) from error


def _explain(error: ValidationError, legal: Mapping[str, str]) -> str:
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    if not name:
        return str(first["msg"]).removeprefix("Value error, ")
    return f"option {name!r} must be {legal[name]}, got {first['input']!r}"
