"""What is asked and how: the settings of a quiz, kept beside its answers."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from arena.errors import ConfigError
from scripts_mm.script import QUESTION_KINDS, QuestionKind

Mode = Literal["direct", "cot"]
"""`cot`: a thought in a call of its own comes before the letters."""
PictureForm = Literal["image", "ocr", "transcript", "caption", "none"]
"""What stands for a picture: itself, the text that a program reads in it, the text or the
description that the script has, or nothing."""
ClueScope = Literal["own", "given", "all", "public"]
"""What the model reads. `own`: what one seat has, and public clues; `given`: that and the key
clues; `all`: every script and clue; `public`: the opening and public clues alone."""
Readers = Literal["civilians", "all"]
"""In whose eyes questions are asked that every seat is asked."""

MODES: Final[tuple[Mode, ...]] = get_args(Mode)
PICTURE_FORMS: Final[tuple[PictureForm, ...]] = get_args(PictureForm)
CLUE_SCOPES: Final[tuple[ClueScope, ...]] = get_args(ClueScope)
READERS: Final[tuple[Readers, ...]] = get_args(Readers)

MOST_SAMPLES: Final = 1000
MOST_ORDERS: Final = 26


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizSettings:
    """What is asked and how. Two quizzes with the same settings ask the same prompts."""

    mode: Mode = "direct"
    pictures: PictureForm = "image"
    clues: ClueScope = "own"
    kinds: tuple[QuestionKind, ...] = QUESTION_KINDS
    readers: Readers = "civilians"
    public_only: bool = False
    """Ask only who did it, from what is public (`clues` and `kinds` have no effect)."""
    samples: int = 1
    """Answers to each question in each order."""
    orders: int = 1
    """Cyclic orders of the options in which each question is put."""
    seed: int = 0
    temperature: float = 0.0

    def __post_init__(self) -> None:
        """Refuse numbers that ask nothing, and samples that would all be the same."""
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
                "several samples at temperature 0 are one and the same; choose a higher temperature"
            )
        if self.public_only and (self.clues, self.kinds) != ("own", QUESTION_KINDS):
            raise ConfigError("who did it is asked from what is public: leave out clues and kinds")
        if not self.kinds:
            raise ConfigError(f"no kinds of questions are wanted; there are {QUESTION_KINDS}")
