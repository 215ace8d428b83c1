"""The command `arena scripts generate`.

The generator and the painters are tools: they are imported when the command runs.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from scripts_mm.script import LANGUAGES, Language, ScriptError

_BAD_INPUT = 2
"""Exit status if the user's input cannot be used."""
LanguageChoice = Literal["en", "zh", "both"]
PictureChoice = Literal["all", "small", "none"]


def generate_scripts(  # noqa: PLR0913, PLR0917 - a command has as many parameters as flags
    out: Annotated[Path, typer.Argument(help="Folder for the cases, each in case-SEED.")],
    seed: Annotated[int, typer.Option("--seed", help="Seed of the first case; then 1 more each.")],
    roles: Annotated[int, typer.Option("--roles", help="4 to 8.")] = 5,
    hops: Annotated[
        int | None, typer.Option("--hops", help="Minimum depth of the proof, 2 to 8.")
    ] = None,
    pictures: Annotated[int | None, typer.Option("--pictures", help="1 to 10 per case.")] = None,
    language: Annotated[
        LanguageChoice, typer.Option("--language", help="Language of the script.")
    ] = "both",
    difficulty: Annotated[
        str, typer.Option("--difficulty", help="easy, medium or hard; sets the defaults.")
    ] = "medium",
    count: Annotated[int, typer.Option("-n", min=1, max=100_000, help="Cases to make.")] = 1,
    seats: Annotated[
        int | None,
        typer.Option("--seats", help="Minimum seats needed: 1 to 3, from 7 roles 1 to 4."),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot",
            help="blow, poison, locked, theft, staged, pair or hand; else the seed draws one.",
        ),
    ] = None,
    draw: Annotated[
        PictureChoice,
        typer.Option(
            "--draw",
            help="all; small: strips and icons, for the mini model; none: words instead.",
        ),
    ] = "all",
    force: Annotated[
        bool, typer.Option("--force", help="Replace cases with the same name.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per line and nothing else.")
    ] = False,
) -> None:
    """Generate cases from seeds, each with a proof that it can be solved; write them as scripts.

    Seeds up to 89,999 are for training, the next 5,000 for validation and 5,000 for testing.
    """
    # Imported late, since playing does not need the generator.
    from scripts_mm.generate.case_batch import write_cases  # noqa: PLC0415
    from scripts_mm.generate.options import check_seed, make_options  # noqa: PLC0415

    languages: tuple[Language, ...] = LANGUAGES if language == "both" else (language,)
    try:
        check_seed(seed)
        options = make_options(difficulty, roles, hops, pictures, seats, plot=plot)
        seeds = range(seed, seed + count)
        for case in write_cases(out, seeds, options, languages, draw, force=force):
            _print_case(case, as_json=as_json)
    except ScriptError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(_BAD_INPUT) from error


def _print_case(case: Mapping[str, Any], *, as_json: bool) -> None:
    """Print one line of a case that was written."""
    if as_json:
        typer.echo(json.dumps(case))
    else:
        figures = ", ".join(f"{name} {value}" for name, value in list(case.items())[3:])
        split = case["split"] or "no split"
        typer.echo(f"{case['script']} ({split}): {figures}; proved")
