"""`arena bench players`: costs of every player in every game on one server."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from arena.bench.number_checks import check_count
from arena.bench.player_costs import PlayerCost, measure_player
from arena.cli.commands.arguments import (
    AsJson,
    OptionPairs,
    default_run_dir,
    parse_folder,
    parse_pairs,
)
from arena.cli.commands.match import DEFAULT_SCRIPT
from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.core.game import SelfContained
from arena.errors import ConfigError
from arena.games.game_registry import DEFAULT, find_game
from arena.games.option_parsing import read_options
from arena.players.player_registry import ModelKind, all_players
from arena.records.run_config import RunConfig, make_pairs
from arena.run.run_scripts import load_scripts
from arena.view.sanitize import sanitize_line
from scripts_mm.script import ScriptError
from serving.commands.consent_options import engine_consent_options

_MAX_MATCHES = 1000


def add_command(bench: typer.Typer) -> None:
    """Register the command of this file."""
    bench.command("players")(players_command)


@engine_consent_options
def players_command(  # noqa: PLR0913, PLR0917 - as many parameters as flags
    model: Annotated[
        str, typer.Option(help="The model: a server as http://host:port/v1#name, or a profile.")
    ],
    player: Annotated[
        list[str] | None,
        typer.Option(
            help="A player, with options as questum:together=no; may be repeated [default: all]."
        ),
    ] = None,
    game: Annotated[list[str] | None, typer.Option(help="A game; may be repeated.")] = None,
    script: Annotated[str, typer.Option(help="A script's id or folder.")] = DEFAULT_SCRIPT,
    preset: Annotated[str, typer.Option(help="A preset of the games' options.")] = "short",
    option: OptionPairs = None,
    matches: Annotated[int, typer.Option("--matches", "-n", help="Matches of each player.")] = 1,
    deadline: Annotated[float, typer.Option(help="Seconds that a model has for a call.")] = 120,
    out: Annotated[Path | None, typer.Option(help="The folder of the runs.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play every player against itself; show calls, cache hits, fallbacks and time."""
    check_count("--matches", matches, most=_MAX_MATCHES)
    folder = parse_folder(out) if out is not None else default_run_dir("players")
    names = player or [name for name, kind in all_players().items() if isinstance(kind, ModelKind)]
    shown = open_consoles()
    lines = JsonOut(sys.stdout) if as_json else None
    rows: list[PlayerCost] = []
    refused: list[str] = []
    for name in game or [DEFAULT]:
        config = _config(name, preset, parse_pairs(option or []), matches, deadline)
        for row in _measure(config, script, [f"{model}+{one}" for one in names], folder / name):
            if isinstance(row, str):
                refused.append(row)
                continue
            rows.append(row)
            if lines is not None:
                lines.write({**asdict(row), "hit_rate": row.hit_rate})
    if not rows:
        raise ConfigError(f"nothing was measured: no player could be played; {refused[0]}")
    for reason in refused:
        typer.echo(reason, err=True)
    if lines is None:
        shown.out.print(*_tables(rows), sep="\n")


def _config(
    game: str, preset: str, written: dict[str, str], matches: int, deadline: float
) -> RunConfig:
    rules = find_game(game)
    chosen = preset if preset in rules.presets else "default"
    return RunConfig(
        pairs=make_pairs("random", "random"),
        scripts=(),
        game=game,
        options=read_options(rules, chosen, written),
        matches=matches,
        deadline=deadline,
    )


def _measure(
    config: RunConfig, script: str, contestants: list[str], folder: Path
) -> Iterator[PlayerCost | str]:
    """Yield the costs of each contestant, or why it was not played."""
    rules = find_game(config.game)
    scripts = load_scripts(rules, [] if isinstance(rules, SelfContained) else [script], None)
    for number, contestant in enumerate(contestants, start=1):
        path = folder / f"{number}"
        try:
            yield measure_player(contestant, config, scripts, path)
        except (ConfigError, ScriptError) as error:
            yield f"{config.game}: {contestant}: {error}"


def _tables(rows: Iterable[PlayerCost]) -> Iterator[Table]:
    for game, some in groupby(rows, key=lambda row: row.game):
        yield _table(game, some)


def _table(game: str, rows: Iterable[PlayerCost]) -> Table:
    table = Table(title=game, title_justify="left", box=None, padding=(0, 1, 0, 0))
    for head in ("player", "finished", "turns", "calls", "a turn", "fallbacks", "cached",
                 "new tokens", "seconds"):  # fmt: skip
        table.add_column(head, no_wrap=True)
    for row in rows:
        share = "-" if row.hit_rate is None else f"{row.hit_rate:.1%}"
        table.add_row(
            Text(sanitize_line(row.player.partition("+")[2])),
            f"{row.finished}/{row.matches}",
            f"{row.turns}",
            f"{row.calls}",
            f"{row.calls / max(row.turns, 1):.1f}",
            f"{row.fallbacks} ({row.fallbacks / max(row.calls, 1):.1%})",
            share,
            f"{row.new_tokens:,}",
            f"{row.seconds:.1f}",
        )
    return table
