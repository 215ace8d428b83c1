"""Plan of the proxy: which answers it spoils, in a file that it reads again when it changes."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A spoilt answer to one request."""

    kind: str
    times: int | None
    """How often; None: always."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyPlan:
    """What the proxy does until the plan changes."""

    journal: str
    delay: float = 0.004
    """Seconds by which every completion is later, so that faults hit the middle of matches."""
    deadline: float = 60.0
    spoils: Mapping[str, Planned] = field(default_factory=dict[str, Planned])
    """By the digest of the request."""
    paths: Mapping[str, Planned] = field(default_factory=dict[str, Planned])
    """Spoilt answers of other paths, such as /tokenize."""
    is_down: bool = False
    """Every connection is reset."""
    card: Mapping[str, object] = field(default_factory=dict[str, object])
    """Fields of the served model's card, in place of the engine's."""
    version: str = ""
    """In place of the engine's."""
    is_template_other: bool = False
    """Conversations become other tokens than at the engine; texts do not."""


def write_plan(path: Path, plan: ProxyPlan) -> None:
    """Write the plan so that the proxy never reads half of it."""
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(asdict(plan)))
    draft.replace(path)


class PlanReader:
    """Reader of the plan, for the proxy."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp = (0, 0)
        self._plan = ProxyPlan(journal="")

    def read(self) -> ProxyPlan:
        """Return the plan as it is now."""
        status = self._path.stat()
        stamp = (status.st_mtime_ns, status.st_ino)
        if stamp != self._stamp:
            found = json.loads(self._path.read_text())
            spoils, paths = _read(found.pop("spoils")), _read(found.pop("paths"))
            self._plan, self._stamp = ProxyPlan(spoils=spoils, paths=paths, **found), stamp
        return self._plan


def _read(found: Mapping[str, dict[str, Any]]) -> dict[str, Planned]:
    return {name: Planned(**one) for name, one in found.items()}
