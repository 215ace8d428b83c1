"""Game value: parts, the next phase, and the events after an answer. Pure."""

from collections.abc import Mapping

from arena.core.actions import Reply, Values
from arena.core.events import (
    Announced,
    Event,
    MatchEnded,
    PhaseStarted,
    RequestsOpened,
    SeatEliminated,
)
from arena.core.observation import Observation
from arena.core.options import GameOptions
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId, SeatPart
from arena.core.specs import CHOICE, TEXT
from arena.core.state import MatchState
from arena.games.shared.speech import speech
from arena.games.shared.votes import cast_vote, count_votes, voters
from arena.games.werewolf5.moments import (
    DAY,
    GREETING,
    NIGHT,
    VOTING,
    ballot_of,
    day_of,
    options_of,
    talkers,
    turn_of,
)
from arena.games.werewolf5.nights import draw_power, first_turn, start_day, start_night, use_power
from arena.games.werewolf5.options import PRESETS, WerewolfOptions
from arena.games.werewolf5.requests import request_of
from arena.games.werewolf5.secret_roles import WEREWOLF, deal_roles, seats_of, village, wolf_side
from arena.games.werewolf5.talk import open_turn, utter
from arena.games.werewolf5.texts import WerewolfTexts
from arena.games.werewolf5.village import make_village
from scripts_mm.script import Language, Script


class Werewolf:
    """Werewolf for five: the village against a werewolf and its helper, the possessed."""

    name: str = "werewolf5"
    about: str = (
        "Werewolf for five: secret roles, talk until all are done, votes, and nights with a seer "
        "and a werewolf; it makes its own script"
    )
    options: type[GameOptions] = WerewolfOptions
    presets: Mapping[str, Mapping[str, object]] = PRESETS

    def make_script(self, language: Language) -> Script:
        """Return the script of a village with five villagers."""
        return make_village(language)

    def start(self, script: Script, options: GameOptions, seed: int) -> tuple[SeatPart, ...]:
        """Return the parts with randomly dealt roles; raise `ScriptError` for a written case."""
        assert isinstance(options, WerewolfOptions), f"{type(options).__name__} of another game"
        return deal_roles(script, options, seed)

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """Start the next phase or turn, eliminate the victim, count the votes, or end the match."""
        phase = state.phase.phase if state.phase else ""
        if not phase and options_of(state).greeting:
            return _start_greeting(state)
        if phase in {"", GREETING}:
            return start_night(state, state.living)
        if phase == NIGHT:
            return _start_day(state)
        return _next_turn(state) if phase == DAY else _count(state)

    def follow(
        self, state: MatchState, request: DecisionRequest, reply: Reply
    ) -> tuple[Event, ...]:
        """Return the speech, the use of a power or the vote of the answer."""
        match request.kind:
            case "greet":
                return (speech(request, reply.values, reply),)
            case "speak":
                return (utter(state, request, reply),)
            case "vote":
                private = (request.seat,)
                return (cast_vote(request, reply[CHOICE], ballot=request.round, audience=private),)
            case _:
                return (use_power(state, request, SeatId(reply[CHOICE])),)

    def skip(
        self, state: MatchState, request: DecisionRequest, partial: Values
    ) -> tuple[tuple[Event, ...], bool]:
        """Return the events from an incomplete answer, and whether all seats see the skip.

        If a seat does not use its power, the target is drawn at random.
        """
        if request.phase == NIGHT:
            return (draw_power(state, request),), False
        said = dict(partial).get(TEXT, "") if request.phase == DAY else ""
        events = (speech(request, ((TEXT, said),), None),) if said else ()
        return events, request.phase != VOTING

    def react(self, state: MatchState, event: Event) -> tuple[Event, ...]:
        """Return nothing: no event triggers another."""
        del state, event
        return ()

    def texts(self, observation: Observation) -> WerewolfTexts:
        """Return the texts for an observer."""
        return WerewolfTexts(observation)


WEREWOLF5 = Werewolf()


def _start_greeting(state: MatchState) -> tuple[Event, ...]:
    seats = state.started.seats
    requests = tuple(request_of(state, "greet", seat, 1, seats) for seat in seats)
    return (PhaseStarted(phase=GREETING), RequestsOpened(requests=requests, mode="turns"))


def _start_day(state: MatchState) -> tuple[Event, ...]:
    started, living = start_day(state)
    if _is_overrun(state, living):
        return (*started, _end(state, village_wins=False))
    return (*started, first_turn(state, living))


def _next_turn(state: MatchState) -> tuple[Event, ...]:
    """Return the next turn of the talk, or the vote after the last turn."""
    turn, seats = turn_of(state) + 1, talkers(state)
    if not seats or turn > options_of(state).talk_turns:
        return _start_vote(state, ())
    return (open_turn(state, day_of(state), turn, seats, state.living),)


def _start_vote(state: MatchState, tied: tuple[SeatId, ...], ballot: int = 0) -> tuple[Event, ...]:
    """Return the start of a vote, or of a revote between the `tied`."""
    number = ballot or ballot_of(state)
    among = tied or state.living
    requests = tuple(request_of(state, "vote", seat, number, among) for seat in voters(state))
    return (
        PhaseStarted(phase=VOTING, round=number, candidates=tied),
        RequestsOpened(requests=requests, mode="simultaneous"),
    )


def _count(state: MatchState) -> tuple[Event, ...]:
    assert state.phase is not None
    ballot, is_revote = state.phase.round, bool(state.phase.candidates)
    rule = options_of(state).vote_rule(is_revote=is_revote)
    # Public ballots would expose seats that never vote.
    announced = () if state.started.never_vote else state.living
    tally, counted = count_votes(state, rule, voters(state), ballot=ballot, announced=announced)
    if tally.is_tied and rule.tie == "revote":
        tied = tuple(seat for seat in state.living if seat in tally.named)
        return (counted, *_start_vote(state, tied, ballot + 1))
    if not tally.named:
        return (counted, _end(state, village_wins=False))
    if tally.is_tied:
        return (counted, Announced(topic="spared", audience="all"), *_go_on(state, None))
    executed = SeatId(tally.named[0])
    return (counted, SeatEliminated(seat=executed, cause="vote"), *_go_on(state, executed))


def _go_on(state: MatchState, executed: SeatId | None) -> tuple[Event, ...]:
    """Return the end of the match, or the start of the night after a day."""
    living = tuple(seat for seat in state.living if seat != executed)
    if executed in seats_of(state, WEREWOLF):
        return (_end(state, village_wins=True),)
    if options_of(state).days == "first_day" or _is_overrun(state, living):
        return (_end(state, village_wins=False),)
    return start_night(state, living)


def _is_overrun(state: MatchState, living: tuple[SeatId, ...]) -> bool:
    """Tell whether living werewolves are as many as the other living seats.

    A second execution leaves two seats, so this ends the match after it too.
    """
    wolves = [seat for seat in seats_of(state, WEREWOLF) if seat in living]
    return len(wolves) >= len(living) - len(wolves)


def _end(state: MatchState, *, village_wins: bool) -> MatchEnded:
    return MatchEnded(
        outcome="civ_win" if village_wins else "murderer_win",
        murderers=state.started.murderers,
        winners=village(state) if village_wins else wolf_side(state),
    )
