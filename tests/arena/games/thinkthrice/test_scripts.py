"""Real scripts: every bundled one, and the published ones where this machine has them."""

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.core.events import ClueRevealed, StageStarted
from arena.core.state import MatchState
from arena.games.shared.script_stages import count_stages
from scripts_mm.catalog import find_script, list_bundled
from scripts_mm.importers.import_batch import read_batch
from scripts_mm.script import LANGUAGES, Language, Script, ScriptError
from tests.arena.games.thinkthrice.scenes import requests, start
from tests.arena.games.whodunit.scenes import events_of
from tests.table import legal, play

pytestmark = pytest.mark.slow

IDS = tuple(entry.id for entry in list_bundled())


def played(script: Script, **options: Any) -> MatchState:
    """Return a whole match with legal answers."""
    chance = Random(2)
    return play(start(script=script, **options), lambda request: legal(request, chance))


def check(script: Script) -> bool:
    """Play a script in both ways of reading it, or see that it is refused for its reason."""
    seats, murderers = len(script.names), len(script.murderers)
    if not 3 <= seats <= 10 or murderers != 1:
        wrong = "roles; thinkthrice is" if not 3 <= seats <= 10 else f"has {murderers} murderers"
        with pytest.raises(ScriptError, match=wrong) as refused:
            start(script=script)
        assert repr(script.id) in str(refused.value)
        return False
    for stages in ("whole", "apart"):
        state = played(script, stages=stages)
        assert state.ended is not None
        assert len(requests(state)) == 2 * seats**2 + 19 * seats
        shown = [event.clue for event in events_of(state, ClueRevealed)]
        assert sorted(shown) == sorted(clue.id for clue in script.clues)
        parts = count_stages(script) if stages == "apart" else 1
        begun = [event.stage for event in events_of(state, StageStarted)]
        assert begun == (list(range(1, parts + 1)) if parts > 1 else [])
    return True


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", IDS)
def test_every_bundled_script_plays_or_is_refused_for_its_reason(
    name: str, language: Language
) -> None:
    assert check(find_script(name, language).script) is (name not in {"two-tides", "homing-hour"})


def test_every_published_script_plays_or_is_refused_for_its_reason() -> None:
    root = os.environ.get("ARENA_SAMPLE_DATA", "")
    if not root or not Path(root).is_dir():
        pytest.skip("ARENA_SAMPLE_DATA names no folder of published scripts")
    plays = [check(came.script) for came in read_batch(Path(root)).imported]
    assert (sum(plays), len(plays)) == (18, 34)
