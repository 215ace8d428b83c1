"""Requests of the game: introductions, and questions about a victim."""

from itertools import product

from arena.core.purposes import VICTIM, Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import Field, FreeText
from arena.core.state import MatchState
from arena.games.questum.options import QuestumOptions
from arena.games.questum.phases import Step
from arena.games.shared.speech import order_choices, question_form
from arena.games.shared.victims import victims_of


def options_of(state: MatchState) -> QuestumOptions:
    """Return the options of a match of this game."""
    options = state.started.options
    assert isinstance(options, QuestumOptions), f"{type(options).__name__} of another game"
    return options


def introduction(state: MatchState, seat: SeatId) -> DecisionRequest:
    """Return the request to `seat` for its introduction."""
    options = options_of(state)
    return DecisionRequest(
        id=f"introduction-1/introduce/{seat}",
        seat=seat,
        kind="introduce",
        purpose=Purpose.INTRODUCE,
        phase="introduction",
        spec=FreeText(),
        attempts_left=options.attempts,
        max_chars=options.max_chars,
    )


def questions_of(state: MatchState, step: Step, seat: SeatId) -> tuple[DecisionRequest, ...]:
    """Return the requests to `seat` in a round, for each victim, target and repetition."""
    options, victims = options_of(state), victims_of(state.script)
    others = tuple(one for one in state.started.seats if one != seat)
    about = ("",) if options.per == "round" and len(victims) > 1 else victims
    targets = [others] if options.targets == "one" else [(one,) for one in others]
    wanted = product(about, targets, range(options.questions))
    return tuple(
        _question(state, step, seat, number, victim, target)
        for number, (victim, target, _) in enumerate(wanted, start=1)
    )


def _question(
    state: MatchState,
    step: Step,
    seat: SeatId,
    number: int,
    victim: str,
    targets: tuple[SeatId, ...],
) -> DecisionRequest:
    """Return one request for a question; without a victim the seat chooses it too."""
    options, victims = options_of(state), victims_of(state.script)
    name = f"{step.phase}-{step.round}/ask-{number}/{seat}"
    target = order_choices(state, targets, name, is_vote=False)
    named = order_choices(state, victims, name, is_vote=False)
    chosen = (Field(name=VICTIM, spec=named),) if victim not in victims else ()
    return DecisionRequest(
        id=name,
        seat=seat,
        kind="ask",
        purpose=Purpose.ASK,
        phase=step.phase,
        round=step.round,
        spec=question_form(target, before=chosen),
        about=victim,
        attempts_left=options.attempts,
        max_chars=options.max_chars,
    )
