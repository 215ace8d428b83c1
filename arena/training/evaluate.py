"""Evaluation of a model on held-out cases: `python -m arena.training.evaluate`.

Tables, each in both languages, with 95 % Wilson intervals. The prompts are those of a match in
which the teacher plays every seat, within the model's own limits:

- `answer`: a civilian's answer to a question; it is *apt* if it contains a statement that answers,
  a sentence is *true* by `arena.training.judging`;
- `speech`: all other texts of a civilian;
- `verdict`: the culprit that a civilian names when no seat has named one before;
- `verdict, thinking`: the same with a thought before it: `possible` where the prompt shows a
  sentence that tells a trait of the culprit and one about a seat that has it, of these `evidence`
  where the thought has the first, and `hop` where it has both;
- `ballot`: the vote of each civilian after the conclusions of all;
- `reading`: questions about small pictures; an answer is right if it contains the exact time, name,
  number or mark, and of a text every name, place and figure in their order; it is *whole* if it
  repeats the text to the letter.

`blank` in a table's name: the same without the pictures. A player without a model, such as `naive`,
is measured on all tables except `reading` and those of thoughts.

With `--table bundled` there are other tables, one for each standing question to the civilians of
the bundled scripts, and `bundled` for all: whether an answer addresses the question, by
`arena.training.addressing`.
"""

import asyncio
import itertools
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Annotated, Final, get_args

import typer

from arena.core.actions import Action, Reply
from arena.core.purposes import QUESTION
from arena.errors import ArenaError
from arena.models.chat import CallId, ChatModel, Constraint, Message, Request
from arena.players.contestants import Contestant, read_contestant
from arena.players.model_limits import ModelLimits, Replies
from arena.players.prompts import ask_reply
from arena.players.roster import make_player
from arena.run.servers.connected_model import connect_model
from arena.run.servers.model_pool import PictureStore
from arena.training.episodes import Episode, PromptLimits, reply_text
from arena.training.evaluation_items import (
    BUNDLED,
    EvaluationItem,
    items_of,
    items_of_library,
)
from eval.stats.confidence_intervals import wilson
from scripts_mm.script import LANGUAGES, Language
from scripts_mm.seed_splits import SPLITS

_AT_ONCE: Final = 8
_REPORTED: Final = 100
"""Replies between two lines of progress."""
REPLY_TOKENS: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSpec:
    """What a model is asked: test cases by number, or the bundled scripts."""

    cases: range = range(10)
    table: str = ""
    """Beginning of the names of the tables; empty: all of the test cases."""

    def items(self, files: dict[str, bytes], room: PromptLimits) -> list[EvaluationItem]:
        """Return the items in both languages; the pictures are added to `files` by hash."""
        is_bundled = self.table.startswith(BUNDLED)
        found = self._of_library(files, room) if is_bundled else self._of_cases(files, room)
        return [item for item in found if item.table.startswith(self.table)]

    def _of_library(self, files: dict[str, bytes], room: PromptLimits) -> Iterator[EvaluationItem]:
        for language in LANGUAGES:
            yield from items_of_library(language, files, room)

    def _of_cases(self, files: dict[str, bytes], room: PromptLimits) -> Iterator[EvaluationItem]:
        for language, number in product(LANGUAGES, self.cases):
            yield from items_of(SPLITS["test"][number], language, files, room)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRow:
    """A reply and its judgement."""

    table: str
    language: Language
    seat: str
    """Empty: the item is not part of a match."""
    asked: str
    reply: str
    thought: str
    judged: Mapping[str, Sequence[bool]]


def main(
    model: Annotated[
        str, typer.Option(help="A profile, an alias, a URL, or a player without a model.")
    ] = "mini",
    cases: Annotated[int, typer.Option(help="Test cases of each language.")] = 10,
    first: Annotated[int, typer.Option(help="Number of the first test case.")] = 0,
    table: Annotated[
        str, typer.Option(help="Only tables whose names begin so; bundled: the bundled scripts.")
    ] = "",
    replies: Annotated[
        str, typer.Option(help="free or extractive; default: as in the profile.")
    ] = "",
    out: Annotated[Path | None, typer.Option(help="Output file, a JSON line per reply.")] = None,
) -> None:
    """Put questions, pictures and votes of test cases to a model and print the results."""
    if replies not in ("", *get_args(Replies)):
        raise typer.BadParameter(
            f"{replies!r} is neither free nor extractive", param_hint="--replies"
        )
    asked = EvaluationSpec(cases=range(first, first + cases), table=table)
    try:
        contestant = read_contestant(model)
        if contestant.model is None:
            rows = evaluate_player(contestant, asked)
        else:
            rows = asyncio.run(evaluate(model, asked, replies))
    except ArenaError as error:
        _say(f"error: {error}")
        raise typer.Exit(2) from error
    if out is not None:
        out.write_text("".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in rows))
    for line in render_table(rows):
        typer.echo(line)


