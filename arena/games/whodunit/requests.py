"""Requests of the game: the action spec of each kind."""

from collections.abc import Mapping
from types import MappingProxyType

from arena.core.purposes import STATEMENT, Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN, ActionSpec, Field, Form, FreeText
from arena.core.state import MatchState
from arena.games.shared.speech import conclusion_form, order_choices, question_form
from arena.games.whodunit.options import WhodunitOptions
from arena.games.whodunit.phases import Kind, Step

_PURPOSES: Mapping[Kind, Purpose] = MappingProxyType(
    {
        "introduce": Purpose.INTRODUCE,
        "speak": Purpose.SPEAK,
        "share_and_ask": Purpose.ASK,
        "ask": Purpose.ASK,
        "answer": Purpose.ANSWER,
        "conclude": Purpose.CONCLUDE,
        "vote": Purpose.VOTE,
    }
)


def request_of(
    state: MatchState,
    step: Step,
    kind: Kind,
    seat: SeatId,
    *,
    candidates: tuple[SeatId, ...] = (),
    ballot: int = 1,
) -> DecisionRequest:
    """Return the request to `seat` in a step; `candidates` limit a revote."""
    options = options_of(state)
    number = ballot if kind == "vote" else step.round
    name = f"{step.phase}-{number}/{kind}/{seat}"
    return DecisionRequest(
        id=name,
        seat=seat,
        kind=kind,
        purpose=_PURPOSES[kind],
        phase=step.phase,
        round=number,
        spec=_spec(state, kind, seat, name, candidates),
        attempts_left=options.attempts,
        max_chars=options.max_chars,
    )


def options_of(state: MatchState) -> WhodunitOptions:
    """Return the options of a match of this game."""
    options = state.started.options
    assert isinstance(options, WhodunitOptions), f"{type(options).__name__} of another game"
    return options


def _spec(
    state: MatchState, kind: Kind, seat: SeatId, request: str, candidates: tuple[SeatId, ...]
) -> ActionSpec:
    options = options_of(state)
    others = tuple(other for other in state.started.seats if other != seat)
    match kind:
        case "introduce" | "speak" | "answer":
            return FreeText()
        case "share_and_ask":
            share = Field(name=STATEMENT, spec=FreeText(weight=3))
            target = order_choices(state, others, request, is_vote=False)
            return question_form(target, before=(share,))
        case "ask":
            return question_form(order_choices(state, others, request, is_vote=False))
        case "conclude":
            suspects = state.started.seats if options.self_vote else others
            return conclusion_form(order_choices(state, suspects, request, is_vote=True))
        case "vote":
            return _vote_spec(state, seat, request, candidates)


def _vote_spec(
    state: MatchState, seat: SeatId, request: str, candidates: tuple[SeatId, ...]
) -> ActionSpec:
    options = options_of(state)
    named = candidates or state.started.seats
    allowed = tuple(one for one in named if options.self_vote or one != seat)
    choice = order_choices(state, (*allowed, ABSTAIN), request, is_vote=True)
    if not options.vote_with_reason:
        return choice
    return Form(fields=(Field(name="reason", spec=FreeText()), Field(name="vote", spec=choice)))
