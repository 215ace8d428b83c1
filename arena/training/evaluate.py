"""Evaluation of a model on held-out cases: `python -m arena.training.evaluate`.

Tables, each in both languages, with 95 % Wilson intervals. The prompts are those of a match in
which the teacher plays every seat, within the model's own limits:

- `answer`: a civilian's answer to a question; it is *apt* if it contains a statement that answers,
  a sentence is *true* by `arena.training.judging`;
- `speech`: all other texts of a civilian;
- `verdict`: the culprit that a civilian names when no seat has named one before;
- `ballot`: the vote of each civilian after the conclusions of all;
- `reading`: questions about small pictures; an answer is right if it contains the exact time, name,
  number or mark, and of a text every name, place and figure in their order; it is *whole* if it
  repeats the text to the letter.

`blank` in a table's name: the same without the pictures. A player without a model, such as `naive`,
is measured on all tables except `reading`.
"""

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Annotated, Final, get_args

import typer

from arena.core.actions import Action, Reply
from arena.core.purposes import Purpose
from arena.models.chat import CallId, ChatModel, ChoiceConstraint, Constraint, Message, Request
from arena.players.contestants import Contestant, read_contestant
from arena.players.model_limits import ModelLimits, Replies
from arena.players.roster import make_player
from arena.run.servers.connected_model import connect_model
from arena.run.servers.model_pool import PictureStore
from arena.training.cards import draw_pictures
from arena.training.episodes import Episode, MatchRules, PromptLimits, play_match, reply_text
from arena.training.judging import Judge, judge_answer, judge_speech
from arena.training.reading import PictureQuestion, list_picture_questions, small_script
from arena.training.samples import ask_first_seat, show_clues
from eval.stats.confidence_intervals import wilson
from scripts_mm.generate.case import GeneratedCase, make_case
from scripts_mm.generate.options import make_options
from scripts_mm.script import LANGUAGES, Language, Script
from scripts_mm.seed_splits import SPLITS

_AT_ONCE: Final = 8
REPLY_TOKENS: Final = 128
_SPEECHES: Final = 5
"""Speeches of one match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationItem:
    """One prompt, and the judge of its reply."""

    table: str
    language: Language
    prompt: tuple[Message, ...]
    judge: Judge
    constraint: Constraint | None = None
    episode: Episode | None = None
    """Turn of a match; None: it is not part of a match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRow:
    """A reply and its judgement."""

    table: str
    language: Language
    asked: str
    reply: str
    judged: Mapping[str, Sequence[bool]]


def main(
    model: Annotated[
        str, typer.Option(help="A profile, an alias, a URL, or a player without a model.")
    ] = "mini",
    cases: Annotated[int, typer.Option(help="Test cases of each language.")] = 10,
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
    contestant = read_contestant(model)
    if contestant.model is None:
        rows = evaluate_player(contestant, cases)
    else:
        rows = asyncio.run(evaluate(model, cases, replies))
    if out is not None:
        out.write_text("".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in rows))
    for line in render_table(rows):
        typer.echo(line)


async def evaluate(name: str, cases: int, replies: str = "") -> list[EvaluationRow]:
    """Return a row for each reply of the model called `name`."""
    files: dict[str, bytes] = {}
    store = PictureStore(read=lambda one: files[one.sha256], save=lambda _sha, _data: None)
    with TemporaryDirectory() as folder:
        opened = connect_model(name, Path(folder), max_requests=_AT_ONCE, log=_say, pictures=store)
        async with opened as found:
            room = _limits_of(found.handle.limits, replies)
            items = await asyncio.to_thread(_all_items, cases, files, room)
            return await answer_all(found.handle.replicas[0].chat, items)


def evaluate_player(contestant: Contestant, cases: int) -> list[EvaluationRow]:
    """Return a row for each answer of a player without a model."""
    items = _all_items(cases, {}, PromptLimits())
    player = make_player(contestant, None, None)

    async def act(number: int, one: Episode) -> Action:
        return (await player.act(one.observation, one.asked, Random(number))).action

    rows: list[EvaluationRow] = []
    for number, item in enumerate(items):
        if (one := item.episode) is None:
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


def _all_items(cases: int, files: dict[str, bytes], room: PromptLimits) -> list[EvaluationItem]:
    return [
        item
        for language in LANGUAGES
        for seed in SPLITS["test"][:cases]
        for item in items_of(seed, language, files, room)
    ]


def items_of(
    seed: int, language: Language, files: dict[str, bytes], room: PromptLimits
) -> Iterator[EvaluationItem]:
    """Yield the items of one case; the pictures are added to `files` by content hash."""
    rng = Random(f"{seed}/{language}/evaluation")
    case = make_case(seed, make_options("medium", 5), (language,))
    script, drawn = small_script(case, language, draw_pictures(case, language, 0))
    files |= drawn
    yield from _readings(case, script, rng)
    yield from _turns(case, script, room, rng)


