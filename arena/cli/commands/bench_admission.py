"""`arena bench admission`: admission control against every fixed number of live matches."""

import sys
from typing import Annotated

import typer

from arena.bench.admission_sweep import (
    ShapeComparison,
    choose_shapes,
    compare_shapes,
    summarise_shapes,
)
from arena.bench.number_checks import check_count
from arena.cli.commands.arguments import AsJson
from arena.cli.console.json_out import JsonOut
from arena.errors import ConfigError
from arena.view.sanitize import sanitize_line

_MAX_SEEDS = 100
_MAX_DRAWN = 1000


def add_command(bench: typer.Typer) -> None:
    """Register the command of this file."""
    bench.command("admission")(admission_command)


def admission_command(
    quick: Annotated[bool, typer.Option("--quick", help="Three shapes, one seed.")] = False,
    seeds: Annotated[int, typer.Option("--seeds", help="Repetitions with different replies.")] = 5,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the additional random shapes.")] = 0,
    drawn: Annotated[int, typer.Option("--drawn", help="Number of additional random shapes.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Play loads of many shapes in virtual time: admission over the best fixed number of matches.

    It uses the code of real runs, on simulated engines.
    """
    check_count("--seeds", seeds, most=_MAX_SEEDS)
    if not 0 <= drawn <= _MAX_DRAWN:
        raise ConfigError(f"--drawn must be between 0 and {_MAX_DRAWN}, got {drawn}")
    if seed and not drawn:
        raise ConfigError("--seed is for additional shapes: set their number with --drawn")
    shapes = choose_shapes(quick=quick, drawn=drawn, seed=seed)
    out, found = JsonOut(sys.stdout), list[ShapeComparison]()
    for one in compare_shapes(shapes, range(1 if quick else seeds)):
        found.append(one)
        if as_json:
            out.write(one.as_object())
        else:
            typer.echo(sanitize_line(_line(one.as_object())))
    whole = summarise_shapes(found)
    if as_json:
        out.write(whole)
    else:
        typer.echo(f"{whole['shapes']} shapes: min {whole['min']}, median {whole['median']}")


def _line(row: dict[str, object]) -> str:
    return (
        f"{row['shape']}: {row['default_over_best_static']} [{row['low']}, {row['high']}] of "
        f"{row['best_static']} live; {row['matches_per_h']} matches/h; hit {row['hit_rate']}, "
        f"{row['hit_over_belady']} of Belady's"
    )
