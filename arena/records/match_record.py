"""One folder a match: events and calls grow, `done.json` comes last and marks it complete."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from arena.core.events import ActionAccepted, ActionRejected, Event, MatchStarted, TurnSkipped
from arena.core.observation import Observation, Spectator, observe
from arena.core.seats import SeatId
from arena.core.state import MatchState, replay
from arena.errors import RecordError
from arena.models.chat import CallId
from arena.models.recording import RecordedCall
from arena.records.calls import CallCodec
from arena.records.codec import decode_event, encode_event
from arena.records.files import atomic_write, ensure_dir, open_jsonl_append, read_jsonl, read_text
from arena.records.probes import PROBES, ProbeAnswer
from arena.records.scripts import read_script
from arena.records.summary import SUMMARY, MatchSummary
from scripts_mm.script import Script

EVENTS = "events.jsonl"
CALLS = "calls.jsonl"
PROBE_ANSWERS = "probes.jsonl"
DONE = "done.json"

RecordedAction = ActionAccepted | ActionRejected | TurnSkipped
"""How one attempt at a request ended; a skipped turn: no answer came in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchWriter:
    """Writer of a match while it is played; each line is flushed at once."""

    events: Callable[[Sequence[Event]], None]
    """Appends events that follow from one another in one write."""
    call: Callable[[RecordedCall], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """The record of one match of a run, complete or not. Reading never changes it."""

    path: Path
    run: Path
    """The folder of its run."""

    @contextmanager
    def open_writer(self) -> Generator[MatchWriter]:
        """Yield the writer of the match's files."""
        ensure_dir(self.path)
        codec = CallCodec()
        read_jsonl(self.path / CALLS, codec.decode)
        with (
            open_jsonl_append(self.path / EVENTS) as append_event,
            open_jsonl_append(self.path / CALLS) as append_call,
        ):
            yield MatchWriter(
                events=lambda batch: append_event(*map(encode_event, batch)),
                call=lambda call: append_call(codec.encode(call)),
            )

    def write_probes(self, answers: Sequence[ProbeAnswer]) -> None:
        """Write the answers to the silent probes, all at once."""
        text = "".join(f"{PROBES.encode(answer)}\n" for answer in answers)
        atomic_write(self.path / PROBE_ANSWERS, text)

    def write_summary(self, summary: MatchSummary) -> None:
        """Mark the match as complete: the last thing that is written."""
        atomic_write(self.path / DONE, SUMMARY.encode_file(summary))

    def events(self) -> tuple[Event, ...]:
        """Return the events so far."""
        return read_jsonl(self.path / EVENTS, decode_event)

    def actions(self) -> tuple[RecordedAction, ...]:
        """Return how each attempt at a request ended, in order."""
        return tuple(event for event in self.events() if is_action(event))

    def calls(self) -> Mapping[CallId, RecordedCall]:
        """Return the model calls that were answered, or refused as too long."""
        calls = read_jsonl(self.path / CALLS, CallCodec().decode)
        return {call.request.call_id: call for call in calls}

    def probes(self) -> tuple[ProbeAnswer, ...]:
        """Return the answers to the silent probes; none where none were put."""
        return read_jsonl(self.path / PROBE_ANSWERS, PROBES.decode)

    def summary(self) -> MatchSummary | None:
        """Return the summary of the match; None while it is not complete."""
        text = read_text(self.path / DONE)
        if text is None:
            return None
        try:
            return SUMMARY.decode(text)
        except RecordError as error:
            raise RecordError(f"{str(self.path / DONE)!r}: {error}") from error

    def is_complete(self) -> bool:
        """Tell whether the match came to an end that is not an error."""
        done = self.summary()
        return done is not None and done.outcome != "error"

    def script(self) -> Script:
        """Return the script that the match is played with, or raise `RecordError`."""
        return read_script(self.run, self._started(self.events()).script_sha256)

    def state_at(self, number: int) -> MatchState:
        """Return the state after the first `number` events, or raise `RecordError`."""
        events = self.events()
        started = self._started(events)
        if not 1 <= number <= len(events):
            raise RecordError(
                f"match {self.path.name!r} has events 1 to {len(events)}, got {number}"
            )
        script = read_script(self.run, started.script_sha256)
        if started.seats != script.names:
            raise RecordError(
                f"the record of match {self.path.name!r} does not fit its script {script.id!r}: "
                "the seats are others"
            )
        return replay(script, events[:number])

    def observation_at(self, number: int, observer: SeatId | Spectator) -> Observation:
        """Return what `observer` knew after the first `number` events, or raise `RecordError`."""
        state = self.state_at(number)
        if not isinstance(observer, Spectator) and observer not in state.started.seats:
            raise RecordError(f"match {self.path.name!r} has no seat {observer!r}")
        return observe(state, observer)

    def _started(self, events: tuple[Event, ...]) -> MatchStarted:
        if not events or not isinstance(events[0], MatchStarted):
            raise RecordError(f"the record of match {self.path.name!r} does not start with a match")
        return events[0]


def is_action(event: Event) -> TypeGuard[RecordedAction]:
    """Tell whether `event` is how one attempt at a request ended."""
    return isinstance(event, ActionAccepted | ActionRejected) or (
        isinstance(event, TurnSkipped) and event.cause == "timeout"
    )
