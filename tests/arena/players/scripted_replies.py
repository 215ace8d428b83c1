"""Matches of players with a method, on a model whose replies are given by the name of each step."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from arena.core.actions import Action
from arena.core.events import Event, PlayerEvent, TurnNoted
from arena.core.observation import observe_request
from arena.core.playouts.playout import start_state
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.state import MatchState, pending
from arena.core.transitions import MatchSetup
from arena.games.game_registry import find_game
from arena.models.chat import CallId, Completion, Request
from arena.models.legal_replies import legal_reply
from arena.models.recording import RecordedCall, RecordedCalls, RecordingModel, ReplayingModel
from arena.players.contestants import read_contestant
from arena.players.player import Answer, Player
from arena.players.roster import make_player
from arena.records.match_replay import replay_match
from arena.run.match.decisions import SeatBinding, TurnControl, decision_chance
from arena.run.match.match_loop import MatchLoop
from arena.run.match.restore import restore_players
from tests.arena.players.context.stage import make_limits
from tests.table import act, legal

Voice = Callable[[Request], str | None]
"""What the model says to a call; None: anything legal."""


def silent(request: Request) -> None:
    """Leave everything to what is legal."""
    del request


def voice(replies: Mapping[str, str]) -> Voice:
    """Return the voice that gives the replies of the steps whose name begins with a key."""

    def say(request: Request) -> str | None:
        named = [key for key in replies if name_of(request).startswith(key)]
        return replies[max(named, key=len)] if named else None

    return say


def name_of(request: Request) -> str:
    """Return the name of a step, or the kind of another call."""
    return request.call_id.chunk or request.call_id.kind


def form(**values: str) -> str:
    """Return the reply to a form."""
    return json.dumps(values, ensure_ascii=False)


@dataclass(slots=True)
class Model:
    """Says what its voice says, and keeps what it was asked."""

    say: Voice = silent
    requests: list[Request] = field(default_factory=list[Request])
    waves: list[list[str]] = field(default_factory=list[list[str]])
    """Names of the calls that went out together."""
    now: int = 0

    async def complete(self, request: Request) -> Completion:
        """Return the reply."""
        if not self.now:
            self.waves.append([])
        self.waves[-1].append(name_of(request))
        self.now += 1
        await asyncio.sleep(0)
        self.now -= 1
        self.requests.append(request)
        said = self.say(request)
        return Completion(
            text=legal_reply(request) if said is None else said,
            finish="stop",
            prompt_tokens=1,
            output_tokens=1,
            cached_tokens=0,
            seconds=0,
        )

    def asked(self, name: str, seat: str = "") -> list[Request]:
        """Return the calls whose name begins so, of one seat or of all."""
        return [
            one
            for one in self.requests
            if name_of(one).startswith(name) and seat in {"", one.call_id.seat}
        ]


def demand(request: Request) -> str:
    """Return the end of a prompt."""
    return request.messages[-1].text


def player_of(contestant: str, model: Any, **limits: Any) -> Player:
    """Return a player of `contestant`, such as `questum:epsilon=0`."""
    return make_player(
        read_contestant(f"m+{contestant}"), model, make_limits(**{"context": None, **limits})
    )


@dataclass(slots=True)
class Seat:
    """One seat that the method plays; all others answer at random."""

    name: SeatId
    model: Model
    player: Player
    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])
    """By request; the last attempt counts."""
    chance: Random = field(default_factory=lambda: Random(5))

    def answer(self, state: MatchState, request: DecisionRequest) -> Action:
        """Return the seat's answer to a request."""
        chance = decision_chance(state, request)
        answer = asyncio.run(self.player.act(observe_request(state, request), request, chance))
        self.answers[request.id] = answer
        return answer.action

    def play(self, state: MatchState, stop: Callable[[DecisionRequest], bool]) -> MatchState:
        """Play on until `stop` is true of a pending request, or until the end."""
        while waiting := pending(state):
            request = waiting[0]
            if stop(request):
                return state
            mine = request.seat == self.name
            state = act(
                state, request, self.answer(state, request) if mine else legal(request, self.chance)
            )
        return state

    def turn(
        self, state: MatchState, purpose: Purpose = Purpose.ASK, number: int = 1
    ) -> MatchState:
        """Play on until the seat's next turn of a purpose, in round `number` at least."""
        return self.play(
            state,
            lambda one: one.seat == self.name and one.purpose == purpose and one.round >= number,
        )

    def take(self, state: MatchState) -> tuple[MatchState, Answer]:
        """Return the state after the seat's turn, and its answer; calls are counted afresh."""
        request = pending(state)[0]
        self.model.requests.clear()
        self.model.waves.clear()
        state = act(state, request, self.answer(state, request))
        return state, self.answers[request.id]


def seat(name: str, contestant: str, say: Voice = silent, **limits: Any) -> Seat:
    """Return a seat of `contestant`."""
    model = Model(say)
    return Seat(SeatId(name), model, player_of(contestant, model, **limits))


def notes(reports: tuple[PlayerEvent, ...] | list[Event], topic: str) -> list[dict[str, str]]:
    """Return the values of the notes on a topic."""
    found = [one for one in reports if isinstance(one, TurnNoted) and one.topic == topic]
    return [dict(one.values) for one in found]


@dataclass(slots=True, kw_only=True)
class Played:
    """A match that was played."""

    state: MatchState
    events: list[Event]
    calls: dict[CallId, RecordedCall]
    made: list[Request]
    """Calls that were made now, in order."""

    def count(self) -> Counter[Purpose]:
        """Return the calls by what they are for."""
        purposes = {
            one.id: one.purpose
            for event in self.state.history
            for one in getattr(event, "requests", ())
        }
        return Counter(purposes[one.call_id.request] for one in self.made)


def play(
    setup: MatchSetup,
    game: str,
    contestants: tuple[str, str],
    say: Voice = silent,
    *,
    resumed: tuple[Played, int] | None = None,
    **limits: Any,
) -> Played:
    """Play a match: civilians and murderers; `resumed`: on from the first events of another."""
    found = find_game(game)
    state = start_state(found, setup)
    known = {} if resumed is None else resumed[0].calls
    model, recorded, kept = Model(say), RecordedCalls(known), dict(known)

    def save(call: RecordedCall) -> None:
        assert call.request.call_id not in kept, f"asked twice: {call.request.call_id}"
        kept[call.request.call_id] = call

    chat = ReplayingModel(RecordingModel(model, save=save), calls=recorded)
    players = {
        part.seat: player_of(contestants[part.faction == "murderer"], chat, **limits)
        for part in state.started.parts
    }
    unanswered: list[PlayerEvent] = []
    if resumed is not None:
        whole, number = resumed
        replayed = replay_match(found, setup.script, tuple(whole.events[:number]))
        asyncio.run(restore_players(replayed, players, recorded))
        state, unanswered = replayed.state, list(replayed.unanswered)
    events: list[Event] = list(state.history)
    loop = MatchLoop(
        game=found,
        seats={name: SeatBinding(player=one, health=None) for name, one in players.items()},
        control=TurnControl(deadline=600.0),
        sink=lambda steps: events.extend(event for event, _ in steps),
        recorded=unanswered,
    )
    state = asyncio.run(loop.run(state))
    return Played(state=state, events=events, calls=kept, made=model.requests)


def in_language(setup: MatchSetup, language: Any) -> MatchSetup:
    """Return the same match in a language."""
    return replace(setup, script=replace(setup.script, language=language))
