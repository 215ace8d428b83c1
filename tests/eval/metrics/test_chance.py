"""Chance levels are exact: against every set of ballots of small votes, and by symmetry."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.voting import Quorum, QuorumBase, Tie, VoteRule, tally_votes, vote_result
from eval.metrics.blind_votes import (
    ChanceLevel,
    blind_accusation,
    blind_rank,
    blind_village,
    blind_vote,
    chance_corrected,
)

RULES = st.builds(
    VoteRule,
    quorum=st.sampled_from(("plurality", "majority", "half")),
    base=st.sampled_from(("eligible", "cast")),
    tie=st.sampled_from(("draw", "none", "random", "any_killer")),
)


def brute_force(
    papers: list[str], killers: str, rules: list[VoteRule]
) -> tuple[Fraction, Fraction]:
    """Return how often the civilians win and how often there is a draw, ballot by ballot."""
    rule = rules[0]
    win = draw = Fraction(0)
    choices = [[*paper] or ["abstain"] for paper in papers]
    every = list(product(*choices))
    for chosen in every:
        ballots = {str(number): name for number, name in enumerate(chosen)}
        tally = tally_votes(ballots, rule, [*ballots], Random(0))
        if rule.tie == "random" and len(tally.leaders) > 1:
            win += Fraction(sum(one in killers for one in tally.leaders), len(tally.leaders))
        elif rule.tie == "revote" and tally.is_tied:
            again = ["".join(one for one in paper if one in tally.named) for paper in papers]
            more = brute_force(again, killers, rules[1:])
            win, draw = win + more[0], draw + more[1]
        else:
            result = vote_result(tally, rule, killers)
            win, draw = win + (result == "civ_win"), draw + (result == "draw")
    return win / len(every), draw / len(every)


@pytest.mark.slow
@settings(max_examples=150)
@given(
    papers=st.lists(st.sets(st.sampled_from("abcd")).map("".join), min_size=1, max_size=5),
    killers=st.sampled_from(["a", "d", "ab", "acd"]),
    rule=RULES,
)
def test_the_level_is_that_of_all_sets_of_ballots(
    papers: list[str], killers: str, rule: VoteRule
) -> None:
    level = blind_vote(papers, killers, [rule])
    assert level is not None
    assert (level.win, level.draw) == brute_force(papers, killers, [rule])


@settings(max_examples=60)
@given(
    papers=st.lists(st.sets(st.sampled_from("abc")).map("".join), min_size=1, max_size=3),
    quorum=st.sampled_from(("plurality", "half")),
    revotes=st.integers(1, 2),
    last=RULES,
)
def test_revotes_are_those_of_all_sets_of_ballots(
    papers: list[str], quorum: Quorum, revotes: int, last: VoteRule
) -> None:
    rules = [*[VoteRule(quorum=quorum, tie="revote")] * revotes, last]
    level = blind_vote(papers, "a", rules)
    assert level is not None
    assert (level.win, level.draw) == brute_force(papers, "a", rules)


@pytest.mark.parametrize("seats", range(3, 11))
def test_decided_blind_votes_of_all_seats_name_the_killer_one_time_in_n(seats: int) -> None:
    names = [str(number) for number in range(seats)]
    papers = [[one for one in names if one != name] for name in names]
    level = blind_vote(papers, names[:1], [VoteRule()])
    assert level is not None
    assert level.win_excluding_draws == Fraction(1, seats)


def test_a_revote_is_held_between_the_tied_by_its_own_rule() -> None:
    papers = ["ab", "ab"]
    rules = [VoteRule(tie="revote"), VoteRule(tie="draw")]
    level = blind_vote(papers, "a", rules)
    assert level is not None
    # First a wins 1/4, b 1/4, else a tie between both; then the same again, and a tie is a draw.
    assert (level.win, level.draw) == (Fraction(1, 4) + Fraction(1, 8), Fraction(1, 4))


def test_a_second_revote_has_the_rule_of_a_revote() -> None:
    rules = [VoteRule(tie="revote"), VoteRule(tie="revote"), VoteRule(tie="draw")]
    level = blind_vote(["ab", "ab"], "a", rules)
    assert level is not None
    assert (level.win, level.draw) == (Fraction(7, 16), Fraction(1, 8))


def test_a_revote_is_between_those_that_were_tied_and_no_others() -> None:
    rules = [VoteRule(tie="revote"), VoteRule(tie="none")]
    level = blind_vote(["b", "b", "a", "a", "c"], "a", rules)
    assert level is not None
    assert level.win == 0, "were it between a and c, two seats would abstain"


def test_whom_a_seat_may_not_name_matters_in_a_revote() -> None:
    rules = [VoteRule(tie="revote"), VoteRule(tie="none")]
    level = blind_vote(["b", "a", "c"], "a", rules)
    assert level is not None
    # All three are tied with one vote each, and each seat can only name the same one again.
    assert level.win == 0


def test_a_seat_without_a_legal_option_abstains() -> None:
    rule = VoteRule(quorum="majority", tie="none")
    level = blind_vote(["a", "", ""], "a", [rule])
    assert level == ChanceLevel(win=Fraction(0), draw=Fraction(0))
    assert blind_vote(["", ""], "a", [VoteRule()]) == ChanceLevel(win=Fraction(0), draw=Fraction(1))


def test_a_level_without_decided_votes_has_no_share_of_them() -> None:
    level = blind_vote(["", ""], "a", [VoteRule()])
    assert level is not None
    assert level.win_excluding_draws is None


@pytest.mark.slow
def test_a_vote_that_is_too_large_has_no_level() -> None:
    names = [f"{number:02}" for number in range(12)]
    papers = [[one for one in names if one != name] for name in names]
    assert blind_vote(papers, names[:1], [VoteRule(tie="revote"), VoteRule()]) is None
    assert blind_vote(papers, names[:1], [VoteRule()]) is not None


@pytest.mark.parametrize("quorum", ["plurality", "half"])
@pytest.mark.parametrize("base", ["eligible", "cast"])
def test_a_tie_between_killers_is_a_part_of_winning(quorum: Quorum, base: QuorumBase) -> None:
    ties: tuple[Tie, ...] = ("draw", "none", "any_killer")
    for tie in ties:
        rule = VoteRule(quorum=quorum, base=base, tie=tie)
        assert blind_vote(["a", "b"], "ab", [rule]) == ChanceLevel(
            win=Fraction(1), draw=Fraction(0), killers_tied=Fraction(1)
        )


def test_only_the_accused_are_voted_on() -> None:
    level, accused = blind_accusation(
        ["b", "a"], lambda named: [sorted(named)] * 3, "a", [VoteRule(tie="none")]
    )
    assert level is not None
    assert accused == 1
    assert level.win == Fraction(1, 2)


def test_an_accusation_without_options_accuses_nobody() -> None:
    level, accused = blind_accusation(["", ""], lambda _: ["", ""], "a", [VoteRule(tie="none")])
    assert (level, accused) == (ChanceLevel(win=Fraction(0), draw=Fraction(0)), 0)


def test_several_culprits_make_a_good_rank_likelier() -> None:
    assert blind_rank(3) == Fraction(11, 18)
    assert blind_rank(3, 2) == Fraction(2, 3) + Fraction(1, 3) / 2
    assert blind_rank(3, 3) == 1


def test_the_village_has_as_many_tries_as_executions() -> None:
    assert blind_village(1) == Fraction(1, 5)
    assert blind_village(2) == Fraction(7, 15)


def test_a_certain_win_leaves_nothing_to_correct() -> None:
    assert chance_corrected([(1, 1.0)]) == (0, 0)
    assert chance_corrected([]) == (0, 0)
    assert chance_corrected(iter([(1, 0.25), (0, 0.25)])) == (0.5, 1.5)
