"""Names that hold other names in brackets: aliases, kinship, a new name and the old one."""

import re
from collections.abc import Sequence

from scripts_mm.findings import FindingLog
from scripts_mm.names import fold_name, name_error

_BRACKETS = re.compile(r"^(.+?)\s*[(（\[【「]\s*([^()（）\[\]【】「」]+?)\s*[)）\]】」]\s*$")
_BETWEEN = re.compile(r"\s+or\s+|[、/／]|或")


def split_label(label: str) -> tuple[str, ...]:
    """Return what a label calls a person: the words before the brackets and those in them."""
    found = _BRACKETS.match(label)
    return (label.strip(),) if found is None else (found[1].strip(), found[2].strip())


def find_aliases(name: str, taken: set[str], notes: FindingLog) -> tuple[str, ...]:
    """Return the names in one such as `Rua Vant (the Clerk or Rua)` that none in `taken` is.

    `taken` holds names as `folded` gives them, and gets those that are found.
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
        notes.info("aliases-in-name", name, f"the name holds others: {', '.join(found)}")
    return tuple(found)


def fold_names(names: Sequence[str]) -> set[str]:
    """Return names as they are compared inside one script."""
    return set(map(fold_name, names))
