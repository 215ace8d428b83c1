"""Names that can be mistaken for each other."""

from scripts_mm.findings import Notebook
from scripts_mm.likeness import resembling, twins, variants
from scripts_mm.names import folded, normal_form
from scripts_mm.passages import told
from scripts_mm.script import Role, Script


def check_names(script: Script, notes: Notebook) -> None:
    """Note names that differ by a character, stand inside each other or are misspelt in texts."""
    people = (*script.names, *(name for name in script.victims if name not in script.names))
    for one, other in twins(people):
        notes.warn("names-alike", one, f"differs from {other!r} by a character at most")
    for one in script.names:
        for other in script.names:
            if one != other and folded(one) in folded(other):
                notes.info("name-inside-name", one, f"stands inside {other!r}")
    for variant, role, count in variants(script.names, told(script)):
        notes.info("name-variant", variant, f"{count} times, perhaps {role!r} is meant")


def check_aliases(script: Script, notes: Notebook) -> None:
    """Note other names of a role that another person's name equals, resembles or has in it."""
    for role in script.roles:
        others = _names_beside(role, script)
        for alias in role.aliases:
            meant = next((other for other in others if _is_part(alias, other)), None)
            meant = meant or resembling(alias, others)
            if meant is not None:
                notes.warn("alias-collision", alias, f"a name of {role.name!r}; see {meant!r}")


def _names_beside(role: Role, script: Script) -> list[str]:
    roles = [one for one in script.roles if one is not role]
    named = [name for one in roles for name in (one.name, *one.aliases)]
    return [*named, *(name for name in script.victims if name != role.name)]


def _is_part(alias: str, name: str) -> bool:
    """Tell whether `alias` is a word of `name`, or a part of it where names have no spaces."""
    form = normal_form(alias)
    if not form.isascii():
        return len(form) > 1 and form in normal_form(name)
    return form in {normal_form(word) for word in name.split()} | {normal_form(name)}
