"""The chance level of a recorded match, from its electorate, options and vote rule."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from statistics import fmean
from typing import Final

from arena.core.events import Outcome, RequestsOpened, VotesTallied
from arena.core.options import GameOptions
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN, Choice, spec_fields, variants
from arena.core.voting import VoteRule
from arena.games.mirage.options import MirageOptions
from arena.games.shared.options import VoteOptions
from arena.games.shared.victims import killers_of
from arena.games.thinkthrice.options import ThinkThriceOptions
from arena.games.werewolf5.options import WerewolfOptions
from eval.metrics.blind_votes import (
    ChanceLevel,
    blind_accusation,
    blind_rank,
    blind_village,
    blind_vote,
    chance_corrected,
)
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score

APPROXIMATE: Final = "open vote"
"""Group of the levels of an open vote: late voters can follow earlier ones."""

_BallotNames = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteTerm:
    """One counted vote of a match: its result and its chance level."""

    outcome: Outcome
    level: ChanceLevel


def chance_terms(match: PlayedMatch) -> tuple[VoteTerm, ...]:
    """Return a term for each counted vote; empty if the level is unknown.

    A match with several victims has a vote on each; a match with several elections has one term
    each.
    """
    if not match.is_played:
        return ()
    results = match.ended.results
    found: list[tuple[str, Outcome]] = [("", match.ended.outcome)]
    if results:
        found = [(one.about, one.outcome) for one in results if one.outcome is not None]
    levels = {about: level_of(match, about) for about, _ in found}
    return tuple(
        VoteTerm(outcome=outcome, level=level)
        for about, outcome in found
        for level in [levels[about]]
        if level is not None
    )


def level_of(match: PlayedMatch, about: str = "") -> ChanceLevel | None:
    """Return the chance level of the vote on the victim `about`.

    None: the match had no such vote, its rule is unsupported, or the vote is too large.
    """
    options = match.started.options
    if isinstance(options, WerewolfOptions):
        return _village_level(match, options)
    if not isinstance(options, VoteOptions):
        return None
    if any(one.purpose is Purpose.ACCUSE for one in match.requests.values()):
        return _accusation_level(match, options)
    papers = _ballot_names(match, options, about)
    return blind_vote(papers, killers_of(match.started, about), _rules(options)) if papers else None


def measure_chance(match: PlayedMatch) -> Iterator[Score]:
    """Yield the probability that random ballots win the match; the mean over several votes."""
    if levels := [float(term.level.win) for term in chance_terms(match)]:
        yield make_score(match, "chance", value=fmean(levels), group=_group(match))


def measure_chance_draw(match: PlayedMatch) -> Iterator[Score]:
    """Yield the probability that random ballots end in a draw."""
    if levels := [float(term.level.draw) for term in chance_terms(match)]:
        yield make_score(match, "chance_draw", value=fmean(levels), group=_group(match))


def measure_chance_rank(match: PlayedMatch) -> Iterator[Score]:
    """Yield the mean of 1/rank of the best culprit in a random ranking of the seats."""
    if match.is_played and match.ended.ranking:
        ranked = len(match.ended.ranking)
        level = float(blind_rank(ranked, len(match.culprits)))
        yield make_score(match, "chance_rank", value=level)


def measure_ccw(match: PlayedMatch) -> Iterator[Score]:
    """Yield (win - chance) / (1 - chance); a draw is not a win. The pooled value is CCW."""
    pairs = [(term.outcome == "civ_win", float(term.level.win)) for term in chance_terms(match)]
    yield from _score_corrected(match, "CCW", pairs)


def measure_ccw_decided(match: PlayedMatch) -> Iterator[Score]:
    """Yield the same for decided votes only, against the level without draws."""
    pairs = [
        (term.outcome == "civ_win", float(level))
        for term in chance_terms(match)
        for level in [term.level.win_excluding_draws]
        if level is not None and term.outcome != "draw"
    ]
    yield from _score_corrected(match, "CCW_decided", pairs)


def _score_corrected(
    match: PlayedMatch, metric: str, pairs: Sequence[tuple[bool, float]]
) -> Iterator[Score]:
    if pairs and not match.summary.uncounted:
        weight = _weight(match)
        above, room = chance_corrected(pairs)
        yield make_score(
            match,
            metric,
            numerator=weight * above,
            denominator=weight * room,
            group=_group(match),
        )


def _weight(match: PlayedMatch) -> float:
    """Return the weight of one vote: elections on the same question together count as one match."""
    return 1 / len({one.ballot for one in match.ended.results} or {1})


def _group(match: PlayedMatch) -> str:
    return APPROXIMATE if any(vote.audience == "all" for vote in match.votes) else ""


def _rules(options: VoteOptions) -> tuple[VoteRule, ...]:
    """Return the rule of the first ballot and those of its revotes."""
    again = takewhile(lambda n: options.vote_rule(n).tie == "revote", count(1))
    numbers = [*again, 0]
    return tuple(options.vote_rule(n) for n in range(1, len(numbers) + 1))


def _ballot_names(match: PlayedMatch, options: VoteOptions, about: str) -> _BallotNames:
    """Return the candidates of each ballot of the first vote on a victim."""
    wave = _first_vote(match)
    if about:
        wave = tuple(one for one in wave if one.about == about)
    elif not _is_pooled(match):
        wave = tuple({one.seat: one for one in reversed(wave)}.values())
    return tuple(_names_on_ballot(match, options, one) for one in wave)


def _first_vote(match: PlayedMatch) -> tuple[DecisionRequest, ...]:
    for event in match.events:
        if isinstance(event, RequestsOpened):
            votes = tuple(one for one in event.requests if one.purpose is Purpose.VOTE)
            if votes:
                return votes
    return ()


def _is_pooled(match: PlayedMatch) -> bool:
    """Return whether all ballots of a seat were counted together, as ballot 0."""
    return any(isinstance(event, VotesTallied) and not event.ballot for event in match.events)


def _names_on_ballot(
    match: PlayedMatch, options: VoteOptions, request: DecisionRequest
) -> tuple[str, ...]:
    for variant in variants(request.spec):
        for field in spec_fields(variant.spec):
            if isinstance(field.spec, Choice):
                return tuple(one for one in field.spec.options if one != ABSTAIN)
    # A free-text ballot can name every seat that the game's options allow.
    assert isinstance(options, ThinkThriceOptions), f"{type(options).__name__} has written ballots"
    return options.candidates(match.started.seats, request.seat)


def _accusation_level(match: PlayedMatch, options: GameOptions) -> ChanceLevel | None:
    """Return the level of a vote between randomly accused seats."""
    assert isinstance(options, MirageOptions), f"{type(options).__name__} has no accusations"
    started = match.started
    first = started.seats[:1]
    if not options.candidates(first, started.seats[-1], first[0]):
        return None  # A seat cannot vote for whom it accused, so its ballots depend on that.
    accusers = [one for one in match.requests.values() if one.purpose is Purpose.ACCUSE]
    voters = [seat for seat in started.seats if seat not in started.never_vote]

    def papers_among(accused: frozenset[str]) -> _BallotNames:
        among = tuple(map(SeatId, accused))
        return tuple(options.candidates(among, seat) for seat in voters)

    named = [_names_on_ballot(match, options, one) for one in accusers]
    return blind_accusation(named, papers_among, started.murderers, _rules(options))[0]


def _village_level(match: PlayedMatch, options: WerewolfOptions) -> ChanceLevel | None:
    """Return P(the village wins); None if a tie can end without an execution."""
    last = options.vote_rule(is_revote=True)
    if last.tie != "random" or match.started.never_vote:
        return None
    village = blind_village(options.most_executions)
    return ChanceLevel(win=village, draw=village - village)


METRICS = (
    Metric(
        name="chance",
        source="own",
        meaning={
            "en": "Probability that the civilians win when every seat votes at random.",
            "zh": "每个座位随机投票时平民方获胜的概率。",
        },
        better="none",
        scale=100,
        measure=measure_chance,
    ),
    Metric(
        name="chance_draw",
        source="own",
        meaning={
            "en": "Probability that random votes end in a draw.",
            "zh": "随机投票以平局结束的概率。",
        },
        better="none",
        scale=100,
        measure=measure_chance_draw,
    ),
    Metric(
        name="chance_rank",
        source="own",
        meaning={
            "en": "Mean of 1/rank of the culprit in a random ranking of the seats.",
            "zh": "座位随机排名时，凶手名次倒数的均值。",
        },
        better="none",
        scale=100,
        measure=measure_chance_rank,
    ),
    Metric(
        name="CCW",
        source="own",
        meaning={
            "en": "Chance-corrected win rate of the civilians (pooled): 0 is random voting, 1 "
            "always wins; a draw is not a win.",
            "zh": "按随机水平校正的平民方胜率（取合并值）：0 为随机投票，1 为全胜；平局不算胜。",
        },
        low=None,
        measure=measure_ccw,
    ),
    Metric(
        name="CCW_decided",
        source="own",
        meaning={
            "en": "Chance-corrected win rate of the civilians (pooled) over decided votes only.",
            "zh": "只计分出胜负的投票、按随机水平校正的平民方胜率（取合并值）。",
        },
        low=None,
        measure=measure_ccw_decided,
    ),
)
"""The metrics of this file."""
