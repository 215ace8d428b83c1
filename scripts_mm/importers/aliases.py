"""Aliases in brackets inside a name: other names, kinship, a new name and the old one."""

import re
from collections.abc import Sequence

from scripts_mm.findings import FindingLog
from scripts_mm.names import fold_name, name_error

_BRACKETS = re.compile(r"^(.+?)\s*[(（\[【「]\s*([^()（）\[\]【】「」]+?)\s*[)）\]】」]\s*$")
_BETWEEN = re.compile(r"\s+or\s+|[、/／]|或")


def split_label(label: str) -> tuple[str, ...]:
    """Return the names in a label: the words before the brackets and those inside."""
    found = _BRACKETS.match(label)
    return (label.strip(),) if found is None else (found[1].strip(), found[2].strip())


def find_aliases(name: str, taken: set[str], notes: FindingLog) -> tuple[str, ...]:
    """Return the names in one such as `Rua Vant (the Clerk or Rua)` that are not in `taken`.

    `taken` contains names in `fold_name` form; the names found are added to it.
    """
    outer, *inner = split_label(name)
    if not inner:
        return ()
    found: list[str] = []
    for one in (outer, *(part.strip() for part in _BETWEEN.split(inner[0]))):
        if name_error(one) is None and fold_name(one) not in taken:
            taken.add(fold_name(one))
            found.append(one)
    if found:
        notes.info("aliases-in-name", name, f"the name contains others: {', '.join(found)}")
    return tuple(found)


def fold_names(names: Sequence[str]) -> set[str]:
    """Return names in the form for comparison inside one script."""
    return set(map(fold_name, names))
