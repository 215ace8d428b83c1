"""Confusable names of roles and aliases."""

from scripts_mm.findings import FindingLog
from scripts_mm.name_similarity import confusable_pairs, find_misspellings, find_similar_name
from scripts_mm.names import fold_name, normal_form
from scripts_mm.script import Role, Script
from scripts_mm.script_texts import all_texts


def check_names(script: Script, notes: FindingLog) -> None:
    """Note names that differ by one character, contain another, or are misspelt in texts."""
    people = (*script.names, *(name for name in script.victims if name not in script.names))
    for one, other in confusable_pairs(people):
        notes.warn("names-alike", one, f"differs from {other!r} by at most one character")
    for one in script.names:
        for other in script.names:
            if one != other and fold_name(one) in fold_name(other):
                notes.info("name-inside-name", one, f"is contained in {other!r}")
    for variant, role, count in find_misspellings(script.names, all_texts(script)):
        notes.info("name-variant", variant, f"{count} times, perhaps meant: {role!r}")


def check_aliases(script: Script, notes: FindingLog) -> None:
    """Note aliases that equal, resemble or are part of another person's name."""
    for role in script.roles:
        others = _other_names(role, script)
        for alias in role.aliases:
            meant = next((other for other in others if _is_part(alias, other)), None)
            meant = meant or find_similar_name(alias, others)
            if meant is not None:
                notes.warn("alias-collision", alias, f"a name of {role.name!r}; see {meant!r}")


def _other_names(role: Role, script: Script) -> list[str]:
    roles = [one for one in script.roles if one is not role]
    named = [name for one in roles for name in (one.name, *one.aliases)]
    return [*named, *(name for name in script.victims if name != role.name)]


def _is_part(alias: str, name: str) -> bool:
    """Return whether `alias` is a word of `name`, or a part of it where names have no spaces."""
    form = normal_form(alias)
    if not form.isascii():
        return len(form) > 1 and form in normal_form(name)
    return form in {normal_form(word) for word in name.split()} | {normal_form(name)}
