"""`arena players`: the players and their options."""

import json
from dataclasses import asdict

import typer
from rich.table import Table

from arena.cli.commands.arguments import AsJson, NoColor
from arena.cli.console.streams import consoles
from arena.players.player_kinds import all_players, option_names


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("players")(players_command)


def players_command(as_json: AsJson = False, no_color: NoColor = False) -> None:
    """List the players with their options."""
    rows = [
        {
            "player": name,
            "about": kind.about,
            "needs_model": kind.needs_model,
            "options": {key: asdict(kind.options)[key] for key in option_names(kind)},
        }
        for name, kind in all_players().items()
    ]
    if as_json:
        for row in rows:
            typer.echo(json.dumps(row, ensure_ascii=False))
        return
    table = Table("player", "what it does", "options (default)", box=None, pad_edge=False)
    for name, kind in all_players().items():
        values = asdict(kind.options)
        options = ", ".join(f"{key}={_format_value(values[key])}" for key in option_names(kind))
        written = f"MODEL+{name}" if kind.needs_model else name
        table.add_row(written, kind.about, options or "-")
    consoles(no_color=no_color).out.print(table)


def _format_value(value: object) -> str:
    if value is None:
        return "(the model's)"
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
