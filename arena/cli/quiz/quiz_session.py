"""Session of one quiz: reads scripts, connects a model, asks questions, stores the answers."""

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from arena.core.chance import generator
from arena.errors import ConfigError
from arena.models.retrying import RetryingModel, exponential_backoff
from arena.players.contestants import Contestant, read_contestant
from arena.run.servers.connected_model import connect_model
from arena.run.servers.model_handle import ModelHandle
from arena.run.servers.model_pool import PictureStore
from eval.questions.answer_options import draw_answer
from eval.questions.ocr import find_reader, read_texts
from eval.questions.prefix_groups import PictureLimits, PrefixGroup, make_prefix_groups
from eval.questions.quiz_answers import QuizAnswer, QuizManifest, make_answer, open_answers
from eval.questions.quiz_items import make_culprit_question
from eval.questions.quiz_results import Questions, QuizSpeed, measure_speed
from eval.questions.quiz_runner import QuizModel, ask_groups
from eval.questions.quiz_settings import QuizSettings
from scripts_mm.script import Picture
from scripts_mm.script_folder import LoadedScript

RANDOM_PLAYER = "random"
"""The only player that answers without a model."""
_TRIES = 8
"""Maximum attempts of one call while its server is unavailable; with the pauses about two minutes.
"""

LogLine = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizPlan:
    """A quiz to run."""

    who: Contestant
    scripts: tuple[LoadedScript, ...]
    settings: QuizSettings
    folder: Path
    at_once: int
    cache: Path
    """Folder of the texts read from pictures."""
    tell: LogLine
    """Shows a line of progress."""

    @property
    def picture_store(self) -> PictureStore:
        """Return the pictures of all scripts, and the boards made of them."""
        sources = {
            picture.sha256: partial(loaded.read_picture, picture)
            for loaded in self.scripts
            for picture in loaded.script.pictures
        }
        boards: dict[str, bytes] = {}

        def read(picture: Picture) -> bytes:
            board = boards.get(picture.sha256)
            return sources[picture.sha256]() if board is None else board

        return PictureStore(read=read, save=boards.__setitem__)

    @property
    def questions(self) -> Questions:
        """Return every possible question, by script, language and id."""
        found = {
            (loaded.script.id, loaded.script.language, question.id): question
            for loaded in self.scripts
            for question in loaded.script.questions
        }
        if self.settings.public_only:
            for script in (loaded.script for loaded in self.scripts):
                if (question := make_culprit_question(script)) is not None:
                    found[script.id, script.language, question.id] = question
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizResult:
    """Answers of a quiz, including those of earlier calls."""

    answers: tuple[QuizAnswer, ...]
    served: str
    flags: tuple[str, ...]
    speed: QuizSpeed
    """Speed of the questions put in this call."""


def read_model(text: str) -> Contestant:
    """Return the contestant: a model, or `random`. Raises `ConfigError` for any other player."""
    who = read_contestant(text)
    if who.player != ("direct" if who.model else RANDOM_PLAYER) or who.options:
        raise ConfigError(
            f"only a model answers questions, or {RANDOM_PLAYER!r}; got {text!r} (--mode cot "
            "lets it think first)"
        )
    return who


def run_quiz(plan: QuizPlan) -> QuizResult:
    """Ask the questions that have no answer in the plan's folder."""
    _check_questions(plan)
    if plan.who.model is None:
        return _answer_at_random(plan)
    return asyncio.run(_ask(plan, plan.who.model, _read_pictures(plan)))


def measure_both_ways(plan: QuizPlan, questions: int) -> tuple[QuizSpeed, ...]:
    """Ask a number of the questions sequentially, and again concurrently; store no answers."""
    if plan.who.model is None:
        raise ConfigError("only a model has a speed")
    _check_questions(plan)
    return asyncio.run(_measure(plan, plan.who.model, _read_pictures(plan), questions))


def _check_questions(plan: QuizPlan) -> None:
    names = [f"{one.script.id}/{one.script.language}" for one in plan.scripts]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ConfigError(f"script {twice!r} is named twice")
    if not any(sheet.items for sheet in _make_groups(plan, _NO_PICTURES)):
        raise ConfigError("these scripts have no question of these kinds with a key")


async def _ask(plan: QuizPlan, model: str, texts: Mapping[str, str]) -> QuizResult:
    async with connect_model(
        model,
        plan.folder.parent,
        max_requests=plan.at_once,
        pictures=plan.picture_store,
        log=plan.tell,
    ) as found:
        handle = found.handle
        sheets = _make_groups(plan, _picture_limits(handle, texts))
        with open_answers(plan.folder, _manifest(plan, handle)) as book:
            wanted = {item.id for sheet in sheets for item in sheet.items}
            answers = [one for one in book.known if one.item in wanted]
            done = {one.item for one in answers}
            left = [
                replace(sheet, items=tuple(one for one in sheet.items if one.id not in done))
                for sheet in sheets
            ]
            new: list[QuizAnswer] = []
            progress = _QuizProgress(sum(len(sheet.items) for sheet in left), plan.tell)

            def take(answer: QuizAnswer) -> None:
                book.add(answer)
                new.append(answer)
                progress.count()

            began = time.perf_counter()
            await ask_groups(
                left, _make_quiz_model(handle), plan.settings, take, at_once=plan.at_once
            )
            seconds = time.perf_counter() - began
    way = "one at a time" if plan.at_once == 1 else f"{plan.at_once} at once"
    return QuizResult(
        answers=(*answers, *new),
        served=handle.served_name,
        flags=handle.flags,
        speed=measure_speed(way, new, seconds),
    )


