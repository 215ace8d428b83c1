"""`arena play`: persons take seats of one match, in this terminal or in a browser."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, cast

import typer

from arena.cli.commands.arguments import (
    RUNS,
    GameName,
    Host,
    HostNames,
    NoColor,
    OptionPairs,
    Port,
    ShowPictures,
    default_run_dir,
    parse_choice,
    parse_pairs,
    parse_run_folder,
)
from arena.cli.commands.match import SHORT, default_preset, short_notice
from arena.cli.play.seating import SeatingOptions, start_human_run
from arena.core.game import Game, SelfContained
from arena.errors import ConfigError
from arena.games.game_registry import DEFAULT, find_game
from arena.games.option_parsing import read_options
from arena.records.run_config import HumanSeat, RunConfig, make_pairs
from arena.run.human_seat import choose_contestants, find_seat
from arena.run.launch import script_ref
from arena.run.run_scripts import load_scripts
from scripts_mm.script import LANGUAGES, Language
from scripts_mm.script_folder import LoadedScript
from serving.commands.consent_options import engine_consent_options


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("play")(play_command)


@engine_consent_options
def play_command(
    script: Annotated[
        str | None,
        typer.Argument(help="A script's id or folder. Leave out for a game with its own script."),
    ] = None,
    role: Annotated[
        list[str] | None,
        typer.Option("--as", help="The role that you take; with --web, one for each person."),
    ] = None,
    game: GameName = DEFAULT,
    against: Annotated[
        str, typer.Option(help="Who plays a side without persons: MODEL[+PLAYER].")
    ] = "qwen",
    allies: Annotated[
        str | None,
        typer.Option(help="Who plays the others on your side [default: same as --against]."),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(help="Seconds that a person has for an answer [default: unlimited]."),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help="A preset of the game's options [default: default; short without a GPU]."
        ),
    ] = None,
    option: OptionPairs = None,
    language: Annotated[str | None, typer.Option(help="en or zh.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the match.")] = 0,
    out: Annotated[Path | None, typer.Option(help="The run's folder.")] = None,
    human_id: Annotated[
        list[str] | None,
        typer.Option(
            help="A name for you: a script that you have played is not played again. Of several "
            "persons one each, in the order of --as."
        ),
    ] = None,
    spoiled: Annotated[
        bool, typer.Option("--spoiled", help="Play even if you may know the script.")
    ] = False,
    on_web: Annotated[
        bool, typer.Option("--web", help="Play in a browser; prints the link of each seat.")
    ] = False,
    port: Port = 0,
    host: Host = "127.0.0.1",
    name: HostNames = None,
    pictures: ShowPictures = False,
    no_color: NoColor = False,
) -> None:
    """Take a seat in a match: read your script, type your answers, leave and continue later."""
    rules = find_game(game)
    lang = cast("Language | None", parse_choice("language", language, LANGUAGES))
    folder = parse_run_folder(out) if out is not None else None
    names = (against, allies or against)
    chosen = preset if preset is not None else default_preset(rules, names, folder or RUNS)
    options = read_options(rules, chosen, parse_pairs(option or []))
    loaded = _load(rules, script, lang)
    seats = [find_seat(loaded.script, name) for name in role or ("",)]
    contestants = choose_contestants(
        rules.start(loaded.script, options, seed), seats, allies=allies, against=against
    )
    config = RunConfig(
        pairs=make_pairs(*contestants),
        scripts=(script_ref(loaded),),
        game=game,
        options=options,
        seed=seed,
        humans=tuple(
            HumanSeat(seat=seat, time_limit=time_limit, human_id=name, spoiled=spoiled)
            for seat, name in zip(seats, _read_names(human_id, len(seats)), strict=True)
        ),
    )
    place = SeatingOptions(
        on_web=on_web, port=port, host=host, names=name or (), pictures=pictures, no_color=no_color
    )
    start_human_run(
        config,
        loaded,
        folder or default_run_dir(loaded.script.id),
        place,
        notice=short_notice(preset) if chosen == SHORT else "",
    )


def _read_names(written: Sequence[str] | None, count: int) -> Sequence[str]:
    """Return a person's name for each of `count` seats, all empty if none is given."""
    if written and len(written) != count:
        raise ConfigError(
            f"--human-id is needed once for each person, in the order of --as: wanted {count}, "
            f"got {len(written)}"
        )
    return [name.strip() for name in written] if written else [""] * count


def _load(game: Game, name: str | None, language: Language | None) -> LoadedScript:
    """Return the one script of the match, or raise `ConfigError` if none is named."""
    if name is None and not isinstance(game, SelfContained):
        raise ConfigError(
            f"game {game.name!r} needs a script: `arena play SCRIPT --as ROLE`; `arena scripts "
            "list` lists the scripts"
        )
    [loaded] = load_scripts(game, [name] if name is not None else [], language)
    return loaded
