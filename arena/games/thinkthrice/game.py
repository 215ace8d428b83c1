"""Game value: parts, the next phase, and the events after an answer. Pure."""

from collections.abc import Mapping
from dataclasses import replace

from arena.core.actions import Reply, Values
from arena.core.chance import seat_order
from arena.core.events import (
    Announced,
    Event,
    PhaseStarted,
    QuestionAsked,
    RequestsOpened,
)
from arena.core.observation import Observation
from arena.core.options import GameOptions
from arena.core.purposes import ASKER, QUESTION
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId, SeatPart
from arena.core.specs import TEXT
from arena.core.state import MatchState
from arena.games.shared.factions import find_murderers, make_parts, require_seats
from arena.games.shared.speech import question, speech
from arena.games.shared.votes import cast_vote, voters
from arena.games.thinkthrice.ballot_counts import count_all, end_match, read_choice
from arena.games.thinkthrice.clue_cards import deal_first, reveal_cards
from arena.games.thinkthrice.options import PRESETS, ThinkThriceOptions
from arena.games.thinkthrice.phases import Step, list_steps
from arena.games.thinkthrice.requests import (
    REFUSE,
    first_question_request,
    introduction_request,
    options_of,
    question_request,
    reply_request,
    vote_requests,
)
from arena.games.thinkthrice.texts import HOST_QUESTION, REFUSED, ThinkThriceTexts, host_question
from scripts_mm.script import Script

_LEAST_SEATS, _MOST_SEATS = 3, 10
"""The paper has 4 or 5 seats; with two, a seat could not choose whom to ask."""


class ThinkThrice:
    """ThinkThrice's game: one murderer, a host who asks, ten ballots of each seat."""

    name: str = "thinkthrice"
    about: str = (
        "ThinkThrice: a host's question, first questions, open rounds, clue cards, ten ballots"
    )
    options: type[GameOptions] = ThinkThriceOptions
    presets: Mapping[str, Mapping[str, object]] = PRESETS

    def start(self, script: Script, options: GameOptions, seed: int) -> tuple[SeatPart, ...]:
        """Return the parts of all seats: exactly one is the murderer."""
        del seed
        assert isinstance(options, ThinkThriceOptions), f"{type(options).__name__} of another game"
        require_seats(script, self.name, _LEAST_SEATS, _MOST_SEATS)
        return make_parts(script, find_murderers(script, strict=True))

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """Start the next phase, or count the votes and end the match."""
        steps = list_steps(options_of(state), len(state.started.seats))
        phase = state.phase
        if phase is None:
            return (*deal_first(state), *_start_step(state, steps[0]))
        if phase.phase == "voting":
            return _count(state, steps[-1])
        return _start_step(state, steps[_steps_started(state)])

    def follow(
        self, state: MatchState, request: DecisionRequest, reply: Reply
    ) -> tuple[Event, ...]:
        """Return the speech, question or vote of the answer."""
        match request.kind:
            case "introduce":
                return (speech(request, ((TEXT, reply[TEXT]),), reply),)
            case "ask_first" | "ask":
                return _ask(state, request, reply)
            case "answer":
                return (_answer(request, reply),)
            case _:
                choice = read_choice(state, request, reply)
                private = (request.seat,)
                return (cast_vote(request, choice, ballot=request.round, audience=private),)

    def skip(
        self, state: MatchState, request: DecisionRequest, partial: Values
    ) -> tuple[tuple[Event, ...], bool]:
        """Return no events for an incomplete answer; all seats see the skip, except in votes."""
        del state, partial
        return (), request.kind != "vote"

    def react(self, state: MatchState, event: Event) -> tuple[Event, ...]:
        """Return nothing: the game has no triggers."""
        del state, event
        return ()

    def texts(self, observation: Observation) -> ThinkThriceTexts:
        """Return the texts for an observer."""
        return ThinkThriceTexts(observation)


THINKTHRICE = ThinkThrice()


def _steps_started(state: MatchState) -> int:
    return sum(isinstance(event, PhaseStarted) for event in state.history)


