"""Matches with persons: at this terminal, or at a page for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from arena.cli.commands.preparing import prepare_run
from arena.cli.console.endings import picture_reader
from arena.cli.play.page_session import Listening, sit_at_pages
from arena.cli.play.session import Play, Sitting, require_terminal, sit_down
from arena.errors import ConfigError
from arena.games.registry import find_game
from arena.records.config import HumanSeat, RunConfig
from arena.run.launch import start_run
from arena.web.security import make_access
from scripts_mm.script_folder import LoadedScript


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where persons sit down, and what they are shown there."""

    on_web: bool
    port: int = 0
    """Of the pages; 0: one that is free, the same again where the run goes on."""
    host: str = "127.0.0.1"
    """At which pages are served."""
    names: Sequence[str] = ()
    """Host names by which others reach them."""
    pictures: bool = False
    """Drawn in the terminal."""
    no_color: bool = False


def require_place(humans: Sequence[HumanSeat], place: Place) -> None:
    """Raise `ConfigError` where the persons cannot sit there: a terminal has one keyboard."""
    if place.on_web:
        make_access(place.host, place.names)
        return
    if len(humans) > 1:
        raise ConfigError(
            f"one person can play at a terminal, got {len(humans)}; add --web, which gives each "
            "person a page"
        )
    require_terminal()


def start_with_persons(
    config: RunConfig,
    loaded: LoadedScript,
    run: Path,
    place: Place,
    *,
    notice: str = "",
) -> None:
    """Play a new run of one match with persons; `notice` is a line that is printed before."""
    require_place(config.humans, place)
    prepare_run(config, find_game(config.game), [loaded], run, may_ask=True)
    if notice:
        typer.echo(notice, err=True)
    seat_persons(
        config,
        run,
        place,
        lambda desks, observer: start_run(
            config, [loaded], run, concurrency=None, observer=observer, desks=desks
        ),
    )


def seat_persons(config: RunConfig, run: Path, place: Place, play: Play) -> None:
    """Let the persons of a run play its only match at `place`, where `require_place` let them."""
    if place.on_web:
        at = Listening(make_access(place.host, place.names), host=place.host, port=place.port)
        sit_at_pages(config, run, at, play)
        return
    [human], [script] = config.humans, config.scripts
    sitting = Sitting(
        seat=human.seat,
        language=script.language,
        run=run,
        read=picture_reader(run) if place.pictures else None,
        no_color=place.no_color,
    )
    sit_down(sitting, play)
