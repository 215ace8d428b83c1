"""Findings: the irregularities of a script, reported and not repaired."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Literal, get_args

Severity = Literal["error", "warning", "info"]
"""`error`: something could not be used; `warning`: a contradiction or a probable mistake;
`info`: unusual, and used as it is."""
SEVERITIES: tuple[Severity, ...] = get_args(Severity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One irregularity of a script."""

    code: str
    """Short and stable, lower case with hyphens."""
    severity: Severity
    place: str
    """Where: an id of the script, a field of the source or a file."""
    detail: str
    """What was found and what was done about it, in one line."""

    def to_json(self) -> dict[str, str]:
        """Return the finding as reports write it."""
        return asdict(self)


@dataclass(slots=True)
class FindingLog:
    """Collects findings while a script is read."""

    found: list[Finding] = field(default_factory=list[Finding])

    def error(self, code: str, place: str, detail: str) -> None:
        """Add an error: something could not be used."""
        self._note(code, "error", place, detail)

    def warn(self, code: str, place: str, detail: str) -> None:
        """Add a warning: a contradiction or a probable mistake."""
        self._note(code, "warning", place, detail)

    def info(self, code: str, place: str, detail: str) -> None:
        """Add an info: something unusual."""
        self._note(code, "info", place, detail)

    def _note(self, code: str, severity: Severity, place: str, detail: str) -> None:
        finding = Finding(
            code=code, severity=severity, place=_to_printable(place), detail=_to_printable(detail)
        )
        self.found.append(finding)


def _to_printable(text: str) -> str:
    """Return `text` in one line, with control and unprintable characters escaped."""
    line = " ".join(text.split())
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in line
    )


def sort_by_severity(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings, most severe first, otherwise in their order."""
    return tuple(sorted(findings, key=lambda one: SEVERITIES.index(one.severity)))


def count_by_severity(findings: Iterable[Finding]) -> dict[Severity, int]:
    """Count findings by severity; every severity has an entry."""
    counts = Counter(one.severity for one in findings)
    return {severity: counts[severity] for severity in SEVERITIES}
