"""The game as a value: parts, the next phase, and the consequences of an answer. Pure."""

from collections.abc import Mapping
from dataclasses import replace

from arena.core.actions import Reply, Values
from arena.core.chance import generator, seat_order
from arena.core.events import (
    Event,
    MatchEnded,
    PhaseStarted,
    QuestionAsked,
    RequestsOpened,
    Said,
    VoteCast,
    VotesTallied,
)
from arena.core.observation import Observation
from arena.core.options import GameOptions
from arena.core.requests import DecisionRequest
from arena.core.seats import Audience, Part, SeatId
from arena.core.specs import ABSTAIN, CHOICE, TEXT, Choice
from arena.core.state import MatchState
from arena.core.voting import VoteTally, tally_votes, vote_result
from arena.games.whodunit.clues import deal_clues, show_clues
from arena.games.whodunit.options import PRESETS, WhodunitOptions
from arena.games.whodunit.phases import Step, course
from arena.games.whodunit.requests import answer_to, options_of, request_of
from arena.games.whodunit.texts import WhodunitTexts
from scripts_mm.script import Script, ScriptError


class Whodunit:
    """WhodunitBench's game of two factions: civilians against the murderer."""

    name: str = "whodunit"
    about: str = (
        "WhodunitBench: introductions, common clues, rounds of questions, conclusions, one vote"
    )
    options: type[GameOptions] = WhodunitOptions
    presets: Mapping[str, Mapping[str, object]] = PRESETS

    def start(self, script: Script, options: GameOptions, seed: int) -> tuple[Part, ...]:
        """Return the parts of all seats: those of the culprits are the murderer's faction."""
        del seed
        assert isinstance(options, WhodunitOptions), f"{type(options).__name__} of another game"
        murderers = _check_murderers(script, strict=options.strict_one)
        return tuple(_part(script, SeatId(name), murderers, options) for name in script.names)

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """Start the next phase, or count the votes and end the match."""
        if state.phase is None:
            return (*deal_clues(state), *_start_step(state, _course(state)[0]))
        if state.phase.phase == "voting":
            return _count(state)
        return _start_step(state, _course(state)[_step_number(state) + 1])

    def follow(
        self, state: MatchState, request: DecisionRequest, reply: Reply
    ) -> tuple[Event, ...]:
        """Return the speech, question or vote that the answer states."""
        match request.kind:
            case "share_and_ask":
                said = _speech(request, (("share", reply["share"]),), reply)
                return (said, *_ask(state, request, reply))
            case "ask":
                return _ask(state, request, reply)
            case "answer":
                to = SeatId(request.quoted("asker"))
                return (_speech(request, ((TEXT, reply[TEXT]),), reply, to=to),)
            case "conclude":
                secret = options_of(state).reasoning == "secret"
                audience: Audience = (request.seat,) if secret else "all"
                return (_speech(request, reply.values, reply, audience=audience),)
            case "vote":
                return _vote(state, request, reply)
            case _:
                return (_speech(request, reply.values, reply),)

    def skip(
        self, state: MatchState, request: DecisionRequest, partial: Values
    ) -> tuple[tuple[Event, ...], bool]:
        """Return what is kept of an incomplete answer, and whether the seats notice the skip."""
        kept = dict(partial).get("share", "")
        events = (_speech(request, (("share", kept),), None),) if kept else ()
        silent = (request.kind == "vote" and not is_open_vote(state)) or (
            request.kind == "conclude" and options_of(state).reasoning == "secret"
        )
        return events, not silent

    def react(self, state: MatchState, event: Event) -> tuple[Event, ...]:
        """Return nothing: the game has no triggers."""
        del state, event
        return ()

    def texts(self, observation: Observation) -> WhodunitTexts:
        """Return how the game reads to an observer."""
        return WhodunitTexts(observation)


WHODUNIT = Whodunit()


def is_open_vote(state: MatchState) -> bool:
    """Tell whether votes are seen at once."""
    return options_of(state).vote == "open" and not state.started.never_vote


def _check_murderers(script: Script, *, strict: bool) -> tuple[SeatId, ...]:
    murderers = tuple(SeatId(name) for name in script.murderers)
    if not murderers or len(murderers) == len(script.roles):
        raise ScriptError(
            f"script {script.id!r} has {len(murderers)} murderers among {len(script.roles)} roles; "
            "a match of two factions needs a role on each side"
        )
    if strict and len(murderers) > 1:
        raise ScriptError(
            f"script {script.id!r} has {len(murderers)} murderers; strict_one accepts one"
        )
    return murderers


def _part(
    script: Script, seat: SeatId, murderers: tuple[SeatId, ...], options: WhodunitOptions
) -> Part:
    if seat not in murderers:
        return Part(seat=seat, faction="civilians")
    killed = tuple(one.victim for one in script.truth.killings if seat in one.culprits)
    others = tuple(one for one in murderers if one != seat)
    return Part(
        seat=seat,
        faction="murderer",
        guilty_of=killed or script.victims,
        knows=others if options.murderers_know_each_other else (),
    )


