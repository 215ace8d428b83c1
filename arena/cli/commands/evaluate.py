"""`arena eval`, `arena report` and `arena compare`: figures of finished runs."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.commands.arguments import AsJson, NoColor, parse_choice, parse_folder
from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.errors import ConfigError
from arena.view.sanitize import sanitize_line

if TYPE_CHECKING:
    from eval.played_match import UnreadMatch
    from eval.report.collection.breaches import Breach

RunPaths = Annotated[list[Path], typer.Argument(help="Folders of runs.")]
MetricNames = Annotated[
    list[str] | None, typer.Option("--metric", help="Only this metric; may be repeated.")
]


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this file."""
    app.command("eval")(eval_command)
    app.command("report")(report_command)
    app.command("compare")(compare_command)


def eval_command(
    runs: RunPaths,
    by: Annotated[
        str, typer.Option("--by", help="What figures are grouped by, as a list with commas.")
    ] = "contestant,faction,game",
    metric: MetricNames = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Print the figures of finished matches with their intervals."""
    # Only these commands need the scores and their libraries.
    from eval.report.evaluation import evaluate_runs  # noqa: PLC0415

    found = evaluate_runs(runs, by, metric or ())
    if as_json:
        out = JsonOut(sys.stdout)
        for value in found.objects:
            out.write(value)
    else:
        from arena.cli.rendering.report_table import print_figures  # noqa: PLC0415

        print_figures(open_consoles(no_color=no_color).out, found.table)
    _warn_unread(found.unread)
    _warn_breaches(found.breaches)


def report_command(  # noqa: PLR0913, PLR0917 - one argument an option
    runs: RunPaths,
    out: Annotated[Path, typer.Option("--out", help="The HTML file to write.")],
    tables: Annotated[
        Path | None,
        typer.Option("--tables", help="A folder for the tables as Markdown, CSV, LaTeX and JSON."),
    ] = None,
    prices: Annotated[
        Path | None,
        typer.Option(
            "--prices",
            help="A JSON file of prices per million tokens: currency, and models by name, each "
            "with prompt, cached and output.",
        ),
    ] = None,
    language: Annotated[str, typer.Option("--language", help="en or zh.")] = "en",
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an earlier report.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write a report of finished matches: one HTML file, which needs no network."""
    parse_choice("--language", language, ("en", "zh"))
    from eval.report.report_command import write_report  # noqa: PLC0415

    started = time.monotonic()
    if tables is not None:
        parse_folder(tables)
    done = write_report(
        runs,
        parse_folder(out),
        tables=tables,
        prices=prices,
        language=language,
        overwrite=overwrite,
    )
    seconds = time.monotonic() - started
    if as_json:
        JsonOut(sys.stdout).write(
            {
                "out": str(out),
                "bytes": done.size,
                "matches": done.matches,
                "tables": done.tables,
                "left_out": [
                    {"run": one.run, "match": one.match, "reason": one.reason}
                    for one in done.unread
                ],
                "breaches": [
                    {"match": one.match, "event": one.event, "seat": one.seat}
                    for one in done.breaches
                ],
            }
        )
    else:
        size = f"{done.size / 1e6:.1f} MB"
        line = f"wrote {str(out)!r}: {done.matches} matches, {size}, {seconds:.1f} s"
        typer.echo(sanitize_line(line))
    _warn_unread(done.unread)
    _warn_breaches(done.breaches)


def compare_command(
    first: Annotated[Path, typer.Argument(help="The folder of a run or a quiz.")],
    second: Annotated[Path, typer.Argument(help="The run or quiz to compare it with.")],
    metric: MetricNames = None,
    plan: Annotated[
        Path | None,
        typer.Option(
            "--plan",
            help="A JSON file, written before the first match, of when the pairing is looked at: "
            '{"metric": "win_rate", "looks": [20, 40, 80], "width": 0.1}. Says whether it ends.',
        ),
    ] = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Compare two runs over the same scripts, seeds and seats, or two quizzes: paired."""
    from eval.questions.quiz_comparison import is_quiz  # noqa: PLC0415

    if is_quiz(first) or is_quiz(second):
        from arena.cli.quiz.comparison_view import show_comparison  # noqa: PLC0415

        if metric or plan:
            raise ConfigError(
                "--metric and --plan are for runs; quizzes are compared in every category"
            )
        show_comparison(first, second, as_json=as_json, no_color=no_color)
        return
    if plan is not None:
        if metric:
            raise ConfigError("a plan names its metric: leave out --metric")
        _show_pairing(first, second, plan, as_json=as_json)
        return
    from eval.report.collection.breaches import find_breaches  # noqa: PLC0415
    from eval.report.run_comparison import compare_runs, comparison_table, difference_object  # noqa: PLC0415

    found = compare_runs(first, second, metric or ())
    if as_json:
        out = JsonOut(sys.stdout)
        for one in found.differences:
            out.write(difference_object(one))
    else:
        from arena.cli.rendering.report_table import print_figures  # noqa: PLC0415

        print_figures(open_consoles(no_color=no_color).out, comparison_table(found))
    if any(found.unpaired):
        line = f"not in both runs: {found.unpaired[0]} and {found.unpaired[1]} matches"
        typer.echo(line, err=True)
    _warn_unread((*found.first.unread, *found.second.unread))
    _warn_breaches(find_breaches((*found.first.matches, *found.second.matches)))


def _show_pairing(first: Path, second: Path, path: Path, *, as_json: bool) -> None:
    from eval.report.stopping import (  # noqa: PLC0415
        judge_pairing,
        read_plan,
        verdict_object,
        verdict_sentence,
    )

    plan = read_plan(path)
    found = judge_pairing(first, second, plan)
    if as_json:
        JsonOut(sys.stdout).write(verdict_object(plan, found))
    else:
        typer.echo(sanitize_line(verdict_sentence(plan, found)))


def _warn_unread(unread: "Sequence[UnreadMatch]") -> None:
    if unread:
        first = unread[0]
        which = f"first: {first.run}/{first.match}: {first.reason}"
        line = f"left out as unfinished or damaged: {len(unread)} ({which})"
        typer.echo(sanitize_line(line), err=True)


def _warn_breaches(breaches: "Sequence[Breach]") -> None:
    if breaches:
        from eval.report.collection.breaches import describe_breaches  # noqa: PLC0415

        typer.echo(sanitize_line(describe_breaches(breaches)), err=True)
