"""One match of a run: from its place in the plan to a record that is whole."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from arena.core.actions import SeatId
from arena.core.events import Closed, Event, Opened, Passed, Rejected
from arena.core.rules import Setup
from arena.core.state import MatchState
from arena.errors import ModelError, StoreError
from arena.models.chat import ChatModel, Label
from arena.models.recording import Call, Recalled, Recorded
from arena.players.contestants import Contestant, read_contestant
from arena.players.naive import NaiveDataPlayer
from arena.players.player import Player
from arena.players.roster import check_player, make_player, never_votes
from arena.run.config import MatchSpec, RunConfig
from arena.run.gate import Gate
from arena.run.match import GivenUp, Health, Pace, Seat, play
from arena.run.open_model import OpenModel
from arena.run.places import Place, Places
from arena.run.probing import Probe, answered, ballots, quiz
from arena.run.scheduled import Scheduled
from arena.run.tally import Tallied, Tally, Told, summary
from arena.run.watch import Watcher
from arena.schedule.forecast import Forecast
from arena.store.match_folder import MatchFolder, Pens
from arena.store.summary import MatchSummary
from scripts_mm.script import Script

FACTIONS = ("civilians", "murderer")
RESUMED = "resumed"
"""The mark of a match that was not played in one sitting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What all matches of a run have in common."""

    config: RunConfig
    name: str
    scripts: Mapping[str, Script]
    """By content hash."""
    models: Mapping[str, OpenModel]
    """By the model's name in a contestant."""
    watcher: Watcher
    gate: Gate
    places: Mapping[str, Places]
    """By match: at which replica of each model it is played."""


async def play_one(run: Run, spec: MatchSpec, folder: MatchFolder) -> MatchSummary:
    """Play, continue or, where it is whole, only report the match `spec`.

    A match that ended as an error is continued: its server may be there again. A record that
    cannot be written (a full disk) ends the match as an error too; what stands of it stays.
    """
    table = _Table(run, spec, folder)
    try:
        if (done := folder.summary()) is not None and done.outcome != "error":
            run.watcher.ended(done)
            return done
        with folder.writing() as pens:
            await table.play(pens)
        told = table.told()
        # It reaches the disk before it returns: nothing else may wait for that.
        await asyncio.to_thread(folder.finish, told)
    except (StoreError, ModelError) as error:
        told = table.told(cause=str(error))
    finally:
        table.leave()
    run.watcher.ended(told)
    return told