def _course(state: MatchState) -> tuple[Step, ...]:
    return course(options_of(state), open_vote=is_open_vote(state))


def _step_number(state: MatchState) -> int:
    """Return the index of the current step: the phases that started so far, without revotes."""
    started = [event for event in state.history if isinstance(event, PhaseStarted)]
    return sum(not event.candidates for event in started) - 1


def _start_step(state: MatchState, step: Step) -> tuple[Event, ...]:
    started = PhaseStarted(phase=step.phase, round=step.round, step=step.step)
    if not step.kinds:
        return (started, *show_clues(state))
    if step.step == "answer":
        asked = _open_questions(state)
        requests = tuple(answer_to(state, question, step) for question in asked)
    else:
        requests = tuple(
            request_of(state, step, kind, seat)
            for seat in _order(state, step)
            for kind in step.kinds
        )
    return (started, RequestsOpened(requests=requests, mode=step.mode)) if requests else (started,)


def _order(state: MatchState, step: Step) -> tuple[SeatId, ...]:
    seats = _electorate(state) if step.phase == "voting" else state.started.seats
    return seat_order(seats, state.started.options, state.started.seed, step.phase, step.round)


def _electorate(state: MatchState) -> tuple[SeatId, ...]:
    started = state.started
    silent = {
        *started.never_vote,
        *(started.murderers if options_of(state).electorate == "civilians" else ()),
    }
    return tuple(seat for seat in started.seats if seat not in silent)


def _open_questions(state: MatchState) -> tuple[QuestionAsked, ...]:
    """Return the questions of the current round."""
    assert state.phase is not None
    current = f"{state.phase.phase}-{state.phase.round}/"
    return tuple(
        event
        for event in state.history
        if isinstance(event, QuestionAsked) and event.request.startswith(current)
    )


def _speech(
    request: DecisionRequest,
    parts: Values,
    reply: Reply | None,
    *,
    to: SeatId | None = None,
    audience: Audience = "all",
) -> Said:
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


def _ask(state: MatchState, request: DecisionRequest, reply: Reply) -> tuple[Event, ...]:
    asked = QuestionAsked(
        seat=request.seat,
        request=request.id,
        to=SeatId(reply["target"]),
        text=reply["question"],
        truncated="question" in reply.truncated,
    )
    if options_of(state).answers == "batched":
        return (asked,)
    step = Step(phase="discussion", round=request.round)
    return (asked, RequestsOpened(requests=(answer_to(state, asked, step),), mode="turns"))


def _vote(state: MatchState, request: DecisionRequest, reply: Reply) -> tuple[Event, ...]:
    choice = reply[CHOICE] if isinstance(request.spec, Choice) else reply["vote"]
    cast = VoteCast(
        seat=request.seat,
        request=request.id,
        choice=choice,
        ballot=request.round,
        audience="all" if is_open_vote(state) else (request.seat,),
    )
    reason = reply["reason"]
    if not reason:
        return (cast,)
    private: Audience = (request.seat,)
    return (_speech(request, (("reason", reason),), reply, audience=private), cast)


def _count(state: MatchState) -> tuple[Event, ...]:
    assert state.phase is not None
    ballot, started = state.phase.round, state.started
    ballots: dict[str, str] = {
        event.seat: event.choice
        for event in state.history
        if isinstance(event, VoteCast) and event.ballot == ballot
    }
    rule = options_of(state).vote_rule(ballot)
    tally = tally_votes(ballots, rule, _electorate(state), generator(started.seed, "tie", ballot))
    counted = VotesTallied(
        votes=tally.votes,
        leaders=tally.leaders,
        named=tally.named,
        ballots=tuple((seat, ballots.get(seat, ABSTAIN)) for seat in started.seats)
        if options_of(state).tells_ballots(all_vote=not started.never_vote)
        else (),
        ballot=ballot,
    )
    if rule.tie == "revote" and tally.is_tied:
        return (counted, *_revote(state, tally, ballot + 1))
    last = replace(rule, tie=options_of(state).last_tie)
    result = vote_result(tally, last, started.murderers)
    winners = {"civ_win": started.members("civilians"), "murderer_win": started.murderers}
    ended = MatchEnded(outcome=result, murderers=started.murderers, winners=winners.get(result, ()))
    return (counted, ended)


def _revote(state: MatchState, tally: VoteTally, ballot: int) -> tuple[Event, ...]:
    candidates = tuple(seat for seat in state.started.seats if seat in tally.named)
    step = _course(state)[-1]
    requests = tuple(
        request_of(state, step, "vote", seat, candidates=candidates, ballot=ballot)
        for seat in _order(state, step)
    )
    return (
        PhaseStarted(phase="voting", round=ballot, candidates=candidates),
        RequestsOpened(requests=requests, mode=step.mode),
    )
