"""A record as long as no real match has: 7,000 events that the rules give, in many rounds."""

from dataclasses import replace
from pathlib import Path

from arena.core.events import Event
from arena.games.whodunit.options import WhodunitOptions
from arena.records.match_record import MatchRecord
from scripts_mm.script import Role
from tests.arena.cli.tiny import LAMP, fixed
from tests.arena.web.recorded import make_run, write

LENGTH = 7_000
_SEATS = (
    "Ada Vale",
    "Bram Finch",
    "Cora Lund",
    "Dov Marsh",
    "Edda Frost",
    "Finn Hale",
    "Gwen Ott",
    "Hal Penn",
    "Ida Roth",
    "Jon Wick",
    "Kit Yarrow",
    "Lou Ames",
)


def make_long_run(folder: Path) -> tuple[MatchRecord, tuple[Event, ...]]:
    """Make a run with one finished match of at least `LENGTH` events."""
    roles = tuple(Role(name=name, script=f"The story of {name}.") for name in _SEATS)
    script = replace(LAMP, roles=roles)
    record, events = make_run(folder, script, fixed(script), options=WhodunitOptions(rounds=100))
    assert len(events) >= LENGTH, len(events)
    write(record, events)
    return record, events
