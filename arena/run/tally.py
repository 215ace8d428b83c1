"""What a match has cost so far, and what is told of it when it is over."""

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.core.events import Closed, Outcome, Rejected, Voted
from arena.core.state import MatchState
from arena.models.chat import ChatModel, Completion, Request
from arena.run.config import MatchSpec, RunConfig
from arena.run.watch import Watcher
from arena.store.match_folder import MatchFolder
from arena.store.summary import MatchSummary


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts of one match; the only thing of a match that is changed in place."""

    began: float = field(default_factory=time.monotonic)
    turns: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Seat and ask of each call that was part of the game."""
    asides: Counter[str] = field(default_factory=Counter[str])
    """Calls beside the game's asks, by what they are."""
    prompt_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int | None = None
    state: MatchState | None = None
    """The state after the last event."""

    def add(self, request: Request, completion: Completion) -> None:
        """Count one answered call."""
        label = request.label
        if not (label.aside or label.ask.startswith("probe/")):
            self.turns.add((label.seat, label.ask))
        self.asides[label.part] += label.aside
        self.prompt_tokens += completion.prompt_tokens
        self.output_tokens += completion.output_tokens
        if completion.cached_tokens is not None:
            self.cached_tokens = (self.cached_tokens or 0) + completion.cached_tokens


class Tallied:
    """A model whose answers are counted, also those that a resumed match recalls."""

    def __init__(self, model: ChatModel, match: str, tally: Tally, watcher: Watcher) -> None:
        self._model, self._match, self._tally, self._watcher = model, match, tally, watcher

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion, after it was counted."""
        completion = await self._model.complete(request)
        self._tally.add(request, completion)
        self._watcher.called(self._match, request, completion)
        return completion


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a summary says beside what the events and the tally say."""

    run: str
    served: Mapping[str, str]
    """Faction -> what really answered."""
    marks: tuple[str, ...]
    cause: str = ""
    """Why the record could not be written; then the match is an error, whatever it came to."""


def summary(
    spec: MatchSpec, config: RunConfig, folder: MatchFolder, tally: Tally, told: Told
) -> MatchSummary:
    """Return what is told of the match of `tally`."""
    state = tally.state
    history = state.history if state else ()
    closed = next((event for event in history if isinstance(event, Closed)), None)
    outcome: Outcome = "error" if told.cause or closed is None else closed.outcome
    opened = state.opened if state else None
    return MatchSummary(
        match=spec.id,
        script=spec.script.id,
        protocol=config.protocol,
        civilians=spec.civilians,
        murderer=spec.murderer,
        model_served=dict(told.served),
        outcome=outcome,
        votes={event.seat: event.choice for event in history if isinstance(event, Voted)},
        truth=tuple(opened.murderers) if opened else (),
        turns=len(tally.turns),
        readings=tally.asides["reading"],
        summaries=tally.asides["summary"],
        rejected=sum(isinstance(event, Rejected) for event in history),
        prompt_tokens=tally.prompt_tokens,
        cached_tokens=tally.cached_tokens,
        output_tokens=tally.output_tokens,
        seconds=round(time.monotonic() - tally.began, 3),
        record=str(folder.path),
        forfeit_seat=closed.forfeit_seat if closed else None,
        error_cause=told.cause or (closed.cause if closed and outcome == "error" else ""),
        seed=spec.seed,
        language=spec.script.language,
        run=told.run,
        events=sum(event.kind != "closed" or event.outcome != "error" for event in history),
        marks=tuple(dict.fromkeys((*(opened.marks if opened else ()), *told.marks))),
    )
