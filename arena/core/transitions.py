"""Transitions of a match: its start, and the events after each action. Pure."""

from collections import Counter
from dataclasses import dataclass

from arena.core.action_validation import Invalid, complete_reply, validate
from arena.core.actions import Action, Reply, Skip
from arena.core.events import (
    ActionAccepted,
    ActionRejected,
    Event,
    MatchEnded,
    MatchStarted,
    RequestsOpened,
    SkipCause,
    TurnSkipped,
)
from arena.core.game import Game
from arena.core.options import GameOptions
from arena.core.outcome import end_with_forfeit, exceeds_fault_budget
from arena.core.requests import DecisionRequest
from arena.core.seats import Faction
from arena.core.state import MatchState, pending, reduce
from scripts_mm.script import Script

_MOST_EVENTS = 10_000
"""Events between two decisions, at most; stops a game that never opens a request."""


class RefusedActionError(Exception):
    """The request of an action is not pending: it is closed, or was never opened."""


class GameError(Exception):
    """A game broke the platform's rules, for example opened one request twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSetup:
    """Setup of a match."""

    script: Script
    script_sha256: str = ""
    options: GameOptions
    seed: int
    rotation: int = 0
    """By how many seats the order of each phase is rotated."""
    civilians: str = ""
    murderer: str = ""
    civilians_served: str = ""
    murderer_served: str = ""
    silent: tuple[Faction, ...] = ()
    """Factions whose player declares that it never votes."""
    flags: tuple[str, ...] = ()


def start_match(game: Game, setup: MatchSetup) -> tuple[Event, ...]:
    """Return the first events of a match; raise `ScriptError` for a script `game` cannot play."""
    parts = game.start(setup.script, setup.options, setup.seed)
    started = MatchStarted(
        game=game.name,
        options=setup.options,
        script=setup.script.id,
        script_sha256=setup.script_sha256,
        language=setup.script.language,
        seed=setup.seed,
        parts=parts,
        civilians=setup.civilians,
        murderer=setup.murderer,
        civilians_served=setup.civilians_served,
        murderer_served=setup.murderer_served,
        never_vote=tuple(part.seat for part in parts if part.faction in setup.silent),
        flags=setup.flags,
        rotation=setup.rotation,
    )
    return _Continuation(game, MatchState(script=setup.script)).run((started,))


def apply(
    game: Game, state: MatchState, request: DecisionRequest, action: Action
) -> tuple[Event, ...]:
    """Return the events after the seat of `request` answers `action`.

    An illegal answer is an event too. Raises `RefusedActionError` if `request` is not pending.
    """
    return apply_result(game, state, request, validate(request, action))


def apply_result(
    game: Game, state: MatchState, request: DecisionRequest, result: Reply | Skip | Invalid
) -> tuple[Event, ...]:
    """Return the events after the `result` of `validate`, as `apply` does."""
    _require_pending(state, request)
    following = _Continuation(game, state)
    match result:
        case Invalid(error=error, partial=partial):
            rejected = ActionRejected(
                seat=request.seat, request=request.id, error=error, partial=partial
            )
            if request.attempts_left > 1:
                return (rejected,)
            if (reply := complete_reply(request, partial)) is not None:
                # Only an optional value is invalid: the answer counts without it.
                return following.run((_accept(request, reply), *game.follow(state, request, reply)))
            return following.run((rejected, *_skip(game, state, request, "invalid", partial)))
        case Skip(partial=partial):
            skipped = _skip(game, state, request, "declined", partial)
            return following.run((_accept(request, result), *skipped))
        case Reply():
            return following.run((_accept(request, result), *game.follow(state, request, result)))


def apply_timeout(game: Game, state: MatchState, request: DecisionRequest) -> tuple[Event, ...]:
    """Return the events after the seat of `request` did not answer in time."""
    _require_pending(state, request)
    return _Continuation(game, state).run(_skip(game, state, request, "timeout", ()))


def apply_unanswerable(
    game: Game, state: MatchState, request: DecisionRequest
) -> tuple[Event, ...]:
    """Return the events after the seat of the silent `request` cannot answer at all."""
    _require_pending(state, request)
    return _Continuation(game, state).run(_skip(game, state, request, "unanswerable", ()))


def _require_pending(state: MatchState, request: DecisionRequest) -> None:
    """Raise unless `request` is pending with exactly these attempts and errors."""
    if request not in pending(state):
        raise RefusedActionError(
            f"request {request.id!r} of {request.seat!r} with {request.attempts_left} attempts "
            f"left is not pending; pending are: {[one.id for one in pending(state)]}"
        )


def _accept(request: DecisionRequest, action: Reply | Skip) -> ActionAccepted:
    return ActionAccepted(seat=request.seat, request=request.id, action=action)


def _skip(
    game: Game,
    state: MatchState,
    request: DecisionRequest,
    cause: SkipCause,
    partial: tuple[tuple[str, str], ...],
) -> tuple[Event, ...]:
    events, is_public = game.skip(state, request, partial)
    skipped = TurnSkipped(
        seat=request.seat,
        request=request.id,
        act=request.kind,
        cause=cause,
        audience="all" if is_public else (request.seat,),
    )
    # New requests open last: the skipped request is open until `TurnSkipped` closes it, and
    # simultaneous requests cannot open while another one is open.
    kept = tuple(event for event in events if not isinstance(event, RequestsOpened))
    opened = tuple(event for event in events if isinstance(event, RequestsOpened))
    return (*kept, skipped, *opened)


class _Continuation:
    """Events until a seat must decide or the match ends."""

    def __init__(self, game: Game, state: MatchState) -> None:
        self._game, self._state = game, state
        self._events: list[Event] = []

    def run(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Return `events` and the game master's events after them."""
        self._add_all(events)
        while self._state.ended is None:
            if exceeds_fault_budget(self._state):
                self._add(end_with_forfeit(self._state, None))
            elif not self._state.open:
                self._add_all(self._next())
            else:
                break
        return tuple(self._events)

    def _next(self) -> tuple[Event, ...]:
        events = self._game.next(self._state)
        if not events or len(self._events) > _MOST_EVENTS:
            raise GameError(f"game {self._game.name!r} neither asks a seat nor ends the match")
        return events

    def _add_all(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if self._state.ended is not None:
                return
            if isinstance(event, MatchEnded):
                self._add(end_with_forfeit(self._state, event))
            else:
                self._add(event)

    def _add(self, event: Event) -> None:
        if isinstance(event, RequestsOpened):
            self._check_requests(event)
        self._state = reduce(self._state, event)
        self._events.append(event)
        self._add_all(self._game.react(self._state, event))

    def _check_requests(self, event: RequestsOpened) -> None:
        """Raise `GameError` for a repeated id, or simultaneous requests while others are open."""
        used = {
            request.id
            for past in self._state.history
            if isinstance(past, RequestsOpened)
            for request in past.requests
        }
        ids = Counter(request.id for request in event.requests)
        if repeated := [one for one, times in ids.items() if one in used or times > 1]:
            raise GameError(f"game {self._game.name!r} opens request {repeated[0]!r} twice")
        if self._state.open and {self._state.mode, event.mode} != {"turns"}:
            raise GameError(
                f"game {self._game.name!r} opens simultaneous requests while others are open"
            )
