"""The command `python -m scripts_mm.generate.dataset_audit`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from scripts_mm.command_io import exit_on_error
from scripts_mm.generate.dataset_audit.audit_counts import AuditCounts
from scripts_mm.generate.dataset_audit.audit_report import (
    AuditReport,
    LeakResult,
    case_lines,
    guess_line,
    picture_line,
    report_json,
)
from scripts_mm.generate.dataset_audit.run import (
    count_cases,
    draw_cases,
    options_for,
    run_leak_probes,
)
from scripts_mm.script import LANGUAGES, Language

MIN_READ = 40


def run_audit(  # noqa: PLR0913, PLR0917 - a command has as many parameters as flags
    cases: Annotated[int, typer.Option(help="Cases of all sizes and difficulties.")] = 10_000,
    drawn: Annotated[int, typer.Option(help="How many of these to draw and read again.")] = 200,
    read: Annotated[int, typer.Option(help="Cases of one size for the leak probes.")] = 10_000,
    roles: Annotated[int, typer.Option(help="Roles of the cases for the leak probes.")] = 5,
    first: Annotated[int, typer.Option(help="First seed.")] = 0,
    plot: Annotated[str | None, typer.Option(help="Plot of all cases; else each seed's.")] = None,
    out: Annotated[Path | None, typer.Option(help="JSON file for the results.")] = None,
) -> None:
    """Make cases, measure their biases, and let leak probes guess the culprit."""
    spoken_in = check_languages(read)
    with exit_on_error():
        options_for(first, plot)
    tally = AuditCounts()
    seconds = count_cases(tally, range(first, first + cases), plot)
    for line in case_lines(tally, seconds):
        typer.echo(line)
    pictures, drawing, errors = draw_cases(tally, range(first, first + drawn), plot)
    if drawn:
        typer.echo(picture_line(tally, drawn, pictures, drawing, errors))
    found: list[LeakResult] = []
    for guess in (
        one
        for spoken in spoken_in
        for one in run_leak_probes(spoken, roles, range(first, first + read), plot)
    ):
        typer.echo(guess_line(guess))
        found.append(guess)
    report = AuditReport(
        tally=tally,
        seconds=seconds,
        drawn=drawn,
        pictures=pictures,
        seconds_drawing=drawing,
        errors=errors,
        guesses=tuple(found),
    )
    if out is not None:
        text = json.dumps(report_json(report), indent=1, ensure_ascii=False)
        out.write_text(f"{text}\n", encoding="utf-8")


def check_languages(read: int) -> tuple[Language, ...]:
    """Return the languages for the leak probes; raise BadParameter for too few cases to train."""
    if 0 < read < MIN_READ:
        raise typer.BadParameter(f"wanted 0 or at least {MIN_READ} cases to read, got {read}")
    return LANGUAGES if read else ()


if __name__ == "__main__":
    typer.run(run_audit)
