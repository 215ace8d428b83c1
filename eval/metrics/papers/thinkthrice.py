"""ThinkThrice: questions after the game, identification and elections.

A judgement `fact` says whether a seat answered the factual question `about` rightly (1, 0; None:
unreadable). A judgement `rationale` rates, 1..5, a seat's reasons in the inferential question
`about`. Readers with all scripts (section 5.3) are matches without dialogue, and get the same
scores.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from arena.core.seats import SeatId
from eval.metrics.judgements import Judgement, no_scores
from eval.metrics.quiz_metrics import GradedAnswer, read_quiz
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score

INFORMED = 4
"""The least rating of a rationale that makes a right choice informed (ThinkThrice App. E)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A share as numerator and denominator, so that it can be pooled."""

    right: float
    asked: int

    @property
    def value(self) -> float | None:
        """The share; None: no questions."""
        return self.right / self.asked if self.asked else None


def factual_rates(
    seat: str, murderers: Collection[str], answers: Iterable[tuple[str, bool | None]]
) -> Mapping[str, Rate]:
    """Return Own, CQ, MQ and Other of one seat, 0..1.

    `answers` are pairs (role of the question's script, right). Own: its own script; CQ: other
    civilians; MQ: other murderers; Other: all except its own. Unreadable judgements are omitted
    (ThinkThrice App. H).
    """
    known = [(role, right) for role, right in answers if right is not None]
    groups = {
        "Own": [right for role, right in known if role == seat],
        "CQ": [right for role, right in known if role != seat and role not in murderers],
        "MQ": [right for role, right in known if role != seat and role in murderers],
        "Other": [right for role, right in known if role != seat],
    }
    return {name: Rate(right=sum(group), asked=len(group)) for name, group in groups.items()}


def informed_accuracy(
    correct: Sequence[bool | int],
    rationale: Sequence[float | None],
    threshold: float = INFORMED,
) -> Rate:
    """Return the share of questions with a right choice and a rationale of `threshold` or more.

    Range 0..1. All questions count except right ones with an unrated rationale.
    """
    rated = [
        bool(right) and (score or 0) >= threshold
        for right, score in zip(correct, rationale, strict=True)
        if not right or score is not None
    ]
    return Rate(right=sum(rated), asked=len(rated))


def score_thinkthrice(match: PlayedMatch, judgements: Sequence[Judgement]) -> Iterator[Score]:
    """Yield factual rates and informed accuracy for each seat and judge."""
    roles = {question.id: question.role for question in match.script.factual}
    for seat in match.started.seats:
        for judge, facts in _by_judge(judgements, "fact", seat).items():
            answers = [
                (roles[about], None if value is None else bool(value))
                for about, value in facts.items()
                if about in roles
            ]
            for name, rate in factual_rates(seat, match.murderers, answers).items():
                if name != "MQ" or seat not in match.murderers or rate.asked:
                    yield _rate_score(match, name, rate, seat, judge)
        for judge, rated in _by_judge(judgements, "rationale", seat).items():
            chosen = [one for one in _inferential(match) if one.seat == seat]
            rate = informed_accuracy(
                [one.right for one in chosen], [rated.get(one.question.id) for one in chosen]
            )
            yield _rate_score(match, "informed", rate, seat, judge)


def measure_inferential(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of right choices of each seat in the questions on several scripts."""
    answers = _inferential(match)
    for seat in dict.fromkeys(one.seat for one in answers):
        own = [one.right for one in answers if one.seat == seat]
        yield _rate_score(match, "inferential", Rate(right=sum(own), asked=len(own)), seat)


def measure_identification(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of each seat's ballots that name a killer; abstentions count as misses."""
    ballots = _effective_ballots(match)
    for seat in match.started.seats:
        own = [named for one, named in ballots if one == seat]
        if own:
            yield _rate_score(match, "identification", Rate(right=sum(own), asked=len(own)), seat)


def measure_elections(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of the elections, one for each ballot of a seat, that the civilians won."""
    sampled = {one.id for one in match.requests.values() if one.sampled}
    if match.is_played and any(vote.request in sampled for vote in match.votes):
        results = [one.outcome for one in match.ended.results] or [match.ended.outcome]
        rate = Rate(right=results.count("civ_win"), asked=len(results))
        yield _rate_score(match, "civ_win_rate", rate)


def _effective_ballots(match: PlayedMatch) -> list[tuple[SeatId, bool]]:
    """Return voter and hit of every counted ballot: all if equally weighted, else the last."""
    sampled = {one.id for one in match.requests.values() if one.sampled}
    votes = {
        (vote.seat, vote.about, vote.ballot if vote.request in sampled else 0): vote
        for vote in match.votes
        if vote.request
    }
    killers = {
        about: {
            part.seat
            for part in match.started.parts
            if part.seat in match.culprits and (not about or about in part.guilty_of)
        }
        for _, about, _ in votes
    }
    return [
        (vote.seat, vote.choice in killers[vote.about])
        for vote in votes.values()
        if killers[vote.about]
    ]


def _inferential(match: PlayedMatch) -> list[GradedAnswer]:
    return [one for one in read_quiz(match) if one.question.kind == "inf" and not one.is_before]


def _by_judge(
    judgements: Sequence[Judgement], metric: str, seat: str
) -> dict[str, dict[str, float | None]]:
    """Return judge -> question -> value of the judgements of one seat in one metric."""
    found: dict[str, dict[str, float | None]] = {}
    for one in judgements:
        if (one.metric, one.seat) == (metric, seat):
            found.setdefault(one.judge, {})[one.about] = one.value
    return found


def _rate_score(
    match: PlayedMatch, name: str, rate: Rate, seat: str = "", judge: str = ""
) -> Score:
    return make_score(
        match, name, numerator=rate.right, denominator=rate.asked, seat=seat, judge=judge
    )


def _metric(name: str, section: str, english: str, chinese: str, *, judged: bool) -> Metric:
    return Metric(
        name=name,
        source=f"ThinkThrice {section}",
        meaning={"en": english, "zh": chinese},
        scale=100,
        measure=no_scores if judged else _MEASURES[name],
    )


_MEASURES: Mapping[str, Callable[[PlayedMatch], Iterable[Score]]] = MappingProxyType(
    {
        "inferential": measure_inferential,
        "identification": measure_identification,
        "civ_win_rate": measure_elections,
    }
)
METRICS: tuple[Metric, ...] = (
    _metric(
        "Own",
        "App. H",
        "Share of the questions on its own script that a seat answered rightly.",
        "关于自己剧本的问题的答对比例。",
        judged=True,
    ),
    _metric(
        "CQ",
        "App. H",
        "Share of the questions on other civilians' scripts that a seat answered rightly.",
        "关于其他平民剧本的问题的答对比例。",
        judged=True,
    ),
    _metric(
        "MQ",
        "App. H",
        "Share of the questions on the murderer's script that a seat answered rightly.",
        "关于凶手剧本的问题的答对比例。",
        judged=True,
    ),
    _metric(
        "Other",
        "App. H",
        "Share of the questions on all scripts except its own that a seat answered rightly.",
        "关于他人剧本的问题的答对比例。",
        judged=True,
    ),
    _metric(
        "informed",
        "section 5, App. E",
        "Share of the inferential questions with a right choice and a rationale of 4 or more.",
        "推理题中选项正确且理由得分不低于4分的比例。",
        judged=True,
    ),
    _metric(
        "inferential",
        "section 5",
        "Share of the questions on several scripts with a right choice.",
        "跨剧本推理题的正确率。",
        judged=False,
    ),
    _metric(
        "identification",
        "section 6.4",
        "Share of a seat's ballots that name a killer; abstentions count as misses.",
        "该席位指认真凶的选票比例，弃权计为未指认。",
        judged=False,
    ),
    _metric(
        "civ_win_rate",
        "section 6.4",
        "Share of the elections, one for each ballot of a seat, that the civilians won.",
        "多轮投票中平民获胜的比例。",
        judged=False,
    ),
)
