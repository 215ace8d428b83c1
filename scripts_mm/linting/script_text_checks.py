"""Checks of private scripts and other running texts: length, parts, language."""

import re
from collections import Counter

from scripts_mm.findings import FindingLog
from scripts_mm.names import text_form
from scripts_mm.script import QUESTION_KINDS, Language, Role, Script
from scripts_mm.script_texts import CJK, clue_text, join_some, text_length

_SHORT: dict[Language, int] = {"zh": 200, "en": 120}
_LONG: dict[Language, int] = {"zh": 12_000, "en": 8_000}
"""Maximum characters (zh) or words (en) of a private script for a small model."""
_UNEVEN = 3
_LATIN_RUN = re.compile(r"[A-Za-z]{2,}(?:[ ,'’-]+[A-Za-z]{2,}){3,}")
"""Four consecutive words in Latin letters: too long for a name or a product."""
_CJK_RUN = re.compile(rf"{CJK.pattern}{{2,}}")
_LATIN = re.compile(r"[A-Za-z]")
_ENOUGH = 12
"""Minimum letters to detect the language of a text."""


def check_script_lengths(script: Script, notes: FindingLog) -> None:
    """Note private scripts that are too short, too long or very uneven."""
    sizes = {role.name: text_length(role.script, script.language) for role in script.roles}
    unit = "characters" if script.language == "zh" else "words"
    for name, size in sizes.items():
        if size < _SHORT[script.language]:
            detail = f"{size} {unit}; a role needs about {_SHORT[script.language]} to play"
            notes.warn("script-short", name, detail)
        if size > _LONG[script.language]:
            detail = f"{size} {unit}; more than {_LONG[script.language]} crowd a small context"
            notes.warn("script-long", name, detail)
    if max(sizes.values()) > _UNEVEN * max(min(sizes.values()), 1):
        detail = f"{min(sizes.values())} to {max(sizes.values())} {unit}"
        notes.info("scripts-uneven", "roles", detail)


def check_parts(script: Script, notes: FindingLog) -> None:
    """Note parts that are duplicated or missing in the whole script of their role."""
    for role in script.roles:
        _note_parts(role, notes)


def check_language(script: Script, notes: FindingLog) -> None:
    """Note texts and pictures' transcripts that are not in the script's language."""
    foreign = _CJK_RUN if script.language == "en" else _LATIN_RUN
    for place, texts in _texts_by_place(script).items():
        found = [match[0] for text in texts if (match := foreign.search(text))]
        if found:
            detail = f"{len(found)} texts not in {script.language!r}: {found[0][:60]!r}"
            notes.info("untranslated-text", place, detail)
    for picture in script.pictures:
        if _is_foreign(picture.transcript, script.language):
            detail = f"its text is not in {script.language!r}: {picture.transcript[:60]!r}"
            notes.warn("transcript-language", picture.file, detail)


def check_duplicate_scripts(script: Script, notes: FindingLog) -> None:
    """Note roles with the same private script."""
    counts = Counter(text_form(role.script) for role in script.roles)
    twins = [role.name for role in script.roles if counts[text_form(role.script)] > 1]
    if twins:
        notes.warn("script-twice", "roles", f"the same private script for {join_some(twins)}")
    secret = {text_form(role.script): role.name for role in script.roles}
    for clue in script.clues:
        if (owner := secret.get(text_form(clue_text(clue)))) is not None:
            notes.warn("script-as-clue", clue.id, f"is the private script of {owner!r}")


def _texts_by_place(script: Script) -> dict[str, list[str]]:
    """Return running texts by place; questions have one place per kind."""
    texts = {"opening": [script.opening], "truth": [script.truth.text]}
    texts |= {role.name: [role.script, role.mission] for role in script.roles}
    texts |= {clue.id: [clue.title, clue.text] for clue in script.clues}
    for kind in QUESTION_KINDS:
        asked = (one for one in script.questions if one.kind == kind)
        texts[kind] = ["\n".join((one.stem, *one.options)) for one in asked]
    texts["factual"] = [f"{one.question}\n{one.answer}" for one in script.factual]
    return texts


def _note_parts(role: Role, notes: FindingLog) -> None:
    whole = text_form(f"{role.script}\n{role.mission}")
    for (name, stage), count in Counter((one.name, one.stage) for one in role.parts).items():
        if count > 1:
            notes.warn("part-twice", role.name, f"has {name!r} of stage {stage} {count} times")
    missing = [
        f"{one.name!r} of stage {one.stage}"
        for one in role.parts
        if text_form(one.text) not in whole
    ]
    if missing:
        notes.warn("part-not-in-script", role.name, f"its script lacks {join_some(missing)}")
    empty = [f"{one.name!r} of stage {one.stage}" for one in role.parts if not one.text.strip()]
    if empty:
        notes.info("part-empty", role.name, f"empty: {join_some(empty)}")


def _is_foreign(text: str, language: Language) -> bool:
    own, other = (_LATIN, CJK) if language == "en" else (CJK, _LATIN)
    strange = len(other.findall(text)) * (3 if language == "en" else 1)
    return strange >= _ENOUGH and strange > 4 * len(own.findall(text))
