"""`arena judge`: a model rates what seats said, and is validated against human labels."""

from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

from arena.bench.number_checks import check_count
from arena.cli.commands.arguments import AsJson, NoColor, parse_folder
from arena.cli.commands.model_preparation import prepare_contestants
from arena.cli.judging.judge_requests import AgreeRequest, JudgeRequest, SheetRequest
from arena.errors import ConfigError
from arena.players.player_registry import players_without_model
from serving.commands.consent_options import engine_consent_options

_DEFAULT_AT_ONCE = 4
"""Maximum judgements in flight: few, as the server may serve matches too."""
_MAX_AT_ONCE = 1024
_MAX_SAMPLES = 25
_MAX_TEMPERATURE = 2.0

JudgeModelName = Annotated[
    str, typer.Option("--judge", help="The model, as in `arena match`; words: only counts words.")
]
JudgedMetrics = Annotated[
    str,
    typer.Option(
        help="Of RP,SPC,SPC_table,CMD,CMD_parts,ICI,RL,SCI,human,werewolf,key_mentions,"
        "key_distortions,free_answers,preference [default: RP,SPC,CMD]."
    ),
]
Samples = Annotated[
    int | None, typer.Option(help="Samples of each judgement [default: 1, of RP 3].")
]
Temperature = Annotated[float | None, typer.Option(help="[default: 0, of several samples 0.7]")]
AtOnce = Annotated[int, typer.Option("--concurrency", "-c", help="Judgements in flight.")]
Busy = Annotated[
    bool, typer.Option("--busy", help="Do not wait while the server has other requests.")
]
Answers = Annotated[
    Path | None, typer.Option(help="Free answers of seats, one JSON object per line.")
]


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this file."""
    judge = typer.Typer(no_args_is_help=True, help="Rate what seats said, and check the judge.")
    judge.command("run")(run_command)
    judge.command("examples")(examples_command)
    judge.command("agree")(agree_command)
    judge.command("sheet")(sheet_command)
    app.add_typer(judge, name="judge")


@engine_consent_options
def run_command(  # noqa: PLR0913, PLR0917 - as many parameters as flags
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    judge: JudgeModelName,
    metrics: JudgedMetrics = "",
    samples: Samples = None,
    temperature: Temperature = None,
    answers: Answers = None,
    repeats: Annotated[int, typer.Option(help="How often 5 % of the judgements are repeated.")] = 5,
    seed: Annotated[int, typer.Option(help="Seed of the choice of these.")] = 0,
    concurrency: AtOnce = _DEFAULT_AT_ONCE,
    busy: Busy = False,
    out: Annotated[
        Path | None, typer.Option(help="The folder of judgements [default: RUN.judgements].")
    ] = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Judge the finished matches of a run in idle time of the server, next to its record."""
    check_count("--repeats", repeats, least=0, most=100)
    request = JudgeRequest(
        model=_check_model(judge),
        samples=_check_samples(samples),
        temperature=_check_temperature(temperature),
        at_once=check_count("the concurrency", concurrency, most=_MAX_AT_ONCE),
        busy=busy,
        as_json=as_json,
        no_color=no_color,
    )
    # Only these commands need the scores and their libraries.
    from arena.cli.judging.execute_judging import execute_run  # noqa: PLC0415

    prepare_contestants([request.model], run, may_ask=not as_json)
    execute_run(request, run, metrics, answers, out, (repeats, seed))


