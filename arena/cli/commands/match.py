"""`arena match`: play matches between two contestants; persons can take seats of one."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from arena.cli.commands.arguments import (
    RUNS,
    Admission,
    AsJson,
    Concurrency,
    GameName,
    Host,
    HostNames,
    IsQuiet,
    NoColor,
    OptionPairs,
    ShowFull,
    ShowPictures,
    ShowTruth,
    default_run_dir,
    parse_choice,
    parse_concurrency,
    parse_pairs,
    parse_run_folder,
    refuse_for_persons,
)
from arena.cli.commands.model_preparation import prepare_run
from arena.cli.console.run_results import make_picture_reader, show_results
from arena.cli.console.run_screen import interruptible, make_run_screen
from arena.cli.console.screens import open_consoles
from arena.cli.play.live_page import play_with_page
from arena.cli.play.seating import SeatingOptions, start_human_run
from arena.cli.rendering.render_context import ViewOptions
from arena.core.game import Game, SelfContained
from arena.games.game_registry import DEFAULT, find_game
from arena.games.option_parsing import read_options
from arena.records.run_config import Quiz, RunConfig, Transport, make_pairs
from arena.run.human_seat import seat_humans
from arena.run.launch import needs_local_cpu_engine, script_ref, start_run
from arena.run.observer import BaseObserver, CompositeObserver, PlannedMatch
from arena.run.run_scripts import load_scripts
from arena.web.security import make_access
from scripts_mm.script import LANGUAGES, Language
from serving.commands.consent_options import engine_consent_options

DEFAULT_SCRIPT = "first-night"
SHORT = "short"
"""The preset for hosts without a GPU, if a game has one."""


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("match")(match_command)


@engine_consent_options
def match_command(
    civ: Annotated[
        str, typer.Option(help="Who plays the civilians: MODEL[+PLAYER], or human.")
    ] = "qwen",
    murderer: Annotated[str, typer.Option(help="Who plays the murderer.")] = "naive",
    human_seat: Annotated[
        list[str] | None,
        typer.Option(
            help="The role of a person on a side `human`; may be repeated, with --web [default: "
            "drawn by the seed]."
        ),
    ] = None,
    allies: Annotated[
        str | None,
        typer.Option(
            help="Who plays the other seats of a side `human` [default: same as the other side]."
        ),
    ] = None,
    script: Annotated[
        list[str] | None,
        typer.Option(
            help=(
                "A script's id or folder; may be repeated. Leave out for a game with its own "
                "script."
            )
        ),
    ] = None,
    language: Annotated[str | None, typer.Option(help="en or zh.")] = None,
    game: GameName = DEFAULT,
    preset: Annotated[
        str | None,
        typer.Option(
            help="A preset of the game's options [default: default; short without a GPU]."
        ),
    ] = None,
    option: OptionPairs = None,
    matches: Annotated[int, typer.Option("--matches", "-n", help="Matches of each script.")] = 1,
    concurrency: Concurrency = None,
    admission: Admission = "on",
    seed: Annotated[
        int, typer.Option(help="Seed of the first match; each further match adds 1.")
    ] = 0,
    swap: Annotated[
        bool, typer.Option("--swap", help="Play every match a second time with swapped sides.")
    ] = False,
    transport: Annotated[
        str, typer.Option(help="How requests are sent to models: auto, chat or tokens.")
    ] = "auto",
    deadline: Annotated[float, typer.Option(help="Seconds that a model has for an answer.")] = 120,
    quiz: Annotated[str, typer.Option(help="none, before, after or both.")] = "none",
    ballots: Annotated[
        bool, typer.Option("--ballots", help="A silent ballot after every speech.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="The run's folder.")] = None,
    quiet: IsQuiet = False,
    as_json: AsJson = False,
    full: ShowFull = False,
    truth: ShowTruth = False,
    on_web: Annotated[
        bool,
        typer.Option(
            "--web", help="Also open a page that follows the run; persons play in the browser."
        ),
    ] = False,
    host: Host = "127.0.0.1",
    name: HostNames = None,
    pictures: ShowPictures = False,
    no_color: NoColor = False,
) -> None:
    """Play matches between two contestants and show the verdict."""
    rules = find_game(game)
    lang = cast("Language | None", parse_choice("language", language, LANGUAGES))
    folder = parse_run_folder(out) if out is not None else None
    most = parse_concurrency(concurrency, admission)
    players = (civ, murderer, *filter(None, (allies,)))
    chosen = preset if preset is not None else default_preset(rules, players, folder or RUNS)
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
    # The arguments are checked before any script is read.
    names = script or ([] if isinstance(rules, SelfContained) else [DEFAULT_SCRIPT])
    scripts = load_scripts(rules, names, lang)
    config = seat_humans(
        replace(config, scripts=tuple(map(script_ref, scripts))),
        rules,
        [loaded.script for loaded in scripts],
        wanted=human_seat or (),
        allies=allies,
    )
    path = folder or default_run_dir(scripts[0].script.id)
    notice = short_notice(preset) if chosen == SHORT else ""
    if config.humans:
        refuse_for_persons({"--quiet": quiet, "--json": as_json, "--truth": truth})
        place = SeatingOptions(
            on_web=on_web, host=host, names=name or (), pictures=pictures, no_color=no_color
        )
        start_human_run(config, scripts[0], path, place, notice=notice)
        return
    shown, access = open_consoles(no_color=no_color), make_access(host, name or ())
    prepare_run(config, rules, scripts, path, may_ask=not (quiet or as_json))
    view = ViewOptions(full=full, truth=truth, read=make_picture_reader(path) if pictures else None)
    many = swap or matches * len(scripts) > 1
    with (
        interruptible(path),
        CompositeObserver(
            _Notice(notice), make_run_screen(shown, view, many=many, quiet=quiet, as_json=as_json)
        ) as observer,
    ):
        started = time.monotonic()
        play = start_run(config, scripts, path, concurrency=most, observer=observer)
        result = asyncio.run(play_with_page(path, play, host, access) if on_web else play)
    show_results(result, shown, time.monotonic() - started, silent=quiet or as_json)


def default_preset(game: Game, contestants: Sequence[str], path: Path) -> str:
    """Return the preset for a match without `--preset`."""
    wants_short = SHORT in game.presets and needs_local_cpu_engine(contestants, path)
    return SHORT if wants_short else "default"


def short_notice(preset: str | None) -> str:
    """Return the line that says that, and why, the short preset is played."""
    reason = "this host has no GPU" if preset is None else "you chose it"
    return f"preset {SHORT}, because {reason}; --preset default plays the whole game"


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
