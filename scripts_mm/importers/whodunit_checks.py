"""What contradicts itself inside one imported script: told, never repaired."""

import re
from collections import Counter

from scripts_mm.findings import Notebook
from scripts_mm.likeness import matching, resembling, variants
from scripts_mm.names import normal_form
from scripts_mm.question_checks import check_questions
from scripts_mm.script import Role, Script

_OMITTED = re.compile(r"[(（\[【][^)）\]】]{0,12}(?:省略|略去|omitted)[^)）\]】]{0,60}[)）\]】]")
_CRIME = re.compile(r"作案|杀人|行凶|crime|murder", re.IGNORECASE)
_CONFESSION = re.compile(
    r"(?<![果如若是为疑说道认])你(?:才|就)?是[^,，。；;！!？?\n“”\"]{0,14}(?:真凶|凶手|杀人犯)"
    r"|你的?作案(?:手法|过程|经过)"
    r"|\byou (?:are|were) (?:really )?the (?:real )?(?:murderer|killer|culprit)\b"
    r"|\bhow you (?:killed|murdered)\b",
    re.IGNORECASE,
)
_PAGE = re.compile(r"^\s*\d{1,4}\s*$", re.MULTILINE)
_WINDOW = 12
_RARE = 3
"""Rare characters in a window from which its text is probably misread."""
_RARE_SHARE = 0.02
"""Share of rare characters from which the whole text is of another kind, such as traditional."""
_ABSENT = 3
"""Questions from which an option that stands among roles is a person of the story."""


def check_script(script: Script, notes: Notebook) -> None:
    """Note what contradicts the stated truth and what is misspelt, misread or left out."""
    for role in script.roles:
        _note_omissions(role, role.name in script.truth.culprits, notes)
        _note_confession(role, role.name in script.truth.culprits, notes)
        _note_misread(role, notes)
    check_questions(script, notes)
    _note_names(script, notes)
    _note_absent(script, notes)
    _note_unnamed(script, notes)


def _note_omissions(role: Role, guilty: bool, notes: Notebook) -> None:
    for match in _OMITTED.finditer(role.script):
        place = f"{role.name}, character {match.start()}"
        notes.info("omitted-passage", place, f"a passage was cut out: {match[0]}")
        if not guilty and _CRIME.search(match[0]) is not None:
            detail = "the passage cut out is of a crime, but the truth names another as murderer"
            notes.warn("crime-of-innocent", place, detail)


def _note_confession(role: Role, guilty: bool, notes: Notebook) -> None:
    match = _CONFESSION.search(role.script)
    if match is not None and not guilty:
        detail = f"reads as if this role did it ({match[0]}), but the truth names another"
        notes.warn("confession-of-innocent", f"{role.name}, character {match.start()}", detail)


def _note_misread(role: Role, notes: Notebook) -> None:
    """Note page numbers and runs of characters that no simplified text holds."""
    if pages := len(_PAGE.findall(role.script)):
        detail = f"{pages} figures alone on a line, perhaps page numbers, are kept"
        notes.info("stray-number", role.name, detail)
    rare = [at for at, char in enumerate(role.script) if _is_rare(char)]
    if not rare or len(rare) > _RARE_SHARE * len(role.script):
        return
    runs = [at for nth, at in enumerate(rare[: 1 - _RARE]) if rare[nth + _RARE - 1] - at < _WINDOW]
    starts = [at for nth, at in enumerate(runs) if not nth or at - runs[nth - 1] > _WINDOW]
    for at in starts:
        text = role.script[at : at + _WINDOW]
        place = f"{role.name}, character {at}"
        notes.warn("corrupt-text", place, f"probably misread characters: {text}")


def _is_rare(char: str) -> bool:
    if not "\u3400" <= char <= "\u9fff":
        return char == "\ufffd"
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return True
    return False


def _note_names(script: Script, notes: Notebook) -> None:
    """Note spellings that are one character away from a role's name."""
    for variant, role, count in variants(script.names, _texts(script)):
        detail = f"{variant!r} ({count} times) is perhaps {role!r}; nothing is changed"
        notes.info("name-variant", variant, detail)


def _note_absent(script: Script, notes: Notebook) -> None:
    """Note persons who stand among the roles in options, but are no role."""
    beside: Counter[str] = Counter()
    everywhere: Counter[str] = Counter()
    for question in script.questions:
        found = {option for option in question.options if matching(option, script.names)}
        others = {option for option in question.options if option not in found}
        everywhere.update(others)
        beside.update(others if len(found) >= len(others) else ())
    for name, count in beside.items():
        role = resembling(name, script.names)
        total = everywhere[name]
        if role is not None:
            detail = f"an option in {total} questions, perhaps {role!r}; nothing is changed"
            notes.warn("option-near-role", name, detail)
        elif count >= _ABSENT and normal_form(name) and _is_name(name):
            detail = f"an option in {total} questions among roles, but no role"
            notes.info("absent-character", name, detail)


def _is_name(text: str) -> bool:
    """Tell whether an option could be a person rather than `nobody` or `a stranger`."""
    return len(text) <= 12 or text.istitle()  # noqa: PLR2004 - names are short


def _note_unnamed(script: Script, notes: Notebook) -> None:
    """Note roles whom no text but their own ever calls by their name."""
    for role in script.roles:
        others = (other.script for other in script.roles if other is not role)
        form = normal_form(role.name)
        told = (*others, script.truth.text, *(clue.text for clue in script.clues))
        if not any(form in normal_form(text) for text in told):
            detail = "no other role's script, clue or truth calls this role by its name"
            notes.info("role-never-named", role.name, detail)


def _texts(script: Script) -> list[str]:
    """Return every running text of the script once."""
    truth = script.truth
    return [
        *(role.script for role in script.roles),
        *(clue.text for clue in script.clues),
        *(key.text for key in truth.key_clues),
        *("\n".join((one.stem, *one.options)) for one in script.questions),
        truth.text,
        script.civilian_mission,
    ]
