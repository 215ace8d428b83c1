"""Counts of a player's calls in a whole match, with a model whose answers are always legal."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.core.events import RequestsOpened
from arena.core.game import Game
from arena.core.options import GameOptions
from arena.core.playouts.playout import start_state
from arena.core.purposes import Purpose
from arena.core.seats import Faction
from arena.core.state import MatchState
from arena.core.transitions import MatchSetup
from arena.models.chat import Completion, Message, Request
from arena.models.function_model import FunctionModel
from arena.models.legal_replies import legal_reply
from arena.players.contestants import Contestant
from arena.players.model_limits import ModelLimits
from arena.players.roster import check_suits, make_player, never_votes
from arena.run.match.decisions import SeatBinding, TurnControl
from arena.run.match.match_loop import MatchLoop, StateChange
from arena.run.match.match_usage import is_fallback
from scripts_mm.script import Script

_DEADLINE = 600.0
_REPLY_TOKENS = 1024
_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCounts:
    """Calls of one match."""

    requests: Mapping[Purpose, int]
    """Decision requests, by purpose."""
    calls: Mapping[Purpose, int]
    """Model calls for these requests."""
    steps: int
    """Calls that are steps of a method."""
    fallbacks: int
    """Turns without an answer, and steps without a legal one."""
    outcome: str


class _CallCounter:
    """Counter of a model's calls by the request that they belong to."""

    def __init__(self, model: FunctionModel) -> None:
        self._model = model
        self.requests: Counter[str] = Counter()
        self.steps = 0

    async def complete(self, request: Request) -> Completion:
        self.requests[request.call_id.request] += 1
        self.steps += request.call_id.kind == "step"
        return await self._model.complete(request)


def count_calls(
    game: Game, script: Script, options: GameOptions, sides: Mapping[Faction, Contestant]
) -> CallCounts:
    """Play one match in this process, and return the calls of all its seats.

    Raises `ConfigError` for a player that does not suit the game.
    """
    for who in sides.values():
        check_suits(who, game)
    setup = MatchSetup(
        script=script,
        options=options,
        seed=1,
        civilians=sides["civilians"].name,
        murderer=sides["murderer"].name,
        silent=("murderer",) if never_votes(sides["murderer"]) else (),
    )
    state = start_state(game, setup)
    model = _CallCounter(FunctionModel(legal_reply))
    seats = {
        part.seat: SeatBinding(
            player=make_player(sides[part.faction], model, _limits()), health=None
        )
        for part in state.started.parts
    }
    loop = MatchLoop(game=game, seats=seats, control=TurnControl(deadline=_DEADLINE), sink=_ignore)
    return _counts(asyncio.run(loop.run(state)), model)


def _counts(ended: MatchState, model: _CallCounter) -> CallCounts:
    purposes = {
        request.id: request.purpose
        for event in ended.history
        if isinstance(event, RequestsOpened)
        for request in event.requests
    }
    calls: Counter[Purpose] = Counter()
    for name, count in model.requests.items():
        calls[purposes.get(name, Purpose.OTHER)] += count
    return CallCounts(
        requests=Counter(purposes.values()),
        calls=calls,
        steps=model.steps,
        fallbacks=sum(map(is_fallback, ended.history)),
        outcome="" if ended.ended is None else ended.ended.outcome,
    )


def _limits() -> ModelLimits:
    return ModelLimits(
        reply_tokens=_REPLY_TOKENS, context_tokens=None, count=_estimate_tokens, exact=False
    )


def _estimate_tokens(messages: Sequence[Message]) -> int:
    return sum(1 + len(message.text) // _CHARS_PER_TOKEN for message in messages)


def _ignore(steps: Sequence[StateChange]) -> None:
    del steps
