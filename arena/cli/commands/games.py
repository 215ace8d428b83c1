"""`arena games`: the installed games, their options and presets."""

import sys
from collections.abc import Mapping
from dataclasses import fields

import typer
from rich.table import Table
from rich.text import Text

from arena.cli.commands.arguments import AsJson, NoColor
from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.core.game import Game
from arena.core.options import option_choices, option_help
from arena.games.game_registry import all_games
from arena.games.option_parsing import read_options
from arena.view.heading import option_text
from arena.view.sanitize import sanitize_line


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("games")(games_command)


def games_command(as_json: AsJson = False, no_color: NoColor = False) -> None:
    """List the games: their options with values, default and meaning, and their presets."""
    games = all_games().values()
    if as_json:
        out = JsonOut(sys.stdout)
        for game in games:
            out.write(game_object(game))
        return
    screen = open_consoles(no_color=no_color).out
    for game in games:
        screen.print(Text(sanitize_line(f"game {game.name}: {game.about}"), style="bold"))
        screen.print(_option_table(game))
        for name, values in game.presets.items():
            screen.print(Text(sanitize_line(f"preset {name}: {_preset_text(values)}")))
    screen.print(Text("choose with --game NAME, --preset NAME and -o OPTION=VALUE"))


def game_object(game: Game) -> dict[str, object]:
    """Return a game as the JSON object of `arena games --json`."""
    choices, meanings = option_choices(game.options), option_help(game.options)
    default = _defaults(game)
    return {
        "game": game.name,
        "about": game.about,
        "options": {
            name: {"values": choices[name], "default": default[name], "about": meanings[name]}
            for name in choices
        },
        "presets": {name: dict(values) for name, values in game.presets.items()},
    }


def _option_table(game: Game) -> Table:
    choices, meanings = option_choices(game.options), option_help(game.options)
    default = _defaults(game)
    table = Table("option", "values (default first)", "meaning", box=None, pad_edge=False)
    for name, values in choices.items():
        cells = (name, _default_first(values, default[name]), meanings[name])
        table.add_row(*(Text(sanitize_line(cell)) for cell in cells))
    return table


def _defaults(game: Game) -> dict[str, object]:
    options = read_options(game, "default", {})
    return {one.name: getattr(options, one.name) for one in fields(options)}


def _preset_text(values: Mapping[str, object]) -> str:
    changed = ", ".join(f"{name}={option_text(value)}" for name, value in values.items())
    return changed or "as above"


def _default_first(values: str, default: object) -> str:
    text = option_text(default)
    if " | " not in values:
        return f"{text}, {values}"
    return " | ".join((text, *(value for value in values.split(" | ") if value != text)))
