"""Outcomes that the platform decides, not the game: forfeits and errors."""

from dataclasses import dataclass

from arena.core.events import ActionAccepted, MatchEnded, RequestsOpened, TurnSkipped
from arena.core.seats import Faction, SeatId
from arena.core.state import MatchState

_FACTIONS: tuple[Faction, Faction] = ("civilians", "murderer")
_FAULT_SHARE = 0.5
"""A contestant forfeits if more than this share of its requests ended without an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Faults:
    """The closed requests of one faction, and those that it failed."""

    seats: tuple[SeatId, ...]
    requests: int
    failed: tuple[TurnSkipped, ...]

    @property
    def share(self) -> float:
        return len(self.failed) / max(self.requests, 1)


def exceeds_fault_budget(state: MatchState) -> bool:
    """Return whether a contestant failed more requests than the option `max_faults` allows."""
    most = state.started.options.max_faults
    return most is not None and any(len(side.failed) > most for side in _sides(state))


def end_with_forfeit(state: MatchState, ended: MatchEnded | None) -> MatchEnded:
    """Return `ended`, or a forfeit if a contestant failed too many requests.

    If both failed too many, the one with the larger share of failed requests forfeits.
    """
    failing = [side for side in _sides(state) if side.share > _max_fault_share(state, side)]
    if not failing:
        assert ended is not None, "a game that ends gives an outcome"
        return ended
    side = max(failing, key=lambda one: one.share)
    counts = {seat: sum(event.seat == seat for event in side.failed) for seat in side.seats}
    return MatchEnded(
        outcome="forfeit",
        murderers=state.started.murderers,
        forfeit_seat=max(side.seats, key=lambda seat: counts[seat]),
        cause=f"{len(side.failed)} of {side.requests} requests ended without a valid answer",
    )


def abort(*, cause: str) -> MatchEnded:
    """Return the end of a match that cannot continue: an error is a loss for neither faction."""
    return MatchEnded(outcome="error", murderers=(), cause=cause)


def _max_fault_share(state: MatchState, side: _Faults) -> float:
    most = state.started.options.max_faults
    return _FAULT_SHARE if most is None else most / max(side.requests, 1)


def _sides(state: MatchState) -> tuple[_Faults, ...]:
    return tuple(_faults(state, state.started.members(faction)) for faction in _FACTIONS)


def _faults(state: MatchState, seats: tuple[SeatId, ...]) -> _Faults:
    silent = {
        request.id
        for event in state.history
        if isinstance(event, RequestsOpened) and event.mode == "off_path"
        for request in event.requests
    }
    ended = [
        event
        for event in state.history
        if isinstance(event, ActionAccepted | TurnSkipped)
        and event.seat in seats
        and event.request not in silent
    ]
    return _Faults(
        seats=seats,
        requests=len({event.request for event in ended}),
        failed=tuple(e for e in ended if isinstance(e, TurnSkipped) and e.cause != "declined"),
    )
