"""Matches with persons: at this terminal, or at a page for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from arena.cli.commands.model_preparation import prepare_run
from arena.cli.console.run_results import make_picture_reader
from arena.cli.play.page_session import ListenOptions, play_at_pages
from arena.cli.play.terminal_session import (
    PlayWithDesks,
    TerminalSeat,
    play_at_terminal,
    require_terminal,
)
from arena.errors import ConfigError
from arena.games.game_registry import find_game
from arena.records.run_config import HumanSeat, RunConfig
from arena.run.launch import start_run
from arena.web.security import make_access
from scripts_mm.script_folder import LoadedScript


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingOptions:
    """Where persons play, and what they see there."""

    on_web: bool
    port: int = 0
    """Port of the pages; 0: a free one, which a resumed run uses again."""
    host: str = "127.0.0.1"
    """Address at which pages are served."""
    names: Sequence[str] = ()
    """Host names of the pages for other hosts."""
    pictures: bool = False
    """Whether pictures are drawn in the terminal."""
    no_color: bool = False


def require_seating(humans: Sequence[HumanSeat], place: SeatingOptions) -> None:
    """Raise `ConfigError` if the persons cannot play there: a terminal has one keyboard."""
    if place.on_web:
        make_access(place.host, place.names)
        return
    if len(humans) > 1:
        raise ConfigError(
            f"only one person can play at a terminal, got {len(humans)}; add --web, which gives "
            "each person a page"
        )
    require_terminal()


def start_human_run(
    config: RunConfig,
    loaded: LoadedScript,
    run: Path,
    place: SeatingOptions,
    *,
    notice: str = "",
) -> None:
    """Play a new run of one match with persons; `notice` is a line to print first."""
    require_seating(config.humans, place)
    prepare_run(config, find_game(config.game), [loaded], run, may_ask=True)
    if notice:
        typer.echo(notice, err=True)
    play_with_humans(
        config,
        run,
        place,
        lambda desks, observer: start_run(
            config, [loaded], run, concurrency=None, observer=observer, desks=desks
        ),
    )


def play_with_humans(
    config: RunConfig, run: Path, place: SeatingOptions, play: PlayWithDesks
) -> None:
    """Let the persons of a run play its only match at `place`, as `require_seating` allows."""
    if place.on_web:
        at = ListenOptions(make_access(place.host, place.names), host=place.host, port=place.port)
        play_at_pages(config, run, at, play)
        return
    [human], [script] = config.humans, config.scripts
    sitting = TerminalSeat(
        seat=human.seat,
        language=script.language,
        run=run,
        read=make_picture_reader(run) if place.pictures else None,
        no_color=place.no_color,
    )
    play_at_terminal(sitting, play)
