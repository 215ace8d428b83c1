"""`arena protocols`: the rules that can be chosen, what each option means, and the presets."""

from dataclasses import asdict

import typer
from rich.table import Table
from rich.text import Text

from arena.cli.console.streams import consoles
from arena.cli.console.json_out import JsonOut
from arena.cli.commands.match import AsJson, NoColor
from arena.core.options import Options, legal_values, meanings
from arena.core.protocols.whodunit import NAME, PRESETS


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("protocols")(protocols_command)


def protocols_command(as_json: AsJson = False, no_color: NoColor = False) -> None:
    """List the protocol's options with values, default and meaning, and what the presets set."""
    legal, about, default = legal_values(), meanings(), asdict(Options())
    if as_json:
        JsonOut(typer.get_text_stream("stdout")).write(
            {
                "protocol": NAME,
                "options": {
                    name: {"values": legal[name], "default": default[name], "about": about[name]}
                    for name in legal
                },
                "presets": {name: dict(values) for name, values in PRESETS.items()},
            }
        )
        return
    table = Table("option", "values (default first)", "meaning", box=None, pad_edge=False)
    for name, values in legal.items():
        table.add_row(Text(name), Text(_default_first(values, default[name])), Text(about[name]))
    out = consoles(no_color=no_color).out
    out.print(Text(f"protocol {NAME}: set an option with -o NAME=VALUE"))
    out.print(table)
    for name, changed in PRESETS.items():
        told = ", ".join(f"{key}={_spelt(value)}" for key, value in changed.items())
        out.print(Text(f"preset {name}: {told or 'as above'}"))


def _default_first(values: str, default: object) -> str:
    if " | " not in values:
        return f"{_spelt(default)}, {values}"
    rest = [value for value in values.split(" | ") if value != _spelt(default)]
    return " | ".join((_spelt(default), *rest))


def _spelt(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
