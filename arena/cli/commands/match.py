"""`arena match` and `arena resume`: play matches, and continue an interrupted run."""

import asyncio
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from arena.cli.commands.arguments import (
    RUNS,
    Admission,
    AsJson,
    Concurrency,
    Full,
    GameName,
    IsQuiet,
    NoColor,
    Pictures,
    Truth,
    Written,
    default_run_dir,
    parse_choice,
    parse_concurrency,
    parse_pairs,
    parse_run_folder,
)
from arena.cli.commands.preparing import prepare_contestants, prepare_run
from arena.cli.console.endings import picture_reader, show_end
from arena.cli.console.json_out import JsonOut
from arena.cli.console.progress import Progress
from arena.cli.console.quiet import QuietOutput
from arena.cli.console.shell import shell_command
from arena.cli.console.streams import Consoles, consoles
from arena.cli.console.transcript import Transcript
from arena.cli.exit_status import Interrupted
from arena.cli.play.live_page import play_with_page
from arena.cli.play.page_session import sit_at_page
from arena.cli.play.session import Sitting, require_terminal, sit_down
from arena.cli.rendering.context import ViewOptions
from arena.core.game import Game, SelfContained
from arena.errors import ConfigError
from arena.games.choosing import read_options
from arena.games.registry import DEFAULT, find_game
from arena.records.config import Quiz, RunConfig, Transport, make_pairs
from arena.records.run_record import RunRecord, open_run
from arena.run.launch import needs_local_cpu_engine, resume_run, script_ref, start_run
from arena.run.observer import BaseObserver, CompositeObserver, PlannedMatch
from arena.run.scripts import load_scripts
from scripts_mm.script import LANGUAGES, Language
from serving.options import starts_engines

