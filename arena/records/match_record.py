"""One folder per match: events and calls grow; `done.json` comes last and marks it complete."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, TypeGuard

from arena.core.events import (
    ActionAccepted,
    ActionRejected,
    Event,
    MatchEnded,
    MatchStarted,
    TurnSkipped,
)
from arena.core.observation import Observation, Spectator, observe
from arena.core.options import GameOptions
from arena.core.seats import SeatId
from arena.core.state import MatchState, replay
from arena.errors import RecordError
from arena.models.chat import CallId
from arena.models.recording import RecordedCall
from arena.records.call_codec import CallCodec
from arena.records.event_codec import decode_event, encode_event
from arena.records.match_summary import SUMMARY, MatchSummary
from arena.records.probe_answers import PROBES, ProbeAnswer
from arena.records.record_files import (
    atomic_write,
    check_dir,
    count_lines,
    ensure_dir,
    iterate_jsonl,
    open_jsonl_append,
    read_grown,
    read_jsonl,
    read_last_line,
    read_text,
    sync_file,
)
from arena.records.run_config import MatchSpec
from arena.records.script_copies import read_facts, read_script
from scripts_mm.script import Script

EVENTS = "events.jsonl"
CALLS = "calls.jsonl"
PROBE_ANSWERS = "probes.jsonl"
DONE = "done.json"

_MAX_EVENTS: Final = 50_000
"""Maximum events of one match; no game needs half of it."""

RecordedAction = ActionAccepted | ActionRejected | TurnSkipped
"""Outcome of one attempt at a request; a skipped turn: no answer came in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchWriter:
    """Writer of a match in progress; each line is flushed immediately."""

    events: Callable[[Sequence[Event]], None]
    """Appends consecutive events in one write."""
    call: Callable[[RecordedCall], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """Record of one match of a run, complete or not. Reading never changes it."""

    path: Path
    run: Path
    """Folder of the run."""

    @contextmanager
    def open_writer(self) -> Generator[MatchWriter]:
        """Yield the writer of the match's files."""
        ensure_dir(self.path.parent)
        ensure_dir(self.path)
        codec = CallCodec()
        for _ in iterate_jsonl(self.path / CALLS, codec.decode):
            pass
        with (
            open_jsonl_append(self.path / EVENTS) as append_event,
            open_jsonl_append(self.path / CALLS) as append_call,
        ):
            yield MatchWriter(
                events=lambda batch: append_event(*map(encode_event, batch)),
                call=lambda call: append_call(codec.encode(call)),
            )

    def write_probes(self, answers: Sequence[ProbeAnswer]) -> None:
        """Write the answers to the silent probes in one step."""
        text = "".join(f"{PROBES.encode(answer)}\n" for answer in answers)
        atomic_write(self._file(PROBE_ANSWERS), text)

    def write_summary(self, summary: MatchSummary) -> None:
        """Mark the match as complete: the last write.

        All other files are synced before, so a host failure never leaves a torn record that looks
        complete.
        """
        for file in (EVENTS, CALLS):
            sync_file(self.path / file)
        atomic_write(self._file(DONE), SUMMARY.encode_file(summary))

    def events(self) -> tuple[Event, ...]:
        """Return the events so far."""
        path = self._file(EVENTS)
        found = tuple(islice(iterate_jsonl(path, decode_event), _MAX_EVENTS + 1))
        if len(found) > _MAX_EVENTS:
            raise RecordError(f"{str(path)!r} has more than {_MAX_EVENTS} events; no match has")
        if found:
            self._first_event(found)
        return found

    def new_events(self, start: int) -> tuple[tuple[Event, ...], int]:
        """Return the events from byte `start` of their file on, and the byte after them."""
        return read_grown(self._file(EVENTS), start, decode_event)

    def actions(self) -> tuple[RecordedAction, ...]:
        """Return the outcome of each attempt at a request, in order."""
        return tuple(event for event in self.events() if is_action(event))

    def calls(self) -> Mapping[CallId, RecordedCall]:
        """Return the model calls that were answered, or refused as too long.

        Raises `RecordError` if a complete match lacks some of its calls.
        """
        lines = iterate_jsonl(self._file(CALLS), CallCodec().decode)
        calls = {call.request.call_id: call for call in lines}
        self._check_calls(calls)
        return calls

    def probes(self) -> tuple[ProbeAnswer, ...]:
        """Return the answers to the silent probes; empty if there were none."""
        return read_jsonl(self._file(PROBE_ANSWERS), PROBES.decode)

    def summary(self) -> MatchSummary | None:
        """Return the summary of the match; None while it is incomplete.

        Raises `RecordError` if it does not fit the match and its events: one of them is damaged.
        """
        done = self._read_summary()
        if done is not None and done.outcome != "error":
            self._check_events(done)
        return done

    def is_complete(self) -> bool:
        """Tell whether the match ended other than as an error."""
        done = self.summary()
        return done is not None and done.outcome != "error"

    def find_result(self, spec: MatchSpec, options: GameOptions) -> MatchSummary | None:
        """Return the summary of a complete match; None: it must be played.

        Raises `RecordError` if the record is damaged, or belongs to another match than `spec`.
        """
        done = self._read_summary()
        if done is None or done.outcome == "error":
            return None
        found = self._check_events(done)
        now = (
            spec.script.sha256,
            options,
            spec.civilians,
            spec.murderer,
            spec.seed,
            spec.rotation,
        )
        then = (
            found.script_sha256,
            found.options,
            found.civilians,
            found.murderer,
            found.seed,
            found.rotation,
        )
        if now != then:
            raise RecordError(
                f"the record {str(self.path)!r} belongs to another match than the run's "
                f"{spec.id!r}: its script, options, players, seed or rotation differ; restore "
                "it, or remove the folder to play the match"
            )
        return done

    def script(self) -> Script:
        """Return the match's script, or raise `RecordError`."""
        return read_script(self.run, self._first_event(self.events()).script_sha256)

    def facts(self) -> bytes | None:
        """Return the text of its script's fact table; None if the run stores none."""
        return read_facts(self.run, self._first_event(self.events()).script_sha256)

    def state_at(self, number: int) -> MatchState:
        """Return the state after the first `number` events, or raise `RecordError`."""
        events = self.events()
        started = self._first_event(events)
        if not 1 <= number <= len(events):
            raise RecordError(
                f"match {self.path.name!r} has events 1 to {len(events)}, got {number}"
            )
        script = read_script(self.run, started.script_sha256)
        if started.seats != script.names:
            raise RecordError(
                f"the record of match {self.path.name!r} does not fit its script {script.id!r}: "
                "the seats differ"
            )
        return replay(script, events[:number])

    def observation_at(self, number: int, observer: SeatId | Spectator) -> Observation:
        """Return the observation of `observer` after `number` events, or raise `RecordError`."""
        state = self.state_at(number)
        if not isinstance(observer, Spectator) and observer not in state.started.seats:
            raise RecordError(f"match {self.path.name!r} has no seat {observer!r}")
        return observe(state, observer)

    def _first_event(self, events: tuple[Event, ...]) -> MatchStarted:
        if not events or not isinstance(events[0], MatchStarted):
            raise RecordError(f"the record of match {self.path.name!r} does not start with a match")
        return events[0]

    def _read_summary(self) -> MatchSummary | None:
        path = self._file(DONE)
        text = read_text(path)
        try:
            return None if text is None else SUMMARY.decode(text)
        except RecordError as error:
            raise RecordError(f"{str(path)!r}: {error}") from error

    def _check_events(self, done: MatchSummary) -> MatchStarted:
        """Return the first event; `RecordError` unless `done` matches the end of the events."""
        path = self._file(EVENTS)
        found = count_lines(path)
        if found != done.events:
            raise RecordError(
                f"{str(path)!r} has {found} events, but {DONE} says {done.events}: restore the "
                f"file, or remove {DONE} to play what is missing"
            )
        first = self._first_event(tuple(islice(iterate_jsonl(path, decode_event), 1)))
        now = (self.path.name, first.civilians, first.murderer, first.seed, first.script)
        if now != (done.match, done.civilians, done.murderer, done.seed, done.script):
            raise RecordError(
                f"{str(self._file(DONE))!r} belongs to another match than the events next to it; "
                "restore the file, or remove it"
            )
        last = read_last_line(path, decode_event)
        if not isinstance(last, MatchEnded) or last.outcome != done.outcome:
            raise RecordError(
                f"{str(self._file(DONE))!r} has another outcome than the last event; restore the "
                "file, or remove it"
            )
        return first

    def _check_calls(self, calls: Mapping[CallId, RecordedCall]) -> None:
        done = self._read_summary()
        if done is None or done.outcome == "error":
            return
        answered = {name: call.completion for name, call in calls.items() if call.completion}
        played = (name for name in answered if not (name.is_auxiliary or name.off_path))
        turns = len({(name.seat, name.request) for name in played})
        tokens = sum(completion.prompt_tokens for completion in answered.values())
        if turns < done.turns or tokens < done.prompt_tokens:
            raise RecordError(
                f"{str(self._file(CALLS))!r} lacks calls of a complete match: it has {turns} "
                f"turns with {tokens} prompt tokens, but {DONE} says {done.turns} with "
                f"{done.prompt_tokens}; restore the file"
            )

    def _file(self, name: str) -> Path:
        """Return the path of a file, after checking that its folders are not links."""
        check_dir(self.path.parent)
        return check_dir(self.path) / name


def is_action(event: Event) -> TypeGuard[RecordedAction]:
    """Tell whether `event` is the outcome of one attempt at a request."""
    return isinstance(event, ActionAccepted | ActionRejected) or (
        isinstance(event, TurnSkipped) and event.cause in {"timeout", "unanswerable"}
    )
