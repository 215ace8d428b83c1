"""Checks of one WhodunitBench script; contradictions are reported, not repaired."""

import re
from collections import Counter

from scripts_mm.findings import FindingLog
from scripts_mm.importers.text_checks import (
    note_confession,
    note_misread,
    note_names,
    note_unnamed,
)
from scripts_mm.linting.question_checks import check_questions
from scripts_mm.name_similarity import find_equal_name, find_similar_name
from scripts_mm.names import normal_form
from scripts_mm.script import Role, Script

_OMITTED = re.compile(r"[(（\[【][^)）\]】]{0,12}(?:省略|略去|omitted)[^)）\]】]{0,60}[)）\]】]")
_CRIME = re.compile(r"作案|杀人|行凶|crime|murder", re.IGNORECASE)
_ABSENT = 3
"""Minimum questions in which an option next to roles is probably a person of the story."""


def check_script(script: Script, notes: FindingLog) -> None:
    """Note contradictions to the stated truth, misspellings, misreadings and omissions."""
    for role in script.roles:
        _note_omissions(role, role.name in script.truth.culprits, notes)
        note_confession(role, role.name in script.truth.culprits, notes)
        note_misread(role, notes)
    check_questions(script, notes)
    note_names(script, notes)
    _note_absent(script, notes)
    note_unnamed(script, notes)


def _note_omissions(role: Role, guilty: bool, notes: FindingLog) -> None:
    for match in _OMITTED.finditer(role.script):
        place = f"{role.name}, character {match.start()}"
        notes.info("omitted-passage", place, f"a passage was cut out: {match[0]}")
        if not guilty and _CRIME.search(match[0]) is not None:
            detail = "the passage cut out is about a crime, but the truth names another murderer"
            notes.warn("crime-of-innocent", place, detail)


def _note_absent(script: Script, notes: FindingLog) -> None:
    """Note persons who are options next to roles, but are not roles."""
    beside: Counter[str] = Counter()
    everywhere: Counter[str] = Counter()
    for question in script.questions:
        found = {option for option in question.options if find_equal_name(option, script.names)}
        others = {option for option in question.options if option not in found}
        everywhere.update(others)
        beside.update(others if len(found) >= len(others) else ())
    for name, count in beside.items():
        role = find_similar_name(name, script.names)
        total = everywhere[name]
        if role is not None:
            detail = f"an option in {total} questions, perhaps {role!r}; nothing is changed"
            notes.warn("option-near-role", name, detail)
        elif count >= _ABSENT and normal_form(name) and _is_name(name):
            detail = f"an option in {total} questions next to roles, but not a role"
            notes.info("absent-character", name, detail)


def _is_name(text: str) -> bool:
    """Return whether an option can be a person rather than `nobody` or `a stranger`."""
    return len(text) <= 12 or text.istitle()  # noqa: PLR2004 - names are short
