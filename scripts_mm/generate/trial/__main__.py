"""`python -m scripts_mm.generate.trial`: make thousands of cases and measure them."""

import json
from pathlib import Path
from typing import Annotated

import typer

from scripts_mm.generate.trial.measures import Tally
from scripts_mm.generate.trial.report import Report, as_json, lines
from scripts_mm.generate.trial.run import count_cases, draw_cases, guesses
from scripts_mm.script import LANGUAGES


def trial(
    cases: Annotated[int, typer.Option(help="Cases of all sizes and difficulties.")] = 10_000,
    drawn: Annotated[int, typer.Option(help="Of these, drawn, written and read again.")] = 200,
    read: Annotated[int, typer.Option(help="Cases of one size for the word counters.")] = 10_000,
    roles: Annotated[int, typer.Option(help="Roles of these.")] = 5,
    first: Annotated[int, typer.Option(help="First seed.")] = 0,
    out: Annotated[Path | None, typer.Option(help="File for the figures as JSON.")] = None,
) -> None:
    """Make cases, measure what should be even, and let word counters guess the culprit."""
    tally = Tally()
    seconds = count_cases(tally, range(first, first + cases))
    pictures, drawing, errors = draw_cases(tally, range(first, first + drawn))
    languages = LANGUAGES if read > 1 else ()
    report = Report(
        tally=tally,
        seconds=seconds,
        drawn=drawn,
        pictures=pictures,
        seconds_drawing=drawing,
        errors=errors,
        guesses=tuple(one for spoken in languages for one in guesses(spoken, roles, first, read)),
    )
    for line in lines(report):
        typer.echo(line)
    if out is not None:
        text = json.dumps(as_json(report), indent=1, ensure_ascii=False)
        out.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(trial)