async def _measure(
    plan: QuizPlan, model: str, texts: Mapping[str, str], questions: int
) -> tuple[QuizSpeed, ...]:
    speeds: list[QuizSpeed] = []
    async with connect_model(
        model,
        plan.folder.parent,
        max_requests=plan.at_once,
        pictures=plan.picture_store,
        log=plan.tell,
    ) as found:
        handle = found.handle
        sheets = sample_groups(_make_groups(plan, _picture_limits(handle, texts)), questions)
        for way, at_once in (("one at a time", 1), (f"{plan.at_once} at once", plan.at_once)):
            # With its own salt, a mode finds nothing cached by another mode or an earlier call.
            asked = replace(_make_quiz_model(handle), cache_salt=secrets.token_hex(8))
            answers: list[QuizAnswer] = []
            plan.tell(f"{way}: {sum(len(sheet.items) for sheet in sheets)} questions")
            began = time.perf_counter()
            await ask_groups(sheets, asked, plan.settings, answers.append, at_once=at_once)
            speeds.append(measure_speed(way, answers, time.perf_counter() - began))
    return tuple(speeds)


def sample_groups(sheets: Sequence[PrefixGroup], most: int) -> tuple[PrefixGroup, ...]:
    """Return whole sheets, spread from the first to the last, with about `most` questions."""
    total = sum(len(sheet.items) for sheet in sheets)
    kept: list[PrefixGroup] = []
    seen = held = 0
    for sheet in sheets:
        if held * total <= seen * most and held < most:
            kept.append(replace(sheet, items=sheet.items[: most - held]))
            held += len(kept[-1].items)
        seen += len(sheet.items)
    return tuple(kept)


def _answer_at_random(plan: QuizPlan) -> QuizResult:
    began = time.perf_counter()
    seed = plan.settings.seed
    new = tuple(
        make_answer(item, draw_answer(item.question, generator(seed, RANDOM_PLAYER, item.id)))
        for sheet in _make_groups(plan, _NO_PICTURES)
        for item in sheet.items
    )
    with open_answers(plan.folder, _manifest(plan, None)) as book:
        known = {one.item for one in book.known}
        for answer in new:
            if answer.item not in known:
                book.add(answer)
    seconds = time.perf_counter() - began
    return QuizResult(
        answers=new,
        served=RANDOM_PLAYER,
        flags=(),
        speed=measure_speed(RANDOM_PLAYER, new, seconds),
    )


class _NullTexts(dict[str, str]):
    """Placeholder for texts that are not read: only number and order of the items matter."""

    def __missing__(self, key: str) -> str:
        return ""


_NO_PICTURES = PictureLimits(texts=_NullTexts())


def _make_groups(plan: QuizPlan, limits: PictureLimits) -> tuple[PrefixGroup, ...]:
    return tuple(
        sheet
        for loaded in plan.scripts
        for sheet in make_prefix_groups(loaded.script, plan.settings, limits)
    )


def _picture_limits(handle: ModelHandle, texts: Mapping[str, str]) -> PictureLimits:
    limits = handle.limits
    return PictureLimits(texts=texts, most=limits.pictures, compose=limits.compose)


def _make_quiz_model(handle: ModelHandle) -> QuizModel:
    chats = [
        RetryingModel(one.chat, max_attempts=_TRIES, backoff=exponential_backoff())
        for one in handle.replicas
    ]
    return QuizModel(chats=chats, thought_tokens=handle.limits.reply_tokens)


def _read_pictures(plan: QuizPlan) -> Mapping[str, str]:
    """Return the text in every picture; empty if it is not needed."""
    if plan.settings.pictures != "ocr":
        return {}
    texts: dict[str, str] = {}
    for loaded in plan.scripts:
        texts |= read_texts(loaded.script.pictures, loaded.read_picture, plan.cache)
    plan.tell(f"the text of {len(texts)} pictures was read")
    return texts


def _manifest(plan: QuizPlan, handle: ModelHandle | None) -> QuizManifest:
    return QuizManifest(
        model=plan.who.name,
        served=handle.served_name if handle else RANDOM_PLAYER,
        flags=handle.flags if handle else (),
        settings=plan.settings,
        scripts={f"{one.script.id}/{one.script.language}": one.sha256 for one in plan.scripts},
        ocr=find_reader() if plan.settings.pictures == "ocr" and handle else "",
    )


class _QuizProgress:
    """Progress reporter of answered questions."""

    def __init__(self, total: int, tell: LogLine, every: float = 10.0) -> None:
        self._total, self._tell, self._every = total, tell, every
        self._done = 0
        self._began = self._told = time.perf_counter()

    def count(self) -> None:
        """Count an answer."""
        self._done += 1
        now = time.perf_counter()
        if now - self._told >= self._every:
            self._told = now
            rate = self._done / (now - self._began)
            self._tell(f"{self._done} of {self._total} questions, {rate:.2f} a second")
