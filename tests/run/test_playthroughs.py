"""Golden playthroughs: a bundled script played with a fixed seed gives the same bytes for ever.

After a change that is meant: ARENA_WRITE_GOLDEN=1 writes them anew; read the difference.
"""

import os
from pathlib import Path

import pytest

from scripts_mm.catalog import bundled, find_script
from scripts_mm.script import Language
from tests.run.stage import config, start

FOLDER = Path(__file__).parents[1] / "playthroughs"
PLAYED: tuple[tuple[str, dict[str, str]], ...] = (
    ("default", {}),
    ("wide", {"answers": "batched", "introductions": "together", "order": "shuffled"}),
)
CASES = [
    (entry.id, language, name, options)
    for entry in bundled()
    for language in entry.languages
    for name, options in PLAYED
]


@pytest.mark.parametrize(
    ("script", "language", "name", "options"), CASES, ids=lambda value: str(value)[:20]
)
def test_a_bundled_script_plays_as_it_always_did(
    tmp_path: Path, script: str, language: Language, name: str, options: dict[str, str]
) -> None:
    loaded = find_script(script, language)
    wanted = config(
        loaded, "random", "naive", seed=3, options={**options, "rounds": "2", "speech_words": "250"}
    )
    played = start(wanted, loaded, tmp_path / "run")
    [match] = played.run.matches()
    events = (match.path / "events.jsonl").read_text("utf-8")
    golden = FOLDER / f"{script}-{language}-{name}.jsonl"
    if os.environ.get("ARENA_WRITE_GOLDEN"):
        golden.write_text(events, "utf-8")
    assert events.splitlines() == golden.read_text("utf-8").splitlines()


def test_there_is_no_playthrough_without_a_script() -> None:
    wanted = {f"{script}-{language}-{name}.jsonl" for script, language, name, _ in CASES}
    assert {path.name for path in FOLDER.glob("*.jsonl")} == wanted
