"""Choice of a page's observer, and whether it is allowed."""

from arena.core.events import MatchStarted
from arena.core.observation import Spectator
from arena.core.seats import SeatId
from arena.errors import RecordError
from arena.records.match_record import MatchRecord
from arena.records.run_record import RunRecord

TRUTH = "truth"


def read_observer(run: RunRecord, record: MatchRecord, wanted: str) -> SeatId | Spectator:
    """Return the observer that an address names: empty for a spectator, `truth`, or a seat number.

    Raises `RecordError` for an unknown seat, and while persons play in the match: then every other
    page shows only public information.
    """
    if not wanted:
        return Spectator()
    if not may_reveal(run, record):
        raise RecordError("a person plays in this match: only what all seats may know is shown")
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
    """Tell whether secrets may be shown: no person plays, or none can continue the match."""
    return not run.config.humans or record.is_complete()


def seats_of(record: MatchRecord) -> tuple[SeatId, ...]:
    """Return the seats of a match; empty before its first event."""
    first = next(iter(record.events()), None)
    return first.seats if isinstance(first, MatchStarted) else ()
