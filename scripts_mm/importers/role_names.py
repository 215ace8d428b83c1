"""Role names: rewrite those that a seat could not answer with, and all references to them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from scripts_mm.findings import FindingLog
from scripts_mm.importers.aliases import fold_names, split_label
from scripts_mm.importers.lenient_reader import make_unique
from scripts_mm.names import fold_name, is_reserved, role_name_error, strip_separators
from scripts_mm.script import Language, Role, Script, Truth

_ROLE: Mapping[Language, str] = {"en": "Role ", "zh": "角色"}
"""Prefix for a reserved word, or for a number if no characters of the name remain."""


def clean_role_names(script: Script, notes: FindingLog) -> Script:
    """Return `script` with role names that the loader accepts; each change is noted.

    Texts keep the published names; roles, culprits, owners and roles of questions change.
    """
    new = _new_names(script.names, script.language)
    for old, name in new.items():
        if old != name:
            notes.warn("name-cleaned", name, f"the role {old!r} is called {name!r}")
    taken = fold_names([*new.values()])
    roles = tuple(
        replace(role, aliases=_aliases(role, taken, notes))
        for role in (replace(role, name=new[role.name]) for role in script.roles)
    )
    if all(old == name for old, name in new.items()):
        return replace(script, roles=roles)

    def every(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(new.get(name, name) for name in names)

    def one(name: str | None) -> str | None:
        return None if name is None else new.get(name, name)

    return replace(
        script,
        roles=roles,
        truth=_rename_in_truth(script.truth, new),
        clues=tuple(replace(clue, owner=one(clue.owner)) for clue in script.clues),
        questions=tuple(replace(asked, role=one(asked.role)) for asked in script.questions),
        factual=tuple(
            replace(asked, role=new.get(asked.role, asked.role)) for asked in script.factual
        ),
        victims=every(script.victims),
    )


def _rename_in_truth(truth: Truth, new: Mapping[str, str]) -> Truth:
    def every(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(new.get(name, name) for name in names)

    return replace(
        truth,
        culprits=every(truth.culprits),
        instigators=every(truth.instigators),
        unaware=every(truth.unaware),
        killings=tuple(
            replace(one, victim=new.get(one.victim, one.victim), culprits=every(one.culprits))
            for one in truth.killings
        ),
        key_clues=tuple(replace(key, holders=every(key.holders)) for key in truth.key_clues),
        key_roles=every(truth.key_roles),
    )


def _new_names(names: Sequence[str], language: Language) -> dict[str, str]:
    """Return unique names by published name; valid names do not change."""
    taken = fold_names([name for name in names if role_name_error(name) is None])
    outer = Counter(fold_name(split_label(name)[0]) for name in names)
    new: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        if role_name_error(name) is None:
            new[name] = name
            continue
        first = split_label(name)[0]
        short = strip_separators(first if outer[fold_name(first)] == 1 else name)
        found = short if short and fold_name(short) not in taken else strip_separators(name)
        if not found or is_reserved(found):
            found = f"{_ROLE[language]}{found or number}"
        new[name] = make_unique(found, taken)
    return new


def _aliases(role: Role, taken: set[str], notes: FindingLog) -> tuple[str, ...]:
    """Return the valid aliases of a role; one with brackets contains two."""
    found: list[str] = []
    for alias in role.aliases:
        names = [alias]
        if role_name_error(alias) is not None:
            names = [strip_separators(part) for part in split_label(alias)]
            names = [name for name in names if name and not is_reserved(name)]
            detail = f"the other name {alias!r} is read as {', '.join(names) or 'no name'}"
            notes.warn("name-cleaned", role.name, detail)
        for name in names:
            if fold_name(name) not in taken:
                taken.add(fold_name(name))
                found.append(name)
    return tuple(found)
