"""Chance level of a vote: the exact win probability of random ballots."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, prod
from random import Random

from arena.core.voting import VoteRule, VoteTally, tally_votes, vote_result

_ZERO = Fraction(0)
_MOST_STATES = 150_000
"""The limit of count vectors in memory: half a minute of work."""

_BallotChoices = tuple[tuple[int, ...], ...]
"""The candidates that each ballot can name, by number: killers come first."""
_Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChanceLevel:
    """Outcome probabilities of a random vote; the murderer's side wins the rest."""

    win: Fraction
    draw: Fraction
    killers_tied: Fraction = _ZERO
    """The part of `win` in which several killers tie. Published levels count it as a draw."""

    @property
    def win_excluding_draws(self) -> Fraction | None:
        """The civilians' share of the decided votes; None: every vote is a draw."""
        return self.win / (1 - self.draw) if self.draw != 1 else None


def blind_vote(
    papers: Sequence[Collection[str]], killers: Collection[str], rules: Sequence[VoteRule]
) -> ChanceLevel | None:
    """Return the chance level if each of `papers` names one of its candidates at random.

    A ballot without candidates abstains. `rules` are those of the first ballot and of its revotes
    between tied candidates. None: the vote is too large to enumerate.
    """
    named = {name for paper in papers for name in paper}
    order = sorted(named, key=lambda name: (name not in killers, name))
    number = {name: place for place, name in enumerate(order)}
    drawn = sorted(tuple(sorted(number[name] for name in paper)) for paper in papers)
    return _level(tuple(drawn), len(named.intersection(killers)), tuple(rules))


def blind_accusation(
    accusations: Sequence[Collection[str]],
    papers_among: Callable[[frozenset[str]], Sequence[Collection[str]]],
    killers: Collection[str],
    rules: Sequence[VoteRule],
) -> tuple[ChanceLevel | None, Fraction]:
    """Return the chance level of a vote between the accused, and P(a killer is accused).

    Each of `accusations` names one of its candidates at random; `papers_among` returns the ballots
    for a set of accused seats.
    """
    reached: Counter[frozenset[str]] = Counter({frozenset(): 1})
    for options in accusations:
        after: Counter[frozenset[str]] = Counter()
        for accused, ways in reached.items():
            for name in options:
                after[accused | {name}] += ways
        reached = after if options else reached
    total = sum(reached.values())
    win = draw = tied = among = _ZERO
    for accused, ways in reached.items():
        share = Fraction(ways, total)
        level = blind_vote(papers_among(accused), killers, rules)
        if level is None:
            return None, _ZERO
        win, draw = win + share * level.win, draw + share * level.draw
        tied += share * level.killers_tied
        among += share * bool(accused & set(killers))
    return ChanceLevel(win=win, draw=draw, killers_tied=tied), among


def blind_rank(candidates: int, culprits: int = 1) -> Fraction:
    """Return the mean of 1/rank of the best culprit in a random ranking; H_n/n for one."""
    ranks = range(1, candidates - culprits + 2)
    ways = sum((Fraction(comb(candidates - r, culprits - 1), r) for r in ranks), _ZERO)
    return ways / comb(candidates, culprits)


def blind_village(executions: int) -> Fraction:
    """Return P(random executions find the werewolf among five seats before its side wins).

    After the first execution the werewolf attacks, so that a second one is among three.
    """
    chances = (Fraction(1, 5), Fraction(1, 3))[:executions]
    return 1 - prod((1 - chance for chance in chances), start=Fraction(1))


def chance_corrected(pairs: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Return sum(score - chance) and sum(1 - chance) of pairs (score, chance).

    Their ratio is 0 at chance level and 1 for a perfect score; for wins it is CCW. The second is 0
    if chance is always right.
    """
    known = list(pairs)
    return sum(one - chance for one, chance in known), sum(1 - chance for _, chance in known)


@lru_cache(maxsize=4096)
def _level(papers: _BallotChoices, killers: int, rules: tuple[VoteRule, ...]) -> ChanceLevel | None:
    ways = _count_ways(papers, killers, keep_apart=rules[0].tie == "revote")
    if ways is None:
        return None
    total = sum(ways.values())
    win = draw = tied = _ZERO
    for counts, number in ways.items():
        level = _outcome(counts, papers, killers, rules)
        if level is None:
            return None
        share = Fraction(number, total)
        win, draw = win + share * level.win, draw + share * level.draw
        tied += share * level.killers_tied
    return ChanceLevel(win=win, draw=draw, killers_tied=tied)


def _outcome(
    counts: _Counts, papers: _BallotChoices, killers: int, rules: tuple[VoteRule, ...]
) -> ChanceLevel | None:
    """Return the outcome of a vote with these counts."""
    rule, guilty = rules[0], [str(place) for place in range(killers)]
    chosen = [str(place) for place, number in enumerate(counts) for _ in range(number)]
    ballots = {f"paper {number}": name for number, name in enumerate(chosen)}
    tally = tally_votes(ballots, rule, [f"paper {n}" for n in range(len(papers))], Random(0))
    if len(tally.leaders) > 1 and rule.tie == "random":
        share = Fraction(len({*tally.leaders}.intersection(guilty)), len(tally.leaders))
        return ChanceLevel(win=share, draw=_ZERO)
    if tally.is_tied and rule.tie == "revote":
        again = [[name for name in map(str, paper) if name in tally.named] for paper in papers]
        return blind_vote(again, guilty, rules[1:])
    return _level_of_tally(tally, rule, guilty)


def _level_of_tally(tally: VoteTally, rule: VoteRule, guilty: Sequence[str]) -> ChanceLevel:
    result = vote_result(tally, rule, guilty)
    among_killers = tally.is_tied and {*tally.named} <= {*guilty}
    return ChanceLevel(
        win=Fraction(result == "civ_win"),
        draw=Fraction(result == "draw"),
        killers_tied=Fraction(among_killers),
    )


def _count_ways(
    papers: _BallotChoices, killers: int, *, keep_apart: bool
) -> Mapping[_Counts, int] | None:
    """Return the number of ballot sets that give each vector of votes; None: too many.

    Candidates of one side on the same remaining ballots are interchangeable: their votes are sorted
    by size. A revote distinguishes candidates by all ballots (`keep_apart`).
    """
    candidates = range(max((place + 1 for paper in papers for place in paper), default=0))
    reached: Counter[_Counts] = Counter({(0,) * len(candidates): 1})
    for place, paper in enumerate(papers):
        left = papers if keep_apart else papers[place + 1 :]
        groups = _alike(candidates, killers, left)
        after: Counter[_Counts] = Counter()
        for counts, ways in reached.items():
            for choice in paper:
                votes = [*counts]
                votes[choice] += 1
                after[_sort_groups(votes, groups)] += ways
        reached = after if paper else reached
        if len(reached) > _MOST_STATES:
            return None
    return reached


def _alike(candidates: range, killers: int, papers: _BallotChoices) -> tuple[tuple[int, ...], ...]:
    """Return the groups of candidates of one side that are on the same ballots."""
    groups: dict[tuple[bool, ...], list[int]] = {}
    for one in candidates:
        groups.setdefault((one < killers, *(one in paper for paper in papers)), []).append(one)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _sort_groups(votes: list[int], groups: tuple[tuple[int, ...], ...]) -> _Counts:
    for group in groups:
        for place, number in zip(group, sorted(votes[one] for one in group), strict=True):
            votes[place] = number
    return tuple(votes)
