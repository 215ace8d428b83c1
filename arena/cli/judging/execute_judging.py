"""Execution of `arena judge run` and `arena judge examples`: judge, store and show."""

import csv
import io
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import typer
from rich.console import Group

from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.cli.console.shell import shell_command
from arena.cli.exit_status import Interrupted
from arena.cli.judging.judge_requests import JudgeRequest
from arena.cli.judging.judge_session import JudgingOutput, judge_tasks
from arena.cli.judging.questionnaire_tables import forms_table, people_table
from arena.cli.rendering.judge_table import agreement_table, cost_line, judging_table
from arena.errors import ConfigError, RecordError
from arena.records.record_files import atomic_write
from arena.records.run_folder import hold_folder
from arena.view.sanitize import sanitize_line
from eval.judges import word_judge
from eval.judges.examples import (
    annotator_labels,
    example_labels,
    example_task,
    load_examples,
)
from eval.judges.gaps import find_gaps
from eval.judges.judge_runner import JudgeJob, own_model_flags, plan_jobs
from eval.judges.judging_results import summarise_judging, summarise_preferences
from eval.judges.labelling.human_labels import ItemLabel, group_labels
from eval.judges.labelling.judge_agreement import measure_agreement, measure_people
from eval.judges.model_questionnaires import summarise_forms
from eval.judges.reply_cache import memory_cache, open_cache
from eval.judges.store import judgements_folder, make_folder, write_verdicts
from eval.judges.task_builders.answer_tasks import read_free_answers
from eval.judges.task_builders.task_catalogue import FREE_ANSWERS, make_tasks, parse_metrics
from eval.judges.tasks import Task
from eval.played_match import PlayedMatch, read_run

_INFORMED = 4.0
"""Minimum value from which a rationale of the examples counts as informed."""


def execute_run(
    request: JudgeRequest,
    run: Path,
    metrics: str,
    answers: Path | None,
    out: Path | None,
    again: tuple[int, int],
) -> None:
    """Judge a run and store the judgements next to it."""
    matches, tasks = load_tasks(run, metrics, answers)
    folder = make_folder(out or judgements_folder(run), run)
    repeats, seed = _check_repeats(request, again[0]), again[1]
    try:
        with hold_folder(folder), open_cache(folder) as cache:
            judged = judge_tasks(
                request,
                tasks,
                lambda judge: plan_jobs(
                    tasks, repeats=repeats, seed=seed, flags=own_model_flags(matches, judge)
                ),
                cache,
                folder=folder,
                tell=_log,
            )
            write_verdicts(folder, [verdict for _, verdict in judged.verdicts])
    except KeyboardInterrupt as error:
        command = shell_command("judge", "run", str(run), "--judge", request.model)
        raise Interrupted(f"interrupted; replies are stored, continue with `{command}`") from error
    _show_run(request, judged, matches)
    _log(f"{len(judged.verdicts)} judgements in {str(folder)!r}")


def execute_examples(request: JudgeRequest, labels: Path | None) -> None:
    """Judge the labelled examples; only the labels are stored."""
    if labels is not None and (labels.is_dir() or not labels.parent.is_dir()):
        raise ConfigError(f"cannot write {str(labels)!r}: wanted a file in an existing folder")
    tasks = tuple(map(example_task, load_examples()))
    judged = judge_tasks(
        request,
        tasks,
        lambda _: tuple(JudgeJob(task=task) for task in tasks),
        memory_cache(),
        folder=Path(),
        tell=_log,
    )
    found = tuple(example_labels([verdict for _, verdict in judged.verdicts]))
    if labels is not None:
        atomic_write(labels, _encode_labels(found))
    groups = measure_agreement(group_labels(found), cut=_INFORMED)
    people = [row for one in group_labels(tuple(annotator_labels())) for row in measure_people(one)]
    if request.as_json:
        out = JsonOut(sys.stdout)
        for group in groups:
            out.write({"row": "agreement", "judge": judged.judge.name, **asdict(group)})
        for row in people:
            out.write({"row": "annotators", **asdict(row)})
        out.write({"row": "cost", "judge": judged.judge.name, **asdict(judged.cost)})
        return
    screen = open_consoles(no_color=request.no_color).out
    screen.print(Group(agreement_table(groups), people_table(people), cost_line(judged.cost)))
    _log_flags(judged)


