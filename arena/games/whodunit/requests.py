"""The requests of the game: the action spec of each kind."""

from arena.core.chance import option_order
from arena.core.events import QuestionAsked
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN, ActionSpec, Choice, Field, Form, FreeText
from arena.core.state import MatchState
from arena.games.whodunit.options import WhodunitOptions
from arena.games.whodunit.phases import Kind, Step


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
        phase=step.phase,
        round=number,
        spec=_spec(state, kind, seat, name, candidates),
        attempts_left=options.attempts,
        max_chars=options.max_chars,
    )


def answer_to(state: MatchState, question: QuestionAsked, step: Step) -> DecisionRequest:
    """Return the request to answer a question."""
    options = options_of(state)
    return DecisionRequest(
        id=f"{question.request}/answer",
        seat=question.to,
        kind="answer",
        phase=step.phase,
        round=step.round,
        spec=FreeText(),
        context=(("asker", question.seat), ("question", question.text)),
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
            return Form(
                fields=(
                    Field(name="share", spec=FreeText(weight=3)),
                    Field(
                        name="target", spec=_order_choices(state, others, request, is_vote=False)
                    ),
                    Field(name="question", spec=FreeText()),
                )
            )
        case "ask":
            return Form(
                fields=(
                    Field(
                        name="target", spec=_order_choices(state, others, request, is_vote=False)
                    ),
                    Field(name="question", spec=FreeText()),
                )
            )
        case "conclude":
            suspects = state.started.seats if options.self_vote else others
            return Form(
                fields=(
                    Field(name="method", spec=FreeText()),
                    Field(name="motive", spec=FreeText()),
                    Field(
                        name="culprit",
                        spec=_order_choices(state, suspects, request, is_vote=True),
                        optional=True,
                    ),
                )
            )
        case "vote":
            return _vote_spec(state, seat, request, candidates)


def _vote_spec(
    state: MatchState, seat: SeatId, request: str, candidates: tuple[SeatId, ...]
) -> ActionSpec:
    options = options_of(state)
    named = candidates or state.started.seats
    allowed = tuple(one for one in named if options.self_vote or one != seat)
    choice = _order_choices(state, (*allowed, ABSTAIN), request, is_vote=True)
    if not options.vote_with_reason:
        return choice
    return Form(fields=(Field(name="reason", spec=FreeText()), Field(name="vote", spec=choice)))


def _order_choices(
    state: MatchState, choices: tuple[str, ...], request: str, *, is_vote: bool
) -> Choice:
    started = state.started
    return Choice(
        options=option_order(choices, started.options, started.seed, request, is_vote=is_vote)
    )
