"""Every fallback of a match, with players that answer what they are given."""

import asyncio
from collections.abc import Iterator, Mapping
from itertools import repeat

import pytest

from arena.core.actions import Action, Skip, UnparsedReply, choose, fill, say
from arena.core.events import ActionRejected, Said, TurnSkipped
from arena.core.seats import SeatId
from arena.core.state import MatchState
from arena.errors import EndpointUnavailableError, ModelError
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from arena.players.baselines import ScriptedPlayer
from arena.run.match.decisions import SeatBinding, TurnControl
from arena.run.match.match_loop import MatchLoop
from tests.arena.run.stage import AlwaysUp, no_pause
from tests.table import NAMES, begin, setup

ADA, BRAM = NAMES[:2]
KINDS = ("introduce", "speak", "share_and_ask", "ask", "answer", "conclude", "vote")
Lines = Mapping[tuple[str, str], Iterator[Action | BaseException]]


def line(seat: str, kind: str) -> Action:
    other = BRAM if seat == ADA else ADA
    match kind:
        case "share_and_ask":
            return fill(share="I saw light.", target=other, question="Where were you?")
        case "ask":
            return fill(target=other, question="Where were you?")
        case "conclude":
            return fill(method="a rope", motive="a debt", culprit=other)
        case "vote":
            return choose(other)
        case _:
            return say("Good evening.")


def played(wrong: Lines, options: WhodunitOptions | None = None) -> MatchState:
    """Play a match in which everybody answers well, but for the `wrong` lines."""
    good = {(name, kind): repeat(line(name, kind)) for name in NAMES for kind in KINDS}
    player = ScriptedPlayer({**good, **wrong})
    loop = MatchLoop(
        game=WHODUNIT,
        seats={SeatId(name): SeatBinding(player=player, health=AlwaysUp()) for name in NAMES},
        control=TurnControl(deadline=3600.0, backoff=no_pause),
        sink=lambda steps: None,
    )
    return asyncio.run(loop.run(begin(setup(options or WhodunitOptions(rounds=1)))))


@pytest.mark.parametrize(
    ("kind", "faulty", "code"),
    [
        ("introduce", say("  "), "empty"),
        ("introduce", UnparsedReply(missing="</think>", text="<think>"), "unparsed"),
        ("share_and_ask", UnparsedReply(missing="target", text="{"), "unparsed"),
        ("share_and_ask", fill(share="s", target=ADA, question="q"), "not_an_option"),
        ("answer", say(""), "empty"),
        ("conclude", fill(method="", motive="m"), "empty"),
        ("conclude", say("It was him."), "wrong_form"),
        ("vote", choose("Otto"), "not_an_option"),
    ],
)
def test_three_bad_answers_end_the_turn_and_the_match_goes_on(
    kind: str, faulty: Action, code: str
) -> None:
    state = played({(ADA, kind): repeat(faulty)})
    refused = [e for e in state.history if isinstance(e, ActionRejected)]
    skipped = [e for e in state.history if isinstance(e, TurnSkipped)]
    assert {event.error.code for event in refused} == {code}
    assert {(event.act, event.cause, event.seat) for event in skipped} == {(kind, "invalid", ADA)}
    assert len(refused) == 3 * len(skipped)
    assert state.ended is not None
    assert state.ended.outcome in {"civ_win", "murderer_win", "draw"}


def test_a_good_answer_after_a_bad_one_counts() -> None:
    state = played({(ADA, "introduce"): iter([say(""), say("Good evening.")])})
    assert not any(isinstance(event, TurnSkipped) for event in state.history)
    assert len([event for event in state.history if isinstance(event, ActionRejected)]) == 1


def test_the_legal_part_of_a_bad_answer_is_heard() -> None:
    wrong = UnparsedReply(missing="target", text="...", partial=(("share", "I saw light."),))
    state = played({(ADA, "share_and_ask"): repeat(wrong)})
    [heard] = [
        event
        for event in state.history
        if isinstance(event, Said) and (event.seat, event.act) == (ADA, "share_and_ask")
    ]
    assert heard.text == "I saw light."


def test_a_seat_that_passes_commits_no_fault() -> None:
    state = played({(ADA, kind): repeat(Skip()) for kind in KINDS})
    skipped = [event for event in state.history if isinstance(event, TurnSkipped)]
    assert {(event.seat, event.cause) for event in skipped} == {(ADA, "declined")}
    assert state.ended is not None
    assert state.ended.outcome != "forfeit"


def test_a_seat_without_an_answer_in_time_is_skipped_at_once() -> None:
    state = played({(ADA, "vote"): repeat(TimeoutError())})
    [skipped] = [event for event in state.history if isinstance(event, TurnSkipped)]
    assert (skipped.seat, skipped.cause) == (ADA, "timeout")
    assert not any(isinstance(event, ActionRejected) for event in state.history)


def test_a_request_is_put_again_when_its_server_was_down_but_not_for_ever() -> None:
    once = iter([EndpointUnavailableError("away"), say("Good evening.")])
    ended = played({(ADA, "introduce"): once}).ended
    assert ended is not None
    assert ended.outcome != "error"
    ended = played({(ADA, "introduce"): repeat(EndpointUnavailableError("away"))}).ended
    assert ended is not None
    assert ended.outcome == "error"
    assert "failed 8 times" in ended.cause


def test_a_server_that_refuses_to_serve_is_an_error_and_no_loss() -> None:
    ended = played({(BRAM, "conclude"): repeat(ModelError("404: no such model"))}).ended
    assert ended is not None
    assert (ended.outcome, ended.cause) == ("error", "404: no such model")


def test_a_contestant_that_fails_too_often_forfeits() -> None:
    state = played(
        {(ADA, "introduce"): repeat(say("")), (BRAM, "introduce"): repeat(say(""))},
        WhodunitOptions(rounds=1, max_faults=1),
    )
    assert state.ended is not None
    assert state.ended.outcome == "forfeit"
    assert state.history[-2] == TurnSkipped(
        seat=SeatId(BRAM),
        request=f"introduction-1/introduce/{BRAM}",
        act="introduce",
        cause="invalid",
    )


def test_a_bug_of_our_own_is_raised() -> None:
    with pytest.raises(ExceptionGroup):
        played({(ADA, "introduce"): repeat(KeyError("a bug"))})
