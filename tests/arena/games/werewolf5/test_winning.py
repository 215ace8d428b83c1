"""Votes, ties and winners of werewolf5, and the chance level of random votes."""

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from arena.core.actions import Action, Skip, say
from arena.core.events import (
    Announced,
    MatchEnded,
    PhaseStarted,
    VoteCast,
    VotesTallied,
)
from arena.core.requests import DecisionRequest
from arena.core.seats import Faction
from arena.core.specs import ABSTAIN, Choice
from arena.core.state import MatchState, pending
from arena.core.voting import VoteRule, tally_votes
from tests.arena.games.werewolf5.scenes import (
    answered,
    events_of,
    execute,
    opened,
    others,
    phases,
    quiet,
    random_play,
    seat,
    spend_night,
    start,
    to_vote,
    vote,
)
from tests.table import act, play


def test_the_possessed_may_be_played_by_the_civilians_contestant_and_still_wins_with_the_wolf() -> (
    None
):
    state = start(possessed="civ")
    wolf, helper = seat(state, "werewolf"), seat(state, "possessed")
    assert state.started.murderers == (wolf,)
    ended = execute(state, others(state, "werewolf", "possessed")[0])
    ended = play(ended, random_play(1))
    assert ended.ended is not None
    if ended.ended.outcome == "murderer_win":
        assert set(ended.ended.winners) == {wolf, helper}


def test_the_village_wins_as_soon_as_the_werewolf_is_executed() -> None:
    state = start()
    ended = execute(to_vote(state), seat(state, "werewolf")).ended
    assert ended == MatchEnded(
        outcome="civ_win",
        murderers=state.started.murderers,
        winners=others(state, "werewolf", "possessed"),
    )


def test_the_vote_of_the_first_day_decides_where_the_game_ends_with_it() -> None:
    state = start(days="first_day")
    for power in ("villager", "possessed"):
        ended = execute(to_vote(state), seat(state, power)).ended
        assert ended is not None
        assert ended.outcome == "murderer_win"
        assert set(ended.winners) == {seat(state, "werewolf"), seat(state, "possessed")}


def test_the_wolf_side_wins_after_the_second_execution() -> None:
    state = start()
    one, two, three = others(state, "werewolf")[:3]
    state = execute(to_vote(state), one)
    assert state.ended is None
    state = spend_night(state, two)
    assert state.ended is None
    state = execute(to_vote(state), three)
    assert state.ended is not None
    assert state.ended.outcome == "murderer_win"


@pytest.mark.parametrize("days", ["first_day", "whole"])
@pytest.mark.parametrize("tie", ["revote", "random", "none"])
def test_the_wolf_side_wins_where_nobody_votes(days: str, tie: str) -> None:
    state = play(start(days=days, tie=tie), quiet)
    assert state.ended is not None
    assert state.ended.outcome == "murderer_win"
    assert not state.eliminated
    assert opened(state)["vote"] == 5


@pytest.mark.parametrize("days", ["first_day", "whole"])
@pytest.mark.parametrize("tie", ["revote", "random", "none"])
@pytest.mark.parametrize(
    "action", [Skip(), None, say("nobody at all")], ids=["pass", "none", "bad"]
)
def test_a_match_ends_where_no_seat_ever_gives_a_vote(
    action: Action | None, tie: str, days: str
) -> None:
    def abstain(request: DecisionRequest) -> Action | None:
        return action if request.kind == "vote" else quiet(request)

    state = play(start(days=days, tie=tie), abstain)
    assert state.ended is not None
    assert state.ended.outcome == "murderer_win"
    [count] = events_of(state, VotesTallied)
    assert (count.votes, count.named) == ((), ())
    assert {choice for _, choice in count.ballots} == {ABSTAIN}


@pytest.mark.parametrize("days", ["first_day", "whole"])
@pytest.mark.parametrize("tie", ["revote", "random", "none"])
@pytest.mark.parametrize(
    "silent", [("murderer",), ("civilians",), ("civilians", "murderer")], ids=str
)
def test_a_match_ends_where_seats_never_vote(
    silent: tuple[Faction, ...], tie: str, days: str
) -> None:
    for seed in range(4):
        state = play(start(seed, silent=silent, days=days, tie=tie), random_play(seed))
        assert state.ended is not None
        never = {one for faction in silent for one in state.started.members(faction)}
        assert not never & {one.seat for one in events_of(state, VoteCast)}
        if len(silent) == 2:
            assert state.ended.outcome == "murderer_win"


def test_one_vote_may_be_enough_to_execute() -> None:
    state = to_vote(start(days="first_day"))
    wolf = seat(state, "werewolf")
    ended = vote(state, {others(state, "werewolf")[0]: wolf}).ended
    assert ended is not None
    assert ended.outcome == "civ_win"


