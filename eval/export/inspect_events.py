"""Convert a match to Inspect events: a span per phase, our events, and the model calls."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

from inspect_ai.event import Event as InspectEvent
from inspect_ai.event import InfoEvent, SpanBeginEvent, SpanEndEvent

from arena.core.events import Event, PhaseStarted
from arena.models.chat import CallId
from arena.models.recording import RecordedCall
from arena.records.event_codec import encode_event
from arena.records.match_record import is_action
from eval.export.inspect_messages import CallEvents, ReadUri
from eval.played_match import PlayedMatch

SOURCE = "arena"
"""The source of an info event with an event of the match."""
_TICK = timedelta(milliseconds=1)


def start_time(match: PlayedMatch) -> datetime:
    """Return the start time of the run of `match`."""
    return parse_time(match.manifest.versions.started)


def parse_time(text: str) -> datetime:
    """Parse a time of a record; an invalid one gives the start of 1970."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def sample_events(
    match: PlayedMatch, calls: Mapping[CallId, RecordedCall], read: ReadUri
) -> list[InspectEvent]:
    """Return all events of a match with their calls.

    A call precedes the event of its answer; silent probes are in a span at the end. Records have no
    timestamps: events are a millisecond apart, and calls follow each other with their recorded
    durations.
    """
    return list(_Timeline(match, calls, read).walk())


class _Timeline:
    def __init__(
        self, match: PlayedMatch, calls: Mapping[CallId, RecordedCall], read: ReadUri
    ) -> None:
        self._match = match
        self._make = CallEvents(match, read)
        self._open: dict[str, list[RecordedCall]] = defaultdict(list)
        self._off_path: list[RecordedCall] = []
        for name, call in calls.items():
            is_probe = name.off_path and name.request not in match.requests
            (self._off_path if is_probe else self._open[name.request]).append(call)
        self._attempts: dict[str, int] = defaultdict(int)
        self._now = start_time(match)
        self._span = ""
        self._spans = 0

    def walk(self) -> Iterator[InspectEvent]:
        """Yield all events in order."""
        yield self._begin("start")
        for event in self._match.events:
            if isinstance(event, PhaseStarted):
                yield self._end()
                yield self._begin(_title(event))
            yield from self._before(event)
            yield self._info(event)
        yield self._end()
        yield from self._rest("calls without a decision", list(chain(*self._open.values())))
        yield from self._rest("silent probes", self._off_path)

    def _before(self, event: Event) -> Iterator[InspectEvent]:
        """Yield the calls of the attempt that `event` ends."""
        if not is_action(event):
            return
        self._attempts[event.request] += 1
        waiting = self._open.pop(event.request, [])
        attempt = self._attempts[event.request]
        later = [one for one in waiting if one.request.call_id.attempt > attempt]
        if later:
            self._open[event.request] = later
        for call in waiting:
            if call.request.call_id.attempt <= attempt:
                yield self._call(call)

    def _rest(self, title: str, calls: list[RecordedCall]) -> Iterator[InspectEvent]:
        if calls:
            yield self._begin(title)
            for call in calls:
                yield self._call(call)
            yield self._end()

    def _begin(self, title: str) -> SpanBeginEvent:
        self._spans += 1
        self._span = f"span-{self._spans}"
        return SpanBeginEvent(
            id=self._span, span_id=self._span, name=title, type="phase", timestamp=self._tick()
        )

    def _end(self) -> SpanEndEvent:
        return SpanEndEvent(id=self._span, span_id=self._span, timestamp=self._tick())

    def _info(self, event: Event) -> InfoEvent:
        return InfoEvent(
            source=SOURCE,
            data=_data(event),
            span_id=self._span,
            timestamp=self._tick(),
        )

    def _call(self, call: RecordedCall) -> InspectEvent:
        if call.completion is not None:
            self._now += timedelta(seconds=call.completion.seconds)
        return self._make.make(call, self._span, self._tick())

    def _tick(self) -> datetime:
        self._now += _TICK
        return self._now


def _data(event: Event) -> dict[str, Any]:
    """Return an event as JSON, its kind first, since the viewer gives all events the same title."""
    found = json.loads(encode_event(event))
    return {"kind": found.pop("kind"), **found}


def _title(event: PhaseStarted) -> str:
    rounded = f"{event.phase} {event.round}" if event.round > 1 else event.phase
    return f"{rounded}, {event.step}" if event.step else rounded
