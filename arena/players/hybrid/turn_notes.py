"""Notes of the player on its turns, for the record."""

from collections.abc import Mapping
from typing import Final

from arena.players.methods.method_steps import Turn

RULE: Final = "rule"
"""Topic: the situation whose template was played; `none`: the model's words were played."""
TABLE: Final = "table"
"""Topic: the table from the analyses so far."""
GUARD: Final = "guard"
"""Topic: a sentence of the model that the guard rejected."""


def note_rule(turn: Turn, situation: str, family: str, by: str) -> None:
    """Note the played situation, and the source of its words: template, main, backup or guard."""
    turn.note(RULE, situation=situation, family=family, by=by)


def note_table(turn: Turn, values: Mapping[str, str]) -> None:
    """Note the table; an empty one is not noted."""
    if values:
        turn.note(TABLE, **values)