def _start_step(state: MatchState, step: Step) -> tuple[Event, ...]:
    started = PhaseStarted(phase=step.phase, round=step.round, step=step.step)
    if step.phase == "clues":
        return (started, *reveal_cards(state))
    told: tuple[Event, ...] = ()
    if step.phase == "introduction" and step.round == 1:
        text = host_question(state.script.language)
        told = (Announced(topic=HOST_QUESTION, values=((QUESTION, text),), audience="all"),)
    requests = _requests(state, step)
    opened = (RequestsOpened(requests=requests, mode=step.mode),) if requests else ()
    return (started, *told, *opened)


def _requests(state: MatchState, step: Step) -> tuple[DecisionRequest, ...]:
    match step.kind:
        case "introduce":
            return (introduction_request(state, step, _find_introduced(state, step)),)
        case "ask_first":
            return _first_questions(state, step)
        case "answer":
            return tuple(reply_request(state, asked) for asked in _open_questions(state))
        case "vote":
            return _votes(state, step)
        case _:
            seats = _order(state, state.started.seats, step)
            return tuple(question_request(state, step, seat) for seat in seats)


def _order(state: MatchState, seats: tuple[SeatId, ...], step: Step) -> tuple[SeatId, ...]:
    started = state.started
    return seat_order(seats, started, step.phase, step.round)


def _find_introduced(state: MatchState, step: Step) -> SeatId:
    """Return the seat whose introduction has the number of `step`."""
    started = state.started
    order = seat_order(started.seats, started, "introduction", 1)
    return order[step.round - 1]


def _first_questions(state: MatchState, step: Step) -> tuple[DecisionRequest, ...]:
    target = _find_introduced(state, step)
    others = tuple(seat for seat in state.started.seats if seat != target)
    seats = others if step.mode == "simultaneous" else _order(state, others, step)
    return tuple(first_question_request(state, step, seat, target) for seat in seats)


def _open_questions(state: MatchState) -> tuple[QuestionAsked, ...]:
    """Return the simultaneous questions of the last wave."""
    assert state.phase is not None, "a wave of answers follows one of questions"
    wave = state.history[state.opened_at :]
    return tuple(event for event in wave if isinstance(event, QuestionAsked))


def _votes(
    state: MatchState, step: Step, tied: tuple[SeatId, ...] = ()
) -> tuple[DecisionRequest, ...]:
    return tuple(
        request for seat in voters(state) for request in vote_requests(state, step, seat, tied)
    )


def _ask(state: MatchState, request: DecisionRequest, reply: Reply) -> tuple[Event, ...]:
    asked = question(request, reply)
    if state.mode == "simultaneous":
        return (asked,)
    return (asked, RequestsOpened(requests=(reply_request(state, asked),), mode="turns"))


def _answer(request: DecisionRequest, reply: Reply) -> Event:
    asker = SeatId(request.context_value(ASKER))
    if reply.variant == REFUSE:
        values = (("seat", request.seat), ("to", asker))
        return Announced(topic=REFUSED, values=values, audience="all")
    return speech(request, ((TEXT, reply[TEXT]),), reply, to=asker)


def _count(state: MatchState, step: Step) -> tuple[Event, ...]:
    assert state.phase is not None, "votes are counted after a vote"
    options, first = options_of(state), state.phase.round
    counts = count_all(state, first)
    events = tuple(count.event for count in counts)
    if options.vote_rule(first).tie == "revote" and counts[0].tally.is_tied:
        again = replace(step, round=first + 1)
        return (*events, *_revote(state, again, counts[0].tally.named))
    return (*events, end_match(state, counts))


def _revote(state: MatchState, step: Step, named: tuple[str, ...]) -> tuple[Event, ...]:
    tied = tuple(seat for seat in state.started.seats if seat in named)
    started = PhaseStarted(phase="voting", round=step.round, candidates=tied)
    return (started, RequestsOpened(requests=_votes(state, step, tied), mode=step.mode))
