"""`arena players`: the players, their options, and the model calls that they make."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Annotated, cast

import typer
from rich.table import Table
from rich.text import Text

from arena.cli.commands.arguments import AsJson, GameName, NoColor
from arena.cli.commands.match import DEFAULT_SCRIPT
from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.core.game import SelfContained
from arena.errors import ConfigError
from arena.games.game_registry import DEFAULT, find_game
from arena.games.option_parsing import read_options
from arena.players.contestants import read_contestant
from arena.players.player_registry import PlainKind, PlayerKind, all_players, option_names
from arena.run.call_counts import count_calls
from arena.run.run_scripts import load_scripts
from arena.view.sanitize import sanitize_line
from scripts_mm.script import ScriptError

_ANY_MODEL = "model"


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("players")(players_command)


def players_command(
    measure: Annotated[
        bool,
        typer.Option(
            "--measure", help="Play a match of each player here, and count its model calls."
        ),
    ] = False,
    game: GameName = "",
    script: Annotated[
        str | None, typer.Option(help="With --measure: a script's id or folder.")
    ] = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """List the players with their options and model calls, by formula or as measured."""
    if (game or script) and not measure:
        raise ConfigError(
            "--game and --script are for --measure, which plays a match of each player"
        )
    rows = list(_measure(game, script) if measure else _list_players())
    if as_json:
        out = JsonOut(sys.stdout)
        for row in rows:
            out.write(row)
        return
    screen = open_consoles(no_color=no_color).out
    screen.print(_measurement_table(rows) if measure else _table())


def _list_players() -> Iterator[dict[str, object]]:
    for name, kind in all_players().items():
        yield {
            "player": name,
            "about": kind.about,
            "needs_model": kind.needs_model,
            "options": {key: asdict(kind.options)[key] for key in option_names(kind)},
            "calls": _formulas(kind),
        }


def _measure(game: str, script: str | None) -> Iterator[dict[str, object]]:
    """Yield the calls of one match of each player against itself.

    The model of these matches answers everything legally and instantly, so there are no
    corrections.
    """
    rules = find_game(game or DEFAULT)
    names = [] if isinstance(rules, SelfContained) else [script or DEFAULT_SCRIPT]
    [loaded] = load_scripts(rules, names, None)
    options = read_options(rules, "default", {})
    for name, kind in all_players().items():
        who = read_contestant(f"{_ANY_MODEL}+{name}" if kind.needs_model else name)
        row: dict[str, object] = {"player": name, "game": rules.name, "script": loaded.script.id}
        try:
            found = count_calls(rules, loaded.script, options, {"civilians": who, "murderer": who})
        except (ConfigError, ScriptError) as error:
            yield row | {"refused": str(error)}
            continue
        yield row | {
            "requests": sum(found.requests.values()),
            "calls": sum(found.calls.values()),
            "calls_by_purpose": {str(key): count for key, count in sorted(found.calls.items())},
            "requests_by_purpose": {
                str(key): count for key, count in sorted(found.requests.items())
            },
            "fallbacks": found.fallbacks,
            "formula": _formulas(kind),
        }


def _formulas(kind: PlayerKind) -> Mapping[str, str]:
    return {} if isinstance(kind, PlainKind) else dict(kind.cost(kind.options).calls)


def _formula_text(kind: PlayerKind) -> str:
    formulas = _formulas(kind)
    if set(formulas) == {"any"}:
        return formulas["any"]
    return ", ".join(f"{purpose} {formula}" for purpose, formula in formulas.items()) or "0"


def _table() -> Table:
    table = Table(
        "player", "what it does", "model calls per turn", "options (default)", box=None,
        pad_edge=False,
    )  # fmt: skip
    for name, kind in all_players().items():
        values = asdict(kind.options)
        options = ", ".join(f"{key}={_format_value(values[key])}" for key in option_names(kind))
        written = f"MODEL+{name}" if kind.needs_model else name
        table.add_row(written, kind.about, _formula_text(kind), options or "-")
    return table


def _measurement_table(rows: list[dict[str, object]]) -> Table:
    kinds = all_players()
    table = Table(
        "player", "requests", "calls", "by purpose", "formula per turn", box=None, pad_edge=False
    )
    for row in rows:
        name = str(row["player"])
        if "refused" in row:
            table.add_row(name, "-", "-", Text(sanitize_line(str(row["refused"]))), "")
            continue
        calls = cast("dict[str, int]", row["calls_by_purpose"])
        requests = cast("dict[str, int]", row["requests_by_purpose"])
        by_purpose = ", ".join(f"{key} {calls[key]}/{requests.get(key, 0)}" for key in calls)
        table.add_row(
            name, str(row["requests"]), str(row["calls"]), by_purpose, _formula_text(kinds[name])
        )
    return table


def _format_value(value: object) -> str:
    if value is None:
        return "(the model's)"
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
