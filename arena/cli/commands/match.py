"""`arena match` and `arena resume`: play matches, and go on with a run that broke off."""

import asyncio
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from arena.cli.console.streams import Consoles, consoles
from arena.cli.console.json_out import JsonOut
from arena.cli.rendering.context import ViewOptions
from arena.run.observer import BaseObserver, CompositeObserver
from arena.cli.console.shell import shell_command
from arena.cli.console.progress import Progress
from arena.cli.console.transcript import Transcript
from arena.cli.rendering.verdict import Quiet, show_verdict
from arena.cli.commands.arguments import default_run_dir, parse_choice, parse_pairs
from arena.errors import ConfigError
from arena.run.batch import MatchCrash
from arena.run.config import PROTOCOLS, RunConfig, Transport, read_options, specs
from arena.run.launch import Played, resume_run, script_ref, start_run
from arena.run.probing import Quiz
from arena.records.summary import MatchSummary
from scripts_mm.catalog import find_script
from scripts_mm.script import LANGUAGES, Language

DEFAULT_SCRIPT = "first-night"
FAILED = 1
"""Exit status where a match could not be finished."""
INTERRUPTED = 130
"""Exit status after Ctrl-C."""

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a match, nothing else.")]
IsQuiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only one line a match.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colours.")]
Full = Annotated[bool, typer.Option("--full", help="Show every speech whole.")]
Concurrency = Annotated[
    int | None,
    typer.Option(
        "--concurrency",
        "-c",
        help="Most matches at once [default: what the servers' memory holds].",
    ),
]


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this file."""
    app.command("match")(match_command)
    app.command("resume")(resume_command)


def match_command(
    civ: Annotated[str, typer.Option(help="Who plays the civilians: MODEL[+PLAYER].")] = "qwen",
    murderer: Annotated[str, typer.Option(help="Who plays the murderer.")] = "naive",
    script: Annotated[
        list[str] | None, typer.Option(help="A script's id or folder; may be repeated.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="en or zh.")] = None,
    protocol: Annotated[str, typer.Option(help="The game's rules.")] = PROTOCOLS[0],
    preset: Annotated[str, typer.Option(help="default, paper, released or wide.")] = "default",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="A protocol option, as vote=open; may be repeated."),
    ] = None,
    rounds: Annotated[int | None, typer.Option(help="Rounds of discussion.")] = None,
    matches: Annotated[int, typer.Option("--matches", "-n", help="Matches of each script.")] = 1,
    concurrency: Concurrency = None,
    seed: Annotated[int, typer.Option(help="Of the first match; others count on.")] = 0,
    swap: Annotated[
        bool, typer.Option("--swap", help="Play every match a second time with sides exchanged.")
    ] = False,
    transport: Annotated[
        str, typer.Option(help="How models are asked: auto, chat or tokens.")
    ] = "auto",
    deadline: Annotated[float, typer.Option(help="Seconds that a model has for an ask.")] = 120.0,
    quiz: Annotated[str, typer.Option(help="none, before, after or both.")] = "none",
    ballots: Annotated[
        bool, typer.Option("--ballots", help="A silent ballot after every speech.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="The run's folder.")] = None,
    quiet: IsQuiet = False,
    as_json: AsJson = False,
    full: Full = False,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Show from the start who the murderer is.")
    ] = False,
    no_color: NoColor = False,
) -> None:
    """Play matches between two contestants and show the verdict."""
    if protocol not in PROTOCOLS:
        raise ConfigError(f"no protocol {protocol!r}; there are: {', '.join(PROTOCOLS)}")
    lang = cast("Language | None", parse_choice("language", language, LANGUAGES))
    written = parse_pairs(option or [])
    if rounds is not None:
        written["rounds"] = str(rounds)
    scripts = [find_script(name, lang) for name in (script or [DEFAULT_SCRIPT])]
    config = RunConfig(
        civilians=civ,
        murderer=murderer,
        scripts=tuple(script_ref(loaded) for loaded in scripts),
        protocol=protocol,
        options=read_options(preset, written),
        seed=seed,
        matches=matches,
        swap=swap,
        deadline=deadline,
        quiz=cast("Quiz", parse_choice("quiz", quiz, get_args(Quiz))),
        ballots=ballots,
        transport=cast("Transport", parse_choice("transport", transport, get_args(Transport))),
    )
    count = len(specs(config))
    path = out or default_run_dir(scripts[0].script.id)
    shown = consoles(no_color=no_color)
    look = ViewOptions(full=full, reveal=reveal)
    watching = _onlooker(shown, look, many=count > 1, quiet=quiet, as_json=as_json)
    with _interruptible(path), watching as watcher:
        began = time.monotonic()
        most = _concurrency(concurrency)
        played = asyncio.run(start_run(config, scripts, path, concurrency=most, watcher=watcher))
    _end(played, shown, time.monotonic() - began, silent=quiet or as_json)


def resume_command(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    concurrency: Concurrency = None,
    quiet: IsQuiet = False,
    as_json: AsJson = False,
    full: Full = False,
    no_color: NoColor = False,
) -> None:
    """Go on with a run that broke off: recorded answers are replayed, missing ones asked again."""
    shown = consoles(no_color=no_color)
    watching = _onlooker(shown, ViewOptions(full=full), many=True, quiet=quiet, as_json=as_json)
    with _interruptible(run), watching as watcher:
        began = time.monotonic()
        most = _concurrency(concurrency)
        played = asyncio.run(resume_run(run, concurrency=most, watcher=watcher))
    _end(played, shown, time.monotonic() - began, silent=quiet or as_json)


@contextmanager
def _interruptible(run: Path) -> Generator[None]:
    """Turn Ctrl-C into one line that says how to go on."""
    try:
        yield
    except KeyboardInterrupt as error:
        go_on = (
            f"; go on with `{shell_command('resume', str(run))}`"
            if run.exists()
            else ", nothing was played"
        )
        typer.echo(f"interrupted{go_on}", err=True)
        raise typer.Exit(INTERRUPTED) from error


def _onlooker(shown: Consoles, look: ViewOptions, *, many: bool, quiet: bool, as_json: bool) -> BaseObserver:
    if as_json:
        return CompositeObserver(Progress(shown.err), JsonOut(sys.stdout))
    if quiet:
        return Quiet(shown.out)
    return Progress(shown.err) if many else Transcript(shown.out, look, aside=shown.err)


def _end(played: Played, shown: Consoles, wall: float, *, silent: bool) -> None:
    """Show the verdict; matches that could not be finished make the exit status 1."""
    summaries = [result for result in played.results if isinstance(result, MatchSummary)]
    crashes = [result for result in played.results if isinstance(result, MatchCrash)]
    if not silent:
        show_verdict(shown.out, summaries, wall=wall)
    for crash in crashes:
        typer.echo(f"a fault of the arena ended a match: {crash.error}\n{crash.trace}", err=True)
    if crashes or any(summary.outcome == "error" for summary in summaries):
        raise typer.Exit(FAILED)


def _concurrency(wanted: int | None) -> int | None:
    if wanted is not None and wanted < 1:
        raise ConfigError(f"the concurrency must be >= 1, got {wanted}")
    return wanted