@engine_consent_options
def examples_command(  # noqa: PLR0913, PLR0917 - as many parameters as flags
    judge: JudgeModelName,
    samples: Samples = None,
    temperature: Temperature = None,
    concurrency: AtOnce = _DEFAULT_AT_ONCE,
    busy: Busy = False,
    labels: Annotated[
        Path | None, typer.Option("--labels", help="A CSV file for the labels and judgements.")
    ] = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Judge the labelled examples of the project; show agreement and cost."""
    request = JudgeRequest(
        model=_check_model(judge),
        samples=_check_samples(samples),
        temperature=_check_temperature(temperature),
        at_once=check_count("the concurrency", concurrency, most=_MAX_AT_ONCE),
        busy=busy,
        as_json=as_json,
        no_color=no_color,
    )
    from arena.cli.judging.execute_judging import execute_examples  # noqa: PLC0415

    prepare_contestants([request.model], Path.cwd(), may_ask=not as_json)
    execute_examples(request, None if labels is None else parse_folder(labels))


def agree_command(  # noqa: PLR0913, PLR0917 - as many parameters as flags
    labels: Annotated[
        Path,
        typer.Argument(help="CSV: item, human, judge, kind[, annotator, metric]; or a sheet."),
    ],
    key: Annotated[
        Path | None, typer.Option(help="LABELS is a completed sheet; this is its key.")
    ] = None,
    judgements: Annotated[
        Path | None, typer.Option(help="With --key: the folder of judgements.")
    ] = None,
    cut: Annotated[
        float | None,
        typer.Option(help="Compare ordinal labels also as yes and no, with yes from this value."),
    ] = None,
    rate: Annotated[
        str, typer.Option(help="YES/ALL that the judge measured elsewhere, to be corrected.")
    ] = "",
    seed: Annotated[int | None, typer.Option(help="Seed of the intervals.")] = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Show the agreement of a judge with people, and correct a rate that it measured."""
    if (key is None) != (judgements is None):
        raise ConfigError(
            "--key and --judgements must be given together: a sheet, its key and judgements"
        )
    if cut is not None and not isfinite(cut):
        raise ConfigError(f"the cut must be a number, got {cut}")
    if seed is not None:
        check_count("--seed", seed, least=0, most=2**63 - 1)
    request = AgreeRequest(
        labels=labels,
        key=key,
        judgements=judgements,
        cut=cut,
        rate=_parse_rate(rate),
        seed=seed,
        as_json=as_json,
        no_color=no_color,
    )
    from arena.cli.judging.execute_labels import execute_agree  # noqa: PLC0415

    execute_agree(request)


def sheet_command(  # noqa: PLR0913, PLR0917 - as many parameters as flags
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    out: Annotated[Path, typer.Option(help="The sheet: a new file .csv or .html.")],
    metrics: JudgedMetrics = "",
    answers: Answers = None,
    items: Annotated[
        int | None, typer.Option(help="Maximum number of items [default: all].")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of their order.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Write a blind labelling sheet of a run, and its key in a separate file."""
    if out.suffix not in {".csv", ".html"}:
        raise ConfigError(f"a sheet must be a file .csv or .html, got {str(out)!r}")
    request = SheetRequest(
        run=run,
        out=parse_folder(out),
        key=parse_folder(out.with_name(f"{out.stem}.key.csv")),
        metrics=metrics,
        answers=answers,
        items=None if items is None else check_count("--items", items),
        seed=seed,
        as_json=as_json,
    )
    from arena.cli.judging.execute_labels import execute_sheet  # noqa: PLC0415

    execute_sheet(request)


def _check_model(name: str) -> str:
    if not name.strip():
        raise ConfigError("a judge must be a model, as in `arena match`; got nothing")
    if name.strip() in players_without_model():
        raise ConfigError(f"a judge must be a model, but {name.strip()!r} is a player without one")
    return name.strip()


def _check_samples(samples: int | None) -> int | None:
    return None if samples is None else check_count("--samples", samples, most=_MAX_SAMPLES)


def _check_temperature(value: float | None) -> float | None:
    if value is not None and not 0 <= value <= _MAX_TEMPERATURE:
        raise ConfigError(
            f"the temperature must be between 0 and {_MAX_TEMPERATURE:g}, got {value:g}"
        )
    return value


def _parse_rate(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    yes, mark, every = text.partition("/")
    most_digits = 12
    digits = all(one.isdecimal() and len(one) <= most_digits for one in (yes, every))
    if not (mark and digits and int(every) > 0 and int(yes) <= int(every)):
        raise ConfigError(f"a rate must be YES/ALL, as 31/80; got {text[:40]!r}")
    return int(yes), int(every)
