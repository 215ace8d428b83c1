"""Requests of `arena judge`: their words, checked."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRequest:
    """Which judge, and how it is asked."""

    model: str
    samples: int | None
    temperature: float | None
    at_once: int
    busy: bool
    as_json: bool
    no_color: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreeRequest:
    """Which labels are compared."""

    labels: Path
    key: Path | None
    judgements: Path | None
    cut: float | None
    rate: tuple[int, int] | None
    seed: int | None
    as_json: bool
    no_color: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRequest:
    """Which sheet is written."""

    run: Path
    out: Path
    key: Path
    metrics: str
    answers: Path | None
    items: int | None
    seed: int
    as_json: bool
