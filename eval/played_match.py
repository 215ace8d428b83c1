"""A finished match as input of the metrics: events, script and contestants."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from arena.core.events import (
    Event,
    MatchEnded,
    MatchStarted,
    QuestionAsked,
    RequestsOpened,
    Said,
    VoteCast,
)
from arena.core.requests import DecisionRequest
from arena.core.seats import Faction, SeatId
from arena.errors import RecordError
from arena.models.chat import CallId
from arena.models.recording import RecordedCall
from arena.records.match_record import MatchRecord
from arena.records.match_summary import MatchSummary
from arena.records.probe_answers import ProbeAnswer
from arena.records.run_manifest import RunManifest
from arena.records.run_record import open_run
from scripts_mm.script import Script


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """A public utterance of a seat: a speech, an answer or a question."""

    event: int
    """Its index in the events of the match, from 0."""
    seat: SeatId
    text: str
    to: SeatId | None
    """The seat that it asks or answers."""
    is_question: bool
    truncated: bool


@dataclass(frozen=True, kw_only=True)
class PlayedMatch:
    """One finished match of a run. Reading it never changes the record."""

    run: str
    """The folder of its run."""
    manifest: RunManifest
    script: Script
    events: tuple[Event, ...]
    summary: MatchSummary
    probes: tuple[ProbeAnswer, ...] = ()
    record: MatchRecord | None = None
    """None: the match was built in code, and has no calls."""

    @property
    def id(self) -> str:
        """Its name within the run."""
        return self.summary.match

    @property
    def work(self) -> str:
        """The world of its script: scripts of one work are one cluster of every interval."""
        return self.script.work or self.script.id

    @property
    def is_played(self) -> bool:
        """Whether it has a result; forfeits and errors have none."""
        return self.summary.outcome in {"civ_win", "murderer_win", "draw"}

    @cached_property
    def started(self) -> MatchStarted:
        """The first event."""
        first = self.events[0]
        assert isinstance(first, MatchStarted), "a match begins with its start"
        return first

    @cached_property
    def ended(self) -> MatchEnded:
        """The last event."""
        return next(event for event in reversed(self.events) if isinstance(event, MatchEnded))

    @cached_property
    def requests(self) -> Mapping[str, DecisionRequest]:
        """Every decision request, by id."""
        return {
            request.id: request
            for event in self.events
            if isinstance(event, RequestsOpened)
            for request in event.requests
        }

    @cached_property
    def utterances(self) -> tuple[Utterance, ...]:
        """All public utterances, in order."""
        return tuple(_utterances(self.events))

    @cached_property
    def votes(self) -> tuple[VoteCast, ...]:
        """Every ballot, cast or counted, in order; the last one of a revote counts."""
        return tuple(event for event in self.events if isinstance(event, VoteCast))

    @cached_property
    def murderers(self) -> tuple[SeatId, ...]:
        """The seats of the murderer's faction."""
        return self.started.murderers

    @cached_property
    def culprits(self) -> tuple[SeatId, ...]:
        """The seats that killed a victim, whom the civilians must identify."""
        guilty = tuple(part.seat for part in self.started.parts if part.guilty_of)
        return guilty or self.murderers

    def faction(self, seat: SeatId) -> Faction:
        """Return the side of `seat`."""
        return self.started.part(seat).faction

    def contestant(self, seat: SeatId) -> str:
        """Return the contestant of `seat`, in the user's notation."""
        is_civilian = self.faction(seat) == "civilians"
        return self.summary.civilians if is_civilian else self.summary.murderer

    def calls(self) -> Mapping[CallId, RecordedCall]:
        """Read the model calls of the match from the record, without caching."""
        return {} if self.record is None else self.record.calls()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadMatch:
    """A match that cannot be scored, and why."""

    run: str
    match: str
    reason: str


def read_run(folder: Path) -> tuple[tuple[PlayedMatch, ...], tuple[UnreadMatch, ...]]:
    """Return the finished matches of a run, and those that are unfinished or damaged.

    Raises `RecordError` if `folder` is not a run.
    """
    run = open_run(folder)
    played: list[PlayedMatch] = []
    unread: list[UnreadMatch] = []
    for record in run.matches():
        try:
            played.append(read_match(folder, run.manifest, record))
        except RecordError as error:
            unread.append(UnreadMatch(run=str(folder), match=record.path.name, reason=str(error)))
    return tuple(played), tuple(unread)


def read_match(folder: Path, manifest: RunManifest, record: MatchRecord) -> PlayedMatch:
    """Read one match of a run; raises `RecordError` if it is unfinished or damaged."""
    summary = record.summary()
    if summary is None:
        raise RecordError("the match is not finished; `arena resume` continues it")
    return PlayedMatch(
        run=str(folder),
        manifest=manifest,
        script=record.script(),
        events=record.events(),
        summary=summary,
        probes=record.probes(),
        record=record,
    )


def _utterances(events: tuple[Event, ...]) -> Iterator[Utterance]:
    for number, event in enumerate(events):
        if isinstance(event, Said | QuestionAsked) and event.audience == "all":
            yield Utterance(
                event=number,
                seat=event.seat,
                text=event.text,
                to=event.to,
                is_question=isinstance(event, QuestionAsked),
                truncated=event.truncated,
            )
