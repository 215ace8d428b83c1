"""One match of a run: from its spec to a complete record."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from arena.core.events import Event, MatchStarted
from arena.core.options import GameOptions
from arena.core.playouts.playout import reduce_all
from arena.core.seats import Faction
from arena.core.state import MatchState, reduce
from arena.core.transitions import GameError, MatchSetup, start_match
from arena.errors import ModelError, PersonLeftError, RecordError
from arena.models.chat import CallId
from arena.models.recording import RecordedCall, RecordedCalls
from arena.models.retrying import exponential_backoff
from arena.players.contestants import Contestant, read_contestant
from arena.records.match_record import MatchWriter
from arena.records.match_replay import Replayed, replay_match
from arena.records.match_summary import MatchSummary
from arena.records.probe_answers import ProbeAnswer
from arena.records.run_config import MatchSpec
from arena.run.match.decisions import TurnControl
from arena.run.match.match_loop import MatchLoop, StateChange
from arena.run.match.match_usage import (
    SERVER_CHANGED,
    MatchUsage,
    SummaryContext,
    build_summary,
    is_error_end,
)
from arena.run.match.probes import Probe, ballot_probes, quiz_probes, run_probes
from arena.run.match.restore import restore_players
from arena.run.match.seat_binding import SeatBinder, default_flags, silent_sides
from arena.run.run_context import RunContext

RESUMED = "resumed"
"""Flag of a match that was interrupted and resumed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnd:
    """End of one attempt to play a match."""

    summary: MatchSummary
    is_server_fault: bool = False
    """The error is a failure of a model's server: another server may succeed."""


class MatchStore(Protocol):
    """Store from which a match is continued and in which it is recorded, such as `MatchRecord`."""

    @property
    def path(self) -> Path:
        """Path of the store, for the summary."""
        ...

    def find_result(self, spec: MatchSpec, options: GameOptions) -> MatchSummary | None:
        """Return the summary of a complete match."""
        ...

    def summary(self) -> MatchSummary | None:
        """Return the last summary, also of a match that ended as an error."""
        ...

    def events(self) -> tuple[Event, ...]:
        """Return the events so far."""
        ...

    def calls(self) -> Mapping[CallId, RecordedCall]:
        """Return the answered calls so far."""
        ...

    def open_writer(self) -> AbstractContextManager[MatchWriter]:
        """Yield the writer of events and calls."""
        ...

    def write_probes(self, answers: Sequence[ProbeAnswer]) -> None:
        """Write the answers to the silent probes."""
        ...

    def write_summary(self, summary: MatchSummary) -> None:
        """Mark the match as complete."""
        ...


async def run_match_spec(run: RunContext, spec: MatchSpec, record: MatchStore) -> MatchEnd:
    """Play or continue the match `spec`; if it is complete, only report it.

    A match that ended as an error is continued: its server may be up again. If the record cannot be
    written (for example, a full disk), the match ends as an error too, and the record retains its
    contents. The same holds for a match that a person has left.
    """
    session = _MatchSession(run, spec, record)
    is_server_fault = False
    try:
        if (done := record.find_result(spec, run.config.options)) is not None:
            return MatchEnd(summary=done)
        if (last := record.summary()) is not None and SERVER_CHANGED in last.flags:
            session.is_server_changed = True
        with record.open_writer() as writer:
            await session.play(writer)
        summary = session.summary()
        is_server_fault = summary.outcome == "error"
        # `fsync` takes milliseconds; in a thread it does not delay the other matches.
        await asyncio.to_thread(record.write_summary, summary)
    except (RecordError, ModelError, GameError, PersonLeftError) as error:
        is_server_fault = isinstance(error, ModelError)
        summary = session.summary(cause=str(error))
    finally:
        session.close()
    return MatchEnd(summary=summary, is_server_fault=is_server_fault)


