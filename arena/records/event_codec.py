"""Events as JSON lines."""

import json
from dataclasses import replace
from functools import cache
from typing import Annotated, Final

from pydantic import Field

from arena.core.events import Event, MatchStarted
from arena.core.game import Game
from arena.core.options import GameOptions
from arena.errors import ConfigError, RecordError
from arena.games.game_registry import all_games, find_game
from arena.records.record_schema import JsonCodec, add_schema, load_object, remove_schema

_EVENT: Final = JsonCodec[Event](Annotated[Event, Field(discriminator="kind")], "an event")
_STARTED: Final = "match_started"


def encode_event(event: Event) -> str:
    """Return `event` as one line of JSON."""
    if not isinstance(event, MatchStarted):
        return _EVENT.encode(event)
    # The union knows only those option fields that all games have.
    found = load_object(_EVENT.dump(event))
    found["options"] = load_object(dump_options(event.options))
    if not event.rotation:
        # Keeps the lines of records equal that were written before rotations existed.
        del found["rotation"]
    return add_schema(json.dumps(found, ensure_ascii=False, separators=(",", ":")))


def decode_event(line: str) -> Event:
    """Return the event of one line, or raise `RecordError`."""
    text = remove_schema(line)
    if _STARTED not in text:
        return _EVENT.load(text)
    found = load_object(text)
    if found.get("kind") != _STARTED:
        return _EVENT.load(text)
    options = load_options(str(found.get("game")), json.dumps(found.pop("options", None)))
    event = _EVENT.load(json.dumps({**found, "options": {}}))
    assert isinstance(event, MatchStarted)
    return replace(event, options=options)


def find_recorded_game(name: str) -> Game:
    """Return the game of a record, or raise `RecordError` if it is not installed."""
    try:
        return find_game(name)
    except ConfigError as error:
        there = ", ".join(all_games())
        raise RecordError(
            f"game {name[:80]!r} of this record is not installed; install its package (installed: "
            f"{there})"
        ) from error


def dump_options(options: GameOptions) -> str:
    """Return the options of a game as JSON."""
    return _options_codec(type(options)).dump(options)


def load_options(game: str, text: str) -> GameOptions:
    """Return the options of a game from JSON, or raise `RecordError`."""
    return _options_codec(find_recorded_game(game).options).load(text)


@cache
def _options_codec(options: type[GameOptions]) -> JsonCodec[GameOptions]:
    return JsonCodec(options, "the options of a game")
