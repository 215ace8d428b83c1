"""Labelled examples: short answers to judge, labelled before any judging.

Both annotators are language models: `labelled.json` has the labels of the first, against which a
judge is measured; `second.json` those of another, who saw only the texts, in random order. Their
agreement is the upper bound for a judge.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from arena.core.quoting import quote
from arena.games.wording import Wording
from arena.records.record_schema import JsonCodec
from eval.judges.labelling.human_labels import ItemLabel, LabelKind
from eval.judges.scales import Scale
from eval.judges.task_builders.answer_tasks import fact_task, rationale_task
from eval.judges.task_builders.chain_tasks import CMD_SCALE
from eval.judges.tasks import Task
from eval.judges.verdicts import JudgeVerdict
from eval.judges.wording import find_wording
from scripts_mm.script import Language

_PACKAGE: Final = "eval.judges.examples"
_FILE: Final = "labelled.json"
_SECOND: Final = "second.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One text to judge, with its label; unused fields are empty."""

    id: str
    metric: Literal["fact", "rationale", "CMD", "SPC"]
    language: Language
    human: float | None = None
    """None: the label is a list."""
    listed: tuple[int, ...] = ()
    """SPC: the numbers, from 1, of the statements in the text."""
    question: str = ""
    right: str = ""
    """fact: the right answer; rationale: the right option."""
    why: str = ""
    method: str = ""
    motive: str = ""
    statements: tuple[str, ...] = ()
    text: str
    """The text to judge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondLabel:
    """The second annotator's label of an example; fields as in `Example`."""

    id: str
    human: float | None = None
    listed: tuple[int, ...] = ()


_SECOND_CODEC: Final = JsonCodec[tuple[SecondLabel, ...]](
    tuple[SecondLabel, ...], "the labels of the second annotator"
)
_CODEC: Final = JsonCodec[tuple[Example, ...]](tuple[Example, ...], "the labelled examples")


@cache
def load_examples() -> tuple[Example, ...]:
    """Return the labelled examples."""
    return _CODEC.load(files(_PACKAGE).joinpath(_FILE).read_text(encoding="utf-8"))


@cache
def load_second_labels() -> Mapping[str, SecondLabel]:
    """Return the labels of the second annotator by example."""
    text = files(_PACKAGE).joinpath(_SECOND).read_text(encoding="utf-8")
    return {one.id: one for one in _SECOND_CODEC.load(text)}


def example_task(example: Example) -> Task:
    """Return the task of an example, as a judge of matches would get it."""
    say, language = find_wording(example.language), example.language
    match example.metric:
        case "fact":
            task = fact_task(say, language, (example.question, example.right), example.text)
        case "rationale":
            known = (example.question, example.right, example.why)
            task = rationale_task(say, language, known, example.text)
        case "CMD":
            task = _detail_task(example, say)
        case "SPC":
            task = _points_task(example, say)
    return replace(task, about=example.id)


def example_labels(verdicts: Sequence[JudgeVerdict]) -> Iterator[ItemLabel]:
    """Yield the first annotator's labels with a judge's; each statement is an item."""
    by_id = {one.about: one for one in verdicts if not one.repeat}
    for example in load_examples():
        verdict = by_id[example.id]
        said = _values(example, verdict.value, verdict.values)
        for item, judge in said.items():
            yield replace(_labels(example)[item], judge=judge)


def annotator_labels() -> Iterator[ItemLabel]:
    """Yield the labels of both annotators, without a judge."""
    for example in load_examples():
        second = load_second_labels()[example.id]
        again = replace(example, human=second.human, listed=second.listed)
        for name, labelled in (("first", example), ("second", again)):
            yield from (replace(one, annotator=name) for one in _labels(labelled).values())


def _labels(example: Example) -> Mapping[str, ItemLabel]:
    """Return the labels of an example by item."""
    return {
        item: ItemLabel(
            item=item, metric=example.metric, kind=_KINDS[example.metric], human=value, judge=None
        )
        for item, value in _values(example, example.human, example.listed).items()
    }


def _values(
    example: Example, value: float | None, listed: Collection[float] | None
) -> Mapping[str, float | None]:
    """Return a value by item: for lists 1 if the statement is included, else 0; None: no list."""
    if example.metric != "SPC":
        return {example.id: value}
    return {
        f"{example.id}/{number}": None if listed is None else float(number in listed)
        for number in range(1, len(example.statements) + 1)
    }


_KINDS: Final[Mapping[str, LabelKind]] = {
    "fact": "binary",
    "rationale": "ordinal",
    "CMD": "score",
    "SPC": "binary",
}


def _detail_task(example: Example, say: Wording) -> Task:
    truth = say("part.how", method=example.method, motive=example.motive)
    stated = say("part.given", text=quote(example.text))
    return Task(
        metric="CMD",
        language=example.language,
        material=f"{say('part.truth', text=truth)}\n\n{stated}",
        demand=say("ask.CMD"),
        scale=CMD_SCALE,
        given=example.text,
        points=(example.method, example.motive),
    )


def _points_task(example: Example, say: Wording) -> Task:
    seat = "A"
    lines = "\n".join(
        say("line.numbered", number=number, text=text)
        for number, text in enumerate(example.statements, start=1)
    )
    shown = say("part.utterance", seat=seat, text=quote(example.text))
    return Task(
        metric="SPC",
        language=example.language,
        material=f"{say('part.statements', text=lines)}\n\n{shown}",
        demand=say("ask.SPC", seat=seat),
        scale=Scale(form="points", low=1, high=len(example.statements)),
        given=example.text,
        points=example.statements,
    )
