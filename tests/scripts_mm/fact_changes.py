"""Changes of a copy of a bundled case's fact table."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Table = dict[str, Any]
Plant = Callable[[Table], object]


def rewrite(path: Path, plant: Plant) -> None:
    """Change one place of a JSON file."""
    whole = json.loads(path.read_text(encoding="utf-8"))
    plant(whole)
    path.write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")


def fact(table: Table, name: str) -> Table:
    """Return a fact of the table as it stands in the file."""
    return next(one for one in table["facts"] if one["id"] == name)


def edited(name: str, **changes: Any) -> Plant:
    """Return the change of one fact."""
    return lambda table: fact(table, name).update(changes)


def added(**fields: Any) -> Plant:
    """Return the addition of one fact that everybody knows."""
    says = {"en": "More of it.", "zh": "还有一件。"}
    whole = {"id": "more", "sources": ["opening"], "says": says, **fields}
    return lambda table: table["facts"].append(whole)


def stayed(place: str, start: str, end: str) -> Plant:
    """Return the addition of a stay of somebody who was elsewhere."""
    times = {"from": start, "to": end}
    return added(kind="at", who="felix", place=place, sources=["role:felix"], **times)


def dropped(*names: str) -> Plant:
    """Return the removal of facts, and of what follows from them alone."""

    def drop(table: Table) -> None:
        for one in table["facts"]:
            one["because"] = [r for r in one.get("because", []) if not {*r} & {*names}]
        kept = [one for one in table["facts"] if one["id"] not in names]
        table["facts"] = [one for one in kept if one.get("sources") or one["because"]]
        table["lies"] = []

    return drop


def plain(table: Table) -> None:
    """Let every picture's fact stand in the opening as well."""
    for one in table["facts"]:
        if any(source.startswith("picture:") for source in one.get("sources", [])):
            one["sources"].append("opening")


def of_crime(**changes: Any) -> Plant:
    """Return the change of the only crime."""
    return lambda table: table["crimes"][0].update(changes)


def clearing_the_culprit(table: Table) -> None:
    """Let an innocent role say what clears the culprit."""
    edited("blow", sources=["role:nell"])(table)
    added(kind="cleared", crime="murder", who="miles", sources=[], because=[["blow"]])(table)
