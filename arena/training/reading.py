"""Reading questions about the small pictures of a case, and their answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from random import Random
from typing import Any

from arena.training.questions import wordings
from scripts_mm.drawing.documents.checklist import ChecklistSpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.register_page import RegisterPageSpec
from scripts_mm.drawing.documents.typescript import TypescriptSpec
from scripts_mm.drawing.photos.chat_screen import ChatScreenSpec
from scripts_mm.generate.case import GeneratedCase, make_cast, script_with_pictures
from scripts_mm.generate.pictures.picture_spec import PictureSpec
from scripts_mm.generate.pictures.small_pictures import SmallPicture, plain_line
from scripts_mm.generate.text.fact_sentences import describe_trace
from scripts_mm.generate.text.templates import format_minutes, format_time
from scripts_mm.generate.world import ClueSpec
from scripts_mm.script import Language, Script


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureQuestion:
    """A question about a picture clue, its answer, and the part of it that must be exact."""

    clue: str
    kind: str
    """Medium of the clue."""
    question: str
    answer: str
    exact: str
    known: tuple[str, ...]
    """For a text: all names and places of the case. They must be right in it, and so must its
    figures.
    """


def small_script(
    case: GeneratedCase, language: Language, drawn: Mapping[str, SmallPicture]
) -> tuple[Script, Mapping[str, bytes]]:
    """Return the script with small pictures, and their PNG bytes by content hash."""
    files: dict[str, bytes] = {}
    for name, small in drawn.items():
        file = BytesIO()
        small.image.save(file, "PNG", compress_level=1)
        files[name] = file.getvalue()
    script = script_with_pictures(case.rendered[language], files)
    shown_by = {clue.id: clue.pictures[0].sha256 for clue in script.clues if clue.pictures}
    return script, {shown_by[name]: data for name, data in files.items()}


def list_picture_questions(
    case: GeneratedCase, language: Language, rng: Random
) -> tuple[PictureQuestion, ...]:
    """Return a question about every picture of a case; of lists and plans, about one line."""
    clues = {one.id: one for one in case.sampled.world.frame.clues}
    return tuple(
        _ask(case, language, clues[name], spec, rng)
        for name, spec in case.rendered[language].pictures.items()
    )


def _ask(
    case: GeneratedCase, language: Language, clue: ClueSpec, spec: PictureSpec, rng: Random
) -> PictureQuestion:
    title = next(one.title for one in case.rendered[language].bare.clues if one.id == clue.id)
    kind, exact, found = _read(case, language, clue, spec, rng)
    found = {"title": title, **found}
    question = rng.choice(wordings(language, "picture-questions")[kind]).format_map(found)
    answer = wordings(language, "picture-answers")[kind][0].format_map(found)
    cast = make_cast(case.sampled, language)
    return PictureQuestion(
        clue=clue.id,
        kind=clue.medium,
        question=question,
        answer=answer,
        exact=found[exact],
        known=(*cast.names.values(), *cast.labels.values()) if kind == "text" else (),
    )


def _read(
    case: GeneratedCase, language: Language, clue: ClueSpec, spec: PictureSpec, rng: Random
) -> tuple[str, str, dict[str, str]]:
    """Return the kind of question, the word that must be exact, and the words."""
    frame, cast = case.sampled.world.frame, make_cast(case.sampled, language)
    facts = {one.id: one for one in case.sampled.world.facts}
    fact = rng.choice([facts[name] for name in clue.facts])
    found = {
        "time": format_time(fact.start),
        "end": format_time(fact.end),
        "start": format_time(fact.start),
    }
    kind, exact = _QUESTION_KINDS.get(clue.medium, ("text", "said"))
    match kind:
        case "calls":
            found["caller"] = cast.caller
        case "trace":
            found["mark"] = describe_trace(fact.trait, fact.value, cast, language)
        case "plan":
            found["room"], found["scene"] = cast.labels[fact.places[1]], cast.labels[frame.scene]
            found["minutes"] = format_minutes(fact.minutes, language)
        case "cctv":
            found["who"] = cast.names[fact.who]
        case "roster":
            found["name"] = cast.names[fact.who]
            found["cell"] = dict(_rows(spec.spec))[found["name"]]
        case "text":
            found["said"] = _quote_text(spec)
        case _:
            pass
    return kind, exact, found


_QUESTION_KINDS: Mapping[str, tuple[str, str]] = {
    "clock": ("clock", "time"),
    "receipt": ("receipt", "time"),
    "calls": ("calls", "time"),
    "trace": ("trace", "mark"),
    "plan": ("plan", "minutes"),
    "cctv": ("cctv", "who"),
    "roster": ("roster", "cell"),
}
"""By medium: the kind of question, and the word of the answer that must be exact."""


def _rows(spec: Any) -> Iterator[tuple[str, str]]:
    if isinstance(spec, PrintedLogSpec):
        yield from ((row[1], row[2]) for row in spec.rows)
    if isinstance(spec, RegisterPageSpec):
        yield from ((row[1], row[2]) for row in spec.rows)
    if isinstance(spec, ChecklistSpec):
        for one in spec.entries:
            name, _, cell = one.text.rpartition(": ")
            yield name, cell


def _quote_text(spec: PictureSpec) -> str:
    match spec.spec:
        case LetterSpec(body=body):
            return body[1]
        case ChatScreenSpec(messages=messages):
            return messages[2].text
        case InvoiceSpec(remark=remark):
            return remark[0]
        case TypescriptSpec(body=body):
            return next(one for one in map(plain_line, body) if one in spec.description)
        case report:
            return next(one for one in report.findings if one in spec.description)
