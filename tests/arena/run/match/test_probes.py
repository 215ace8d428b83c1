"""Silent probes: what they ask, what a seat knows then, and what the record holds of them."""

import asyncio
from dataclasses import dataclass, field
from random import Random

import pytest

from arena.core.actions import choose, say
from arena.core.events import PromptAdjusted, QuestionAsked, Said
from arena.core.observation import Observation, observe
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import Choice
from arena.core.state import MatchState, replay
from arena.errors import EndpointUnavailableError, ModelError, UnanswerableError
from arena.games.whodunit.options import WhodunitOptions
from arena.players.player import Answer
from arena.records.probe_answers import PROBES, ProbeAnswer
from arena.run.match.decisions import SeatBinding, TurnControl
from arena.run.match.probes import Probe, ballot_probes, moment_probes, quiz_probes, run_probes
from tests.table import (
    MURDERER,
    NAMES,
    begin,
    legal,
    play,
    setup,
)


@dataclass
class SecondTry:
    """Answers at the second attempt, and adjusts the prompt of each."""

    observed: list[Observation] = field(default_factory=list[Observation])

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return an answer without an option, then the first option."""
        del chance
        self.observed.append(observation)
        assert isinstance(request.spec, Choice)
        answer = say("hm") if request.last_error is None else choose(request.spec.options[0])
        adjusted = PromptAdjusted(
            seat=request.seat,
            request=request.id,
            adjustment="log_dropped",
            lines=request.attempts_left,
        )
        return Answer(action=answer, reports=(adjusted,))


@dataclass
class Failing:
    """Raises an error."""

    error: Exception

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Raise the error."""
        raise self.error


def played(options: WhodunitOptions | None = None) -> MatchState:
    chance = Random(1)
    return play(begin(setup(options)), lambda request: legal(request, chance))


def put(
    state: MatchState, probes: tuple[Probe, ...], player: SecondTry | Failing
) -> tuple[ProbeAnswer, ...]:
    seats = {SeatId(name): SeatBinding(player=player, health=None) for name in NAMES}
    return asyncio.run(run_probes(state, seats, probes, TurnControl(deadline=5.0)))


def test_the_adjustments_of_all_attempts_at_a_probe_are_recorded() -> None:
    state = played()
    probes = ballot_probes(state)[:1]
    [answer] = put(state, probes, SecondTry())
    assert isinstance(probes[0].request.spec, Choice)
    assert answer.candidate == probes[0].request.spec.options[0]
    assert [one.lines for one in answer.reports if isinstance(one, PromptAdjusted)] == [3, 2]
    assert {one.request for one in answer.reports} == {probes[0].request.id}
    assert PROBES.decode(PROBES.encode(answer)) == answer


def test_a_probed_seat_knows_what_it_had_observed_and_nothing_later() -> None:
    state = played(WhodunitOptions(introductions="together", reasoning="together"))
    player = SecondTry()
    probes = ballot_probes(state)
    put(state, probes, player)
    reached = {probe.event for probe in probes}
    assert len(reached) > len(NAMES)
    for observation in player.observed:
        last = observation.events[-1]
        assert state.history.index(last) + 1 in reached
        assert isinstance(last, Said | QuestionAsked)


def test_only_civilians_are_probed_and_a_ballot_follows_each_public_speech() -> None:
    state = played(WhodunitOptions(reasoning="secret"))
    seats = {probe.request.seat for probe in ballot_probes(state)}
    assert seats == {name for name in NAMES if name != MURDERER}
    speeches = {
        event.request
        for event in state.history
        if isinstance(event, Said | QuestionAsked) and event.audience == "all"
    }
    assert len(ballot_probes(state)) == len(speeches) * (len(NAMES) - 1)


def test_a_quiz_before_the_match_knows_the_deal_alone() -> None:
    state = played()
    player = SecondTry()
    put(state, quiz_probes(state, "before"), player)
    assert player.observed
    for observation in player.observed:
        assert not any(isinstance(event, Said | QuestionAsked) for event in observation.events)


@pytest.mark.parametrize(
    "error", [ModelError("404"), EndpointUnavailableError("away")], ids=["gone", "down"]
)
def test_a_probe_that_a_server_cannot_answer_is_put_again_later(error: ModelError) -> None:
    state = played()
    with pytest.raises(type(error)):
        put(state, ballot_probes(state)[:9], Failing(error))


def test_a_seat_that_is_too_slow_for_a_probe_leaves_a_missing_value() -> None:
    state = played()
    [answer] = put(state, ballot_probes(state)[:1], Failing(TimeoutError()))
    assert answer.candidate is None


def test_a_probe_that_cannot_be_answered_leaves_a_missing_value() -> None:
    state = played()
    [answer] = put(state, ballot_probes(state)[:1], Failing(UnanswerableError("too long")))
    assert answer.candidate is None


def test_ballots_offer_suspects_in_an_order_drawn_for_each() -> None:
    orders = [
        probe.request.spec.options
        for probe in ballot_probes(played())
        if isinstance(probe.request.spec, Choice) and probe.request.seat == NAMES[0]
    ]
    assert {frozenset(order) for order in orders} == {frozenset(NAMES[1:])}
    assert len(set(orders)) > 1


@pytest.mark.parametrize("seat", [SeatId(NAMES[0]), SeatId(MURDERER)])
def test_a_seat_is_asked_at_a_moment_with_what_it_had_observed_by_then(seat: SeatId) -> None:
    whole = played()
    past = replay(whole.script, whole.history[:9])
    probes = moment_probes(past, seat, {"lsu", "mmr"})
    own = {"q1", "q2"} if seat == NAMES[0] else {"q1"}
    assert {probe.question for probe in probes} == own
    assert {(probe.event, probe.request.seat) for probe in probes} == {(9, seat)}
    assert moment_probes(past, seat, {"tiu"}) == ()
    player = SecondTry()
    answers = put(whole, probes, player)
    assert {answer.kind for answer in answers} == {"quiz_at"}
    assert all(answer.options for answer in answers)
    known = observe(past, seat).events
    assert {observation.events for observation in player.observed} == {known}
    later = moment_probes(whole, seat, {"mmr"})
    assert later[0].request.id != probes[0].request.id
    assert later[0].shown == probes[0].shown
