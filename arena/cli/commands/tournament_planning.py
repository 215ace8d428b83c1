"""`arena tournament plan`, `suites`, `add` and `remove`: matches and contestants."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.text import Text

from arena.bench.number_checks import check_count
from arena.bench.planner.tournament_hours import check_gpus
from arena.cli.commands.arguments import AsJson, NoColor, parse_choice, parse_folder
from arena.cli.console.json_out import JsonOut
from arena.cli.console.screens import open_consoles
from arena.cli.console.shell import shell_command
from arena.cli.rendering.layout import print_prose
from arena.cli.rendering.plan_lines import (
    hours_object,
    plan_lines,
    plan_object,
    suite_lines,
    suite_object,
)
from arena.errors import ConfigError
from arena.players.contestants import read_contestant
from arena.run.servers.local_engines import unknown_models
from arena.tournament.description import (
    SUITES,
    GameEntry,
    ScriptEntry,
    TournamentDescription,
    make_plan,
    plan_tournament,
    read_description,
    suite_path,
)
from arena.tournament.folder import (
    TournamentFolder,
    add_contestants,
    create_tournament,
    open_tournament,
    remove_contestant,
)
from arena.view.sanitize import sanitize_line
from scripts_mm.script import LANGUAGES, Language

TournamentPath = Annotated[Path, typer.Argument(help="The tournament's folder.")]


def add_planning(group: typer.Typer) -> None:
    """Register the commands of this file."""
    group.command("plan")(plan_command)
    group.command("suites")(suites_command)
    group.command("add")(add_command)
    group.command("remove")(remove_command)


def plan_command(  # noqa: PLR0913, PLR0917 - one argument an option
    out: TournamentPath,
    file: Annotated[
        Path | None, typer.Option("--file", help="A TOML file that describes the tournament.")
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option("--suite", help="A bundled suite, see `arena tournament suites`."),
    ] = None,
    contestants: Annotated[
        list[str] | None,
        typer.Option("--contestant", "-p", help="MODEL[+PLAYER]; may be repeated."),
    ] = None,
    scripts: Annotated[
        list[str] | None,
        typer.Option("--script", help="A script's id or folder; may be repeated."),
    ] = None,
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            "--opponent",
            help="With --script: a fixed opponent, which plays every contestant on both sides; may "
            "be repeated.",
        ),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option("--seeds", help="With --script: number of seeds [default: 2].")
    ] = None,
    rotations: Annotated[
        int | None,
        typer.Option(
            "--rotations",
            help="With --script: number of times that each seed is played, each with another first "
            "seat [default: 1].",
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(help="With --script: a preset of the game's options [default: default]."),
    ] = None,
    language: Annotated[
        str | None, typer.Option("--language", help="With --script: en or zh.")
    ] = None,
    scripts_dir: Annotated[
        Path | None, typer.Option("--scripts-dir", help="A folder with the scripts of a suite.")
    ] = None,
    gpus: Annotated[
        str | None, typer.Option("--gpus", help="Estimate the GPU hours on these, such as 8xh200.")
    ] = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Plan a tournament: from a suite, from a file, or from contestants and scripts."""
    names = contestants or []
    if sum(one is not None for one in (file, suite, scripts or None)) != 1:
        raise ConfigError("wanted one of --suite NAME, --file FILE, or --script with --contestant")
    parse_folder(out)
    if gpus is not None:
        check_gpus(gpus)
    if scripts:
        game = GameEntry(
            preset="default" if preset is None else preset,
            scripts=_read_scripts(scripts, language),
            seeds=2 if seeds is None else check_count("--seeds", seeds),
            rotations=1 if rotations is None else check_count("--rotations", rotations),
        )
        described = TournamentDescription(
            contestants=names, opponents=opponents or [], games=[game]
        )
        planned = plan_tournament(described, folders=[scripts_dir] if scripts_dir else [])
    else:
        own = {
            "--opponent": opponents or None,
            "--seeds": seeds,
            "--rotations": rotations,
            "--preset": preset,
            "--language": language,
        }
        _refuse_own("a file" if suite is None else "a suite", own)
        path = suite_path(suite) if suite is not None else cast("Path", file)
        planned = make_plan(path, names, suite=suite is not None, scripts_dir=scripts_dir)
    _show_plan(create_tournament(out, planned), gpus, as_json=as_json, no_color=no_color)


def suites_command(as_json: AsJson = False, no_color: NoColor = False) -> None:
    """List the bundled suites: their scripts, and their matches with n contestants."""
    found = [suite_object(read_description(path)[0]) for path in sorted(SUITES.glob("*.toml"))]
    if as_json:
        writer = JsonOut(sys.stdout)
        for one in found:
            writer.write(one)
        return
    print_prose(open_consoles(no_color=no_color).out, *suite_lines(found))


def add_command(
    out: TournamentPath,
    contestants: Annotated[list[str], typer.Argument(help="New contestants: MODEL[+PLAYER].")],
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Add contestants: they play all others; existing matches do not change."""
    folder = add_contestants(open_tournament(out), tuple(contestants))
    _show_plan(folder, None, as_json=as_json, no_color=no_color)


def remove_command(
    out: TournamentPath,
    contestant: Annotated[str, typer.Argument(help="A contestant without a started match.")],
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Remove a contestant that has not played, such as a mistaken name."""
    folder = remove_contestant(open_tournament(out), contestant)
    _show_plan(folder, None, as_json=as_json, no_color=no_color)


def _read_scripts(names: Sequence[str], language: str | None) -> list[ScriptEntry]:
    chosen = cast("Language | None", parse_choice("language", language, LANGUAGES))
    return [ScriptEntry(id=one, language=chosen) for one in names]


def _refuse_own(source: str, options: Mapping[str, object]) -> None:
    """Raise `ConfigError` if an option is given that `source` decides."""
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise ConfigError(
            f"{source} sets its own opponents, seeds, rotations, preset and language: leave out "
            f"{', '.join(given)}, or plan from --script"
        )


def _show_plan(
    folder: TournamentFolder, gpus: str | None, *, as_json: bool, no_color: bool
) -> None:
    shown = open_consoles(no_color=no_color)
    found = plan_object(folder)
    players = map(read_contestant, (*folder.plan.contestants, *folder.plan.opponents))
    for line in unknown_models(who.model for who in players if who.model is not None):
        shown.err.print(Text(sanitize_line(f"note: {line}; it must be known where it is played")))
    if gpus is not None:
        with shown.err.status("simulating the matches or a sample of them"):
            found["hours"] = hours_object(folder, gpus)
    if as_json:
        JsonOut(sys.stdout).write(found)
        return
    hint = shell_command("tournament", "run", str(folder.path))
    lines = (*plan_lines(found), f"play it with `{hint}`")
    print_prose(shown.out, *lines)
