"""Matches of werewolf5 up to a moment, and whole matches with named executions."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from arena.core.actions import Action, Reply, choose
from arena.core.events import Event, PhaseStarted, RequestsOpened
from arena.core.playouts.playout import start_state
from arena.core.purposes import OVER_VARIANT, SKIP_VARIANT, TALK_VARIANT, TARGET
from arena.core.requests import DecisionRequest
from arena.core.seats import Faction, SeatId
from arena.core.specs import ABSTAIN, CHOICE, TEXT, Choice
from arena.core.state import MatchState, pending
from arena.core.transitions import MatchSetup
from arena.games.werewolf5.game import WEREWOLF5
from arena.games.werewolf5.options import WerewolfOptions
from scripts_mm.script import Language
from tests.table import act

E = TypeVar("E", bound=Event)
OVER = Reply(values=(), variant=OVER_VARIANT)
SKIP = Reply(values=(), variant=SKIP_VARIANT)


def start(
    seed: int = 1,
    language: Language = "en",
    *,
    silent: tuple[Faction, ...] = (),
    **options: Any,
) -> MatchState:
    """Return a match of the whole game before its first answer; `silent` factions never vote."""
    script = WEREWOLF5.make_script(language)
    values: dict[str, Any] = {"days": "whole", "greeting": False, **options}
    setup = MatchSetup(script=script, options=WerewolfOptions(**values), seed=seed, silent=silent)
    return start_state(WEREWOLF5, setup)


def seat(state: MatchState, power: str) -> SeatId:
    """Return the first seat with a role."""
    return next(part.seat for part in state.started.parts if part.power == power)


def others(state: MatchState, *powers: str) -> tuple[SeatId, ...]:
    """Return the living seats without these roles."""
    return tuple(
        part.seat
        for part in state.started.parts
        if part.power not in powers and part.seat in state.living
    )


def talk(text: str, to: str = "") -> Reply:
    """Return an utterance."""
    return Reply(values=((TEXT, text), *(((TARGET, to),) if to else ())), variant=TALK_VARIANT)


def until(
    state: MatchState, kind: str, answer: Callable[[DecisionRequest], Action | None] | None = None
) -> MatchState:
    """Play on until a request of `kind` is pending; seats say nothing and abstain."""
    while (waiting := pending(state)) and waiting[0].kind != kind:
        state = act(state, waiting[0], (answer or quiet)(waiting[0]))
    return state


def quiet(request: DecisionRequest) -> Action:
    """Return an answer that says and decides as little as may be."""
    if isinstance(request.spec, Choice):
        options = request.spec.options
        return choose(ABSTAIN if ABSTAIN in options else options[0])
    return OVER if request.kind == "speak" else Reply(values=((TEXT, "Hello."),))


def to_vote(state: MatchState) -> MatchState:
    """Play on until the next vote."""
    return until(state, "vote")


def execute(state: MatchState, whom: str) -> MatchState:
    """Let the living vote for one seat, which votes for another."""
    for request in pending(to_vote(state)):
        state = to_vote(state)
        assert isinstance(request.spec, Choice)
        wanted = whom if whom in request.spec.options else request.spec.options[0]
        state = act(state, request, choose(wanted))
    return state


def vote(state: MatchState, ballots: dict[str, str]) -> MatchState:
    """Return the match after one ballot; those not named abstain."""
    for request in pending(state):
        state = act(state, request, choose(ballots.get(request.seat, ABSTAIN)))
    return state


def spend_night(state: MatchState, victim: str, seen: str = "") -> MatchState:
    """Let the werewolf attack, and the seer look at a seat."""
    for request in pending(state):
        assert isinstance(request.spec, Choice)
        wanted = victim if request.kind == "attack" else seen
        legal = wanted if wanted in request.spec.options else request.spec.options[0]
        state = act(state, request, Reply(values=((CHOICE, legal),)))
    return state


def events_of(state: MatchState, kind: type[E]) -> list[E]:
    """Return the events of one kind."""
    return [event for event in state.history if isinstance(event, kind)]


def answered(state: MatchState, action: Action | None, among: Sequence[str] = ()) -> MatchState:
    """Return the match after every pending request of some seats, or of all, got one answer."""
    for request in pending(state):
        if not among or request.seat in among:
            state = act(state, request, action)
    return state


def random_play(seed: int) -> Callable[[DecisionRequest], Reply]:
    """Return answers that never abstain and are over at once."""
    chance = Random(seed)

    def answer(request: DecisionRequest) -> Reply:
        if isinstance(request.spec, Choice):
            return choose(chance.choice([one for one in request.spec.options if one != ABSTAIN]))
        return OVER if request.kind == "speak" else Reply(values=((TEXT, "Hello."),))

    return answer


def phases(state: MatchState) -> list[tuple[str, int]]:
    """Return the phases that started, and their rounds."""
    return [(event.phase, event.round) for event in events_of(state, PhaseStarted)]


def opened(state: MatchState) -> Counter[str]:
    """Return how many requests of each kind were opened."""
    return Counter(one.kind for event in events_of(state, RequestsOpened) for one in event.requests)
