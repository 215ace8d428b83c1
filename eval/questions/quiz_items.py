"""Quiz items: the questions of a script, with reader, sample and order of the options."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from eval.questions.answer_options import count_orders, order_options
from eval.questions.quiz_settings import QuizSettings
from eval.questions.wording import find_wording
from scripts_mm.script import Clue, Question, QuestionKind, Script

PICTURE_KINDS: Final[frozenset[QuestionKind]] = frozenset({"tiu", "miu"})
"""Kinds whose only input is pictures."""
OWN_SCRIPT_KINDS: Final[frozenset[QuestionKind]] = frozenset({"lsu"})
"""Kinds whose only input is the private script."""
CULPRIT: Final = "culprit"
"""The category and the id of the culprit question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizItem:
    """One presentation of a question: to one reader, in one order of its options."""

    script: Script
    question: Question
    category: str
    """The kind of the question, or `CULPRIT`."""
    reader: str = ""
    """The role whose material is in the prompt; empty: none."""
    shown: tuple[int, ...]
    """The options' numbers, in the shown order."""
    turn: int = 0
    """The number of the cyclic order."""
    sample: int = 0

    @property
    def id(self) -> str:
        """Its id, equal in every quiz of the same script and settings."""
        script = f"{self.script.id}/{self.script.language}"
        return f"{script}/{self.question.id}/{self.reader}/{self.turn}/{self.sample}"


def make_items(script: Script, settings: QuizSettings) -> tuple[QuizItem, ...]:
    """Return the items of a script, without questions that have no key.

    Items with a common prompt prefix are adjacent: sorted by reader, then by material.
    """
    if settings.public_only:
        question = make_culprit_question(script)
        return () if question is None else tuple(_repeat(script, question, "", settings))
    asked = [one for one in script.questions if one.kind in settings.kinds and one.keys]
    pairs = [
        (question, name) for question in asked for name in _readers(script, question, settings)
    ]
    names = ("", *script.names)
    pairs.sort(key=lambda pair: (names.index(pair[1]), _depth(pair[0]), pair[0].clues))
    return tuple(
        item for question, name in pairs for item in _repeat(script, question, name, settings)
    )


def make_culprit_question(script: Script) -> Question | None:
    """Return the culprit question, with the roles as options; None: no role is the culprit."""
    if not script.murderers:
        return None
    return Question(
        id=CULPRIT,
        kind="mmr",
        stem=find_wording(script.language)("question.culprit"),
        options=script.names,
        keys=tuple(script.names.index(name) for name in script.murderers),
    )


def visible_clues(
    script: Script, question: Question, reader: str, settings: QuizSettings
) -> tuple[Clue, ...]:
    """Return the clues in a question's prompt, in the order of the script."""
    public = settings.public_only or settings.clues == "public"
    if settings.clues == "all" and not public:
        return script.clues
    if public:
        return tuple(clue for clue in script.clues if clue.owner is None)
    if question.kind in OWN_SCRIPT_KINDS:
        return ()
    if question.kind in PICTURE_KINDS and question.clues:
        return tuple(clue for clue in script.clues if clue.id in question.clues)
    seen = [clue for clue in script.clues if clue.owner in {None, reader}]
    if question.kind in PICTURE_KINDS:
        seen = [clue for clue in seen if clue.pictures]
    return tuple(seen)


def visible_scripts(
    script: Script, question: Question, reader: str, settings: QuizSettings
) -> tuple[str, ...]:
    """Return the roles whose private scripts are in a question's prompt."""
    if settings.public_only or settings.clues == "public":
        return ()
    if settings.clues == "all":
        return script.names
    return (reader,) if reader and question.kind not in PICTURE_KINDS else ()


def _readers(script: Script, question: Question, settings: QuizSettings) -> Iterable[str]:
    """Return the readers of a question.

    Questions whose prompt does not depend on the seat have one reader.
    """
    civilians = [name for name in script.names if name not in script.murderers]
    asked = script.names if settings.readers == "all" else civilians
    if question.role is not None:
        return (question.role,) if question.role in asked else ()
    if settings.clues in {"all", "public"} or question.kind in PICTURE_KINDS:
        return ("",)
    return asked


def _depth(question: Question) -> int:
    """Return the extent of a question's material: 0 the script, 1 some pictures, 2 everything."""
    if question.kind in OWN_SCRIPT_KINDS:
        return 0
    return 1 if question.kind in PICTURE_KINDS else 2


def _repeat(
    script: Script, question: Question, reader: str, settings: QuizSettings
) -> Iterable[QuizItem]:
    for turn in range(count_orders(question, settings.orders)):
        for sample in range(settings.samples):
            yield QuizItem(
                script=script,
                question=question,
                category=CULPRIT if settings.public_only else question.kind,
                reader=reader,
                shown=order_options(script.id, question, settings.seed, turn),
                turn=turn,
                sample=sample,
            )
