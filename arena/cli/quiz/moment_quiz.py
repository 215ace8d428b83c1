"""Questions of a script to a seat at a moment of a recorded match."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from arena.cli.quiz.quiz_request import MomentRequest
from arena.cli.quiz.quiz_session import LogLine
from arena.errors import ConfigError
from arena.players.contestants import read_contestant
from arena.records.run_record import open_run
from arena.run.match.seat_moment import MomentAnswer, SeatMoment, find_moment, quiz_moment
from arena.run.servers.connected_model import connect_model
from arena.run.servers.model_pool import PictureStore
from eval.questions.quiz_answers import QuizAnswer, make_answer
from eval.questions.quiz_items import QuizItem
from eval.questions.quiz_results import Questions
from eval.questions.quiz_settings import QuizSettings
from scripts_mm.script import Picture

_DEADLINE = 120.0
"""Seconds of one call, counted while the model could answer: as in a match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentResult:
    """Answers of the seat, and their questions."""

    moment: SeatMoment
    answers: tuple[QuizAnswer, ...]
    questions: Questions


def ask_moment(
    asked: MomentRequest, model: str | None, settings: QuizSettings, at_once: int, tell: LogLine
) -> MomentResult:
    """Put the script's questions to `model`, which takes over the seat; None: to `random`."""
    run = open_run(asked.run)
    moment = find_moment(run.match(asked.match), asked.seat, asked.event)
    script = moment.state.script
    questions = {(script.id, script.language, one.id): one for one in script.questions}
    found = asyncio.run(_ask(asked, moment, model, settings, at_once, tell))
    if not found:
        raise ConfigError(f"script {script.id!r} has no question of these kinds for {asked.seat!r}")
    return MomentResult(
        moment=moment, answers=tuple(_answers(moment, found, questions)), questions=questions
    )


async def _ask(
    asked: MomentRequest,
    moment: SeatMoment,
    model: str | None,
    settings: QuizSettings,
    at_once: int,
    tell: LogLine,
) -> tuple[MomentAnswer, ...]:
    if model is None:
        who = read_contestant("random")
        return await quiz_moment(moment, who, None, settings.kinds, _DEADLINE)
    run = open_run(asked.run)
    boards: dict[str, bytes] = {}

    def read(picture: Picture) -> bytes:
        board = boards.get(picture.sha256)
        return run.read_picture(picture.sha256) if board is None else board

    store = PictureStore(read=read, save=boards.__setitem__)
    async with connect_model(
        model, asked.run, max_requests=at_once, pictures=store, log=tell
    ) as found:
        who = read_contestant(f"{model}+{settings.mode}")
        return await quiz_moment(moment, who, found.handle, settings.kinds, _DEADLINE)


def _answers(
    moment: SeatMoment, found: Sequence[MomentAnswer], questions: Questions
) -> Sequence[QuizAnswer]:
    script = moment.state.script
    answers: list[QuizAnswer] = []
    for one in found:
        question = questions[script.id, script.language, one.answer.question]
        item = QuizItem(
            script=script,
            question=question,
            category=question.kind,
            reader=moment.seat,
            shown=one.answer.shown,
        )
        done = [call.completion for call in one.calls if call.completion is not None]
        cached = [completion.cached_tokens for completion in done]
        answers.append(
            make_answer(
                item,
                one.answer.options,
                text=done[-1].text if done else "",
                thought=done[-2].text if len(done) > 1 else "",
                prompt_tokens=sum(completion.prompt_tokens for completion in done),
                cached_tokens=None if None in cached else sum(number or 0 for number in cached),
                output_tokens=sum(completion.output_tokens for completion in done),
                seconds=sum(completion.seconds for completion in done),
            )
        )
    return answers
