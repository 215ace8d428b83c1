"""Usage of a match while it is played, and its summary at the end."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena.core.events import (
    ActionRejected,
    Event,
    MatchEnded,
    MatchStarted,
    Outcome,
    TurnNoted,
    TurnSkipped,
    VoteCast,
)
from arena.core.state import MatchState
from arena.models.chat import CallId, ChatModel, Completion, Request
from arena.players.methods.method_steps import STEP_FAILED
from arena.records.match_summary import MatchSummary
from arena.records.run_config import MatchSpec, RunConfig
from arena.run.observer import RunObserver

SERVER_CHANGED = "server changed"
"""Flag of a match in which a server may have served another model than at the run's start."""
_PLAYED: frozenset[Outcome] = frozenset({"civ_win", "murderer_win", "draw"})
REPAIRED = "repaired replies"
"""Flag of a match in which a reply had to be repaired before use."""


@dataclass(slots=True, kw_only=True)
class MatchUsage:
    """Usage counters of one match, its only mutable value."""

    began: float = field(default_factory=time.monotonic)
    """Start time in seconds of the process's clock."""
    calls: set[CallId] = field(default_factory=set[CallId])
    """Ids of the counted calls."""
    turns: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Seat and request of each call that was part of the game."""
    auxiliary: Counter[str] = field(default_factory=Counter[str])
    """Calls that read a picture, shorten a text or are steps of a method, by their kind."""
    has_repairs: bool = False
    """Whether a reply had to be repaired before it could be used."""
    prompt_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int | None = None
    """Cached prompt tokens; None: no server reports them."""
    state: MatchState | None = None
    """The state after the last event."""

    def add(self, request: Request, completion: Completion) -> bool:
        """Count one completion and return True; return False for a counted call."""
        if request.call_id in self.calls:
            return False
        call = request.call_id
        self.calls.add(call)
        if call.is_auxiliary:
            self.auxiliary[call.kind] += 1
        elif not call.off_path:
            self.turns.add((call.seat, call.request))
            self.auxiliary[call.kind] += call.kind == "step"
        self.has_repairs |= bool(completion.repairs)
        self.prompt_tokens += completion.prompt_tokens
        self.output_tokens += completion.output_tokens
        if completion.cached_tokens is not None:
            self.cached_tokens = (self.cached_tokens or 0) + completion.cached_tokens
        return True


class MeteredModel:
    """Chat model that counts its completions, also replayed ones of a resumed match."""

    def __init__(
        self, model: ChatModel, match: str, usage: MatchUsage, observer: RunObserver
    ) -> None:
        """Count the completions of `model` in `usage` and hand them to `observer`."""
        self._model, self._match, self._usage, self._observer = model, match, usage, observer

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion, after counting it."""
        completion = await self._model.complete(request)
        if self._usage.add(request, completion):
            self._observer.on_call(self._match, request, completion)
        return completion


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryContext:
    """Parts of a summary that neither the events nor the usage contain."""

    run: str
    record: str
    """The match's folder."""
    served: Mapping[str, str]
    """Faction -> the model's served name, or the player if it needs no model."""
    flags: tuple[str, ...]
    cause: str = ""
    """Why the record could not be written; if set, the match is an error regardless of its outcome.
    """


def deciding_votes(history: Sequence[Event]) -> Sequence[VoteCast]:
    """Return the votes of the last ballot; if ballots are separate elections, of the first.

    A tied vote is repeated, only on the victims on which it was tied, and a game of several days
    has a vote on each day.
    """
    votes = [event for event in history if isinstance(event, VoteCast)]
    ended = [event for event in history if isinstance(event, MatchEnded)]
    ballots = [result.ballot for event in ended for result in event.results]
    last = {vote.about: vote.ballot for vote in votes}
    deciding = dict.fromkeys(last, ballots[0]) if len(set(ballots)) > 1 else last
    return [vote for vote in votes if vote.ballot == deciding[vote.about]]


def group_by_victim(votes: Sequence[VoteCast]) -> dict[str, dict[str, str]]:
    """Return the choice of every seat for every victim; empty if all votes are about one victim."""
    victims = tuple(dict.fromkeys(vote.about for vote in votes))
    if len(victims) <= 1:
        return {}
    return {
        about: {vote.seat: vote.choice for vote in votes if vote.about == about}
        for about in victims
    }


def is_fallback(event: Event) -> bool:
    """Tell whether a turn or a step of a method ended without a valid answer."""
    if isinstance(event, TurnSkipped):
        return event.cause != "declined"
    return isinstance(event, TurnNoted) and event.topic == STEP_FAILED


def build_summary(
    spec: MatchSpec, config: RunConfig, usage: MatchUsage, context: SummaryContext
) -> MatchSummary:
    """Return the summary of the match of `usage`."""
    state = usage.state
    history = state.history if state else ()
    ended = next((event for event in history if isinstance(event, MatchEnded)), None)
    outcome: Outcome = "error" if context.cause or ended is None else ended.outcome
    started = state.match_started if state else None
    votes = deciding_votes(history)
    victim_votes = group_by_victim(votes)
    return MatchSummary(
        match=spec.id,
        script=spec.script.id,
        game=config.game,
        civilians=spec.civilians,
        murderer=spec.murderer,
        model_served=dict(context.served),
        outcome=outcome,
        votes={event.seat: event.choice for event in votes},
        victim_votes=victim_votes,
        killers={about: _killers(started, about) for about in victim_votes} if started else {},
        truth=tuple(started.murderers) if started else (),
        turns=len(usage.turns),
        readings=usage.auxiliary["reading"],
        summaries=usage.auxiliary["summary"],
        steps=usage.auxiliary["step"],
        fallbacks=sum(map(is_fallback, history)),
        rejected=sum(isinstance(event, ActionRejected) for event in history),
        prompt_tokens=usage.prompt_tokens,
        cached_tokens=usage.cached_tokens,
        output_tokens=usage.output_tokens,
        seconds=round(time.monotonic() - usage.began, 3),
        record=context.record,
        forfeit_seat=ended.forfeit_seat if ended else None,
        uncounted=ended.cause if ended and outcome in _PLAYED else "",
        error_cause=context.cause or (ended.cause if ended and outcome == "error" else ""),
        seed=spec.seed,
        language=spec.script.language,
        run=context.run,
        events=sum(not is_error_end(event) for event in history),
        flags=tuple(
            dict.fromkeys(
                (
                    *(started.flags if started else ()),
                    *context.flags,
                    *((REPAIRED,) if usage.has_repairs else ()),
                )
            )
        ),
    )


def _killers(started: MatchStarted, victim: str) -> tuple[str, ...]:
    return tuple(part.seat for part in started.parts if victim in part.guilty_of)


def is_error_end(event: object) -> bool:
    """Return whether an event ends the match as an error. It is not recorded.

    So a resumed run continues the match at the last decision.
    """
    return isinstance(event, MatchEnded) and event.outcome == "error"
