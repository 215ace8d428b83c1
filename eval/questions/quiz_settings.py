"""The settings of a quiz, stored with its answers."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from arena.errors import ConfigError
from scripts_mm.script import QUESTION_KINDS, QuestionKind

Mode = Literal["direct", "cot"]
"""`cot`: a separate call for a thought precedes the letters."""
PictureForm = Literal["image", "ocr", "transcript", "caption", "none"]
"""The form of a picture in the prompt: the picture, its OCR text, the script's transcript or
description, or nothing."""
ClueScope = Literal["own", "given", "all", "public"]
"""The material in the prompt. `own`: one seat's material and public clues; `given`: also the key
clues; `all`: every script and clue; `public`: only the opening and public clues."""
Readers = Literal["civilians", "all"]
"""The readers of questions that apply to every seat."""

MODES: Final[tuple[Mode, ...]] = get_args(Mode)
PICTURE_FORMS: Final[tuple[PictureForm, ...]] = get_args(PictureForm)
CLUE_SCOPES: Final[tuple[ClueScope, ...]] = get_args(ClueScope)
READERS: Final[tuple[Readers, ...]] = get_args(Readers)

MOST_SAMPLES: Final = 1000
MOST_ORDERS: Final = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizSettings:
    """The settings of a quiz. Equal settings give equal prompts."""

    mode: Mode = "direct"
    pictures: PictureForm = "image"
    clues: ClueScope = "own"
    kinds: tuple[QuestionKind, ...] = QUESTION_KINDS
    readers: Readers = "civilians"
    public_only: bool = False
    """Ask only for the culprit, from public material (`clues` and `kinds` have no effect)."""
    samples: int = 1
    """Answers to each question in each order."""
    orders: int = 1
    """Cyclic orders of the options per question."""
    seed: int = 0
    temperature: float = 0.0

    def __post_init__(self) -> None:
        """Reject numbers outside their range, and samples that would all be equal."""
        for name, value, most in (
            ("samples", self.samples, MOST_SAMPLES),
            ("orders", self.orders, MOST_ORDERS),
        ):
            if not 1 <= value <= most:
                raise ConfigError(f"{name} must be 1 to {most}, got {value}")
        if not 0 <= self.temperature <= 2:  # noqa: PLR2004 - the range of the OpenAI API
            raise ConfigError(f"the temperature must be 0 to 2, got {self.temperature:g}")
        if self.samples > 1 and not self.temperature:
            raise ConfigError(
                "several samples at temperature 0 are all equal; choose a higher temperature"
            )
        if self.public_only and (self.clues, self.kinds) != ("own", QUESTION_KINDS):
            raise ConfigError("the culprit question uses only public texts: omit clues and kinds")
        if not self.kinds:
            raise ConfigError(f"wanted one or more question kinds of {QUESTION_KINDS}, got none")
