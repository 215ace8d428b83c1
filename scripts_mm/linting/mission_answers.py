"""Missions that ask something which nothing in the case answers.

No comparison of words finds the answer to a question that a person would ask. So the author states
in the fact table where it is; without any such statement nothing is checked.
"""

import re

from scripts_mm.facts.fact_table import FactTable, Mission
from scripts_mm.facts.facts_file import load_facts
from scripts_mm.findings import FindingLog
from scripts_mm.script import Language, Script, ScriptError
from scripts_mm.script_folder import LoadedScript

_ASKS: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(find out|(?:want|like) to know|get to know|ask around)\b", re.IGNORECASE),
    "zh": re.compile(r"弄清|弄明白|打听|查清|查明|想知道|摸清"),
}
"""The words with which a mission asks something."""


def check_missions(loaded: LoadedScript, notes: FindingLog) -> None:
    """Note missions that ask something if no source, or only the role itself, answers it."""
    try:
        table = load_facts(loaded.folder)
    except ScriptError:
        return
    if table is None or not table.missions:
        return
    script = loaded.script
    stated = {one.who: one for one in table.missions}
    names = {person.names.get(script.language): person.id for person in table.people}
    for role in script.roles:
        mission = stated.get(names.get(role.name, ""))
        if mission is not None:
            _note_sources(mission, role.name, script, table, notes)
        elif _ASKS[script.language].search(role.mission):
            notes.warn("mission-unanswered", role.name, "no source is stated that answers it")


def _note_sources(
    mission: Mission, name: str, script: Script, table: FactTable, notes: FindingLog
) -> None:
    clues = {clue.id for clue in script.clues}
    named = [one for one in mission.answered_by if one.kind in ("clue", "picture")]
    strange = [str(one) for one in named if one.name not in clues]
    if strange:
        notes.error("mission-source", name, f"{strange[0]!r} is not a clue of the script")
    own = [
        one
        for one in mission.answered_by
        if mission.who in (one.name if one.kind == "role" else None, table.owners.get(one.name))
    ]
    if len(own) == len(mission.answered_by):
        notes.warn("mission-unanswered", name, "only the role itself holds the answer to it")
