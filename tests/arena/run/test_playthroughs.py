"""Golden playthroughs: a script played with a fixed seed gives the same bytes for ever.

After a change that is meant: ARENA_WRITE_GOLDEN=1 writes them anew; read the difference.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from arena.games.game_registry import all_games, find_game
from arena.run.run_scripts import load_scripts
from scripts_mm.catalog import list_bundled
from scripts_mm.script import LANGUAGES, Language
from tests.arena.run.stage import config, start

FOLDER = Path(__file__).with_name("playthroughs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Playthrough:
    """One match: its script, options and players."""

    game: str
    name: str
    language: Language
    script: str = ""
    """Empty: the game makes its own."""
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    murderer: str = "random"

    @property
    def file(self) -> str:
        """The name of its file."""
        return "-".join(filter(None, (self.game, self.script, self.language, self.name))) + ".jsonl"


ROUNDS = {"rounds": "2", "speech_words": "250"}
WIDE = {"answers": "batched", "introductions": "together", "order": "shuffled"}
SHORT_THINKTHRICE = {"rounds_before": "1", "rounds_after": "1", "ballots": "2"}
OTHERS: tuple[tuple[str, str, str, Mapping[str, str]], ...] = (
    ("whodunit", "white-season", "stages", {"stages": "apart", "rounds": "1"}),
    ("whodunit", "six-bowls", "stages", {"stages": "apart", "rounds": "1"}),
    ("mirage", "white-season", "default", {"rounds": "1"}),
    ("mirage", "quiet-harvest", "paper", {"rounds": "2", "duties": "separate", "raters": "none"}),
    ("mirage", "quiet-harvest", "observer", {"rounds": "1", "raters": "observer"}),
    ("questum", "two-tides", "default", {"rounds": "1"}),
    ("questum", "last-tram", "snapshot", {"rounds": "2", "snapshot": "round"}),
    ("thinkthrice", "last-tram", "default", SHORT_THINKTHRICE),
    ("thinkthrice", "glass-loft", "dealt", {**SHORT_THINKTHRICE, "cards": "dealt"}),
    ("werewolf5", "", "first-day", {"talk_turns": "3"}),
    ("werewolf5", "", "whole", {"talk_turns": "3", "days": "whole"}),
    ("reading", "last-tram", "personal", {}),
    ("reading", "two-tides", "omniscient", {"knowledge": "scripts"}),
    ("reading", "last-tram", "clues-given", {"knowledge": "key_clues", "conclusions": "yes"}),
)
PLAYED = (
    *(
        Playthrough(
            game="whodunit",
            script=entry.id,
            language=language,
            name=name,
            options={**options, **ROUNDS},
            murderer="naive",
        )
        for entry in list_bundled()
        for language in entry.languages
        for name, options in (("default", {}), ("wide", WIDE))
    ),
    *(
        Playthrough(game=game, script=script, language=language, name=name, options=options)
        for game, script, name, options in OTHERS
        for language in LANGUAGES
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("match", PLAYED, ids=lambda match: match.file)
def test_a_match_plays_as_it_always_did(tmp_path: Path, match: Playthrough) -> None:
    game = find_game(match.game)
    [loaded] = load_scripts(game, [match.script] if match.script else [], match.language)
    wanted = config(
        loaded, "random", match.murderer, game=match.game, seed=3, options=match.options
    )
    played = start(wanted, loaded, tmp_path / "run")
    [record] = played.run.matches()
    events = (record.path / "events.jsonl").read_text("utf-8")
    golden = FOLDER / match.file
    if os.environ.get("ARENA_WRITE_GOLDEN"):
        golden.write_text(events, "utf-8")
    assert events.splitlines() == golden.read_text("utf-8").splitlines()


def test_every_file_is_played_and_every_game_has_one() -> None:
    assert {path.name for path in FOLDER.glob("*.jsonl")} == {match.file for match in PLAYED}
    assert {match.game for match in PLAYED} == set(all_games())
