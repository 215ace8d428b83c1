"""Checks of WellPlay's answer keys: against the stated killings, and for leaks of the key."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from scripts_mm.findings import FindingLog
from scripts_mm.importers.aliases import split_label
from scripts_mm.importers.wellplay.role_file import RawWellPlayRole
from scripts_mm.name_similarity import find_equal_name
from scripts_mm.names import normal_form
from scripts_mm.script import Question, Script

_KILLED = re.compile(r"杀|害死|凶手|\bkill|\bmurder", re.IGNORECASE)
_LETTERS = "abcdefgh"
_FEW_LETTERS = 2
_MANY = 8
"""Minimum number of questions of a kind to judge the positions of their keys."""
_SHARE = 0.5
_PLACEHOLDER = re.compile(r"(?<![A-Za-z])x(?:'s)?(?![A-Za-z])")


def check_answer_keys(roles: Sequence[RawWellPlayRole], script: Script, notes: FindingLog) -> None:
    """Note keys that contradict `kill_by_me`, odd suspects, key positions and placeholders."""
    for at, role in enumerate(roles):
        own = [one for one in script.questions if one.role == role.name]
        for question in own:
            if question.kind == "obj" and _KILLED.search(question.stem) is not None:
                _check_killer(question, _find_victim(question, at, roles, script), script, notes)
        asked = [one for one in own if one.kind == "obj" or one.answer == "two"]
        _note_suspects(role, asked, _victim_labels(roles, script), script, notes)
    _note_positions(script, notes)
    _note_placeholders(script, notes)


def _check_killer(question: Question, at: int | None, script: Script, notes: FindingLog) -> None:
    """Compare the key of `who killed X` with the killers of the victim with index `at`."""
    if at is None:
        detail = "asks for a killer, but names no known victim"
        notes.info("victim-not-known", question.id, detail)
    texts = [question.options[key] for key in question.keys]
    named = {name for text in texts for name in _roles_in(text, script)}
    told = ", ".join(texts) or "nobody"
    if texts and not named:
        notes.info("killer-no-role", question.id, f"the key names {told}, who is not a role")
    elif any(find_equal_name(text, script.names) is None for text in texts):
        detail = f"the key {told!r} is read as {', '.join(sorted(named))}"
        notes.info("killer-named-otherwise", question.id, detail)
    if at is None or not texts:
        return
    killing = script.truth.killings[at]
    if question.role in killing.culprits:
        detail = f"{question.role} is asked who killed {killing.victim} and is the killer"
        notes.info("asked-about-own-victim", question.id, detail)
    if named - {*killing.culprits} or (killing.culprits and not named):
        stated = ", ".join(killing.culprits) or "nobody"
        detail = f"the key names {told} as killer of {killing.victim}; kill_by_me: {stated}"
        notes.warn("key-against-killing", question.id, detail)


def _find_victim(
    question: Question, at: int, roles: Sequence[RawWellPlayRole], script: Script
) -> int | None:
    """Return the index of the victim by the longest label named; the asker's own wins a tie."""
    stem = normal_form(question.stem)
    best = (0, 0)
    found: int | None = None
    for number, victim in enumerate(script.victims):
        own = roles[at].victims[number : number + 1]
        others = [role.victims[number] for role in roles if number < len(role.victims)]
        for rank, labels in ((1, own), (0, (victim, *others))):
            sizes = [len(form) for form in _forms(labels) if form in stem]
            if sizes and (max(sizes), rank) > best:
                best, found = (max(sizes), rank), number
    return found


def _forms(labels: Iterable[str]) -> set[str]:
    return {normal_form(part) for label in labels for part in split_label(label)} - {""}


def _victim_labels(roles: Sequence[RawWellPlayRole], script: Script) -> set[str]:
    """Return every name of a victim in normal form."""
    return _forms((*script.victims, *(label for role in roles for label in role.victims)))


def _roles_in(text: str, script: Script) -> list[str]:
    """Return the roles that an option names: as a whole, in brackets, or within it."""
    exact = [find_equal_name(part, script.names) for part in (text, *split_label(text))]
    if any(exact):
        return [name for name in exact if name]
    form = normal_form(text)
    return [name for name in script.names if normal_form(name) in form]


def _note_suspects(
    role: RawWellPlayRole,
    asked: Sequence[Question],
    victims: set[str],
    script: Script,
    notes: FindingLog,
) -> None:
    """Note suspects that are the asker, a victim or not a role."""
    kinds: Counter[str] = Counter()
    people: dict[str, set[str]] = {}
    for question in asked:
        for code, option in _odd_suspects(question, role.name, victims, script):
            kinds[code] += 1
            people.setdefault(code, set()).add(option)
    for code, count in kinds.items():
        detail = f"{count} options of questions for suspects: {', '.join(sorted(people[code]))}"
        notes.info(code, role.name, detail)


def _odd_suspects(
    question: Question, asker: str, victims: set[str], script: Script
) -> Iterable[tuple[str, str]]:
    for option in question.options:
        named = _roles_in(option, script)
        if asker in named:
            yield "suspect-is-asker", option
        elif not named:
            is_victim = bool(_forms([option]) & victims)
            yield ("suspect-is-victim" if is_victim else "suspect-no-role"), option


def _note_positions(script: Script, notes: FindingLog) -> None:
    """Note key positions by which a guess without reading would score."""
    for kind in sorted({one.kind for one in script.questions}):
        keyed = [one for one in script.questions if one.kind == kind and one.keys]
        places = Counter(_LETTERS[one.keys[0]] for one in keyed)
        often = places.most_common(1)[0][1] if places else 0
        if len(keyed) >= _MANY and (len(places) <= _FEW_LETTERS or often > _SHARE * len(keyed)):
            told = ", ".join(f"{letter} {count}" for letter, count in sorted(places.items()))
            detail = f"the keys are at {told}; options should be shuffled"
            notes.warn("key-positions", kind.upper(), detail)


def _note_placeholders(script: Script, notes: FindingLog) -> None:
    found = [
        one for one in script.questions if any(_PLACEHOLDER.search(text) for text in one.options)
    ]
    if found:
        detail = f"{len(found)} questions have options with an x in place of a name"
        notes.info("placeholder-left", "questions", detail)
