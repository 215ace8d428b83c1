"""Checks of one WellPlay script; contradictions are reported, not repaired."""

import re
from collections.abc import Iterator
from dataclasses import replace

from scripts_mm.findings import FindingLog
from scripts_mm.importers.text_checks import (
    note_confession,
    note_foreign,
    note_misread,
    note_names,
    note_remarks,
    note_unnamed,
)
from scripts_mm.importers.wellplay.answer_keys import check_answer_keys
from scripts_mm.importers.wellplay.role_file import RawWellPlayRole
from scripts_mm.importers.wellplay.source import RawWellPlayScript
from scripts_mm.linting.question_checks import check_questions
from scripts_mm.script import Script

_HEADS = re.compile(r"(\d{1,2})\s*(?:人|people|persons|players)", re.IGNORECASE)


def check_script(case: RawWellPlayScript, script: Script, notes: FindingLog) -> None:
    """Note wrong declarations, contradictions to the truth, and irregular texts."""
    _note_declared(case, notes)
    _note_acts(case, script, notes)
    for raw, role in zip(case.roles, script.roles, strict=True):
        guilty = role.name in script.truth.culprits
        note_confession(role, guilty, notes)
        note_misread(role, notes)
        note_foreign(_fields(raw), script.language, notes)
        note_remarks(_fields(raw), notes)
        _note_quotes(raw, notes)
        own = tuple(one for one in script.questions if one.role == role.name)
        check_questions(replace(script, questions=own, factual=()), notes)
    note_names(script, notes)
    note_unnamed(script, notes)
    check_answer_keys(case.roles, script, notes)


def _note_declared(case: RawWellPlayScript, notes: FindingLog) -> None:
    """Compare declared counts, which are not used, with the actual ones."""
    count = len(case.roles)
    if case.agents != count:
        detail = f"agent_num is {case.agents!r}, there are {count} roles; not used"
        notes.info("declared-count", "agent_num", detail)
    heads = _HEADS.search(case.folder)
    if heads is not None and int(heads[1]) != count:
        detail = f"the folder's name says {heads[1]} people, there are {count} roles; not used"
        notes.info("declared-count", "folder", detail)
    for role in case.roles:
        if role.acts != case.acts:
            detail = f"acts_num is {role.acts!r}, that of the script {case.acts!r}; not used"
            notes.info("declared-count", f"{role.name}.acts_num", detail)


def _note_acts(case: RawWellPlayScript, script: Script, notes: FindingLog) -> None:
    """Note roles whose private script has fewer act headings than others' or than declared."""
    acts = {
        role.name: max((part.stage for part in role.parts if part.name == "script"), default=1)
        for role in script.roles
    }
    most = max(acts.values())
    if case.acts != most:
        detail = f"acts_num is {case.acts!r}, the texts mark {most} acts; not used"
        notes.info("declared-count", "acts_num", detail)
    for name, count in acts.items():
        if count < most:
            detail = f"{count} of {most} acts are marked; act {count} also contains later ones"
            notes.warn("acts-not-marked", name, detail)


def _fields(role: RawWellPlayRole) -> Iterator[tuple[str, str]]:
    """Yield every text of a role's file with its place."""
    lists = {
        "script": role.script,
        "acts_goal": role.goals,
        "acts_performance": role.performance,
        "questions": role.questions,
        "final_goal": (role.final_goal,),
        "secrets": (role.secrets,),
        "victims": role.victims,
    }
    for field, texts in lists.items():
        yield f"{role.name}.{field}", "\n".join(texts)


def _note_quotes(role: RawWellPlayRole, notes: FindingLog) -> None:
    for place, text in _fields(role):
        if text.count('"') % 2 and not place.endswith(".script"):
            notes.info("stray-quote", place, "an unpaired quotation mark is kept")
