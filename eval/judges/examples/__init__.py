"""Labelled examples: short answers to judge, labelled by hand before any judge saw them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from arena.core.quoting import quote
from arena.games.wording import Wording
from arena.records.schema import JsonCodec
from eval.judges.answer_tasks import fact_task, rationale_task
from eval.judges.chain_tasks import CMD_SCALE
from eval.judges.labels import Kind, Label
from eval.judges.scales import Scale
from eval.judges.tasks import Task
from eval.judges.verdicts import Verdict
from eval.judges.wording import find_wording
from scripts_mm.script import Language

_PACKAGE: Final = "eval.judges.examples"
_FILE: Final = "labelled.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One text to judge, with its label; fields that its metric does not need are empty."""

    id: str
    metric: Literal["fact", "rationale", "CMD", "SPC"]
    language: Language
    human: float | None = None
    """None: the label is a list."""
    listed: tuple[int, ...] = ()
    """SPC: the statements that the text states, from 1."""
    question: str = ""
    right: str = ""
    """fact: the right answer; rationale: the right option."""
    why: str = ""
    method: str = ""
    motive: str = ""
    statements: tuple[str, ...] = ()
    text: str
    """What is judged."""


_CODEC: Final = JsonCodec[tuple[Example, ...]](tuple[Example, ...], "the labelled examples")


@cache
def load_examples() -> tuple[Example, ...]:
    """Return the labelled examples."""
    return _CODEC.load(files(_PACKAGE).joinpath(_FILE).read_text(encoding="utf-8"))


def example_task(example: Example) -> Task:
    """Return the task that a judge of matches would be given."""
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


def example_labels(verdicts: Sequence[Verdict]) -> Iterator[Label]:
    """Yield the labels with what a judge said; each statement of a list is an item of its own."""
    by_id = {one.about: one for one in verdicts if not one.repeat}
    for example in load_examples():
        verdict = by_id[example.id]
        if example.metric != "SPC":
            yield Label(
                item=example.id,
                metric=example.metric,
                kind=_KINDS[example.metric],
                human=example.human,
                judge=verdict.value,
            )
            continue
        for number in range(1, len(example.statements) + 1):
            named = verdict.values
            yield Label(
                item=f"{example.id}/{number}",
                metric=example.metric,
                kind="binary",
                human=float(number in example.listed),
                judge=None if named is None else float(number in named),
            )


_KINDS: Final[Mapping[str, Kind]] = {"fact": "binary", "rationale": "ordinal", "CMD": "score"}


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
