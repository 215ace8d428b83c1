"""Every value of every option of every game changes a match: what is asked, known or decided.

Random players answer each request by its name, so that two matches differ only where their options
make a difference. Matches of many scripts and seeds are tried until one differs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from itertools import combinations
from random import Random
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from arena.core.actions import Action
from arena.core.events import MatchStarted
from arena.core.game import Game, SelfContained
from arena.core.observation import Observation, observe
from arena.core.options import GameOptions
from arena.core.playouts.playout import play_out
from arena.core.requests import DecisionRequest
from arena.core.transitions import MatchSetup
from arena.games.game_registry import all_games
from arena.players.prompts import header
from scripts_mm.catalog import find_script, list_bundled
from scripts_mm.script import Script, ScriptError, Truth
from tests.arena.games.cases import SHORT, case_of
from tests.arena.games.mirage.scenes import table_case
from tests.arena.games.questum.scenes import SIX, crime
from tests.table import NAMES, hostile, legal

SEEDS = 60
NUMBERS: Mapping[str, tuple[int | None, ...]] = {
    "attempts": (1, 2, 3),
    "ballots": (1, 2),
    "forced_investigations": (0, 1),
    "max_chars": (10, 4000),
    "max_faults": (None, 0, 2),
    "questions": (1, 2),
    "revotes": (1, 2),
    "rounds": (1, 2),
    "rounds_after": (0, 1, 2),
    "rounds_before": (0, 1, 2),
    "speech_words": (80, 250),
    "talk_chars": (50, 100),
    "talk_turns": (1, 2),
}
ONLY_TOLD = {"speech_words", "talk_chars"}
"""Options that change no rule, only what seats are asked to do."""
NEEDED: Mapping[str, Mapping[str, object]] = {
    "base": {"quorum": "half"},
    "tie": {"quorum": "plurality"},
    "revotes": {"tie": "revote", "quorum": "plurality"},
    "revote_then": {"tie": "revote", "quorum": "plurality"},
    "match_rule": {"quorum": "plurality"},
    "per": {"targets": "all"},
    "rounds_in": {"rounds": 2},
    "accusers_vote": {"self_vote": True},
    "order": {"rounds": 2},
    "max_faults": {"attempts": 1},
}
"""Options without which an option has no meaning."""
NEEDED_IN: Mapping[tuple[str, str], Mapping[str, object]] = {
    ("thinkthrice", "tie"): {"ballots": 1},
    ("thinkthrice", "revotes"): {"ballots": 1, "tie": "revote"},
    ("thinkthrice", "revote_then"): {"ballots": 1, "tie": "revote"},
}
"""The same for one game alone."""
NO_EFFECT: Mapping[tuple[str, str], tuple[tuple[object, object], ...]] = {
    ("reading", "order"): (("script", "rotated"),),
    ("reading", "option_order"): (("votes", "shuffled"),),
    ("questum", "per"): (("victim", "target"),),
    ("werewolf5", "pictures"): (
        ("image", "ocr"),
        ("image", "caption"),
        ("image", "none"),
        ("ocr", "caption"),
        ("ocr", "none"),
        ("caption", "none"),
    ),
}
"""Values between which no match differs. A reading asks one round, and offers options in its votes
alone; a game without clues shows no pictures; questions to all targets are about each victim and to
each target under either name."""
THREE_MURDERS = crime(SIX, Otto=("Ada",), Pia=("Bram",), Quin=("Cleo",))
MORE_SCRIPTS: Mapping[str, tuple[Script, ...]] = {
    "mirage": (replace(table_case(), truth=Truth(culprits=NAMES[:2])),),
    "questum": (THREE_MURDERS,),
    "reading": (THREE_MURDERS,),
}
"""By game: scripts with what the bundled ones lack, several murders and murderers."""
Trace = tuple[object, ...]


def values_of(game: Game, name: str) -> tuple[Any, ...]:
    """Return the values of an option that are tried."""
    hint = get_type_hints(game.options)[name]
    if get_origin(hint) is Literal:
        return get_args(hint)
    return (False, True) if hint is bool else NUMBERS[name]


@cache
def bundled() -> tuple[Script, ...]:
    return tuple(find_script(entry.id, "en").script for entry in list_bundled())


def scenes(game: Game) -> Iterator[tuple[Script, int]]:
    """Yield scripts and seeds of matches: all scripts at first, then small ones alone."""
    small = (case_of(game), *MORE_SCRIPTS.get(game.name, ()))
    library = () if isinstance(game, SelfContained) else bundled()
    yield from ((script, seed) for seed in range(2) for script in (*small, *library))
    yield from ((script, seed) for seed in range(2, SEEDS) for script in small)


def trace(game: Game, options: GameOptions, script: Script, seed: int, *, told: bool) -> Trace:
    """Return what happens in a match and what its seats know at the end, without the options.

    `told`: only what the seats are asked in words.
    """
    prompts: list[str] = []
    attempts: dict[str, int] = {}

    def decide(observation: Observation, request: DecisionRequest) -> Action:
        if told:
            asked = game.texts(observation).instruction(request)
            prompts.append(f"{header(observation)}{asked}")
        attempts[request.id] = attempts.get(request.id, 0) + 1
        chance = Random(f"{seed}/{request.id}/{attempts[request.id]}")
        is_faulty = seed % 2 and chance.random() < 0.5
        return (hostile(request, chance) if is_faulty else None) or legal(request, chance)

    try:
        state = play_out(game, MatchSetup(script=script, options=options, seed=seed), decide)
    except ScriptError as error:
        return (str(error),)
    if told:
        return tuple(prompts)
    seen = [observe(state, seat) for seat in state.started.seats]
    events = tuple(
        replace(event, options=GameOptions()) if isinstance(event, MatchStarted) else event
        for event in state.history
    )
    return (events, *((one.role, one.clues) for one in seen))


OPTIONS = [(game, one.name) for game in all_games() for one in fields(all_games()[game].options)]


@pytest.mark.slow
@pytest.mark.parametrize(("game_name", "name"), OPTIONS)
def test_every_value_of_an_option_changes_a_match(game_name: str, name: str) -> None:
    game = all_games()[game_name]
    needed = NEEDED_IN.get((game_name, name), NEEDED.get(name, {}))
    base = {**SHORT.get(game_name, {"rounds": 1}), **needed}
    values, same = values_of(game, name), {*NO_EFFECT.get((game_name, name), ())}
    left = {*combinations(values, 2)}
    assert left
    for script, seed in scenes(game):
        found = {
            value: trace(game, make(game, base, name, value), script, seed, told=name in ONLY_TOLD)
            for value in {value for pair in left for value in pair}
        }
        left = {(one, other) for one, other in left if found[one] == found[other]}
        if not left - same:
            break
    assert left == same, f"{game_name}: {name} makes no difference between these values"


def make(game: Game, base: Mapping[str, object], name: str, value: object) -> GameOptions:
    known = {one.name for one in fields(game.options)}
    values = {key: one for key, one in {**base, name: value}.items() if key in known}
    return game.options(**MappingProxyType(values))  # pyright: ignore[reportArgumentType]


def test_numbers_and_conditions_name_options_that_exist() -> None:
    known = {name for _, name in OPTIONS}
    assert NUMBERS.keys() | NEEDED.keys() | ONLY_TOLD <= known
    assert {*NEEDED_IN, *NO_EFFECT} <= {*OPTIONS}
