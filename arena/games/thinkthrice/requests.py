"""Requests of the game: the action spec of each kind."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from arena.core.events import QuestionAsked
from arena.core.purposes import ASKER, QUESTION, Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN, ActionSpec, Choice, Form, FreeText, OneOf, Variant
from arena.core.state import MatchState
from arena.games.shared.speech import answer_request, order_choices, question_form
from arena.games.thinkthrice.options import ThinkThriceOptions
from arena.games.thinkthrice.phases import Kind, Step
from arena.games.thinkthrice.texts import host_label, host_question

REFUSE = "refuse"
"""The variant of a murderer's refusal to answer."""
_ANSWER_OR_REFUSE = OneOf(
    variants=(
        Variant(name="answer", spec=FreeText()),
        Variant(name=REFUSE, spec=Form(fields=())),
    )
)
_PURPOSES: Mapping[Kind, Purpose] = MappingProxyType(
    {
        "introduce": Purpose.INTRODUCE,
        "ask_first": Purpose.ASK,
        "ask": Purpose.ASK,
        "answer": Purpose.ANSWER,
        "vote": Purpose.VOTE,
    }
)


def options_of(state: MatchState) -> ThinkThriceOptions:
    """Return the options of a match of this game."""
    options = state.started.options
    assert isinstance(options, ThinkThriceOptions), f"{type(options).__name__} of another game"
    return options


def introduction_request(state: MatchState, step: Step, seat: SeatId) -> DecisionRequest:
    """Return the request with the host's question to `seat`, the same for every seat."""
    language = state.script.language
    context = ((ASKER, host_label(language)), (QUESTION, host_question(language)))
    return replace(_request(state, step, seat, FreeText()), context=context)


def first_question_request(
    state: MatchState, step: Step, seat: SeatId, target: SeatId
) -> DecisionRequest:
    """Return the request to `seat` for a question to `target`, which just introduced itself."""
    return _request(state, step, seat, question_form(Choice(options=(target,))))


def question_request(state: MatchState, step: Step, seat: SeatId) -> DecisionRequest:
    """Return the request to `seat` for a question to any other seat."""
    others = tuple(other for other in state.started.seats if other != seat)
    target = order_choices(state, others, _name(step, seat), is_vote=False)
    return _request(state, step, seat, question_form(target))


def reply_request(state: MatchState, asked: QuestionAsked) -> DecisionRequest:
    """Return the request to answer; with the option `refuse` the murderer can refuse."""
    phase = state.phase
    assert phase is not None, "a question is put in a phase"
    request = answer_request(state, asked, phase=phase.phase, number=phase.round)
    if not options_of(state).refuse or asked.to not in state.knowing_murderers:
        return request
    return replace(request, spec=_ANSWER_OR_REFUSE)


def vote_requests(
    state: MatchState, step: Step, seat: SeatId, tied: tuple[SeatId, ...] = ()
) -> tuple[DecisionRequest, ...]:
    """Return the requests for the ballots of a seat, which differ only in their number.

    All have the same order of options, so that ten ballots are ten samples of one prompt.
    """
    options = options_of(state)
    request = _request(state, step, seat, _vote_spec(state, step, seat, tied))
    if options.ballots == 1:
        return (request,)
    return tuple(
        replace(request, id=f"{request.id}#{number}", round=number, sampled=True)
        for number in range(1, options.ballots + 1)
    )


def _vote_spec(state: MatchState, step: Step, seat: SeatId, tied: tuple[SeatId, ...]) -> ActionSpec:
    options = options_of(state)
    if options.vote == "free_text":
        return FreeText()
    named = options.candidates(tied or state.started.seats, seat)
    return order_choices(state, (*named, ABSTAIN), _name(step, seat), is_vote=True)


def _request(state: MatchState, step: Step, seat: SeatId, spec: ActionSpec) -> DecisionRequest:
    assert step.kind is not None, "this step has no requests"
    options = options_of(state)
    return DecisionRequest(
        id=_name(step, seat),
        seat=seat,
        kind=step.kind,
        purpose=_PURPOSES[step.kind],
        phase=step.phase,
        round=step.round,
        spec=spec,
        attempts_left=options.attempts,
        max_chars=options.max_chars,
    )


def _name(step: Step, seat: SeatId) -> str:
    return f"{step.phase}-{step.round}/{step.kind}/{seat}"