async def evaluate(name: str, asked: EvaluationSpec, replies: str = "") -> list[EvaluationRow]:
    """Return a row for each reply of the model called `name`."""
    files: dict[str, bytes] = {}
    store = PictureStore(read=lambda one: files[one.sha256], save=lambda _sha, _data: None)
    with TemporaryDirectory() as folder:
        opened = connect_model(name, Path(folder), max_requests=_AT_ONCE, log=_say, pictures=store)
        async with opened as found:
            room = _limits_of(found.handle.limits, replies)
            items = await asyncio.to_thread(asked.items, files, room)
            return await answer_all(found.handle.replicas[0].chat, items)


def evaluate_player(contestant: Contestant, asked: EvaluationSpec) -> list[EvaluationRow]:
    """Return a row for each answer of a player without a model."""
    items = asked.items({}, PromptLimits())
    player = make_player(contestant, None, None)

    async def act(number: int, one: Episode) -> Action:
        return (await player.act(one.observation, one.asked, Random(number))).action

    rows: list[EvaluationRow] = []
    for number, item in enumerate(items):
        if (one := item.episode) is None or item.thought is not None:
            continue
        action = asyncio.run(act(number, one))
        if isinstance(action, Reply):
            rows.append(_row(item, reply_text(action, one.asked, item.language)))
    return rows


def _limits_of(limits: ModelLimits, replies: str) -> PromptLimits:
    return PromptLimits(
        count=limits.count,
        budget=limits.context_budget,
        shares=limits.shares,
        replies="extractive" if (replies or limits.replies) == "extractive" else "free",
    )


async def answer_all(model: ChatModel, items: Sequence[EvaluationItem]) -> list[EvaluationRow]:
    """Return a row for every item, in order."""
    gate = asyncio.Semaphore(_AT_ONCE)
    numbers = itertools.count(1)

    async def complete(
        number: int, messages: tuple[Message, ...], constraint: Constraint | None
    ) -> str:
        done = await model.complete(
            Request(
                call_id=CallId(seat="evaluation", request=str(number)),
                messages=messages,
                max_tokens=REPLY_TOKENS,
                temperature=0.0,
                constraint=constraint,
            )
        )
        return done.text.strip()

    async def answer(number: int, item: EvaluationItem) -> EvaluationRow:
        prompt, thought = item.prompt, ""
        async with gate:
            if item.thought is not None:
                thought = await complete(number, prompt, item.thought)
                prompt = (*prompt, Message(role="assistant", text=thought))
                prompt = (*prompt, ask_reply(item.language))
            reply = await complete(number, prompt, item.constraint)
        if (finished := next(numbers)) % _REPORTED == 0:
            _say(f"{finished} of {len(items)} replies")
        return _row(item, reply, thought)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(answer(n, item)) for n, item in enumerate(items)]
    return [task.result() for task in tasks]


def _row(item: EvaluationItem, reply: str, thought: str = "") -> EvaluationRow:
    one = item.episode
    question = one.asked.context_value(QUESTION) if one is not None else ""
    return EvaluationRow(
        table=item.table,
        language=item.language,
        seat=one.asked.seat if one is not None else "",
        asked=question or item.prompt[-1].text.splitlines()[0],
        reply=reply,
        thought=thought,
        judged={**item.judge_thought(thought), **item.judge(reply)},
    )


def render_table(rows: Sequence[EvaluationRow]) -> Iterator[str]:
    """Yield a line for each table, language and measure: share, interval and number."""
    counts: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for row in rows:
        tables = (row.table, BUNDLED) if row.table.startswith(BUNDLED) else (row.table,)
        for table, (measure, found) in product(tables, row.judged.items()):
            counts[table, row.language, measure] += found
    for (name, language, measure), found in sorted(counts.items()):
        interval = wilson(sum(found), len(found))
        share = sum(found) / len(found)
        low, high = f"{interval.low:.2f}", f"{interval.high:.2f}"
        yield f"{name:20} {language} {measure:10} {share:.2f} [{low}, {high}] n={len(found)}"


def _say(text: str) -> None:
    typer.echo(text, err=True)


if __name__ == "__main__":
    typer.run(main)
