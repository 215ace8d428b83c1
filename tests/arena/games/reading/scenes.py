"""Cases for runs without play."""

from dataclasses import replace

from scripts_mm.script import KeyClue, Script
from tests.table import case

KEY = "KEY-CLUE-TEXT"


def table_case() -> Script:
    """Return the plain case with a key clue, as the rows with given clues need one."""
    return with_key_clue(case())


def with_key_clue(script: Script) -> Script:
    """Return `script` with a key clue."""
    truth = replace(script.truth, text="TRUTH-TEXT", key_clues=(KeyClue(id="k", text=KEY),))
    return replace(script, truth=truth)