def load_tasks(
    run: Path, metrics: str, answers: Path | None
) -> tuple[tuple[PlayedMatch, ...], tuple[Task, ...]]:
    """Return the finished matches of a run and their tasks for a judge.

    Raises `ConfigError` or `RecordError` if there are none.
    """
    wanted = parse_metrics(metrics)
    if (FREE_ANSWERS in wanted) != (answers is not None):
        raise ConfigError(f"--answers FILE is for the metric {FREE_ANSWERS}, which needs it")
    given = () if answers is None else read_free_answers(answers)
    matches, unread = read_run(run)
    if unread:
        _log(f"left out {len(unread)} matches that are unfinished or damaged")
    known = {match.id for match in matches}
    if strange := next((one for one in given if one.match not in known), None):
        raise RecordError(
            f"{str(answers)!r} has answers of {strange.match!r}, which is not a finished match"
        )
    tasks, gaps = make_tasks(matches, wanted, given), tuple(find_gaps(matches, wanted, given))
    if not tasks:
        why = "; ".join(map(str, gaps)) or "there is no finished match"
        raise RecordError(f"{str(run)!r} has nothing to judge: {why}")
    for gap in gaps:
        _log(str(gap))
    return matches, tasks


def _check_repeats(request: JudgeRequest, repeats: int) -> int:
    """Return how often judgements are repeated: never if every reply would be the same."""
    if repeats and (request.temperature == 0 or request.model == word_judge.NAME):
        cause = "temperature 0" if request.temperature == 0 else "a judge without randomness"
        _log(f"{cause}: repeats would give the same reply, so there are none and repeat sd is -")
        return 0
    return repeats


def _show_run(request: JudgeRequest, judged: JudgingOutput, matches: Sequence[PlayedMatch]) -> None:
    rows = summarise_judging(judged.verdicts)
    forms = summarise_forms(matches, (verdict for _, verdict in judged.verdicts))
    preference = summarise_preferences(verdict for _, verdict in judged.verdicts)
    if request.as_json:
        out = JsonOut(sys.stdout)
        for row in rows:
            out.write({"row": "judged", **asdict(row)})
        if preference is not None:
            out.write({"row": "preference", **asdict(preference)})
        for name, scores in forms.items():
            out.write({"row": "questionnaire", "contestant": name, **asdict(scores)})
        out.write({"row": "cost", "judge": judged.judge.name, **asdict(judged.cost)})
        return
    screen = open_consoles(no_color=request.no_color).out
    shown = [judging_table(rows, preference), *([forms_table(forms)] if forms else [])]
    screen.print(Group(*shown, cost_line(judged.cost)))
    warm = [row.repeat_temperature for row in rows if row.repeat_temperature is not None]
    if warm:
        _log(f"repeats, for repeat sd, were drawn at temperature {max(warm):g}")
    _log_flags(judged)


def _log_flags(judged: JudgingOutput) -> None:
    flags = f" ({', '.join(judged.judge.flags)})" if judged.judge.flags else ""
    _log(f"judge and hash of its prompts: {judged.judge.name}{flags}")


def _encode_labels(labels: Sequence[ItemLabel]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("item", "metric", "kind", "human", "judge"))
    for one in labels:
        values = ("" if value is None else f"{value:g}" for value in (one.human, one.judge))
        writer.writerow((one.item, one.metric, one.kind, *values))
    return out.getvalue()


def _log(line: str) -> None:
    typer.echo(sanitize_line(line), err=True)
