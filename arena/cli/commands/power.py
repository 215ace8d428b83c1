"""`arena power`: matches that a question needs, or the power of a number of matches."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.commands.arguments import AsJson
from arena.cli.console.json_out import JsonOut
from arena.errors import ConfigError
from arena.view.sanitize import sanitize_line


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("power")(power_command)


def power_command(  # noqa: PLR0913, PLR0917 - one argument an option
    runs: Annotated[
        list[Path] | None,
        typer.Argument(help="Runs whose matches show the variance; or none, with --rate."),
    ] = None,
    metric: Annotated[
        str, typer.Option("--metric", help="With runs: the metric whose interval is planned.")
    ] = "win_rate",
    rate: Annotated[
        float | None,
        typer.Option("--rate", help="The expected rate, from 0 to 1."),
    ] = None,
    other: Annotated[
        float | None,
        typer.Option("--other", help="The rate to distinguish it from."),
    ] = None,
    paired: Annotated[
        bool,
        typer.Option(
            "--paired",
            help="Both play the same matches: --rate and --other are the shares of matches that "
            "only the one, or only the other, wins.",
        ),
    ] = False,
    half_width: Annotated[
        float | None,
        typer.Option("--half-width", help="The desired interval: the figure +- this."),
    ] = None,
    matches: Annotated[
        int | None,
        typer.Option("--matches", help="Matches per side: their power is printed."),
    ] = None,
    power: Annotated[
        float, typer.Option("--power", help="The probability of detecting the difference.")
    ] = 0.8,
    effect: Annotated[
        float,
        typer.Option(
            "--design-effect",
            help="Factor for matches of a script being alike: 1 + (matches per script - 1) x their "
            "correlation.",
        ),
    ] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Plan how many matches to play: for an interval, or to detect a difference, at 95 %."""
    # Only these commands need the scores and their libraries.
    from eval.report.sample_size import plan_matches  # noqa: PLC0415
    from eval.stats.power_question import PowerQuestion, answer_question  # noqa: PLC0415

    rows: list[dict[str, object]]
    if runs:
        if half_width is None or rate is not None or other is not None:
            raise ConfigError("with runs, give --half-width and leave out --rate and --other")
        rows = [size.as_object() for size in plan_matches(runs, metric, half_width)]
    else:
        question = PowerQuestion(
            rate=rate,
            other=other,
            paired=paired,
            half_width=half_width,
            matches=matches,
            power=power,
            effect=effect,
        )
        rows = [answer_question(question)]
    out = JsonOut(sys.stdout)
    for row in rows:
        if as_json:
            out.write(row)
        else:
            typer.echo(sanitize_line(", ".join(f"{key} {_show(row[key])}" for key in row)))


def _show(value: object) -> str:
    return (
        f"{value:.3g}" if isinstance(value, float) else "unknown" if value is None else str(value)
    )
