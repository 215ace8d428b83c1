"""A guard beside a match: what every seat and spectator observes is what it may know."""

from dataclasses import dataclass, field
from random import Random

import pytest

from arena.core.actions import Action
from arena.core.events import (
    ActionAccepted,
    ActionRejected,
    ClueRevealed,
    Event,
    PhaseStarted,
    RequestsOpened,
    Said,
    StageStarted,
    TurnSkipped,
    VoteCast,
    VotesTallied,
)
from arena.core.observation import Observation, Spectator, observe
from arena.core.playouts.playout import reduce_all
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.state import MatchState, pending, replay
from arena.core.transitions import RefusedActionError, apply, apply_timeout
from arena.games.whodunit.game import WHODUNIT, is_open_vote
from arena.games.whodunit.options import WhodunitOptions
from arena.players import prompts
from tests.arena.games.draws import mark, marks_in, said_mark
from tests.table import legal


@dataclass
class _Seen:
    """What one observer was shown so far."""

    observer: SeatId | Spectator
    events: tuple[Event, ...] = ()
    clues: int = 0
    told: set[str] = field(default_factory=set[str])


class Guard:
    """Follows one match and fails where a secret passes the wall."""

    def __init__(self, state: MatchState, *, with_prompts: bool = False) -> None:
        """Start with a match before its first answer; `with_prompts` reads whole prompts too."""
        self.state, self._with_prompts = state, with_prompts
        options = state.started.options
        assert isinstance(options, WhodunitOptions)
        self.options = options
        self._heard: set[str] = set()
        """Markers of what was said in public."""
        self._before_wave: set[str] = set()
        self._seen = [_Seen(seat) for seat in state.started.seats]
        self._seen.append(_Seen(Spectator()))
        self._look()

    def answer(self, request: DecisionRequest, action: Action | None) -> None:
        """Apply one answer and look again."""
        before = self.state
        events = (
            apply_timeout(WHODUNIT, before, request)
            if action is None
            else apply(WHODUNIT, before, request, action)
        )
        self._check_events(before, request, events)
        for event in events:
            self.state = reduce_all(self.state, (event,))
            self._hear(request, event)
        self._look()

    def forge(self, chance: Random) -> None:
        """Try requests that are not pending."""
        waiting = pending(self.state)
        forged = [
            one
            for event in self.state.history
            if isinstance(event, RequestsOpened)
            for one in event.requests
            if one not in waiting
        ]
        if forged:
            one = chance.choice(forged)
            with pytest.raises(RefusedActionError):
                apply(WHODUNIT, self.state, one, legal(one, chance))

    def finish(self) -> None:
        """Check the whole match once it is over."""
        state = self.state
        assert state.ended is not None
        assert pending(state) == ()
        assert replay(state.script, state.history) == state
        for tally in state.history:
            if isinstance(tally, VotesTallied):
                self._check_tally(tally)

    def _check_tally(self, tally: VotesTallied) -> None:
        cast = [
            event
            for event in self.state.history
            if isinstance(event, VoteCast) and event.ballot == tally.ballot
        ]
        assert len({event.seat for event in cast}) == len(cast), "a seat votes once"
        chosen = [event.choice for event in cast if event.choice != "abstain"]
        assert dict(tally.votes) == {name: chosen.count(name) for name in chosen}
        if tally.ballots:
            told = dict(tally.ballots)
            assert {event.seat: event.choice for event in cast}.items() <= told.items()
            assert set(told) == set(self.state.started.seats)
        else:
            assert self.options.tie == "revote", "a silent seat is hidden while a revote may come"
        assert not {event.seat for event in cast} & set(self.state.started.never_vote)

    def _check_events(
        self, before: MatchState, request: DecisionRequest, events: tuple[Event, ...]
    ) -> None:
        """Check that an answer is recorded as accepted, rejected or skipped, once."""
        closing = [
            event
            for event in events
            if isinstance(event, ActionAccepted | ActionRejected | TurnSkipped)
        ]
        assert {event.request for event in closing} <= {request.id}
        assert closing or before.started.options.max_faults is not None
        for event in events:
            if isinstance(event, Said):
                assert all(len(text) <= self.options.max_chars for _, text in event.parts)

    def _hear(self, request: DecisionRequest, event: Event) -> None:
        """Note which words the rules make public now."""
        if isinstance(event, RequestsOpened):
            self._before_wave = set(self._heard)
        closed = isinstance(event, ActionAccepted | TurnSkipped)
        if not closed or self._is_private(request):
            return
        accepted = isinstance(event, ActionAccepted) and not hasattr(event.action, "partial")
        fields = ("text", "share", "question", "method", "motive") if accepted else ("share",)
        self._heard |= {said_mark(request, name) for name in fields}

    def _is_private(self, request: DecisionRequest) -> bool:
        secret = self.options.reasoning == "secret"
        return request.kind == "vote" or (request.kind == "conclude" and secret)

    def _look(self) -> None:
        for seen in self._seen:
            self._look_as(seen)

    def _look_as(self, seen: _Seen) -> None:
        now = observe(self.state, seen.observer)
        assert now.events[: len(seen.events)] == seen.events, "observations only grow"
        texts = WHODUNIT.texts(now)
        told = [repr(event) + texts.line(event) for event in now.events[len(seen.events) :]]
        told += [repr(clue) for clue in now.clues[seen.clues :]]
        told += [
            texts.title(event)
            for event in now.events[len(seen.events) :]
            if isinstance(event, PhaseStarted)
        ]
        if not seen.events:
            told.append(repr((now.role, now.opening, now.victims)))
            told += [texts.rules(), texts.case()]
            told += [texts.role()] if now.role else []
        told += [
            texts.instruction(one) + texts.thought(one) + repr(one)
            for one in pending(self.state)
            if one.seat == seen.observer
        ]
        if self._with_prompts and now.role is not None:
            told += [one.text for one in prompts.lines(now, len(seen.events), len(now.events))]
            told += [one.text for one in prompts.header(now) if not seen.events]
        self._check_votes(now, seen)
        found = marks_in("".join(told)) - seen.told
        foreign = {one for one in found if not one.startswith(f"⟦said:{seen.observer}:")}
        if foreign:
            assert foreign <= self._allowed(seen.observer), (seen.observer, foreign)
        seen.events, seen.clues = now.events, len(now.clues)
        seen.told |= found

    def _check_votes(self, now: Observation, seen: _Seen) -> None:
        counted = {event.ballot for event in now.events if isinstance(event, VotesTallied)}
        for event in now.events[len(seen.events) :]:
            if isinstance(event, VoteCast) and event.seat != seen.observer:
                assert is_open_vote(self.state) or event.ballot in counted
            assert event.audience != "host"

    def _allowed(self, observer: SeatId | Spectator) -> set[str]:
        """Return the markers that an observer may know now, from the rules alone."""
        wave = self.state.mode == "simultaneous" and not isinstance(observer, Spectator)
        waits = wave and any(one.seat == observer for one in pending(self.state))
        allowed = set(self._before_wave if waits else self._heard)
        allowed |= self._clue_marks(observer)
        if isinstance(observer, Spectator):
            return allowed
        side = self.state.started.part(observer).faction
        allowed |= {mark("mission of", side)}
        allowed |= {mark(kind, observer) for kind in ("script", "mission", "introduction", "reply")}
        if StageStarted(stage=2) in self.state.history:
            allowed.add(mark("part", observer))
        return allowed

    def _clue_marks(self, observer: SeatId | Spectator) -> set[str]:
        shown: set[str] = set()
        for number, clue in enumerate(self.state.script.clues):
            if self._may_see(clue.id, clue.owner, observer):
                shown |= {mark("clue title", number), mark("clue text", number)}
                shown |= {
                    "ocr": {mark("transcript", number)},
                    "caption": {mark("description", number)},
                }.get(self.options.pictures, set())
        return shown

    def _may_see(self, clue: str, owner: str | None, observer: SeatId | Spectator) -> bool:
        if owner is not None:
            return owner == observer
        phase = self.state.phase
        started = phase is not None and phase.phase != "introduction"
        match self.options.clues:
            case "all":
                return started
            case "civilians":
                civilians = self.state.started.members("civilians")
                return started and observer in civilians
            case "at_deal":
                return True
            case "owner":
                dealt = [
                    event
                    for event in self.state.history
                    if isinstance(event, ClueRevealed) and event.clue == clue
                ]
                assert [len(event.audience) for event in dealt] == [1]
                return dealt[0].audience == (observer,)
