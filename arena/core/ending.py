"""How a match ends (PROTOCOLS 1.8)."""

from arena.core.actions import SeatId
from arena.core.events import Asked, Closed, Concluded, Passed, Spoke, Voted
from arena.core.state import MatchState
from arena.core.voting import Count, result


def close(state: MatchState, counted: Count | None) -> Closed:
    """Return the end: a forfeit where a fault budget is used up, else what the votes say."""
    murderers = state.opening.murderers
    if (side := _forfeiting(state)) is not None:
        passes = _passes(state, side)
        return Closed(
            outcome="forfeit",
            murderers=murderers,
            forfeit_seat=max(side, key=lambda seat: (_of(passes, seat), -side.index(seat))),
            cause=f"{len(passes)} of {_asked(state, side)} asks ended in a fallback",
        )
    assert counted is not None, "without a forfeit there are votes"
    return Closed(
        outcome=result(counted, state.opening.options.vote_rule, murderers), murderers=murderers
    )


def over_budget(state: MatchState) -> bool:
    """Tell whether a contestant has passed a budget that was given as a number."""
    most = state.opening.options.max_faults
    return most is not None and any(len(_passes(state, side)) > most for side in _sides(state))


def _forfeiting(state: MatchState) -> tuple[SeatId, ...] | None:
    """Return the side that forfeits; where both would, the one with more of its asks failed."""
    over = [side for side in _sides(state) if _share(state, side) > _allowed(state, side)]
    return max(over, key=lambda side: _share(state, side), default=None)


def _allowed(state: MatchState, side: tuple[SeatId, ...]) -> float:
    most = state.opening.options.max_faults
    return 0.5 if most is None else most / max(_asked(state, side), 1)


def _share(state: MatchState, side: tuple[SeatId, ...]) -> float:
    return len(_passes(state, side)) / max(_asked(state, side), 1)


def _sides(state: MatchState) -> tuple[tuple[SeatId, ...], tuple[SeatId, ...]]:
    opened = state.opening
    civilians = tuple(seat for seat in opened.seats if seat not in opened.murderers)
    return civilians, opened.murderers


def _passes(state: MatchState, side: tuple[SeatId, ...]) -> list[Passed]:
    return [e for e in state.history if isinstance(e, Passed) and e.fault and e.seat in side]


def _asked(state: MatchState, side: tuple[SeatId, ...]) -> int:
    answers = (Spoke, Asked, Concluded, Voted, Passed)
    return len({e.ask for e in state.history if isinstance(e, answers) and e.seat in side})


def _of(passes: list[Passed], seat: SeatId) -> int:
    return sum(passed.seat == seat for passed in passes)
