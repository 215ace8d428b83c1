"""Replay of a recorded match from its actions, without players and models."""

from dataclasses import dataclass
from typing import get_args

from arena.core.action_validation import Invalid, validate
from arena.core.actions import Reply, Skip
from arena.core.events import (
    ActionAccepted,
    ActionRejected,
    Event,
    MatchStarted,
    PlayerEvent,
    PromptAdjusted,
    TurnNoted,
)
from arena.core.game import Game
from arena.core.requests import DecisionRequest
from arena.core.seats import Faction
from arena.core.state import MatchState, pending, reduce
from arena.core.transitions import (
    GameError,
    MatchSetup,
    apply_result,
    apply_timeout,
    apply_unanswerable,
    start_match,
)
from arena.errors import RecordError
from arena.records.match_record import RecordedAction, is_action
from scripts_mm.script import Script, ScriptError


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedDecision:
    """One recorded attempt at a request."""

    state: MatchState
    """State at the decision: `observe` returns the seat's observations."""
    request: DecisionRequest
    """With the attempts left, and the error of the previous attempt."""
    result: RecordedAction

    @property
    def event(self) -> int:
        """Return the number of earlier events."""
        return len(self.state.history)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A match replayed to the end of its record."""

    state: MatchState
    """After the recorded events and the missing ones."""
    missing: tuple[Event, ...]
    """Events that the rules add to a record that breaks off between an action and its consequences.
    """
    decisions: tuple[RecordedDecision, ...]
    """All attempts of all seats, in the order of the record."""
    unanswered: tuple[PlayerEvent, ...]
    """Player reports at the end of the record whose answer is missing.

    The seat is queried again and repeats them; they must not be recorded twice.
    """


def setup_of(started: MatchStarted, script: Script) -> MatchSetup:
    """Return the setup of a recorded match."""
    return MatchSetup(
        script=script,
        script_sha256=started.script_sha256,
        options=started.options,
        seed=started.seed,
        rotation=started.rotation,
        civilians=started.civilians,
        murderer=started.murderer,
        civilians_served=started.civilians_served,
        murderer_served=started.murderer_served,
        silent=tuple(
            faction
            for faction in get_args(Faction)
            if set(started.members(faction)) & set(started.never_vote)
        ),
        flags=started.flags,
    )


def replay_match(
    game: Game, script: Script, events: tuple[Event, ...], *, match: str = ""
) -> Replayed:
    """Replay the recorded actions, and check that the rules produce the recorded events.

    Raises `RecordError`, in one sentence that names `match`, if they do not.
    """
    return _Replay(game, script, events, match).run()


class _Replay:
    """Record of one match, and the state that the rules have reached in it."""

    def __init__(self, game: Game, script: Script, events: tuple[Event, ...], match: str) -> None:
        self._game, self._script, self._events, self._match = game, script, events, match
        self._state = MatchState(script=script)
        self._missing: list[Event] = []
        self._decisions: list[RecordedDecision] = []
        self._unanswered: list[PlayerEvent] = []

    def run(self) -> Replayed:
        """Return the match at the end of its record."""
        try:
            self._take(self._start())
            while self._position < len(self._events):
                self._step(self._events[self._position])
        except (ScriptError, GameError) as error:
            raise self._failure(f"its rules refuse it: {error}") from error
        return Replayed(
            state=self._state,
            missing=tuple(self._missing),
            decisions=tuple(self._decisions),
            unanswered=tuple(self._unanswered),
        )

    @property
    def _position(self) -> int:
        return len(self._state.history)

    def _start(self) -> tuple[Event, ...]:
        started = self._events[0] if self._events else None
        if not isinstance(started, MatchStarted) or started.game != self._game.name:
            raise self._failure(f"it does not start with a match of {self._game.name!r}")
        return start_match(self._game, setup_of(started, self._script))

    def _step(self, event: Event) -> None:
        if isinstance(event, PromptAdjusted | TurnNoted):
            self._require_pending(event)
            self._unanswered.append(event)
            self._state = reduce(self._state, event)
            return
        if isinstance(event, ActionAccepted | ActionRejected):
            request = self._require_pending(event)
            produced = apply_result(self._game, self._state, request, self._result(request, event))
        else:
            request, produced = self._silence()
        result = next((one for one in produced if is_action(one)), None)
        assert result is not None, "an attempt ends with an action or without an answer"
        decision = RecordedDecision(state=self._state, request=request, result=result)
        self._decisions.append(decision)
        self._unanswered.clear()
        self._take(produced)

    def _silence(self) -> tuple[DecisionRequest, tuple[Event, ...]]:
        """Return the request without an answer, and the events that follow from it.

        A missing answer is not a recorded action: only its consequences are in the record, and they
        can begin with any event, such as an abstaining vote. All other events follow a recorded
        action, so the next events must follow from the timeout of a pending request, or from a
        silent one that could not be answered. Try each, and compare up to the record's end: a
        record that breaks off before the cause is read as a timeout.
        """
        tail = self._events[self._position :]
        for request in pending(self._state):
            for end in (apply_timeout, apply_unanswerable):
                produced = end(self._game, self._state, request)
                if produced[: len(tail)] == tail[: len(produced)]:
                    return request, produced
        raise self._failure(
            f"its event {self._position + 1} ({tail[0].kind}) follows from no recorded action"
        )

    def _result(
        self, request: DecisionRequest, event: ActionAccepted | ActionRejected
    ) -> Reply | Skip | Invalid:
        if isinstance(event, ActionRejected):
            # The record contains only the error of a rejected answer, so there is nothing to
            # validate.
            return Invalid(error=event.error, partial=event.partial)
        if not _is_same(validate(request, event.action), event.action):
            raise self._failure(
                f"its event {self._position + 1} accepts an answer that request {request.id!r} "
                "does not allow"
            )
        return event.action

    def _require_pending(
        self, event: ActionAccepted | ActionRejected | PlayerEvent
    ) -> DecisionRequest:
        for request in pending(self._state):
            if (request.id, request.seat) == (event.request, event.seat):
                return request
        raise self._failure(
            f"its event {self._position + 1} ({event.kind}) is about request {event.request!r} of "
            f"{event.seat!r}, which is not pending"
        )

    def _take(self, produced: tuple[Event, ...]) -> None:
        """Apply `produced`, which must equal the record; events beyond its end are missing."""
        for event in produced:
            if self._position >= len(self._events):
                self._missing.append(event)
            elif self._events[self._position] != event:
                raise self._failure(self._difference(self._events[self._position], event))
            self._state = reduce(self._state, event)

    def _difference(self, recorded: Event, produced: Event) -> str:
        number = self._position + 1
        if recorded.kind == produced.kind:
            return f"its event {number} ({recorded.kind}) differs from what the rules produce"
        return f"its event {number} is {recorded.kind}, but the rules produce {produced.kind}"

    def _failure(self, reason: str) -> RecordError:
        name = f"match {self._match!r}" if self._match else "this match"
        return RecordError(f"the record of {name} does not fit: {reason}; start a new run")


def _is_same(found: Reply | Skip | Invalid, recorded: Reply | Skip) -> bool:
    """Tell whether validation leaves a recorded action unchanged, shortened texts included."""
    match found, recorded:
        case Reply(), Reply():
            return (found.values, found.variant) == (recorded.values, recorded.variant)
        case Skip(), Skip():
            return found.partial == recorded.partial
        case _:
            return False
