"""The bundled scripts and the published ones play, and every secret stays where it belongs."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena.core.observation import observe
from arena.core.playouts.playout import play_out
from arena.core.transitions import MatchSetup
from arena.games.questum.game import QUESTUM
from arena.games.questum.options import QuestumOptions
from arena.games.shared.script_stages import count_stages
from scripts_mm.catalog import find_script, list_bundled
from scripts_mm.importers.wellplay import import_wellplay
from scripts_mm.script import Language, Script
from tests.arena.games.questum.scenes import requests_of, results
from tests.table import hostile, legal

BUNDLED = [(entry.id, language) for entry in list_bundled() for language in entry.languages]


def check_match(script: Script, options: QuestumOptions, *, ill: bool = False) -> None:
    """Play a match to its end, and check the requests and what each seat may know."""
    chance = Random(1)
    given = MatchSetup(script=script, options=options, seed=1)
    state = play_out(
        QUESTUM, given, lambda _, one: (hostile(one, chance) if ill else None) or legal(one, chance)
    )
    assert state.ended is not None
    seats, victims = len(script.names), max(1, len(script.victims))
    if not ill:
        rounds = count_stages(script) * options.rounds
        assert len(requests_of(state)) == seats + 2 * seats * victims * rounds + seats * victims
    if state.ended.outcome != "forfeit":
        unsolvable = {one.victim for one in script.truth.killings if not one.culprits}
        assert {about for about, one in results(state).items() if one is None} == unsolvable
    for seat in state.started.seats:
        seen = repr(replace(observe(state, seat), role=None))
        others = (role.script for role in script.roles if role.name != seat)
        assert not any(text in seen for text in others)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "language"), BUNDLED)
def test_every_bundled_script_plays_in_every_language(name: str, language: Language) -> None:
    script = find_script(name, language).script
    check_match(script, QuestumOptions(rounds=1))
    check_match(script, QuestumOptions(rounds=1, snapshot="round"), ill=True)


def test_a_bundled_script_with_two_victims_has_two_votes() -> None:
    script = find_script("two-tides").script
    assert len(script.victims) == 2
    check_match(script, QuestumOptions())


def published() -> Iterator[Path]:
    """Yield the folders of the published scripts, where this machine has them."""
    root = os.environ.get("ARENA_SAMPLE_DATA", "")
    folder = Path(root, "wellplay")
    if root and folder.is_dir():
        yield from sorted(one for one in folder.glob("*/*") if one.is_dir())


@pytest.mark.slow
def test_every_published_script_plays() -> None:
    folders = list(published())
    if not folders:
        pytest.skip("ARENA_SAMPLE_DATA names no folder with wellplay")
    assert len(folders) > 10
    for folder in folders:
        check_match(import_wellplay(folder).script, QuestumOptions(rounds=1))
