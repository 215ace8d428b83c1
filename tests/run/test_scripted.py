"""Every fallback of PROTOCOLS 1.3, with players that do as they are told."""

import asyncio
from collections.abc import Iterator
from itertools import repeat

import pytest

from arena.core.actions import (
    Action,
    Choose,
    Conclude,
    Garbled,
    Question,
    SeatId,
    ShareAndAsk,
    Speak,
    Verb,
)
from arena.core.events import Event, Passed, Rejected
from arena.core.options import Options
from arena.core.state import MatchState
from arena.errors import DownError, ModelError
from arena.players.simple import ScriptedPlayer
from arena.run.match import Pace, Seat, play
from tests.table import NAMES, setup

ADA, BRAM = SeatId(NAMES[0]), SeatId(NAMES[1])
GOOD: dict[Verb, Action] = {
    "introduce": Speak(text="Good evening."),
    "speak": Speak(text="I saw light."),
    "answer": Speak(text="At home."),
    "conclude": Conclude(method="a rope", motive="a debt"),
}


def line(seat: str, verb: Verb) -> Action:
    other = BRAM if seat == ADA else ADA
    if verb == "share_and_ask":
        return ShareAndAsk(share="I saw light.", target=other, question="Where were you?")
    if verb == "ask":
        return Question(target=other, text="Where were you?")
    return Choose(option=other) if verb == "vote" else GOOD[verb]


class Steady:
    """A server that is always there."""

    async def is_up(self) -> bool:
        return True

    async def wait_until_up(self) -> None:
        return


def played(
    wrong: dict[tuple[str, Verb], Iterator[Action | BaseException]], options: Options | None = None
) -> MatchState:
    verbs: tuple[Verb, ...] = (
        "introduce", "speak", "share_and_ask", "ask", "answer", "conclude", "vote"
    )  # fmt: skip
    lines: dict[tuple[str, str], Iterator[Action | BaseException]] = {
        (name, verb): repeat(line(name, verb)) for name in NAMES for verb in verbs
    }
    player = ScriptedPlayer({**lines, **wrong})
    log: list[Event] = []
    return asyncio.run(
        play(
            setup(options),
            {SeatId(name): Seat(player=player, health=Steady()) for name in NAMES},
            pace=Pace(deadline=5.0),
            happened=lambda _, event: log.append(event),
        )
    )


@pytest.mark.parametrize(
    ("verb", "faulty", "fault"),
    [
        ("introduce", Speak(text="  "), "empty"),
        ("introduce", Garbled(missing="</think>", raw="<think>"), "unreadable"),
        ("share_and_ask", Garbled(missing="target", raw="{"), "unreadable"),
        ("share_and_ask", ShareAndAsk(share="s", target=ADA, question="q"), "not_an_option"),
        ("answer", Speak(text=""), "empty"),
        ("conclude", Conclude(method="", motive="m"), "empty"),
        ("conclude", Speak(text="It was him."), "wrong_kind"),
        ("vote", Choose(option="Otto"), "not_an_option"),
    ],
)
def test_three_bad_answers_end_in_the_fallback_and_the_match_goes_on(
    verb: Verb, faulty: Action, fault: str
) -> None:
    state = played({(ADA, verb): repeat(faulty)})
    refused = [e for e in state.history if isinstance(e, Rejected) and e.seat == ADA]
    passed = [e for e in state.history if isinstance(e, Passed) and e.seat == ADA and e.fault]
    asks = len({e.ask for e in passed})
    assert {event.fault for event in refused} == {fault}
    assert len(refused) == 2 * asks
    assert {event.verb for event in passed} == {verb}
    assert state.closed is not None
    assert state.closed.outcome in {"civ_win", "murderer_win", "draw"}


def test_a_good_answer_after_a_bad_one_counts() -> None:
    lines = iter([Speak(text=""), Speak(text="Good evening.")])
    state = played({(ADA, "introduce"): lines})
    assert not [event for event in state.history if isinstance(event, Passed) and event.fault]


def test_a_seat_without_an_answer_in_time_passes_at_once() -> None:
    state = played({(ADA, "vote"): repeat(TimeoutError())})
    [passed] = [event for event in state.history if isinstance(event, Passed) and event.fault]
    assert (passed.seat, passed.reason) == (ADA, "no answer within 5 s")
    assert not [event for event in state.history if isinstance(event, Rejected)]


def test_an_ask_is_put_again_when_its_server_was_down_but_not_for_ever() -> None:
    once = iter([DownError("away"), Speak(text="Good evening.")])
    assert played({(ADA, "introduce"): once}).closed is not None
    state = played({(ADA, "introduce"): repeat(DownError("away"))})
    assert state.closed is not None
    assert state.closed.outcome == "error"
    assert "failed 3 times" in state.closed.cause


def test_a_server_that_will_not_serve_is_an_error_and_no_loss() -> None:
    state = played({(BRAM, "conclude"): repeat(ModelError("404: no such model"))})
    assert state.closed is not None
    assert (state.closed.outcome, state.closed.cause) == ("error", "404: no such model")


def test_a_fault_of_our_own_is_loud() -> None:
    with pytest.raises(ExceptionGroup):
        played({(ADA, "introduce"): repeat(KeyError("our own fault"))})
