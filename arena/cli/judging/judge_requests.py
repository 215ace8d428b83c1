"""Requests of `arena judge`, with checked arguments."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRequest:
    """The judge and its settings."""

    model: str
    samples: int | None
    temperature: float | None
    at_once: int
    busy: bool
    as_json: bool
    no_color: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreeRequest:
    """The labels to compare."""

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
    """The sheet to write."""

    run: Path
    out: Path
    key: Path
    metrics: str
    answers: Path | None
    items: int | None
    seed: int
    as_json: bool
