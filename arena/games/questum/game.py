"""Game value: parts, the next phase, and the events after an answer. Pure."""

from collections.abc import Mapping

from arena.core.actions import Reply, Values
from arena.core.chance import seat_order
from arena.core.events import (
    Event,
    MatchEnded,
    PhaseStarted,
    QuestionAsked,
    RequestsOpened,
    StageStarted,
)
from arena.core.observation import Observation
from arena.core.options import GameOptions
from arena.core.purposes import ASKER, VICTIM
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId, SeatPart
from arena.core.specs import CHOICE, TEXT
from arena.core.state import MatchState
from arena.games.questum.options import PRESETS, QuestumOptions
from arena.games.questum.phases import Step, list_steps
from arena.games.questum.requests import introduction, options_of, questions_of
from arena.games.questum.texts import QuestumTexts
from arena.games.shared.clues import deal_to_owners, show_clue
from arena.games.shared.factions import find_murderers, make_parts, require_seats
from arena.games.shared.script_stages import clues_of, count_stages
from arena.games.shared.speech import answer_request, question, speech
from arena.games.shared.victims import (
    VOTING,
    count_ballots,
    require_known_killings,
    victims_of,
    vote_requests,
)
from arena.games.shared.votes import cast_vote
from scripts_mm.script import Script, ScriptError

_SEATS = (4, 9)
_MOST_VICTIMS = 4
"""Range of the seats, and maximum of the victims, in the published scripts."""
NO_VOTE = "no vote is held, so that no side can win"
"""Cause in the end event of a match without a vote."""


class Questum:
    """Questum's game: the killer of one victim is an ordinary seat for the other victims."""

    name: str = "questum"
    about: str = (
        "Questum: introductions at once, rounds of questions about each victim, a vote on each"
    )
    options: type[GameOptions] = QuestumOptions
    presets: Mapping[str, Mapping[str, object]] = PRESETS

    def start(self, script: Script, options: GameOptions, seed: int) -> tuple[SeatPart, ...]:
        """Return the parts of all seats: all killers are the murderer's faction."""
        del seed
        assert isinstance(options, QuestumOptions), f"{type(options).__name__} of another game"
        require_seats(script, self.name, *_SEATS)
        victims = victims_of(script)
        if len(victims) > _MOST_VICTIMS:
            raise ScriptError(
                f"script {script.id!r} has {len(victims)} victims; {self.name} is played with at "
                f"most {_MOST_VICTIMS}"
            )
        require_known_killings(script, self.name)
        murderers = find_murderers(script)
        return make_parts(script, murderers, know_each_other=options.murderers_know_each_other)

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """Start the next phase, or count the votes and end the match."""
        if state.phase is None:
            return (*_deal(state, 1), *_start_step(state, _steps_of(state)[0]))
        if state.phase.phase == VOTING:
            return count_ballots(state)
        steps = _steps_of(state)
        number = sum(isinstance(event, PhaseStarted) for event in state.history)
        if number == len(steps):
            murderers = state.started.murderers
            return (MatchEnded(outcome="draw", murderers=murderers, cause=NO_VOTE),)
        step, before = steps[number], steps[number - 1]
        dealt = _deal(state, step.stage) if step.stage > before.stage else ()
        return (*dealt, *_start_step(state, step))

    def follow(
        self, state: MatchState, request: DecisionRequest, reply: Reply
    ) -> tuple[Event, ...]:
        """Return the speech, question or vote of the answer."""
        match request.kind:
            case "ask":
                asked = question(request, reply, about=request.about or reply[VICTIM])
                if options_of(state).snapshot == "round":
                    return (asked,)
                return (asked, RequestsOpened(requests=(_answer_to(state, asked),), mode="turns"))
            case "answer":
                to = SeatId(request.context_value(ASKER))
                return (speech(request, ((TEXT, reply[TEXT]),), reply, to=to),)
            case "vote":
                private = (request.seat,)
                return (cast_vote(request, reply[CHOICE], ballot=request.round, audience=private),)
            case _:
                return (speech(request, reply.values, reply),)

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

    def texts(self, observation: Observation) -> QuestumTexts:
        """Return the texts for an observer."""
        return QuestumTexts(observation)


QUESTUM = Questum()


def _stages(state: MatchState) -> int:
    """Return the number of stages in which the script is dealt."""
    return count_stages(state.script) if options_of(state).stages == "apart" else 1


def _steps_of(state: MatchState) -> tuple[Step, ...]:
    return list_steps(options_of(state), _stages(state))


def _deal(state: MatchState, stage: int) -> tuple[Event, ...]:
    """Return the events that deal a stage: its part of the scripts, its clues."""
    stages = _stages(state)
    clues = clues_of(state.script, stage if stages > 1 else None)
    common = [one for one in clues if one.owner is None and options_of(state).clues == "all"]
    return (
        *((StageStarted(stage=stage),) if stages > 1 else ()),
        *deal_to_owners(clues),
        *(show_clue(one) for one in common),
    )


def _start_step(state: MatchState, step: Step) -> tuple[Event, ...]:
    started = PhaseStarted(phase=step.phase, round=step.round, step=step.step)
    requests = _requests(state, step)
    return (started, RequestsOpened(requests=requests, mode=step.mode)) if requests else (started,)


def _requests(state: MatchState, step: Step) -> tuple[DecisionRequest, ...]:
    started = state.started
    order = seat_order(started.seats, started, step.phase, step.round)
    if step.phase == VOTING:
        return vote_requests(state)
    if step.phase == "introduction":
        return tuple(introduction(state, seat) for seat in order)
    if step.step == "answer":
        return tuple(_answer_to(state, asked) for asked in _open_questions(state, step))
    return tuple(one for seat in order for one in questions_of(state, step, seat))


def _open_questions(state: MatchState, step: Step) -> tuple[QuestionAsked, ...]:
    """Return the questions of the current round."""
    return tuple(
        event
        for event in state.history
        if isinstance(event, QuestionAsked)
        and event.request.startswith(f"{step.phase}-{step.round}/")
    )


def _answer_to(state: MatchState, asked: QuestionAsked) -> DecisionRequest:
    assert state.phase is not None, "a question is put in a phase"
    return answer_request(state, asked, phase=state.phase.phase, number=state.phase.round)
