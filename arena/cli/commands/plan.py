"""`arena plan`: number of matches that some GPUs can play, before anything is bought or started."""

import sys
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from arena.bench.planner.capacity_plan import CapacityForecast, PlanRequest, forecast_capacity
from arena.bench.planner.plan_io import PlanArgs, as_object, make_plan_request, remarks
from arena.cli.commands.arguments import GameName, OptionPairs, parse_pairs
from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.cli.rendering.formatting import format_duration
from arena.errors import ConfigError
from arena.games.game_registry import DEFAULT, find_game
from arena.games.option_parsing import read_options
from arena.view.sanitize import sanitize_line
from scripts_mm.script import LANGUAGES


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("plan")(plan_command)


def plan_command(  # noqa: PLR0913, PLR0917 - as many parameters as flags
    model: Annotated[str, typer.Argument(help="A bundled model profile, see `arena models`.")],
    gpus: Annotated[str, typer.Argument(help="For example 1, 4xh200, 2xrtx-4090 or here.")],
    scripts: Annotated[
        list[str] | None,
        typer.Argument(
            help="Ids of scripts, their folders, or folders of scripts; leave out for a game with "
            "its own script."
        ),
    ] = None,
    matches: Annotated[int, typer.Option("--matches", "-n", help="Matches of each script.")] = 100,
    swap: Annotated[
        bool, typer.Option("--swap", help="Play every match a second time with swapped sides.")
    ] = False,
    game: GameName = DEFAULT,
    preset: Annotated[str, typer.Option(help="A preset of the game's options.")] = "default",
    option: OptionPairs = None,
    language: Annotated[str | None, typer.Option(help="en or zh.")] = None,
    reply: Annotated[int, typer.Option(help="Mean tokens of a text that a seat writes.")] = 200,
    concurrency: Annotated[
        int | None,
        typer.Option("--concurrency", "-c", help="Live matches [default: what admission allows]."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, nothing else.")] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours.")] = False,
) -> None:
    """Plan a run: what fits on the GPUs, matches per hour, and the total time."""
    if language is not None and language not in LANGUAGES:
        raise ConfigError(f"the language must be one of {', '.join(LANGUAGES)}; got {language!r}")
    options = read_options(find_game(game), preset, parse_pairs(option or []))
    shown = open_consoles(no_color=no_color)
    asked = make_plan_request(
        PlanArgs(
            model=model,
            gpus=gpus,
            scripts=tuple(scripts or ()),
            game=game,
            options=options,
            language=language,
            matches=matches,
            swap=swap,
            reply=reply,
            concurrency=concurrency,
        )
    )
    doing = "simulating the matches or a sample of them"
    if not shown.err.is_terminal:
        shown.err.print(doing)
    with shown.err.status(doing):
        found = forecast_capacity(asked)
    if as_json:
        JsonOut(sys.stdout).write(as_object(asked, found))
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, value in _rows(asked, found):
        table.add_row(Text(name, style="dim"), Text(sanitize_line(value)))
    shown.out.print(table)
    for remark in remarks(asked, found):
        shown.out.print(Text(sanitize_line(remark), style="dim"))


def _rows(asked: PlanRequest, found: CapacityForecast) -> Iterator[tuple[str, str]]:
    where = asked.where
    names = ", ".join(dict.fromkeys(script.id for script in asked.scripts))
    engines = "1 engine" if where.replicas == 1 else f"{where.replicas} engines"
    over = f" of {where.tensor_parallel} GPUs" if where.tensor_parallel > 1 else ""
    over += " each" if over and where.replicas > 1 else ""
    yield "model", asked.model.name
    yield "fits", f"{engines}{over} on {where.gpus.count} x {where.gpus.kind.name}"
    yield "KV cache", f"{where.engine.kv_tokens:,} tokens on each engine"
    yield "scripts", f"{len(asked.scripts)}: {names}"
    yield (
        "a match",
        f"{found.turns_per_match:.0f} turns; {found.shared_tokens:,} tokens shared with the "
        f"script's other matches, {found.own_tokens:,} of its own",
    )
    yield "longest prompt", f"{found.longest_prompt:,} tokens with its reply"
    together = " on all engines together" if where.replicas > 1 else ""
    yield "live matches", f"{found.live_matches:.0f}{together}, {found.live_most} at most"
    yield "hit rate", f"{found.hit_rate:.3f} of prompt tokens"
    yield "turns/s", f"{found.turns_per_s:,.1f}"
    yield "matches/h", f"{found.matches_per_h:,.0f}"
    yield (
        f"{found.matches:,} matches",
        f"{found.hours:,.2f} h ({format_duration(found.hours * 3600)})",
    )
