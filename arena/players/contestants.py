"""Contestants: model and player of a faction, written as `MODEL[+PLAYER][:options]`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from arena.errors import ConfigError
from arena.players.player_registry import all_players, players_without_model

_URL = re.compile(r"https?://", re.IGNORECASE)
_HUB = "hf:"
"""Prefix of models from the Hugging Face Hub: `hf:ORG/NAME`."""
_NAMELESS_URL = re.compile(r"[^#+]*\+[\w-]*:[^#]*=")
"""A URL without `#name` whose player has options; a later `#` belongs to an option's value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """A model and the player that uses it; `model` is None if the player needs none."""

    name: str
    """As written by the user."""
    model: str | None
    """A profile, an alias, an endpoint's name, `hf:ORG/NAME`, or a URL with `#served-name`."""
    player: str
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def read_contestant(text: str) -> Contestant:
    """Return the contestant that `text` names, or raise `ConfigError`.

    The first `+` (in a URL: after `#name`) and the first `:` after it are separators; option values
    can contain `+`, `:` and `#`.
    """
    text = text.strip()
    if not text:
        raise ConfigError("a contestant is needed, as 'qwen', 'qwen+cot' or 'naive'; got nothing")
    if _URL.match(text):
        has_name = _NAMELESS_URL.match(text) is None
        head, mark, rest = text.partition("#") if has_name else (text, "", "")
        model, plus, tail = (rest if mark else head).partition("+")
        model = f"{head}#{model}" if mark else model
    else:
        model, plus, tail = text.partition("+")
        if not plus and not text.startswith(_HUB):
            return _read_without_plus(text)
        if not plus:
            hub_id, mark, tail = text.removeprefix(_HUB).partition(":")
            model, plus, tail = f"{_HUB}{hub_id}", mark, f":{tail}"
    if not model:
        raise ConfigError(f"contestant {text!r} needs a model before its '+'")
    player, _, options = tail.partition(":") if plus else ("direct", "", "")
    if model in players_without_model():
        raise ConfigError(
            f"player {model!r} takes no model and no method; got {text!r}, write {model!r} or "
            f"'MODEL+{player}'"
        )
    return Contestant(
        name=text, model=model, player=player or "direct", options=_read_options(text, options)
    )


def _read_without_plus(text: str) -> Contestant:
    name, _, options = text.partition(":")
    kind = all_players().get(name)
    alone = kind is not None and not kind.needs_model
    return Contestant(
        name=text,
        model=None if alone else name,
        player=name if alone else "direct",
        options=_read_options(text, options),
    )


def _read_options(text: str, written: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for part in filter(None, written.split(",")):
        key, mark, value = part.partition("=")
        if key in found:
            raise ConfigError(f"contestant {text!r} gives option {key!r} twice")
        found[key.strip()] = value.strip() if mark else "yes"
    return MappingProxyType(found)
