"""One request to one seat: corrections, deadlines, and a server that is away."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import pytest

from arena.core.action_validation import Invalid
from arena.core.actions import Action, Reply, Skip, UnparsedReply, fill, say
from arena.core.events import PromptAdjusted
from arena.core.observation import Observation
from arena.core.playouts.playout import reduce_all
from arena.core.requests import DecisionRequest
from arena.core.specs import ActionSpec, Choice, Field, Form, FreeText
from arena.core.state import MatchState
from arena.core.transitions import start_match
from arena.errors import EndpointUnavailableError, ModelError, RecordError
from arena.models.http.http_errors import ServerBusyError
from arena.models.retrying import Backoff
from arena.players.player import Answer
from arena.run.match.answer_clock import AnswerClock
from arena.run.match.decisions import Decision, SeatBinding, TurnControl, decide
from serving.process.supervisor import run_in_background
from tests.arena.core.tiny_game import (
    TinyGame,
    opened,
    request,
    tiny_setup,
)
from tests.arena.run.stage import no_pause
from tests.table import NAMES

ADA, BRAM = NAMES[:2]
FORM = Form(
    fields=(
        Field(name="target", spec=Choice(options=(ADA, BRAM))),
        Field(name="question", spec=FreeText()),
    )
)
NEVER = 3600.0


@dataclass
class Lines:
    """Answers with the next of `lines`, or raises it; notes what it was asked."""

    lines: Iterator[Action | BaseException]
    asked: list[DecisionRequest] = field(default_factory=list[DecisionRequest])
    chances: list[int] = field(default_factory=list[int])
    observed: list[Observation] = field(default_factory=list[Observation])

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return the next line."""
        self.asked.append(request)
        self.observed.append(observation)
        self.chances.append(chance.getrandbits(64))
        line = next(self.lines)
        if isinstance(line, BaseException):
            raise line
        return Answer(action=line, reports=(adjustment(request),))


class Slow:
    """Never answers."""

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Wait for ever."""
        await asyncio.get_running_loop().create_future()
        raise AssertionError


@dataclass
class Server:
    """A server whose health is given."""

    up: bool = True
    returns: bool = True
    causes: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.clock = AnswerClock(self._is_up)

    async def _is_up(self) -> bool:
        return self.up

    async def wait_until_up(self, cause: str) -> None:
        """Return at once, or raise."""
        self.causes.append(cause)
        self.up = True
        if not self.returns:
            raise ModelError("it is dead")


def adjustment(request: DecisionRequest) -> PromptAdjusted:
    return PromptAdjusted(
        seat=request.seat, request=request.id, adjustment="log_dropped", lines=request.attempts_left
    )


def asking(spec: ActionSpec | None = None) -> MatchState:
    """Return a match that waits for Ada's answer to `spec`."""
    game = TinyGame(steps=((opened(request(ADA, spec=spec)),),))
    setup = tiny_setup()
    return reduce_all(MatchState(script=setup.script), start_match(game, setup))


def put(
    player: Lines | Slow,
    *,
    spec: ActionSpec | None = None,
    server: Server | None = None,
    deadline: float = NEVER,
    backoff: Backoff = no_pause,
) -> Decision:
    state = asking(spec)
    seat = SeatBinding(player=player, health=server)
    control = TurnControl(deadline=deadline, backoff=backoff)

    async def run() -> Decision:
        if server is None:
            return await decide(seat, state.open[0], state, control)
        async with run_in_background(server.clock.run()):
            return await decide(seat, state.open[0], state, control)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("spec", "faulty", "code", "name"),
    [
        (FreeText(), say("  "), "empty", "text"),
        (FreeText(), UnparsedReply(missing="</think>", text="<think>"), "unparsed", "</think>"),
        (FORM, UnparsedReply(missing="target", text="{"), "unparsed", "target"),
        (FORM, fill(target="Otto", question="Why?"), "not_an_option", "target"),
        (FORM, say("It was him."), "wrong_form", "text"),
        (
            Choice(options=(ADA, BRAM)),
            Reply(values=(("choice", "Otto"),)),
            "not_an_option",
            "choice",
        ),
    ],
)
def test_a_bad_answer_is_asked_for_again_with_its_error_until_no_attempt_is_left(
    spec: ActionSpec, faulty: Action, code: str, name: str
) -> None:
    player = Lines(iter([faulty] * 9))
    decision = put(player, spec=spec)
    assert [one.attempts_left for one in player.asked] == [3, 2, 1]
    errors = [one.last_error for one in player.asked]
    assert errors[0] is None
    assert [(one.code, one.field) for one in errors[1:] if one] == [(code, name)] * 2
    assert [type(attempt.result) for attempt in decision.attempts] == [Invalid] * 3
    assert not decision.timed_out
    assert decision.error is None


