"""Checks of the texts of any imported script; irregularities are reported, not repaired."""

import re
from collections.abc import Iterable

from scripts_mm.findings import FindingLog
from scripts_mm.importers.lenient_reader import CHINESE, LATIN, guess_language
from scripts_mm.name_similarity import find_misspellings
from scripts_mm.names import normal_form
from scripts_mm.script import Language, Role, Script

_CONFESSION = re.compile(
    r"(?<![果如若是为疑说道认])你(?:才|就)?是[^,，。；;！!？?\n“”\"]{0,14}(?:真凶|凶手|杀人犯)"
    r"|你的?作案(?:手法|过程|经过)"
    r"|\byou (?:are|were) (?:really )?the (?:real )?(?:murderer|killer|culprit)\b"
    r"|\bhow you (?:killed|murdered)\b",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"\bautomatically correct\w*\b|\bas an ai\b(?: language)?(?: model)?"
    r"|\bhere (?:is|are) the (?:\w+ )?(?:translat|correct)\w+"
    r"|作为(?:一个|一名)?(?:AI|人工智能)|以下是翻译",
    re.IGNORECASE,
)
_PAGE = re.compile(r"^\s*\d{1,4}\s*$", re.MULTILINE)
_WINDOW = 12
_RARE = 3
"""Minimum number of rare characters in a window of probably misread text."""
_FEW = 4
"""Maximum number of English words in a Chinese text that can be a name or a brand."""
_RARE_SHARE = 0.02
"""Share of rare characters from which the whole text is, for example, traditional Chinese."""


def note_confession(role: Role, guilty: bool, notes: FindingLog) -> None:
    """Note a private script by which an innocent role is the culprit."""
    match = _CONFESSION.search(role.script)
    if match is not None and not guilty:
        detail = f"reads as if this role did it ({match[0]}), but the truth names another"
        notes.warn("confession-of-innocent", f"{role.name}, character {match.start()}", detail)


def note_misread(role: Role, notes: FindingLog) -> None:
    """Note page numbers and runs of characters not used in simplified Chinese."""
    if pages := len(_PAGE.findall(role.script)):
        detail = f"{pages} lines with only a number, perhaps a page number, are kept"
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


def note_names(script: Script, notes: FindingLog) -> None:
    """Note spellings that differ from a role's name by one character."""
    for variant, role, count in find_misspellings(script.names, _texts(script)):
        detail = f"{variant!r} ({count} times) is perhaps {role!r}; nothing is changed"
        notes.info("name-variant", variant, detail)


def note_unnamed(script: Script, notes: FindingLog) -> None:
    """Note roles whose name is only in their own texts."""
    for role in script.roles:
        others = (other.script for other in script.roles if other is not role)
        form = normal_form(role.name)
        told = (*others, script.truth.text, *(clue.text for clue in script.clues))
        if not any(form in normal_form(text) for text in told):
            detail = "no other role's script, clue or truth calls this role by its name"
            notes.info("role-never-named", role.name, detail)


def note_foreign(texts: Iterable[tuple[str, str]], language: Language, notes: FindingLog) -> None:
    """Note texts (place, text) that are, wholly or in part, not in the script's language."""
    for place, text in texts:
        chinese, words = len(CHINESE.findall(text)), len(LATIN.findall(text))
        if guess_language([text]) != language and (chinese if language == "en" else words > _FEW):
            notes.warn("text-in-other-language", place, "the whole text is in another language")
        elif language == "en" and chinese:
            detail = f"{chinese} Chinese characters in an English text"
            notes.info("other-language-left", place, detail)


def note_remarks(texts: Iterable[tuple[str, str]], notes: FindingLog) -> None:
    """Note remarks of a translating or correcting program in a text (place, text)."""
    for place, text in texts:
        found = _REMARK.search(text)
        if found is not None:
            detail = f"the text contains a program's remark: {found[0]}"
            notes.warn("remark-in-text", place, detail)


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