class _Table:
    """A match while it is played: who sits there, what is recorded, what it has cost."""

    def __init__(self, run: Run, spec: MatchSpec, folder: MatchFolder) -> None:
        self._run, self._spec, self._folder = run, spec, folder
        self._script = run.scripts[spec.script.sha256]
        self._sides = dict(zip(FACTIONS, map(read_contestant, _names(spec)), strict=True))
        self._tally = Tally()
        self._recorded: tuple[Event, ...] = ()
        self._calls: Mapping[Label, Call] = {}
        self._forecasts: list[Forecast] = []

    async def play(self, pens: Pens) -> None:
        """Play to the end, with what the record holds already, then put the silent probes."""
        self._recorded, self._calls = self._folder.events(), self._folder.calls()
        players = {
            SeatId(name): self._player(self._side(name), pens) for name in self._script.names
        }
        seats = {seat: Seat(player=p, health=self._health(seat)) for seat, p in players.items()}
        pace = Pace(
            deadline=self._run.config.deadline,
            given_up=_given_up(self._recorded),
            turn=lambda: self._run.gate.turn(self._spec.id),
        )
        state = await play(
            self._setup(),
            seats,
            pace=pace,
            happened=lambda state, event: self._happened(pens, state, event),
        )
        if probes := self._probes(state):
            answers = await answered(state, seats, probes, pace)
            await asyncio.to_thread(self._folder.write_probes, answers)

    def leave(self) -> None:
        """Give up what the match's prompts kept warm."""
        for forecast in self._forecasts:
            forecast.close()

    def told(self, cause: str = "") -> MatchSummary:
        """Return what is told of the match; `cause`: why it could not be recorded."""
        marks = (*self._marks(), RESUMED) if self._recorded else self._marks()
        told = Told(
            run=self._run.name,
            served={side: self._model(who) or who.player for side, who in self._sides.items()},
            marks=marks,
            cause=cause,
        )
        return summary(self._spec, self._run.config, self._folder, self._tally, told)

    def _happened(self, pens: Pens, state: MatchState, event: Event) -> None:
        """Record an event; one that the record holds already must come again as it was.

        An error is no event of the game: it stands in done.json alone, so that it can be mended.
        """
        number = len(state.history) - 1
        if number >= len(self._recorded):
            if not (isinstance(event, Closed) and event.outcome == "error"):
                pens.event(event)
        elif self._recorded[number] != event:
            raise StoreError(
                f"the record of match {self._spec.id!r} does not fit: its event {number + 1} "
                f"({self._recorded[number].kind}) comes otherwise from these players and this "
                "script; start a new run"
            )
        self._tally.state = state
        self._run.watcher.event(self._spec.id, state, event)

    def _setup(self) -> Setup:
        civilians, murderer = (self._sides[side] for side in FACTIONS)
        mute = self._script.murderers if never_votes(murderer) else ()
        return Setup(
            script=self._script,
            script_sha256=self._spec.script.sha256,
            options=self._run.config.options,
            seed=self._spec.seed,
            civilian_player=civilians.name,
            murderer_player=murderer.name,
            civilian_served=self._model(civilians),
            murderer_served=self._model(murderer),
            never_vote=tuple(SeatId(name) for name in mute),
            marks=(*self._marks(), *_defaulted(self._script, civilians, murderer)),
        )

    def _player(self, who: Contestant, pens: Pens) -> Player:
        if who.model is None:
            return make_player(who, None, None)
        chat = self._wrapped(self._scheduled(self._place(who.model)), pens)
        return make_player(who, chat, self._run.models[who.model].means)

    def _place(self, model: str) -> Place:
        return self._run.places[self._spec.id][model]

    def _scheduled(self, place: Place) -> ChatModel:
        replica = place.replica
        forecast = Forecast(place.heads, replica.warm, block=replica.block)
        self._forecasts.append(forecast)
        return Scheduled(replica, self._run.gate, forecast, match=self._spec.id)

    def _wrapped(self, model: ChatModel, pens: Pens) -> ChatModel:
        """Ask the record first, then the model, whose answers are recorded before they count."""

        def keep(call: Call) -> None:
            pens.call(call)

        recalled = Recalled(Recorded(model, keep=keep), calls=self._calls)
        return Tallied(recalled, self._spec.id, self._tally, self._run.watcher)

    def _probes(self, state: MatchState) -> tuple[Probe, ...]:
        if state.closed is None or state.closed.outcome == "error":
            return ()
        config = self._run.config
        return (
            *(ballots(state) if config.ballots else ()),
            *(quiz(state, "before") if config.quiz in {"before", "both"} else ()),
            *(quiz(state, "after") if config.quiz in {"after", "both"} else ()),
        )

    def _side(self, seat: str) -> Contestant:
        return self._sides["murderer" if seat in self._script.murderers else "civilians"]

    def _health(self, seat: str) -> Health | None:
        who = self._side(seat)
        return None if who.model is None else self._place(who.model).replica.health

    def _marks(self) -> tuple[str, ...]:
        """Return what every result must say of the models that play."""
        names = [who.model for who in self._sides.values() if who.model is not None]
        marks = [mark for name in names for mark in self._run.models[name].marks]
        return tuple(dict.fromkeys(marks))

    def _model(self, who: Contestant) -> str:
        return "" if who.model is None else self._run.models[who.model].served


def _names(spec: MatchSpec) -> tuple[str, str]:
    return spec.civilians, spec.murderer


def _defaulted(script: Script, civilians: Contestant, murderer: Contestant) -> tuple[str, ...]:
    """Return the mark of a `naive-data` that a script does not give its sentences."""
    guilty = set(script.murderers)
    played = [
        role
        for role in script.roles
        if isinstance(check_player(murderer if role.name in guilty else civilians), NaiveDataPlayer)
    ]
    lacks = any(role.introduction is None or role.reply is None for role in played)
    return ("naive-data:defaulted",) if lacks else ()


def _given_up(recorded: tuple[Event, ...]) -> GivenUp:
    """Return the asks that ran out of time, with the tries that each had left then."""
    tries = next((e.options.tries for e in recorded if isinstance(e, Opened)), 0)
    refused = Counter(event.ask for event in recorded if isinstance(event, Rejected))
    return frozenset(
        (event.ask, tries - refused[event.ask])
        for event in recorded
        if isinstance(event, Passed) and event.reason.startswith("no answer within ")
    )
