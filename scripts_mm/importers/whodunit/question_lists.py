"""Question lists of WhodunitBench files, in their three forms."""

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, cast

from scripts_mm.importers.lenient_reader import LenientReader
from scripts_mm.names import text_form


@dataclass(frozen=True, slots=True, kw_only=True)
class RawQuestion:
    """A question as published: stem and options in one string."""

    text: str
    answer: str
    source: str = ""


def read_question_list(value: Any, place: str, reader: LenientReader) -> tuple[RawQuestion, ...]:
    """Read a list of `{q, ans, source}`."""
    found: list[RawQuestion] = []
    for at, entry in enumerate(reader.entries(value, place), 1):
        here = f"{place}[{at - 1}]"
        fields = {"q": entry} if isinstance(entry, str) else reader.fields(entry, here)
        found.append(
            RawQuestion(
                text=_question_text(fields.get("q"), f"{here}.q", reader),
                answer=reader.text(_answer_text(fields.get("ans")), f"{here}.ans"),
                source=reader.text(fields.get("source"), f"{here}.source"),
            )
        )
    return tuple(found)


def read_parallel_lists(
    fields: dict[str, Any], names: tuple[str, str, str], place: str, reader: LenientReader
) -> tuple[RawQuestion, ...]:
    """Read questions, answers and sources from parallel lists."""
    lists = [
        reader.entries(reader.get(fields, name, place), f"{place}.{name}") if name else []
        for name in names
    ]
    questions, answers = lists[0], lists[1]
    if len(questions) != len(answers):
        detail = f"{len(questions)} questions, but {len(answers)} answers"
        reader.notes.error("lists-differ", place, detail)
    return tuple(
        RawQuestion(
            text=_question_text(question, f"{place}[{at}]", reader),
            answer=reader.text(_answer_text(answer), f"{place}[{at}]"),
            source=reader.text(source, f"{place}[{at}]"),
        )
        for at, (question, answer, source) in enumerate(zip_longest(*lists))
    )


def _question_text(value: Any, place: str, reader: LenientReader) -> str:
    """Return a question's text, stripped; outer space is noted."""
    text = reader.text(value, place)
    if isinstance(value, str) and value != value.strip():
        reader.notes.info("outer-space", place, "outer white space is removed")
    return text


def _answer_text(value: Any) -> Any:
    """Return a list of letters as one text; other values unchanged."""
    if not isinstance(value, list):
        return value
    return ", ".join(map(str, cast("list[object]", value)))


def note_copy_differences(
    found: tuple[RawQuestion, ...], copy: Any, place: str, reader: LenientReader
) -> None:
    """Note how far the older copy of a list differs from the list that is read."""
    if copy is None:
        return
    others = [text_form(str(text)) for text in reader.entries(copy, place)]
    ours = [text_form(question.text) for question in found]
    differing = sum(1 for one, other in zip_longest(ours, others) if one != other)
    if differing:
        detail = f"{differing} of {len(ours)} entries differ from the list that is read"
        reader.notes.info("copy-differs", place, detail)
