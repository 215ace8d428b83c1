"""The truth of a WhodunitBench script, as far as the files state it."""

import re

from scripts_mm.findings import FindingLog
from scripts_mm.importers.whodunit.clues import build_key_clues
from scripts_mm.importers.whodunit.source import RawWhodunitScript
from scripts_mm.name_similarity import find_equal_name, find_similar_name
from scripts_mm.script import Truth

_VICTIM = re.compile(
    r"^[ \t]*(?:\d+\s*[.、．]\s*)?(?:死者是|the victim (?:is|was)\b)[ \t:：]*(.*)$",
    re.MULTILINE | re.IGNORECASE,
)
_BETWEEN = re.compile(r"[、,，;；/&+]|\band\b|(?<=\S\S)[和与及](?=\S\S)")
_MOTIVE = re.compile(r"(?:作案动机|\bmotive)\s*[:：]", re.IGNORECASE)
_METHOD = re.compile(r"(?:作案手法|\bmethod)\s*[:：]", re.IGNORECASE)


def build_truth(case: RawWhodunitScript, notes: FindingLog) -> Truth:
    """Return the stated truth; none of it is derived from questions or prose."""
    culprits, not_playable = _culprits(case, notes)
    motive, method = _split_reason(case.reason, notes)
    return Truth(
        culprits=culprits,
        not_playable=not_playable,
        text=case.reason,
        method=method,
        motive=motive,
        key_clues=build_key_clues(case, notes),
        key_roles=_key_roles(case, culprits, notes),
    )


def find_victims(case: RawWhodunitScript, notes: FindingLog) -> tuple[str, ...]:
    """Return the victims named in the civilians' task, the only field with victims."""
    found: list[str] = []
    for line in _VICTIM.findall(case.civilian_mission):
        parts = (part.strip(" \t。.！!“”\"'") for part in _BETWEEN.split(line))
        names = [part for part in parts if part]
        if not names:
            notes.warn("victim-blank", "task_nm", "the line for the victim's name is empty")
        found += names
    if not found:
        notes.info("victim-not-named", "task_nm", "no field names a victim")
    roles = [role.name for role in case.roles]
    for name in found:
        if name in roles:
            notes.warn("victim-is-role", name, "a victim is a role that is played")
    return tuple(dict.fromkeys(found))


def _culprits(
    case: RawWhodunitScript, notes: FindingLog
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the culprits and those of them who are not roles; `murder` precedes `m`."""
    flagged = tuple(role.name for role in case.roles if role.flagged)
    named, strangers = _match_culprits(case, notes)
    flags = ", ".join(flagged) or "nobody"
    if len(flagged) != 1:
        notes.warn("murderer-flags", "role[].m", f"{len(flagged)} roles are flagged: {flags}")
    if named:
        if set(named) != set(flagged):
            detail = f"murder says {case.murder!r}, m says {flags}; used: murder"
            notes.error("murderer-disagreement", "murder", detail)
        return named, ()
    said = f"murder says {case.murder!r}, who is not a role" if strangers else "murder is empty"
    if flagged:
        notes.error("murderer-disagreement", "murder", f"{said}; used: m, {flags}")
        return flagged, ()
    if strangers:
        detail = f"{said}, and m flags no role; kept as a culprit who is not playable"
        notes.error("murderer-not-playable", "murder", detail)
        return strangers, strangers
    notes.error("no-murderer", "murder", f"{said} and m flags no role; the script has no culprit")
    return (), ()


def _match_culprits(
    case: RawWhodunitScript, notes: FindingLog
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the roles that `murder` names, and the names that are not roles."""
    roles = [role.name for role in case.roles]
    if case.murder in roles or not case.murder:
        return ((case.murder,) if case.murder else ()), ()
    parts = [part.strip() for part in _BETWEEN.split(case.murder) if part.strip()]
    found = [find_equal_name(part, roles) for part in parts] if len(parts) > 1 else []
    found = found if found and all(found) else [find_equal_name(case.murder, roles)]
    names = tuple(dict.fromkeys(name for name in found if name is not None))
    if names:
        notes.warn("name-matched", "murder", f"{case.murder!r} is read as {', '.join(names)}")
        return names, ()
    near = find_similar_name(case.murder, roles)
    like = f"; {near!r} is one character away" if near else ""
    notes.warn("murderer-no-role", "murder", f"{case.murder!r} is not a role{like}")
    return (), (case.murder,)


def _split_reason(reason: str, notes: FindingLog) -> tuple[str, str]:
    """Return motive and method as far as headings separate them."""
    motive, method = _MOTIVE.search(reason), _METHOD.search(reason)
    if not reason:
        notes.error("no-truth", "reason", "the truth's text is empty")
    elif motive is None or method is None:
        detail = "motive and method have no separate headings; the text is kept whole"
        notes.info("truth-without-headings", "reason", detail)
    if motive is None or method is None:
        return "", ""
    first, second = sorted((motive, method), key=lambda match: match.start())
    parts = {first: reason[first.end() : second.start()], second: reason[second.end() :]}
    return parts[motive].strip(), parts[method].strip()


def _key_roles(
    case: RawWhodunitScript, culprits: tuple[str, ...], notes: FindingLog
) -> tuple[str, ...]:
    roles = [role.name for role in case.roles]
    found: list[str] = []
    for name in case.key_roles:
        role = name if name in roles else find_equal_name(name, roles)
        if role is None:
            near = find_similar_name(name, roles)
            like = f"; {near!r} is one character away" if near else ""
            notes.warn("key-role-no-role", "key_role", f"{name!r} is not a role{like}; kept")
        elif role != name:
            notes.info("name-matched", "key_role", f"{name!r} is read as role {role!r}")
        found.append(role or name)
    if not found:
        notes.warn("no-key-roles", "key_role", "there are no key roles")
    elif set(found) <= set(culprits):
        notes.info("key-role-is-murderer", "key_role", "the only key role is the murderer")
    return tuple(dict.fromkeys(found))