DEFAULT_SCRIPT = "first-night"
SHORT = "short"
"""The preset for hosts without a GPU, where a game has one."""


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this file."""
    app.command("match")(match_command)
    app.command("resume")(resume_command)


@starts_engines
def match_command(
    civ: Annotated[str, typer.Option(help="Who plays the civilians: MODEL[+PLAYER].")] = "qwen",
    murderer: Annotated[str, typer.Option(help="Who plays the murderer.")] = "naive",
    script: Annotated[
        list[str] | None,
        typer.Option(
            help="A script's id or folder; may be repeated. None for a game with its own script."
        ),
    ] = None,
    language: Annotated[str | None, typer.Option(help="en or zh.")] = None,
    game: GameName = DEFAULT,
    preset: Annotated[
        str | None,
        typer.Option(
            help="Options of the game by one name [default: default; short without a GPU]."
        ),
    ] = None,
    option: Written = None,
    matches: Annotated[int, typer.Option("--matches", "-n", help="Matches of each script.")] = 1,
    concurrency: Concurrency = None,
    admission: Admission = "on",
    seed: Annotated[
        int, typer.Option(help="Seed of the first match; each further match adds 1.")
    ] = 0,
    swap: Annotated[
        bool, typer.Option("--swap", help="Play every match a second time with sides exchanged.")
    ] = False,
    transport: Annotated[
        str, typer.Option(help="How models are asked: auto, chat or tokens.")
    ] = "auto",
    deadline: Annotated[float, typer.Option(help="Seconds that a model has for an answer.")] = 120,
    quiz: Annotated[str, typer.Option(help="none, before, after or both.")] = "none",
    ballots: Annotated[
        bool, typer.Option("--ballots", help="A silent ballot after every speech.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="The run's folder.")] = None,
    quiet: IsQuiet = False,
    as_json: AsJson = False,
    full: Full = False,
    truth: Truth = False,
    on_web: Annotated[
        bool, typer.Option("--web", help="Open a page that follows the run as well.")
    ] = False,
    pictures: Pictures = False,
    no_color: NoColor = False,
) -> None:
    """Play matches between two contestants and show the verdict."""
    rules = find_game(game)
    lang = cast("Language | None", parse_choice("language", language, LANGUAGES))
    folder = parse_run_folder(out) if out is not None else None
    most = parse_concurrency(concurrency, admission)
    chosen = (
        preset if preset is not None else default_preset(rules, (civ, murderer), folder or RUNS)
    )
    config = RunConfig(
        pairs=make_pairs(civ, murderer, swap=swap),
        scripts=(),
        game=game,
        options=read_options(rules, chosen, parse_pairs(option or [])),
        seed=seed,
        matches=matches,
        deadline=deadline,
        quiz=cast("Quiz", parse_choice("quiz", quiz, get_args(Quiz))),
        ballots=ballots,
        transport=cast("Transport", parse_choice("transport", transport, get_args(Transport))),
    )
    # The words are checked before any script is read.
    names = script or ([] if isinstance(rules, SelfContained) else [DEFAULT_SCRIPT])
    scripts = load_scripts(rules, names, lang)
    config = replace(config, scripts=tuple(script_ref(loaded) for loaded in scripts))
    path = folder or default_run_dir(scripts[0].script.id)
    shown = consoles(no_color=no_color)
    prepare_run(config, rules, scripts, path, may_ask=not (quiet or as_json))
    view = ViewOptions(full=full, truth=truth, read=picture_reader(path) if pictures else None)
    many = swap or matches * len(scripts) > 1
    notice = short_notice(preset) if chosen == SHORT else ""
    with (
        _interruptible(path),
        CompositeObserver(
            _Notice(notice), _observer(shown, view, many=many, quiet=quiet, as_json=as_json)
        ) as observer,
    ):
        started = time.monotonic()
        play = start_run(config, scripts, path, concurrency=most, observer=observer)
        result = asyncio.run(play_with_page(path, play) if on_web else play)
    show_end(result, shown, time.monotonic() - started, silent=quiet or as_json)


@starts_engines
def resume_command(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    concurrency: Concurrency = None,
    admission: Admission = "on",
    quiet: IsQuiet = False,
    as_json: AsJson = False,
    full: Full = False,
    pictures: Annotated[
        bool,
        typer.Option(
            "--pictures", help="Draw pictures for a person, where the terminal has colours."
        ),
    ] = False,
    on_web: Annotated[
        bool, typer.Option("--web", help="A person's seat in a browser, as `arena play --web`.")
    ] = False,
    no_color: NoColor = False,
) -> None:
    """Continue an interrupted run: recorded actions are replayed, the rest is played."""
    most = parse_concurrency(concurrency, admission)
    record = open_run(run)
    if record.finished() is None:
        prepare_contestants(record.config.contestants, run, may_ask=not (quiet or as_json))
    if record.config.human is not None and record.finished() is None:
        if quiet or as_json:
            raise ConfigError(
                f"a person plays {record.config.human.seat!r} in this run; leave out --quiet and "
                "--json"
            )
        if on_web:
            _sit_at_page_again(record, most)
        else:
            _sit_down_again(record, most, pictures=pictures, no_color=no_color)
        return
    shown = consoles(no_color=no_color)
    view = ViewOptions(full=full)
    with (
        _interruptible(run),
        _observer(shown, view, many=True, quiet=quiet, as_json=as_json) as observer,
    ):
        started = time.monotonic()
        result = asyncio.run(resume_run(run, concurrency=most, observer=observer))
    show_end(result, shown, time.monotonic() - started, silent=quiet or as_json)


def _sit_down_again(
    record: RunRecord, concurrency: int | None, *, pictures: bool, no_color: bool
) -> None:
    """Continue a run at whose only match a person plays."""
    human, [script] = record.config.human, record.config.scripts
    assert human is not None, "a person plays in the run"
    require_terminal()
    sitting = Sitting(
        seat=human.seat,
        language=script.language,
        run=record.path,
        read=picture_reader(record.path) if pictures else None,
        no_color=no_color,
    )
    sit_down(
        sitting,
        lambda desk, observer: resume_run(
            record.path, concurrency=concurrency, observer=observer, desk=desk
        ),
    )


def _sit_at_page_again(record: RunRecord, concurrency: int | None) -> None:
    """Continue a run at whose only match a person plays, at its page."""
    sit_at_page(
        record.config,
        record.path,
        0,
        lambda desk, observer: resume_run(
            record.path, concurrency=concurrency, observer=observer, desk=desk
        ),
    )


def default_preset(game: Game, contestants: tuple[str, str], path: Path) -> str:
    """Return the preset for a match without `--preset`."""
    wants_short = SHORT in game.presets and needs_local_cpu_engine(contestants, path)
    return SHORT if wants_short else "default"


def short_notice(preset: str | None) -> str:
    """Return the line that says that, and why, the short preset is played."""
    reason = "this host has no GPU" if preset is None else "it was chosen"
    return f"preset {SHORT}, as {reason}; --preset default plays the whole game"


class _Notice(BaseObserver):
    """Prints one line on standard error once a run can start."""

    def __init__(self, line: str) -> None:
        self._line = line

    def on_log(self, line: str) -> None:
        self._print()

    def on_plan(self, matches: tuple[PlannedMatch, ...]) -> None:
        self._print()

    def _print(self) -> None:
        if self._line:
            typer.echo(self._line, err=True)
        self._line = ""


@contextmanager
def _interruptible(run: Path) -> Generator[None]:
    """Turn Ctrl-C into one line that says how to continue."""
    try:
        yield
    except KeyboardInterrupt as error:
        hint = (
            f"; continue with `{shell_command('resume', str(run))}`"
            if run.exists()
            else ", nothing was played"
        )
        raise Interrupted(f"interrupted{hint}") from error


def _observer(
    shown: Consoles, view: ViewOptions, *, many: bool, quiet: bool, as_json: bool
) -> BaseObserver:
    if as_json:
        return CompositeObserver(Progress(shown.err), JsonOut(sys.stdout))
    if quiet:
        return QuietOutput(shown.out)
    return Progress(shown.err) if many else Transcript(shown.out, view, log=shown.err)
