"""As whom a page shows a match, and whether it may."""

from arena.core.events import MatchStarted
from arena.core.observation import Spectator
from arena.core.seats import SeatId
from arena.errors import RecordError
from arena.records.match_record import MatchRecord
from arena.records.run_record import RunRecord

TRUTH = "truth"


def read_observer(run: RunRecord, record: MatchRecord, wanted: str) -> SeatId | Spectator:
    """Return the observer that an address names: nobody, `truth`, or the number of a seat.

    Raises `RecordError` for a seat that there is not, and while persons play in the match: then
    every other page shows what all seats may know, and nothing else.
    """
    if not wanted:
        return Spectator()
    if not may_reveal(run, record):
        raise RecordError("a person plays in this match: it is shown as all seats may know it")
    return observer_of(record, wanted)


def observer_of(record: MatchRecord, wanted: str) -> SeatId | Spectator:
    """Return the observer that an address names in a match that may be revealed."""
    if not wanted:
        return Spectator()
    if wanted == TRUTH:
        return Spectator(truth=True)
    seats = seats_of(record)
    if wanted not in map(str, range(len(seats))):
        raise RecordError(f"there is no seat {wanted[:20]!r} in this match")
    return seats[int(wanted)]


def may_reveal(run: RunRecord, record: MatchRecord) -> bool:
    """Tell whether secrets may be shown: no person plays, or none will go on with the match."""
    return not run.config.humans or record.is_complete()


def seats_of(record: MatchRecord) -> tuple[SeatId, ...]:
    """Return the seats of a match; none before its first event."""
    first = next(iter(record.events()), None)
    return first.seats if isinstance(first, MatchStarted) else ()
