"""What the model of a `mirage` seat says in these tests."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from arena.core.state import MatchState
from arena.models.chat import JsonConstraint, Request, VariantConstraint
from scripts_mm.script import Language
from tests.arena.games.mirage.scenes import case, start
from tests.arena.players.bad_texts import BAD_TEXTS
from tests.arena.players.scripted_replies import Seat, seat

SECRET = "THOUGHT: I must hide the knife."
every_bad = pytest.mark.parametrize("text", BAD_TEXTS.values(), ids=BAD_TEXTS)
in_both = pytest.mark.parametrize("language", ["en", "zh"])


def thinking(request: Request) -> str | None:
    """Return a legal reply whose thought is a secret, where a thought is asked for."""
    match request.constraint:
        case JsonConstraint(fields=fields):
            found = fields
        case VariantConstraint(variants=variants):
            found = variants[0].fields
        case _:
            return None
    values = {
        one.name: SECRET if one.name == "thought" else one.options[0] if one.options else "Words."
        for one in found
    }
    return json.dumps(values, ensure_ascii=False)


def one_seat(
    voice: Callable[[Request], str | None] = thinking, options: str = "", **limits: Any
) -> Seat:
    return seat("Ada", f"mirage:{options}" if options else "mirage", voice, **limits)


def match(language: Language = "en", **options: Any) -> MatchState:
    return start(case(language=language), **options)
