"""Answers to questions: one JSON line each, with the shown order and the raw reply."""

import json
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import ConfigError, RecordError
from arena.records.record_files import atomic_write, open_jsonl_append, read_jsonl, read_text
from arena.records.record_schema import JsonCodec
from arena.records.run_folder import hold_folder
from eval.metrics.multiple_choice import grade
from eval.questions.answer_options import letters_of, parse_reply
from eval.questions.quiz_items import QuizItem
from eval.questions.quiz_settings import QuizSettings
from scripts_mm.safe_io import error_reason

MANIFEST: Final = "quiz.json"
ANSWERS: Final = "answers.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizAnswer:
    """The answer to one item."""

    item: str
    """The item's id."""
    script: str
    work: str
    language: str
    question: str
    category: str
    hops: int | None = None
    reader: str = ""
    turn: int = 0
    sample: int = 0
    shown: tuple[int, ...]
    """The options' numbers in the script, in the shown order."""
    keys: tuple[int, ...]
    chosen: tuple[int, ...] | None
    """Numbers of options in the script; None: no legal answer."""
    right: bool
    text: str = ""
    """The raw reply."""
    thought: str = ""
    probabilities: tuple[tuple[int, float], ...] = ()
    """(option, probability) pairs, if the server reports them."""
    prompt_tokens: int = 0
    cached_tokens: int | None = None
    """None if the server does not report them."""
    output_tokens: int = 0
    seconds: float = 0.0
    """The time of its calls, without queueing."""
    fault: str = ""
    """Why the question could not be sent; empty: it was."""


CODEC: Final = JsonCodec[QuizAnswer](QuizAnswer, "the answer to a question")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizManifest:
    """The description of a folder of answers."""

    model: str
    """The user's name of the model."""
    served: str
    flags: tuple[str, ...]
    settings: QuizSettings
    scripts: Mapping[str, str]
    """`id/language` of each script -> its content hash."""
    ocr: str = ""
    """The OCR program with its version."""


_MANIFEST: Final = JsonCodec[QuizManifest](QuizManifest, "the description of a quiz")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerBook:
    """The answers of a folder, and a function that adds one."""

    known: tuple[QuizAnswer, ...]
    add: Callable[[QuizAnswer], None]


def make_answer(item: QuizItem, chosen: Sequence[int] | None, **found: object) -> QuizAnswer:
    """Return the graded answer to `item`; `found` are fields that the item does not determine."""
    question = item.question
    values: dict[str, object] = {
        "item": item.id,
        "script": item.script.id,
        "work": item.script.work or item.script.id,
        "language": item.script.language,
        "question": question.id,
        "category": item.category,
        "hops": question.hops,
        "reader": item.reader,
        "turn": item.turn,
        "sample": item.sample,
        "shown": item.shown,
        "keys": question.keys,
        "chosen": None if chosen is None else tuple(sorted(chosen)),
        "right": bool(grade(question.answer, question.keys, chosen, texts=question.options)),
    }
    return QuizAnswer(**(values | found))  # pyright: ignore[reportArgumentType]


def parse_chosen(item: QuizItem, text: str) -> tuple[int, ...] | None:
    """Return the options in a reply; None: no legal ones."""
    places = parse_reply(text, letters_of(len(item.shown)), item.question.answer)
    return None if places is None else tuple(item.shown[place] for place in places)


@contextmanager
def open_answers(folder: Path, manifest: QuizManifest) -> Generator[AnswerBook]:
    """Open a folder of answers, new or started with the same model, settings and scripts.

    Raises `ConfigError` if it was started with others, `RecordError` if it cannot be read.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(f"cannot create {str(folder)!r}: {error_reason(error)}") from error
    with hold_folder(folder):
        _check_manifest(folder, manifest)
        path = folder / ANSWERS
        known = {one.item: one for one in read_jsonl(path, CODEC.decode)}
        with open_jsonl_append(path) as append:
            yield AnswerBook(
                known=tuple(known.values()), add=lambda answer: append(CODEC.encode(answer))
            )


def read_quiz_folder(folder: Path) -> tuple[QuizManifest, tuple[QuizAnswer, ...]]:
    """Return the manifest of a folder, and its answers; the last one per item counts.

    Raises `RecordError` if there is no quiz or it cannot be read.
    """
    manifest = _read_manifest(folder)
    if manifest is None:
        raise RecordError(f"no quiz at {str(folder)!r}: wanted a folder with {MANIFEST!r}")
    known = {one.item: one for one in read_jsonl(folder / ANSWERS, CODEC.decode)}
    return manifest, tuple(known.values())


def _read_manifest(folder: Path) -> QuizManifest | None:
    path = folder / MANIFEST
    text = read_text(path)
    try:
        return None if text is None else _MANIFEST.decode(text)
    except RecordError as error:
        raise RecordError(f"{str(path)!r}: {error}") from error


def _check_manifest(folder: Path, manifest: QuizManifest) -> None:
    begun = _read_manifest(folder)
    if begun is None:
        if any(one.name in {ANSWERS, "run.json"} for one in folder.iterdir()):
            raise RecordError(f"{str(folder)!r} holds other files; choose another --out")
        atomic_write(folder / MANIFEST, _MANIFEST.encode_file(manifest))
        return
    if changed := _find_changes(begun, manifest):
        raise ConfigError(
            f"{str(folder)!r} was started with another {', '.join(changed)}; choose another --out"
        )


def _find_changes(begun: QuizManifest, now: QuizManifest) -> Iterable[str]:
    then, wanted = (json.loads(_MANIFEST.dump(one)) for one in (begun, now))
    settings = [
        name for name, value in wanted["settings"].items() if then["settings"][name] != value
    ]
    others = ("model", "served", "flags", "scripts", "ocr")
    return [*settings, *(name for name in others if then[name] != wanted[name])]