class _MatchSession:
    """A match in progress: its players, its record and its usage."""

    def __init__(self, run: RunContext, spec: MatchSpec, record: MatchStore) -> None:
        self._run, self._spec, self._record = run, spec, record
        self._script = run.scripts[spec.script.sha256]
        self._sides: dict[Faction, Contestant] = {
            "civilians": read_contestant(spec.civilians),
            "murderer": read_contestant(spec.murderer),
        }
        self._assignments = run.assignments.of(run.gate.demands(spec.id))
        """By the model's name in a contestant."""
        self._usage = MatchUsage()
        self._calls = RecordedCalls({})
        self._binder = SeatBinder(run, spec, self._sides, self._usage)
        self._is_resumed = False
        self.is_server_changed = False
        """A server may have served another model than at the start of the run."""

    async def play(self, writer: MatchWriter) -> None:
        """Play from the end of the record to the end of the match, then run the silent probes."""
        recorded = self._record.events()
        self._is_resumed = bool(recorded)
        self._calls = RecordedCalls(self._record.calls())
        replayed = self._replay(recorded)
        self._check_started(replayed.state.started)
        seats = self._binder.bind(replayed.state.started, self._calls, writer.call)
        self._write_missing(writer, replayed)
        players = {seat: binding.player for seat, binding in seats.items()}
        await restore_players(replayed, players, self._calls)
        loop = MatchLoop(
            game=self._run.game,
            seats=seats,
            control=self._control(),
            sink=lambda steps: self._take(writer, steps),
            recorded=list(replayed.unanswered),
        )
        state = await loop.run(replayed.state)
        answers: tuple[ProbeAnswer, ...] = ()
        if probes := self._probes(state):
            answers = await run_probes(state, seats, probes, self._control())
        if self._usage.calls:
            await self._check_servers()
        if probes:
            await asyncio.to_thread(self._record.write_probes, answers)

    async def _check_servers(self) -> None:
        """Record whether a server serves another model than at the start of the run.

        A poll detects a change within a second, but a match may end before the next poll.
        """
        for assignment in self._assignments.values():
            self.is_server_changed |= await assignment.replica.health.has_changed()

    def close(self) -> None:
        """Release the match's warm prefixes."""
        self._binder.close()

    def summary(self, cause: str = "") -> MatchSummary:
        """Return the summary of the match; `cause`: why it could not be played or recorded."""
        flags = (
            *self._flags(),
            *((RESUMED,) if self._is_resumed else ()),
            *((SERVER_CHANGED,) if self.is_server_changed else ()),
        )
        context = SummaryContext(
            run=self._run.name,
            record=str(self._record.path),
            served={side: self._model_name(who) or who.player for side, who in self._sides.items()},
            flags=flags,
            cause=cause,
        )
        return build_summary(self._spec, self._run.config, self._usage, context)

    def _replay(self, recorded: tuple[Event, ...]) -> Replayed:
        """Return the match at the end of its record, or at its start if there is no record."""
        if recorded:
            return replay_match(self._run.game, self._script, recorded, match=self._spec.id)
        events = start_match(self._run.game, self._setup())
        state = reduce_all(MatchState(script=self._script), events)
        return Replayed(state=state, missing=events, decisions=(), unanswered=())

    def _check_started(self, started: MatchStarted) -> None:
        """Raise if the record was started with other options, players or seed."""
        setup = self._setup()
        now = (setup.options, setup.civilians, setup.murderer, setup.seed, setup.rotation)
        then = (
            started.options,
            started.civilians,
            started.murderer,
            started.seed,
            started.rotation,
        )
        if now != then:
            raise RecordError(
                f"the record of match {self._spec.id!r} was started with other options, players, "
                f"seed or rotation: {then[1]!r} against {then[2]!r}; start a new run"
            )

    def _write_missing(self, writer: MatchWriter, replayed: Replayed) -> None:
        """Record and emit the last events of the state that the record lacks."""
        known = len(replayed.state.history) - len(replayed.missing)
        state = reduce_all(MatchState(script=self._script), replayed.state.history[:known])
        if known:
            self._run.observer.on_resume(self._spec.id, state)
        steps: list[StateChange] = []
        for event in replayed.missing:
            state = reduce(state, event)
            steps.append((event, state))
        self._take(writer, steps)
        self._usage.state = replayed.state

    def _take(self, writer: MatchWriter, steps: Sequence[StateChange]) -> None:
        """Record events, then emit them: observers never see an event that a crash could undo."""
        if recorded := [event for event, _ in steps if not is_error_end(event)]:
            writer.events(recorded)
        self._calls.forget_made()
        for event, state in steps:
            self._usage.state = state
            self._run.observer.on_event(self._spec.id, state, event)

    def _setup(self) -> MatchSetup:
        civilians, murderer = self._sides["civilians"], self._sides["murderer"]
        return MatchSetup(
            script=self._script,
            script_sha256=self._spec.script.sha256,
            options=self._run.config.options,
            seed=self._spec.seed,
            rotation=self._spec.rotation,
            civilians=civilians.name,
            murderer=murderer.name,
            civilians_served=self._model_name(civilians),
            murderer_served=self._model_name(murderer),
            silent=silent_sides(self._run, self._spec, self._sides),
            flags=(
                *self._flags(),
                *default_flags(self._script, self._sides, self._run.config.humans),
            ),
        )

    def _control(self) -> TurnControl:
        return TurnControl(
            deadline=self._run.config.deadline,
            backoff=exponential_backoff(),
        )

    def _probes(self, state: MatchState) -> tuple[Probe, ...]:
        if state.ended is None or state.ended.outcome == "error":
            return ()
        config = self._run.config
        return (
            *(ballot_probes(state) if config.ballots else ()),
            *(quiz_probes(state, "before") if config.quiz in {"before", "both"} else ()),
            *(quiz_probes(state, "after") if config.quiz in {"after", "both"} else ()),
        )

    def _flags(self) -> tuple[str, ...]:
        """Return the flags of the models that play, and of persons."""
        names = [who.model for who in self._sides.values() if who.model is not None]
        flags = [flag for name in names for flag in self._run.models[name].flags]
        flags += [flag for human in self._run.config.humans for flag in human.flags]
        return tuple(dict.fromkeys(flags))

    def _model_name(self, who: Contestant) -> str:
        return "" if who.model is None else self._run.models[who.model].served_name
