"""Execution of `arena quiz`: query the model, and show the results."""

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import typer
from rich.console import Group, RenderableType

from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.cli.exit_status import Interrupted
from arena.cli.quiz.moment_quiz import ask_moment
from arena.cli.quiz.quiz_request import QuizRequest
from arena.cli.quiz.quiz_session import (
    QuizPlan,
    QuizResult,
    measure_both_ways,
    read_model,
    run_quiz,
)
from arena.cli.rendering.quiz_table import category_table, public_table, speed_table
from arena.view.sanitize import sanitize_line
from eval.questions.quiz_answers import QuizAnswer
from eval.questions.quiz_results import (
    CategoryResult,
    PublicOnlyResult,
    Questions,
    QuizSpeed,
    summarise_public_only,
    summarise_quiz,
)

R = TypeVar("R", CategoryResult, PublicOnlyResult, QuizSpeed)


def execute_quiz(request: QuizRequest) -> None:
    """Execute a request; raise an `ArenaError` if that is not possible."""
    who, shown = read_model(request.model), _QuizOutput(request)
    if request.moment is not None:
        found = ask_moment(request.moment, who.model, request.settings, request.at_once, _log)
        shown.answers(found.answers)
        shown.categories(found.answers, found.questions)
        return
    plan = QuizPlan(
        who=who,
        scripts=request.scripts,
        settings=request.settings,
        folder=request.folder,
        at_once=request.at_once,
        cache=_cache_dir() / "ocr",
        tell=_log,
    )
    if request.measure is not None:
        shown.speeds(measure_both_ways(plan, request.measure))
    else:
        shown.quiz(plan, _run(plan))


def _run(plan: QuizPlan) -> QuizResult:
    try:
        return run_quiz(plan)
    except KeyboardInterrupt as error:
        folder = shlex.quote(str(plan.folder))
        raise Interrupted(f"interrupted; the same command with --out {folder} continues") from error


class _QuizOutput:
    """Output of results as tables, or as one JSON object per line."""

    def __init__(self, request: QuizRequest) -> None:
        self._lines = JsonOut(sys.stdout) if request.as_json else None
        self._screen = open_consoles(no_color=request.no_color).out

    def quiz(self, plan: QuizPlan, result: QuizResult) -> None:
        """Show the results, the speed, and where the answers are."""
        if plan.settings.public_only:
            rows = summarise_public_only(result.answers, plan.questions)
            self._rows("public_only", rows, public_table)
        else:
            self.categories(result.answers, plan.questions)
        self.speeds((result.speed,))
        flags = f" ({', '.join(result.flags)})" if result.flags else ""
        _log(f"{result.served}{flags}: {len(result.answers)} answers in {str(plan.folder)!r}")

    def categories(self, answers: Sequence[QuizAnswer], questions: Questions) -> None:
        """Show one row per category."""
        self._rows("category", summarise_quiz(answers, questions), category_table)

    def speeds(self, speeds: Sequence[QuizSpeed]) -> None:
        """Show one row per mode."""
        self._rows("speed", speeds, speed_table)

    def answers(self, answers: Sequence[QuizAnswer]) -> None:
        """Write, with `--json`, each answer that is not stored in a folder."""
        if self._lines is not None:
            for one in answers:
                self._lines.write({"row": "quiz_answer", **asdict(one)})

    def _rows(
        self, name: str, rows: Sequence[R], table: Callable[[Sequence[R]], RenderableType]
    ) -> None:
        if self._lines is None:
            self._screen.print(Group(table(rows), ""))
            return
        for row in rows:
            self._lines.write({"row": name, **asdict(row)})


def _cache_dir() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "murder-arena"


def _log(line: str) -> None:
    typer.echo(sanitize_line(line), err=True)