def test_a_good_answer_after_a_bad_one_counts_and_each_attempt_keeps_its_adjustments() -> None:
    player = Lines(iter([say(""), say("Good evening.")]))
    decision = put(player)
    assert [type(attempt.result) for attempt in decision.attempts] == [Invalid, Reply]
    assert [one for attempt in decision.attempts for one in attempt.reports] == [
        adjustment(request) for request in player.asked
    ]
    assert [request.attempts_left for request in player.asked] == [3, 2]


def test_a_correction_observes_what_the_first_attempt_did() -> None:
    player = Lines(iter([say(""), say("Good evening.")]))
    put(player)
    assert player.observed[0] == player.observed[1]


def test_each_attempt_draws_from_its_own_chance_and_the_same_one_when_it_is_repeated() -> None:
    first, again = (Lines(iter([say(""), Skip()])) for _ in range(2))
    put(first)
    put(again)
    assert first.chances[0] != first.chances[1]
    assert first.chances == again.chances
    recovered = Lines(iter([EndpointUnavailableError("away"), say("Good evening.")]))
    put(recovered, server=Server())
    assert recovered.chances == [first.chances[0]] * 2


def test_a_skip_is_no_fault_and_is_not_asked_for_again() -> None:
    player = Lines(iter([Skip()]))
    assert [type(attempt.result) for attempt in put(player).attempts] == [Skip]


@pytest.mark.parametrize("server", [None, Server()], ids=["no server", "its server is up"])
def test_an_answer_that_does_not_come_in_time_is_a_timeout(server: Server | None) -> None:
    decision = put(Slow(), server=server, deadline=0.0)
    assert decision == Decision(attempts=(), timed_out=True)
    assert server is None or server.causes == []


def test_a_timeout_keeps_the_attempts_before_it() -> None:
    decision = put(Lines(iter([say(""), TimeoutError()])))
    assert decision.timed_out
    assert [type(attempt.result) for attempt in decision.attempts] == [Invalid]


def test_a_request_that_its_server_failed_is_put_again_and_loses_no_attempt() -> None:
    server = Server()
    away, busy = EndpointUnavailableError("away"), ServerBusyError("429", retry_after=30.0)
    pauses: list[tuple[int, float | None]] = []

    async def pause(failed: int, requested: float | None) -> None:
        pauses.append((failed, requested))

    player = Lines(iter([away, busy, say("Good evening.")]))
    decision = put(player, server=server, backoff=pause)
    assert [type(attempt.result) for attempt in decision.attempts] == [Reply]
    assert [one.attempts_left for one in player.asked] == [3, 3, 3]
    assert server.causes == ["away", "429"]
    assert pauses == [(1, None), (2, 30.0)]


def test_the_pause_after_a_failure_is_no_part_of_the_deadline() -> None:
    async def pause(failed: int, requested: float | None) -> None:
        await asyncio.sleep(0.2)

    player = Lines(iter([ServerBusyError("429", retry_after=30.0), say("Good evening.")]))
    decision = put(player, server=Server(), backoff=pause, deadline=0.05)
    assert not decision.timed_out
    assert [type(attempt.result) for attempt in decision.attempts] == [Reply]


def test_a_seat_whose_server_gives_no_sign_of_life_is_asked_again_and_not_skipped() -> None:
    class Stopped(Slow):
        tries = 0

        async def act(
            self, observation: Observation, request: DecisionRequest, chance: Random
        ) -> Answer:
            self.tries += 1
            if self.tries == 1:
                return await super().act(observation, request, chance)
            return Answer(action=say("Good evening."))

    server = Server(up=False)
    decision = put(Stopped(), server=server, deadline=0.05)
    assert [type(attempt.result) for attempt in decision.attempts] == [Reply]
    assert server.causes == ["the server gave no sign of life for 0.05 s"]


def test_a_request_is_not_put_again_for_ever() -> None:
    player = Lines(iter([say(""), *[EndpointUnavailableError("away")] * 99]))
    decision = put(player, server=Server())
    assert isinstance(decision.error, ModelError)
    assert "failed 8 times" in str(decision.error)
    assert str(decision.error).endswith("last error: away")
    assert [type(attempt.result) for attempt in decision.attempts] == [Invalid]
    assert len(player.asked) == 9


def test_a_server_that_does_not_come_back_is_the_error_of_the_decision() -> None:
    decision = put(Lines(iter([EndpointUnavailableError("away")])), server=Server(returns=False))
    assert str(decision.error) == "it is dead"


@pytest.mark.parametrize(
    "error",
    [
        ModelError("404: no such model"),
        EndpointUnavailableError("away"),
        RecordError("the disk is full"),
    ],
    ids=["model", "down without a server", "record"],
)
def test_an_error_of_the_outside_world_is_returned_with_the_attempts_before_it(
    error: ModelError | RecordError,
) -> None:
    decision = put(Lines(iter([say(""), error])))
    assert decision.error is error
    assert len(decision.attempts) == 1


def test_a_bug_of_a_player_is_raised() -> None:
    with pytest.raises(KeyError):
        put(Lines(iter([KeyError("a bug")])))
