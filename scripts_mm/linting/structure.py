"""Checks of structure: the requirements of a match, and a consistent truth."""

import re
from collections import Counter
from collections.abc import Iterable

from scripts_mm.findings import FindingLog
from scripts_mm.names import fold_name, normal_form
from scripts_mm.script import Role, Script
from scripts_mm.script_texts import all_texts, join_some

_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]{2,}")
"""A word in Latin letters; names in other writing systems are searched inside the text."""


def check_structure(script: Script, notes: FindingLog) -> None:
    """Note missing requirements of a match."""
    if not script.truth.culprits:
        notes.error("no-culprit", "truth.culprits", "no culprit is named; no vote can be correct")
    elif not script.murderers:
        named = ", ".join(script.truth.culprits)
        detail = f"{named}: no culprit is a role, so no seat plays the murderer"
        notes.error("culprit-not-playable", "truth.culprits", detail)
    if len(script.murderers) == len(script.roles):
        notes.error("no-civilians", "truth.culprits", "every role is a culprit")
    for name in sorted({*script.victims} & {*script.names}):
        notes.warn("victim-is-role", name, "a victim is a role that is played")
    for name in sorted({*script.truth.not_playable} & {*script.names}):
        notes.warn("playable-after-all", name, "marked as not playable, but a role")
    for name in _duplicates(fold_name(one) for one in script.victims):
        notes.warn("victim-twice", name, "is more than once in the list of victims")
    for field in _empty_fields(script):
        notes.info("empty-field", field, "the field is empty")


def check_killings(script: Script, notes: FindingLog) -> None:
    """Note victims and culprits that the killings omit or repeat."""
    if script.truth.killings:
        _note_victims(script, notes)
        _note_killers(script, notes)
    elif len(script.victims) > 1:
        detail = "several victims, and the killings are not stated"
        notes.info("killings-not-told", "truth.killings", detail)


def check_instigators(script: Script, notes: FindingLog) -> None:
    """Note instigators who are victims, or who are the only culprit."""
    for name in script.truth.instigators:
        if name in script.victims:
            notes.warn("instigator-is-victim", name, "an instigator who is a victim")
        if {*script.truth.culprits} <= {name}:
            notes.warn("instigator-of-nobody", name, "an instigator who is the only culprit")


def check_roles(script: Script, notes: FindingLog) -> None:
    """Note roles without a goal or mention, and culprits without fixed introduction or reply."""
    guilty = {*script.murderers}
    for role in script.roles:
        knows = role.name in script.knowing_murderers
        shared = script.murderer_mission if knows else script.civilian_mission
        if not role.mission and not shared:
            notes.info("empty-mission", role.name, "has no goal, also not as a faction")
        if not _is_mentioned(role, script):
            notes.info("role-unmentioned", role.name, "no other script and no clue names it")
    silent = [
        role.name
        for role in script.roles
        if role.name in guilty and not (role.introduction and role.reply)
    ]
    if silent:
        detail = f"{join_some(silent)}: no fixed introduction or reply for the player naive-data"
        notes.info("culprit-silent", "roles", detail)


def _note_victims(script: Script, notes: FindingLog) -> None:
    killings = script.truth.killings
    for name in _duplicates(one.victim for one in killings):
        notes.warn("killing-twice", name, "was killed more than once")
    for name in script.victims:
        if name not in {one.victim for one in killings}:
            notes.warn("victim-without-killing", name, "a victim whom no killing names")
    for one in killings:
        if not one.culprits:
            notes.info("killing-of-nobody", one.victim, "no killer of this victim is named")


def _note_killers(script: Script, notes: FindingLog) -> None:
    truth = script.truth
    killers = {name for one in truth.killings for name in one.culprits}
    for name in truth.culprits:
        if name not in killers | {*truth.instigators}:
            notes.warn("culprit-without-killing", name, "a culprit whom no killing names")


def _empty_fields(script: Script) -> list[str]:
    fields = {
        "opening": script.opening,
        "victims": script.victims,
        "clues": script.clues,
        "questions": script.questions,
        "truth.text": script.truth.text,
        "truth.key_clues": script.truth.key_clues,
        "truth.key_roles": script.truth.key_roles,
    }
    return [name for name, value in fields.items() if not value]


def _is_mentioned(role: Role, script: Script) -> bool:
    """Return whether another text than its own script names the role, in full or in part."""
    names = (role.name, *role.aliases)
    texts = [text for text in all_texts(script) if text != role.script]
    words = {word.casefold() for text in texts for word in _WORD.findall(text)}
    if any(part.casefold() in words for name in names for part in _WORD.findall(name)):
        return True
    forms = [normal_form(name) for name in names]
    return any(form in normal_form(text) for form in forms if len(form) > 1 for text in texts)


def _duplicates(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]
