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
from arena.core.purposes import ASKER, STATEMENT
from arena.core.requests import DecisionRequest
from arena.core.seats import Audience, SeatId, SeatPart
from arena.core.specs import CHOICE, TEXT, Choice
from arena.core.state import MatchState
from arena.core.voting import VoteTally, vote_result
from arena.games.shared.factions import find_murderers, make_parts
from arena.games.shared.script_stages import count_stages
from arena.games.shared.speech import answer_request, question, speech
from arena.games.shared.votes import cast_vote, count_votes, voters
from arena.games.whodunit.clues import deal_clues, show_clues
from arena.games.whodunit.options import PRESETS, WhodunitOptions
from arena.games.whodunit.phases import Step, list_steps
from arena.games.whodunit.requests import options_of, request_of
from arena.games.whodunit.texts import WhodunitTexts
from scripts_mm.script import Script


class Whodunit:
    """WhodunitBench's game of two factions: civilians against the murderer."""

    name: str = "whodunit"
    about: str = (
        "WhodunitBench: introductions, common clues, rounds of questions, conclusions, one vote"
    )
    options: type[GameOptions] = WhodunitOptions
    presets: Mapping[str, Mapping[str, object]] = PRESETS

    def start(self, script: Script, options: GameOptions, seed: int) -> tuple[SeatPart, ...]:
        """Return the parts of all seats: the culprits are the murderer's faction."""
        del seed
        assert isinstance(options, WhodunitOptions), f"{type(options).__name__} of another game"
        murderers = find_murderers(script, strict=options.strict_one)
        return make_parts(script, murderers, know_each_other=options.murderers_know_each_other)

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """Start the next phase, or count the votes and end the match."""
        if state.phase is None:
            dealt = (StageStarted(stage=1),) if _stages(state) > 1 else ()
            return (*dealt, *deal_clues(state, 1), *_start_step(state, _steps_of(state)[0]))
        if state.phase.phase == "voting":
            return _count(state)
        number = _step_number(state)
        step, before = _steps_of(state)[number + 1], _steps_of(state)[number]
        if step.stage <= before.stage:
            return _start_step(state, step)
        dealt = (StageStarted(stage=step.stage), *deal_clues(state, step.stage))
        return (*dealt, *_start_step(state, step))

    def follow(
        self, state: MatchState, request: DecisionRequest, reply: Reply
    ) -> tuple[Event, ...]:
        """Return the speech, question or vote of the answer."""
        match request.kind:
            case "share_and_ask":
                said = speech(request, ((STATEMENT, reply[STATEMENT]),), reply)
                return (said, *_ask(state, request, reply))
            case "ask":
                return _ask(state, request, reply)
            case "answer":
                to = SeatId(request.context_value(ASKER))
                return (speech(request, ((TEXT, reply[TEXT]),), reply, to=to),)
            case "conclude":
                secret = options_of(state).reasoning == "secret"
                audience: Audience = (request.seat,) if secret else "all"
                return (speech(request, reply.values, reply, audience=audience),)
            case "vote":
                return _vote(state, request, reply)
            case _:
                return (speech(request, reply.values, reply),)

    def skip(
        self, state: MatchState, request: DecisionRequest, partial: Values
    ) -> tuple[tuple[Event, ...], bool]:
        """Return the events from an incomplete answer, and whether all seats see the skip."""
        kept = dict(partial).get(STATEMENT, "")
        events = (speech(request, ((STATEMENT, kept),), None),) if kept else ()
        silent = (request.kind == "vote" and not is_open_vote(state)) or (
            request.kind == "conclude" and options_of(state).reasoning == "secret"
        )
        return events, not silent

    def react(self, state: MatchState, event: Event) -> tuple[Event, ...]:
        """Return nothing: the game has no triggers."""
        del state, event
        return ()

    def texts(self, observation: Observation) -> WhodunitTexts:
        """Return the texts for an observer."""
        return WhodunitTexts(observation)


WHODUNIT = Whodunit()


def is_open_vote(state: MatchState) -> bool:
    """Return whether each vote is public immediately."""
    return options_of(state).vote == "open" and not state.started.never_vote