def test_the_wolf_side_wins_where_nobody_votes_in_a_revote() -> None:
    state = to_vote(start())
    a, b, *_ = state.started.seats
    state = vote(state, {a: b, b: a})
    assert state.phase is not None
    assert state.phase.candidates
    state = vote(state, {})
    assert state.ended is not None
    assert state.ended.outcome == "murderer_win"


def test_no_count_shows_which_seats_never_vote() -> None:
    state = to_vote(start(silent=("murderer",)))
    assert len(pending(state)) == 3
    voter = pending(state)[0].seat
    out = next(one for one in others(state, "werewolf") if one != voter)
    [count] = events_of(vote(state, {voter: out}), VotesTallied)
    assert (count.votes, count.ballots) == (((out, 1),), ())


def test_without_executions_the_nights_end_the_game() -> None:
    state = start(tie="none")
    while state.ended is None:
        state = to_vote(state)
        first, second = state.living[:2]
        state = vote(state, {first: second, second: first})
        while state.ended is None and pending(state)[0].phase == "night":
            state = answered(state, None)
    assert len(state.living) == 2
    assert state.ended.outcome == "murderer_win"
    assert len(state.living) == 2
    assert phases(state)[-1][0] == "day", "the last death is found in the morning"


def test_a_tie_is_voted_on_again_among_the_tied_and_then_drawn() -> None:
    state = to_vote(start())
    a, b, c, d, e = state.started.seats
    tied = vote(state, {a: b, b: a, c: a, d: b})
    assert tied.phase == PhaseStarted(phase="voting", round=2, candidates=(a, b))
    assert {one.seat for one in pending(tied)} == set(state.living)
    options = {one.seat: one.spec for one in pending(tied)}
    for voter, wanted in ((c, {a, b, "abstain"}), (a, {b, "abstain"})):
        ballot = options[voter]
        assert isinstance(ballot, Choice)
        assert set(ballot.options) == wanted
    decided = vote(tied, {a: b, b: a, c: a, d: a, e: b})
    assert decided.eliminated == (a,)
    drawn = {
        vote(vote(to_vote(start(seed)), {a: b, b: a, c: a, d: b}), {a: b, b: a}).eliminated
        for seed in range(12)
    }
    assert drawn == {(a,), (b,)}


def test_a_tie_may_be_drawn_at_once_or_execute_nobody() -> None:
    a, b, *_ = start().started.seats
    drawn = vote(to_vote(start(tie="random")), {a: b, b: a})
    assert drawn.eliminated in {(a,), (b,)}
    spared = vote(to_vote(start(tie="none")), {a: b, b: a})
    assert not spared.eliminated
    assert Announced(topic="spared", audience="all") in spared.history


def test_votes_of_a_later_day_are_counted_alone() -> None:
    state = to_vote(start())
    first, second = others(state, "werewolf", "seer")[:2]
    state = to_vote(spend_night(execute(state, first), second))
    state = execute(state, seat(state, "seer"))
    last = events_of(state, VotesTallied)[-1]
    assert last.ballot == 2
    assert sum(n for _, n in last.votes) == 3
    assert len(last.ballots) == 3


def wins(state: MatchState) -> Fraction:
    """Return how likely the village wins if each vote and each attack is one of equal chances."""
    if state.ended is not None:
        return Fraction(state.ended.outcome == "civ_win")
    if pending(state)[0].kind in {"speak", "greet"}:
        return wins(act(state, pending(state)[0], quiet(pending(state)[0])))
    if pending(state)[0].kind == "vote":
        after = [execute(state, one) for one in state.living]
    else:
        prey = [one for one in state.living if one != seat(state, "werewolf")]
        after = [spend_night(state, one) for one in prey]
    return sum(map(wins, after), Fraction(0)) / len(after)


def test_random_votes_execute_each_seat_equally_often() -> None:
    for living in (5, 3):
        seats = [f"seat {number}" for number in range(living)]
        named: Counter[str] = Counter()
        ballots = product(*([other for other in seats if other != one] for one in seats))
        for votes in ballots:
            tally = tally_votes(
                dict(zip(seats, votes, strict=True)), VoteRule(tie="none"), seats, Random(0)
            )
            # By symmetry a revote and the lot treat all tied seats alike.
            named.update({one: 60 // len(tally.named) for one in tally.named})
        assert len(set(named.values())) == 1
        assert set(named) == set(seats)


def test_the_village_wins_seven_of_fifteen_games_of_random_votes_and_one_of_five_first_days() -> (
    None
):
    assert wins(start()) == Fraction(7, 15)
    assert wins(start(seed=4, days="first_day")) == Fraction(1, 5)


@pytest.mark.slow
def test_random_players_reach_the_chance_level() -> None:
    matches = 900
    won = sum(
        state.ended.outcome == "civ_win"
        for seed in range(matches)
        if (state := play(start(seed, talk_turns=1), random_play(seed))).ended is not None
    )
    assert abs(won / matches - 7 / 15) < 0.05
