"""Stages of a script."""

from scripts_mm.script import Clue, Script


def count_stages(script: Script) -> int:
    """Return the number of stages of a script; 1: it is not staged."""
    return max([1, *_role_stages(script), *(clue.stage for clue in script.clues)])


def clues_of(script: Script, stage: int | None) -> tuple[Clue, ...]:
    """Return the clues of one stage; None: of all stages."""
    return tuple(clue for clue in script.clues if stage in {None, clue.stage})


def _role_stages(script: Script) -> list[int]:
    return [part.stage for role in script.roles for part in role.parts]
