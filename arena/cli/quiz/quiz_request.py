"""Request of `arena quiz`, with checked arguments."""

from dataclasses import dataclass
from pathlib import Path

from eval.questions.quiz_settings import QuizSettings
from scripts_mm.script_folder import LoadedScript


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentRequest:
    """A seat of a recorded match."""

    run: Path
    match: str
    seat: str
    event: int | None
    """The seat knows the first `event` events; None: all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizRequest:
    """The questions, the model, and the folder of the answers."""

    model: str
    settings: QuizSettings
    scripts: tuple[LoadedScript, ...]
    """Empty with a moment: the match has its own script."""
    moment: MomentRequest | None
    folder: Path
    at_once: int
    measure: int | None
    """Only time this many questions."""
    as_json: bool
    no_color: bool
