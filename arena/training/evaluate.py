"""Measure a model on held-out cases: `python -m arena.training.evaluate`.

Tables, each in both languages, with 95 % Wilson intervals:

- `interview`: questions put to a civilian seat; an answer is *apt* where it holds a statement that
  answers the question; a sentence is *true* by `arena.training.judging`;
- `speech`: what a civilian seat says in a match in which the teacher spoke before;
- `verdict`: the culprit that a civilian names when nobody has named one before;
- `ballot`: the vote of each civilian after the conclusions of all;
- `reading`: questions about small pictures; an answer is right where it holds the exact time, name,
  number, mark or sentence.

`blank` in a table's name: the same without the pictures.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Annotated, Final

import typer

from arena.core.purposes import Purpose
from arena.models.chat import CallId, ChatModel, ChoiceConstraint, Constraint, Message, Request
from arena.run.model_pool import PictureStore
from arena.run.one_model import open_one_model
from arena.training.curriculum import ask_first_seat, show_clues
from arena.training.episodes import Episode, Rules, Talk, hold_interview, play_match
from arena.training.judging import Judge, judge_answer, judge_speech, list_sentences
from arena.training.reading import Reading, readings_of, small_script
from eval.stats.intervals import wilson
from scripts_mm.generate.case import Case, make_case
from scripts_mm.generate.options import options_of
from scripts_mm.generate.splits import SPLITS
from scripts_mm.script import LANGUAGES, Language, Script

_AT_ONCE: Final = 8
REPLY_TOKENS: Final = 128
_QUESTIONS: Final = 6
"""To one seat."""
_SPEECHES: Final = 5
"""Of one match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One prompt, and what its reply is judged by."""

    table: str
    language: Language
    prompt: tuple[Message, ...]
    judge: Judge
    constraint: Constraint | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A reply, and how it was judged."""

    table: str
    language: Language
    asked: str
    reply: str
    judged: Mapping[str, Sequence[bool]]


def main(
    model: Annotated[str, typer.Option(help="A profile, an alias or a URL.")] = "mini",
    cases: Annotated[int, typer.Option(help="Test cases of each language.")] = 10,
    out: Annotated[Path | None, typer.Option(help="Gets a line of JSON for each reply.")] = None,
) -> None:
    """Put questions, pictures and votes of test cases to a model and print how it did."""
    rows = asyncio.run(evaluate(model, cases))
    if out is not None:
        out.write_text("".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in rows))
    for line in table(rows):
        typer.echo(line)


async def evaluate(name: str, cases: int) -> list[Row]:
    """Return a row for each reply of the model called `name`."""
    files: dict[str, bytes] = {}
    items = [
        item
        for language in LANGUAGES
        for seed in SPLITS["test"][:cases]
        for item in items_of(seed, language, files)
    ]
    store = PictureStore(read=lambda one: files[one.sha256], save=lambda _sha, _data: None)
    with TemporaryDirectory() as folder:
        opened = open_one_model(name, Path(folder), max_requests=_AT_ONCE, log=_say, pictures=store)
        async with opened as found:
            return await answer_all(found.handle.replicas[0].chat, items)


def items_of(seed: int, language: Language, files: dict[str, bytes]) -> Iterator[Item]:
    """Yield what is asked about one case; the pictures are added to `files` by content hash."""
    rng = Random(f"{seed}/{language}/evaluation")
    case = make_case(seed, options_of("medium", 5), (language,))
    yield from _answers(case, language, rng)
    script, drawn = small_script(case, language, 0)
    files |= drawn
    yield from _readings(case, script, rng)
    yield from _turns(case, language, script, rng)


def _answers(case: Case, language: Language, rng: Random) -> Iterator[Item]:
    script = case.told[language].bare
    guilty = set(script.murderers)
    seats = [at for at, role in enumerate(script.roles) if role.name not in guilty]
    drawn = Talk(seat_number=rng.choice(seats), questions=_QUESTIONS, seed=rng.randrange(10**6))
    talk = hold_interview(case, language, script, drawn)
    known = list_sentences(case, language, talk.observation)
    for asked, question in talk.questions:
        yield Item(
            table="interview",
            language=language,
            prompt=(*talk.header, asked),
            judge=judge_answer(question.answers, known),
        )


