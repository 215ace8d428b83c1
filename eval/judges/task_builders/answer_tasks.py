"""Tasks on free answers after a match: facts, and rationales of chosen options.

The answers come from a file of JSON lines, one `FreeAnswer` each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from arena.core.quoting import defuse, quote
from arena.errors import RecordError
from arena.games.wording import Wording
from arena.records.record_files import read_jsonl
from arena.records.record_schema import JsonCodec
from eval.judges.scales import VERDICT, Scale
from eval.judges.task_builders.judge_scene import JudgeScene
from eval.judges.tasks import Task
from scripts_mm.script import Language

RATIONALE_SCALE: Final = Scale(form="number", low=1, high=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeAnswer:
    """A seat's free-text answer after a match."""

    match: str
    seat: str
    question: str
    """The id of a factual question of the script, or of an inferential one."""
    kind: Literal["fact", "rationale"]
    text: str


CODEC: Final = JsonCodec[FreeAnswer](FreeAnswer, "a free answer")


def read_free_answers(path: Path) -> tuple[FreeAnswer, ...]:
    """Read the answers of a file; raises `RecordError`."""
    if not path.is_file():
        raise RecordError(f"there is no file {str(path)!r}")
    return read_jsonl(path, CODEC.decode)


def answer_tasks(scene: JudgeScene, answers: Sequence[FreeAnswer]) -> Iterator[Task]:
    """Yield a task for each answer of this match, including empty ones."""
    script, say = scene.match.script, scene.say
    facts = {one.id: one for one in script.factual}
    choices = {one.id: one for one in script.questions}
    for one in answers:
        if one.match != scene.match.id:
            continue
        text = scene.mask_names(one.text)
        if one.kind == "fact" and (fact := facts.get(one.question)) is not None:
            task = fact_task(say, scene.language, (fact.question, fact.answer), text)
        elif one.kind == "rationale" and (choice := choices.get(one.question)) is not None:
            right = " / ".join(choice.options[key] for key in choice.keys)
            stated = (choice.stem, right, choice.rationale)
            task = rationale_task(say, scene.language, stated, text)
        else:
            raise RecordError(f"{script.id!r} has no {one.kind} question {one.question!r}")
        yield replace(task, match=one.match, seat=one.seat, about=one.question)


def fact_task(say: Wording, language: Language, known: tuple[str, str], text: str) -> Task:
    """Return the task to compare an answer with the right one; `known` is (question, answer)."""
    question, right = known
    parts = (
        say("part.question", text=defuse(question)),
        say("part.reference", text=defuse(right)),
        say("part.given", text=quote(text)),
    )
    return Task(
        metric="fact",
        language=language,
        material="\n".join(parts),
        demand=say("ask.fact"),
        scale=VERDICT,
        given=text,
        points=(right,),
    )


def rationale_task(
    say: Wording, language: Language, known: tuple[str, str, str], text: str
) -> Task:
    """Return the task to rate a rationale; `known` is (question, right option, explanation)."""
    question, right, why = known
    parts = (
        say("part.question", text=defuse(question)),
        say("part.reference", text=defuse(right)),
        say("part.explanation", text=defuse(why)),
        say("part.given_why", text=quote(text)),
    )
    return Task(
        metric="rationale",
        language=language,
        material="\n".join(parts),
        demand=say("ask.rationale"),
        scale=RATIONALE_SCALE,
        given=text,
        points=(why,),
    )
