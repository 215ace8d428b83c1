"""Requests of the game: the action spec of each kind."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType

from arena.core.events import QuestionAsked
from arena.core.purposes import (
    ASK_VARIANT,
    INVESTIGATE_VARIANT,
    PLACE,
    STATEMENT,
    Purpose,
)
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN, ActionSpec, Choice, Field, Form, FreeText, OneOf, Variant
from arena.core.state import MatchState
from arena.games.mirage.options import MirageOptions
from arena.games.mirage.phases import Kind, Step
from arena.games.shared.speech import answer_request, order_choices, question_form

EXPOSED = "exposed"
"""The part of a speech that the host prepends."""

_PURPOSES: Mapping[Kind, Purpose] = MappingProxyType(
    {
        "introduce": Purpose.INTRODUCE,
        "speak": Purpose.SPEAK,
        "act": Purpose.ACT,
        "accuse": Purpose.ACCUSE,
        "vote": Purpose.VOTE,
    }
)


def options_of(state: MatchState) -> MirageOptions:
    """Return the options of a match of this game."""
    options = state.started.options
    assert isinstance(options, MirageOptions), f"{type(options).__name__} of another game"
    return options


def request_of(
    state: MatchState, step: Step, seat: SeatId, spec: ActionSpec | None = None
) -> DecisionRequest:
    """Return the request to `seat` in a step; `spec` is a free text by default."""
    options = options_of(state)
    return DecisionRequest(
        id=request_id(step, seat),
        seat=seat,
        kind=step.kind,
        purpose=_PURPOSES[step.kind],
        phase=step.phase,
        round=step.round,
        spec=spec or FreeText(),
        attempts_left=options.attempts,
        max_chars=options.max_chars,
        corrected=options.reruns == "corrected",
    )


def request_id(step: Step, seat: SeatId) -> str:
    """Return the id of the request to `seat` in a step."""
    return f"{step.phase}-{step.round}/{step.kind}/{seat}"


def act_spec(state: MatchState, step: Step, seat: SeatId, places: tuple[str, ...]) -> OneOf | None:
    """Return the spec of a seat's turn with `places` left to search; None: it cannot act.

    In a search phase it must search. In a merged turn it can state something first.
    """
    request = request_id(step, seat)
    is_first_word = step.phase == "conversation" and not step.step
    before = (Field(name=STATEMENT, spec=FreeText(weight=3), optional=True),)
    share = before if is_first_word else ()
    ways: list[Variant] = []
    if step.phase != "search":
        others = tuple(one for one in state.started.seats if one != seat)
        targets = order_choices(state, others, request, is_vote=False)
        ways.append(Variant(name=ASK_VARIANT, spec=question_form(targets, before=share)))
    if places:
        place = Field(name=PLACE, spec=order_choices(state, places, request, is_vote=False))
        ways.append(Variant(name=INVESTIGATE_VARIANT, spec=Form(fields=(*share, place))))
    return OneOf(variants=tuple(ways)) if ways else None


def accuse_spec(state: MatchState, step: Step, seat: SeatId) -> Choice:
    """Return the choice of an accusation: another seat, or an abstention."""
    others = tuple(one for one in state.started.seats if one != seat)
    return order_choices(state, (*others, ABSTAIN), request_id(step, seat), is_vote=True)


def vote_spec(
    state: MatchState,
    step: Step,
    seat: SeatId,
    candidates: Collection[SeatId],
    accused: str = "",
) -> Choice:
    """Return the choice of a vote among `candidates`; `accused` is the seat it accused."""
    allowed = options_of(state).candidates(candidates, seat, accused)
    return order_choices(state, (*allowed, ABSTAIN), request_id(step, seat), is_vote=True)


def reply_request(state: MatchState, asked: QuestionAsked, number: int) -> DecisionRequest:
    """Return the request to answer the question `asked` in round `number`."""
    request = answer_request(state, asked, phase="conversation", number=number)
    return replace(request, corrected=options_of(state).reruns == "corrected")