def _readings(case: GeneratedCase, script: Script, rng: Random) -> Iterator[EvaluationItem]:
    blank = replace(script, clues=tuple(replace(one, pictures=()) for one in script.clues))
    for one in list_picture_questions(case, script.language, rng):
        asked = ask_first_seat(script, one.question, rng)
        judge = _make_reading_judge(one)
        for name, told in ((f"reading {one.kind}", script), ("reading, blank", blank)):
            prompt = (*show_clues(told, [one.clue]), asked)
            yield EvaluationItem(table=name, language=script.language, prompt=prompt, judge=judge)


def _make_reading_judge(asked: PictureQuestion) -> Judge:
    exact = asked.exact.rstrip(".。")
    known = "|".join(re.escape(one) for one in sorted(asked.known, key=len, reverse=True))
    telling = re.compile(rf"{known}|\d+(?:[,:]\d+)*")
    words = telling.findall(exact)

    def judge(reply: str) -> Mapping[str, Sequence[bool]]:
        # An answer about a camera's still begins with the exact part; all others end with it.
        is_first = asked.kind == "cctv"
        is_whole = exact in reply if is_first else reply.rstrip(".。").endswith(exact)
        if not asked.known or not words:
            return {"right": [is_whole]}
        return {"right": [telling.findall(reply) == words], "whole": [is_whole]}

    return judge


def _turns(
    case: GeneratedCase, script: Script, room: PromptLimits, rng: Random
) -> Iterator[EvaluationItem]:
    """Yield turns of civilians in a match of the teacher, with pictures and without."""
    language, culprit = script.language, next(iter(script.murderers))
    how = MatchRules(preset="short", seed=case.drawn.world.frame.seed)
    for mark, told in (("", script), (", blank", case.told[language].bare)):
        played = play_match(case, language, told, how, room)
        turns = [one for one in played if one.observation.seat != culprit]
        if not mark:
            yield from _make_speech_items(case, language, turns, rng)
        first = next(one for one in turns if one.asked.purpose is Purpose.CONCLUDE)
        yield _turn(f"verdict{mark}", case, language, first)
        for one in turns:
            if one.asked.purpose is Purpose.VOTE:
                yield _vote(f"ballot{mark}", language, one, culprit)


def _make_speech_items(
    case: GeneratedCase, language: Language, turns: Sequence[Episode], rng: Random
) -> Iterator[EvaluationItem]:
    speeches: list[Episode] = []
    for one in turns:
        if one.asked.is_question:
            judge = judge_answer(case, language, one.observation, one.answers)
            yield _item(one.asked.purpose.value, language, one, judge)
        elif one.asked.purpose not in (Purpose.VOTE, Purpose.CONCLUDE):
            speeches.append(one)
    for one in rng.sample(speeches, min(len(speeches), _SPEECHES)):
        yield _turn("speech", case, language, one)


def _turn(name: str, case: GeneratedCase, language: Language, one: Episode) -> EvaluationItem:
    judge = judge_speech(case, language, one.observation, one.asked.purpose)
    return _item(name, language, one, judge)


def _vote(name: str, language: Language, one: Episode, culprit: str) -> EvaluationItem:
    constraint = one.request.constraint
    assert isinstance(constraint, ChoiceConstraint), "a vote is a choice"
    options = tuple(each for each in constraint.options if each in one.observation.seats)
    found = _item(name, language, one, lambda reply: {"right": [reply == culprit]})
    return replace(found, constraint=ChoiceConstraint(options=options))


def _item(name: str, language: Language, one: Episode, judge: Judge) -> EvaluationItem:
    return EvaluationItem(
        table=name,
        language=language,
        prompt=one.request.messages,
        judge=judge,
        constraint=one.request.constraint,
        episode=one,
    )


async def answer_all(model: ChatModel, items: Sequence[EvaluationItem]) -> list[EvaluationRow]:
    """Return a row for every item, in order."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def answer(number: int, item: EvaluationItem) -> EvaluationRow:
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
        return _row(item, done.text.strip())

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(answer(n, item)) for n, item in enumerate(items)]
    return [task.result() for task in tasks]


def _row(item: EvaluationItem, reply: str) -> EvaluationRow:
    return EvaluationRow(
        table=item.table,
        language=item.language,
        asked=item.prompt[-1].text.splitlines()[0],
        reply=reply,
        judged=item.judge(reply),
    )


def render_table(rows: Sequence[EvaluationRow]) -> Iterator[str]:
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
