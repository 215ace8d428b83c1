"""Voices of a seat that plays `questum`, and matches of the game of that name."""

from collections.abc import Mapping
from typing import Any

from arena.core.state import MatchState
from arena.models.chat import Request
from tests.arena.games.questum.scenes import FOUR, crime, start
from tests.arena.players.scripted_replies import (
    Seat,
    Voice,
    form,
    name_of,
    seat,
)

NAMES = ("Ada", "Bram", "Cleo", "Dirk")
OTHERS = NAMES[1:]


def reading(choice: str, reason: str = "Because of the key.") -> str:
    """Return the reply of a sensor."""
    return form(reason=reason, choice=choice)


def keep(*names: str) -> str:
    """Return the reply with the names that stay on the list."""
    return form(suspicion=", ".join(names))


def steady(replies: Mapping[str, str] | None = None) -> Voice:
    """Return a voice that never shortens a list, but for `replies` by the beginning of a name."""
    known = dict(replies or {})

    def say(request: Request) -> str | None:
        name = name_of(request)
        named = [key for key in known if name.startswith(key)]
        if named:
            return known[max(named, key=len)]
        return keep(*NAMES) if name == "list/choose" else None

    return say


def ada(options: str = "", say: Voice | None = None, **limits: Any) -> Seat:
    """Return Ada, who plays `questum`; by default she asks nobody at random."""
    options = options or "epsilon=0"
    return seat("Ada", f"questum:{options}", say or steady(), **limits)


def innocent(**options: Any) -> MatchState:
    """Return a match in which Bram killed Otto, and seats speak in the order of the script."""
    return start(crime(FOUR, Otto=("Bram",)), order="script", **options)


def guilty(**options: Any) -> MatchState:
    """Return a match in which Ada killed Otto."""
    return start(crime(FOUR, Otto=("Ada",)), order="script", **options)
