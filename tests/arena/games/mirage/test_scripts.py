"""Which scripts can be played, bundled and published ones among them."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.core.events import ClueRevealed, StageStarted
from arena.core.transitions import start_match
from arena.games.mirage.game import MIRAGE
from arena.games.shared.script_stages import count_stages
from scripts_mm.catalog import find_script, list_bundled
from scripts_mm.importers.mirage import import_mirage
from scripts_mm.script import Clue, Language, Script, ScriptError, Truth
from tests.arena.games.mirage.scenes import (
    case,
    events_of,
    finds,
    finish,
    setup,
    start,
)

BUNDLED = [(one.id, language) for one in list_bundled() for language in one.languages]
WITH_PLACES = {"quiet-harvest", "six-bowls", "white-season"}
STAGES = {"six-bowls": 6, "white-season": 2}
"""The stages of the bundled scripts that have more than one."""


def published() -> list[Path]:
    root = Path(os.environ.get("ARENA_SAMPLE_DATA", "none"), "mirage", "dataset")
    return sorted(one for one in root.glob("*/*") if one.is_dir())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "language"), BUNDLED)
def test_bundled_scripts_with_places_are_played_and_others_refused(
    name: str, language: Language
) -> None:
    script = find_script(name, language).script
    if name not in WITH_PLACES:
        with pytest.raises(ScriptError, match=rf"{name}.*none of them at a place.*clues to find"):
            start_match(MIRAGE, setup(script))
        return
    state = finish(setup(script, rounds=2, raters="observer"))
    assert state.ended is not None
    assert state.ended.outcome in {"civ_win", "murderer_win"}
    assert [one for one in events_of(state, ClueRevealed) if one.cause == "found"]
    assert len(events_of(state, StageStarted)) == STAGES.get(name, 0)


def test_the_document_that_a_refusal_names_lists_the_bundled_scripts_with_places() -> None:
    with pytest.raises(ScriptError, match=r"docs/games.md names the bundled scripts"):
        start(case(clues=()))
    document = (Path(__file__).parents[4] / "docs" / "games.md").read_text("utf-8")
    listed = document.partition("of the bundled scripts, it plays\n")[2].partition(".")[0]
    assert set(re.findall(r"`(.+?)`", listed)) == WITH_PLACES


def test_a_script_without_a_playable_culprit_is_refused_with_the_way_out() -> None:
    nobody = replace(case(), truth=Truth(culprits=()))
    with pytest.raises(ScriptError, match=r"'quay' names no role as culprit.*--culprits FILE"):
        start(nobody)
    stranger = replace(case(), truth=Truth(culprits=("Zoe",), not_playable=("Zoe",)))
    with pytest.raises(ScriptError, match=r"culprits: Zoe"):
        start(stranger)


def test_a_script_of_culprits_alone_is_refused() -> None:
    with pytest.raises(ScriptError, match=r"a role on each side"):
        start(case(2, culprits=("Ada", "Bram")))


@pytest.mark.parametrize(
    "clues",
    [
        (),
        (Clue(id="a", title="a", text="x", owner="Ada", place="shed"),),
        (Clue(id="a", title="a", text="x", owner="Ada", place="shed", trigger="boat"),),
        (Clue(id="a", title="a", text="x", trigger="boat"),),
    ],
)
def test_clues_that_nobody_can_find_make_no_game(clues: tuple[Clue, ...]) -> None:
    with pytest.raises(ScriptError, match=r"none of them at a place"):
        start(case(clues=clues))
    assert start(case(clues=(*clues, *(one for one in finds("mill", 1) if one not in clues))))


@pytest.mark.slow
@pytest.mark.skipif(not published(), reason="ARENA_SAMPLE_DATA names no folder of MIRAGE scripts")
@pytest.mark.parametrize("folder", published(), ids=lambda one: one.name)
def test_published_scripts_are_played_once_their_culprits_are_named(folder: Path) -> None:
    imported = import_mirage(folder).script
    with pytest.raises(ScriptError, match=r"--culprits FILE"):
        start(imported)
    script: Script = replace(imported, truth=replace(imported.truth, culprits=imported.names[:1]))
    state = finish(setup(script, rounds=2, raters="none"))
    assert state.ended is not None
    stages = count_stages(script)
    assert len(events_of(state, StageStarted)) == (stages if stages > 1 else 0)
    found = [one for one in events_of(state, ClueRevealed) if one.cause == "found"]
    assert found
    assert all(one.finder not in one.place for one in found if one.finder)
