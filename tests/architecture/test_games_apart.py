"""Outside `arena/games` nothing names a game's request kind, phase or own option."""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from random import Random

import pytest

from arena.core.events import PhaseStarted, RequestsOpened
from arena.core.game import Game
from arena.core.options import GameOptions
from arena.core.playouts.playout import play_out
from arena.core.transitions import MatchSetup
from arena.games.game_registry import all_games
from tests.arena.games.cases import case_of
from tests.table import legal

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
APART = ROOT / "arena" / "games"
SUITES = ROOT / "arena" / "tournament" / "suites"
"""Choices of a game and its options, not words for screens."""
VOCABULARY = ROOT / "arena" / "core" / "purposes.py"
"""The platform's own words for what requests are for; games may use the same ones."""
_NAME_OF_VALUE = re.compile(r"(\w+)=")
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("arena/core/voting.py", "tie"): "a field of the platform's own vote rule, in its docstrings",
    ("arena/players/hybrid/powers.py", "possessed"): "a secret role, as in `SeatPart.power`",
    ("eval/export/parquet_tables.py", "utterances"): "a table of everything that was said",
}
"""(file, word): why the word has another meaning there."""


def played(game: Game) -> tuple[set[str], set[str]]:
    """Return the request kinds and phases that occur where each option takes each of its values."""
    kinds: set[str] = set()
    phases: set[str] = set()
    for options in variations(game):
        chance = Random(1)
        setup = MatchSetup(script=case_of(game), options=options, seed=1)
        state = play_out(game, setup, lambda _, one, chance=chance: legal(one, chance))
        for event in state.history:
            if isinstance(event, PhaseStarted):
                phases |= {event.phase, event.step} - {""}
            elif isinstance(event, RequestsOpened):
                kinds |= {one.kind for one in event.requests}
    return kinds, phases


def variations(game: Game) -> Iterator[GameOptions]:
    """Yield options of every preset, and the default with each closed choice changed."""
    for values in game.presets.values():
        yield game.options(**dict(values))  # pyright: ignore[reportArgumentType]
    for name, hint in game.options.__annotations__.items():
        for value in getattr(hint, "__args__", ()):
            try:
                yield game.options(**{name: value})  # pyright: ignore[reportArgumentType]
            except ValueError:
                continue


def own_options(game: Game) -> set[str]:
    """Return the options that only this game has."""
    base = {one.name for one in fields(GameOptions)}
    return {one.name for one in fields(game.options)} - base


@cache
def words() -> dict[str, str]:
    """Return every word of a game, and what it is there; all games are played for it."""
    found: dict[str, str] = {}
    for game in all_games().values():
        kinds, phases = played(game)
        found |= dict.fromkeys(own_options(game), "option")
        found |= dict.fromkeys(phases, "phase")
        found |= dict.fromkeys(kinds, "request kind")
    return found


OPTIONS = {word for game in all_games().values() for word in own_options(game)}


def modules() -> list[Path]:
    """Return the modules that must work for every game."""
    everything = [*(ROOT / "arena").rglob("*.py"), *(ROOT / "eval").rglob("*.py")]
    return sorted(path for path in everything if APART not in path.parents and path != VOCABULARY)


def named(path: Path) -> Iterator[tuple[str, int, str]]:
    """Yield the game's words in a module: as a string, and as an attribute of options."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            # An option may also be written with its value, as `rounds=5`.
            for word in {node.value, *_NAME_OF_VALUE.findall(node.value)} & set(words()):
                yield word, node.lineno, f"string with a game's {words()[word]}"
        elif isinstance(node, ast.Attribute) and node.attr in OPTIONS and _of_options(node.value):
            yield node.attr, node.lineno, "attribute for a game's own option"


def _of_options(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return str(name).endswith("options")


def test_the_words_of_the_games_are_found() -> None:
    assert {"introduce", "speak", "share_and_ask", "ask", "answer", "conclude", "vote"} <= set(
        words()
    )
    assert {"introduction", "clues", "discussion", "reasoning", "voting"} <= set(words())
    assert {"rounds", "electorate", "self_vote", "revote_then"} <= OPTIONS
    assert not {"order", "pictures", "attempts"} & set(words()), (
        "options of all games are no secret"
    )


def test_no_module_outside_the_games_names_a_word_of_a_game() -> None:
    found = [
        f"{place}:{line}: {word!r} is a {why}"
        for path in modules()
        for place in [path.relative_to(ROOT).as_posix()]
        for word, line, why in named(path)
        if (place, word) not in EXCEPTIONS
    ]
    assert not found, "\n".join(found)


def test_no_text_file_outside_the_games_has_a_key_of_a_game() -> None:
    """Words on screens and in prompts for a kind, phase or option belong to the game's texts."""
    found: list[str] = []
    for path in sorted((ROOT / "arena").rglob("*.toml")):
        place = path.relative_to(ROOT).as_posix()
        if APART in path.parents or SUITES in path.parents:
            continue
        tables: dict[str, dict[str, str]] = tomllib.loads(path.read_text(encoding="utf-8"))
        keys = {key for table in tables.values() for key in table}
        found += [
            f"{place}: {key}" for key in keys & set(words()) if (place, key) not in EXCEPTIONS
        ]
    assert not found, "\n".join(found)


def test_every_exception_is_still_needed() -> None:
    for place, word in EXCEPTIONS:
        path = ROOT / place
        text = {one for one, _, _ in named(path)} if path.suffix == ".py" else path.read_text()
        assert word in text, f"{place} no longer names {word!r}"
