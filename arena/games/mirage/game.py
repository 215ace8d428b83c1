"""Game value: parts, the next step, and the events after an answer. Pure."""

from collections.abc import Mapping

from arena.core.actions import Reply, Values
from arena.core.chance import seat_order
from arena.core.events import Announced, Event, PhaseStarted, RequestsOpened
from arena.core.observation import Observation
from arena.core.options import GameOptions
from arena.core.purposes import STATEMENT
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatPart
from arena.core.specs import CHOICE
from arena.core.state import MatchState
from arena.games.mirage.clues import deal_stage, places_left, react_to, require_places
from arena.games.mirage.final_vote import announce_accusations, end_match, end_vote, start_vote
from arena.games.mirage.options import PRESETS, MirageOptions
from arena.games.mirage.phases import Step, find_step, steps_of
from arena.games.mirage.ratings import PHASE, rate
from arena.games.mirage.requests import accuse_spec, act_spec, request_of
from arena.games.mirage.speeches import act, say_aloud, state_first
from arena.games.mirage.texts import MirageTexts
from arena.games.shared.factions import find_murderers, make_parts
from arena.games.shared.votes import cast_vote
from scripts_mm.script import Script, ScriptError


class Mirage:
    """MIRAGE's game of two factions: questions and searches, then a vote on the accused."""

    name: str = "mirage"
    about: str = (
        "MIRAGE: introductions, rounds of questions and searches at places, accusations, one vote"
    )
    options: type[GameOptions] = MirageOptions
    presets: Mapping[str, Mapping[str, object]] = PRESETS

    def start(self, script: Script, options: GameOptions, seed: int) -> tuple[SeatPart, ...]:
        """Return the parts of all seats: the culprits are the murderer's faction."""
        del seed
        assert isinstance(options, MirageOptions), f"{type(options).__name__} of another game"
        if not script.murderers:
            named = ", ".join(script.truth.culprits) or "nobody"
            raise ScriptError(
                f"script {script.id!r} names no role as culprit (culprits: {named}); mirage needs "
                "one; for a published MIRAGE script the import's option --culprits FILE names them"
            )
        require_places(script)
        murderers = find_murderers(script)
        return make_parts(script, murderers, know_each_other=options.murderers_know_each_other)

    def next(self, state: MatchState) -> tuple[Event, ...]:
        """Open the next request, start the next step, or count the votes and end the match."""
        steps = steps_of(state)
        if state.phase is None:
            return (*deal_stage(state, 1), *_start_step(state, steps[0]))
        if state.phase.phase == PHASE:
            return (end_match(state),)
        if state.phase.phase == "voting":
            return end_vote(state)
        number = find_step(state)
        before, step = steps[number], steps[number + 1]
        if turn := _next_turn(state, before):
            return turn
        if before.phase == "accusation":
            return announce_accusations(state, before)
        # A stage without rounds is dealt together with the next one.
        stages = range(before.stage + 1, step.stage + 1)
        dealt = [event for stage in stages for event in deal_stage(state, stage)]
        return (*dealt, *_start_step(state, step))

    def follow(
        self, state: MatchState, request: DecisionRequest, reply: Reply
    ) -> tuple[Event, ...]:
        """Return the speech, question, search, vote or rating of the answer."""
        if request.phase == PHASE:
            return (rate(request, reply),)
        match request.kind:
            case "act":
                return act(state, request, reply)
            case "accuse":
                return ()
            case "vote":
                audience = (request.seat,)
                choice = reply[CHOICE]
                return (cast_vote(request, choice, ballot=request.round, audience=audience),)
            case _:
                return say_aloud(state, request, reply)

    def skip(
        self, state: MatchState, request: DecisionRequest, partial: Values
    ) -> tuple[tuple[Event, ...], bool]:
        """Return the events from an incomplete answer, and whether all seats see the skip."""
        if request.phase == PHASE:
            return (rate(request, None),), False
        said = state_first(state, request, dict(partial).get(STATEMENT, ""), None)
        return said, request.kind not in {"accuse", "vote"}

    def react(self, state: MatchState, event: Event) -> tuple[Event, ...]:
        """Return the clues whose trigger word became public."""
        return react_to(state, event)

    def texts(self, observation: Observation) -> MirageTexts:
        """Return the texts for an observer."""
        return MirageTexts(observation)


MIRAGE = Mirage()


def _start_step(state: MatchState, step: Step) -> tuple[Event, ...]:
    """Return the events that start a step; in steps of kind `act`, `_next_turn` opens requests."""
    started = state.started
    phase = PhaseStarted(phase=step.phase, round=step.round, step=step.step)
    order = seat_order(started.seats, started, step.phase, step.round)
    match step.kind:
        case "act":
            return (phase,)
        case "vote":
            return start_vote(state, started.seats)
        case "accuse":
            requests = (
                request_of(state, step, seat, accuse_spec(state, step, seat)) for seat in order
            )
        case _:
            requests = (request_of(state, step, seat) for seat in order)
    return (phase, RequestsOpened(requests=tuple(requests), mode=step.mode))


def _next_turn(state: MatchState, step: Step) -> tuple[Event, ...]:
    """Return the request to the next seat that acts in a step, or its pass; empty: all acted."""
    if step.kind != "act":
        return ()
    started = state.started
    order = seat_order(started.seats, started, step.phase, step.round)
    number = _count_turns(state)
    if number == len(order):
        return ()
    seat = order[number]
    spec = act_spec(state, step, seat, places_left(state, seat))
    if spec is None:
        return (Announced(topic="passed", values=(("seat", seat),), audience="all"),)
    return (RequestsOpened(requests=(request_of(state, step, seat, spec),), mode="turns"),)


def _count_turns(state: MatchState) -> int:
    """Return how many seats had a turn to act in the current phase."""
    count = 0
    for event in reversed(state.history):
        match event:
            case PhaseStarted():
                return count
            case RequestsOpened(requests=(DecisionRequest(kind="act"), *_)):
                count += 1
            case Announced(topic="passed"):
                count += 1
            case _:
                pass
    return count