def _stages(state: MatchState) -> int:
    """Return the number of stages in which the script is dealt."""
    return count_stages(state.script) if options_of(state).stages == "apart" else 1


def _steps_of(state: MatchState) -> tuple[Step, ...]:
    return list_steps(options_of(state), _stages(state), open_vote=is_open_vote(state))


def _step_number(state: MatchState) -> int:
    """Return the index of the current step, from the started phases without revotes."""
    started = [event for event in state.history if isinstance(event, PhaseStarted)]
    return sum(not event.candidates for event in started) - 1


def _start_step(state: MatchState, step: Step) -> tuple[Event, ...]:
    started = PhaseStarted(phase=step.phase, round=step.round, step=step.step)
    if not step.kinds:
        return (started, *show_clues(state, step.stage))
    if step.step == "answer":
        requests = tuple(_answer_to(state, asked) for asked in _open_questions(state))
    else:
        requests = tuple(
            request_of(state, step, kind, seat)
            for seat in _order(state, step)
            for kind in step.kinds
        )
    return (started, RequestsOpened(requests=requests, mode=step.mode)) if requests else (started,)


def _order(state: MatchState, step: Step) -> tuple[SeatId, ...]:
    seats = _electorate(state) if step.phase == "voting" else state.started.seats
    return seat_order(seats, state.started, step.phase, step.round)


def _electorate(state: MatchState) -> tuple[SeatId, ...]:
    silent = state.knowing_murderers if options_of(state).electorate == "civilians" else ()
    return voters(state, without=silent)


def _open_questions(state: MatchState) -> tuple[QuestionAsked, ...]:
    """Return the questions of the current round."""
    assert state.phase is not None
    current = f"{state.phase.phase}-{state.phase.round}/"
    return tuple(
        event
        for event in state.history
        if isinstance(event, QuestionAsked) and event.request.startswith(current)
    )


def _answer_to(state: MatchState, asked: QuestionAsked) -> DecisionRequest:
    assert state.phase is not None
    return answer_request(state, asked, phase="discussion", number=state.phase.round)


def _ask(state: MatchState, request: DecisionRequest, reply: Reply) -> tuple[Event, ...]:
    asked = question(request, reply)
    if options_of(state).answers == "batched":
        return (asked,)
    return (asked, RequestsOpened(requests=(_answer_to(state, asked),), mode="turns"))


def _vote(state: MatchState, request: DecisionRequest, reply: Reply) -> tuple[Event, ...]:
    choice = reply[CHOICE] if isinstance(request.spec, Choice) else reply["vote"]
    private: Audience = (request.seat,)
    audience: Audience = "all" if is_open_vote(state) else private
    cast = cast_vote(request, choice, ballot=request.round, audience=audience)
    reason = reply["reason"]
    if not reason:
        return (cast,)
    return (speech(request, (("reason", reason),), reply, audience=private), cast)


def _count(state: MatchState) -> tuple[Event, ...]:
    assert state.phase is not None
    options, ballot, started = options_of(state), state.phase.round, state.started
    rule, voters = options.vote_rule(ballot), _electorate(state)
    announced = started.seats if options.tells_ballots(all_vote=not started.never_vote) else ()
    tally, counted = count_votes(state, rule, voters, ballot=ballot, announced=announced)
    if rule.tie == "revote" and tally.is_tied:
        return (counted, *_revote(state, tally, ballot + 1))
    result = vote_result(tally, options.last_rule(), started.murderers)
    winners = {"civ_win": started.members("civilians"), "murderer_win": started.murderers}
    ended = MatchEnded(outcome=result, murderers=started.murderers, winners=winners.get(result, ()))
    return (counted, ended)


def _revote(state: MatchState, tally: VoteTally, ballot: int) -> tuple[Event, ...]:
    candidates = tuple(seat for seat in state.started.seats if seat in tally.named)
    step = _steps_of(state)[-1]
    requests = tuple(
        request_of(state, step, "vote", seat, candidates=candidates, ballot=ballot)
        for seat in _order(state, step)
    )
    return (
        PhaseStarted(phase="voting", round=ballot, candidates=candidates),
        RequestsOpened(requests=requests, mode=step.mode),
    )
