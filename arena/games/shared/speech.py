"""Speech, questions and choices: the events of a reply, and common action specs."""

from arena.core.actions import Reply, Values
from arena.core.chance import option_order
from arena.core.events import QuestionAsked, Said
from arena.core.purposes import ASKER, QUESTION, TARGET, Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import Audience, SeatId
from arena.core.specs import Choice, Field, Form, FreeText
from arena.core.state import MatchState


def speech(
    request: DecisionRequest,
    parts: Values,
    reply: Reply | None,
    *,
    to: SeatId | None = None,
    audience: Audience = "all",
) -> Said:
    """Return the speech of a seat: the texts `parts` of its reply."""
    cut = reply.truncated if reply else ()
    return Said(
        seat=request.seat,
        request=request.id,
        act=request.kind,
        parts=parts,
        to=to,
        truncated=any(name in cut for name, _ in parts),
        audience=audience,
    )


def question(request: DecisionRequest, reply: Reply, *, about: str = "") -> QuestionAsked:
    """Return the question of a reply that names a target."""
    return QuestionAsked(
        seat=request.seat,
        request=request.id,
        to=SeatId(reply[TARGET]),
        text=reply[QUESTION],
        about=about,
        truncated=QUESTION in reply.truncated,
    )


def answer_request(
    state: MatchState, asked: QuestionAsked, *, phase: str, number: int, kind: str = "answer"
) -> DecisionRequest:
    """Return the request to answer the question `asked`, in round `number` of a phase."""
    options = state.started.options
    return DecisionRequest(
        id=f"{asked.request}/{kind}",
        seat=asked.to,
        kind=kind,
        purpose=Purpose.ANSWER,
        phase=phase,
        round=number,
        spec=FreeText(),
        context=((ASKER, asked.seat), (QUESTION, asked.text)),
        about=asked.about,
        attempts_left=options.attempts,
        max_chars=options.max_chars,
    )


def order_choices(
    state: MatchState, choices: tuple[str, ...], request: str, *, is_vote: bool
) -> Choice:
    """Return a choice, its options in the order in which the seat of `request` sees them."""
    started = state.started
    return Choice(
        options=option_order(choices, started.options, started.seed, request, is_vote=is_vote)
    )


def question_form(target: Choice, *, before: tuple[Field, ...] = ()) -> Form:
    """Return a form with a target and a question, after the fields `before`."""
    return Form(
        fields=(
            *before,
            Field(name=TARGET, spec=target),
            Field(name=QUESTION, spec=FreeText()),
        )
    )


def conclusion_form(culprit: Choice) -> Form:
    """Return a form with method, motive and an optional culprit."""
    return Form(
        fields=(
            Field(name="method", spec=FreeText()),
            Field(name="motive", spec=FreeText()),
            Field(name="culprit", spec=culprit, optional=True),
        )
    )