def _readings(case: Case, script: Script, rng: Random) -> Iterator[Item]:
    blank = replace(script, clues=tuple(replace(one, pictures=()) for one in script.clues))
    for one in readings_of(case, script.language, rng):
        asked = ask_first_seat(script, one.question, rng)

        judge = _judge_reading(one)
        for name, told in ((f"reading {one.kind}", script), ("reading, blank", blank)):
            prompt = (*show_clues(told, [one.clue]), asked)
            yield Item(table=name, language=script.language, prompt=prompt, judge=judge)


def _judge_reading(asked: Reading) -> Judge:
    exact = asked.exact.rstrip(".。")

    def judge(reply: str) -> Mapping[str, Sequence[bool]]:
        # A camera's still names who was in view first; all else comes last.
        is_first = asked.kind == "cctv"
        is_right = exact in reply if is_first else reply.rstrip(".。").endswith(exact)
        return {"right": [is_right]}

    return judge


def _turns(case: Case, language: Language, script: Script, rng: Random) -> Iterator[Item]:
    """Yield turns of civilians in a match of the teacher, with pictures and without."""
    culprit = next(iter(script.murderers))
    how = Rules(preset="short", seed=case.drawn.world.frame.seed)
    for mark, told in (("", script), (", blank", case.told[language].bare)):
        turns = [
            one for one in play_match(case, language, told, how) if one.observation.seat != culprit
        ]
        speeches = [
            one for one in turns if one.asked.purpose not in (Purpose.VOTE, Purpose.CONCLUDE)
        ]
        if not mark:
            for one in rng.sample(speeches, min(len(speeches), _SPEECHES)):
                yield _turn("speech", case, language, one)
        first = next(one for one in turns if one.asked.purpose is Purpose.CONCLUDE)
        yield _turn(f"verdict{mark}", case, language, first)
        for one in turns:
            if one.asked.purpose is Purpose.VOTE:
                yield _vote(f"ballot{mark}", language, one, culprit)


def _turn(name: str, case: Case, language: Language, one: Episode) -> Item:
    return Item(
        table=name,
        language=language,
        prompt=one.request.messages,
        judge=judge_speech(case, language, one.observation, one.asked.purpose),
        constraint=one.request.constraint,
    )


def _vote(name: str, language: Language, one: Episode, culprit: str) -> Item:
    constraint = one.request.constraint
    assert isinstance(constraint, ChoiceConstraint), "a vote is a choice"
    options = tuple(each for each in constraint.options if each in one.observation.seats)
    return Item(
        table=name,
        language=language,
        prompt=one.request.messages,
        judge=lambda reply: {"right": [reply == culprit]},
        constraint=ChoiceConstraint(options=options),
    )


async def answer_all(model: ChatModel, items: Sequence[Item]) -> list[Row]:
    """Return a row for every item, in order."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def answer(number: int, item: Item) -> Row:
        async with gate:
            done = await model.complete(
                Request(
                    call_id=CallId(seat="evaluation", request=str(number)),
                    messages=item.prompt,
                    max_tokens=REPLY_TOKENS,
                    temperature=0.0,
                    constraint=item.constraint,
                )
            )
        text = done.text.strip()
        asked = item.prompt[-1].text.splitlines()[0]
        return Row(
            table=item.table,
            language=item.language,
            asked=asked,
            reply=text,
            judged=item.judge(text),
        )

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(answer(n, item)) for n, item in enumerate(items)]
    return [task.result() for task in tasks]


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a line for each table, language and measure: share, interval and number."""
    counts: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for row in rows:
        for measure, found in row.judged.items():
            counts[row.table, row.language, measure] += found
    for (name, language, measure), found in sorted(counts.items()):
        interval = wilson(sum(found), len(found))
        share = sum(found) / len(found)
        low, high = f"{interval.low:.2f}", f"{interval.high:.2f}"
        yield f"{name:20} {language} {measure:10} {share:.2f} [{low}, {high}] n={len(found)}"


def _say(text: str) -> None:
    typer.echo(text, err=True)


if __name__ == "__main__":
    typer.run(main)
