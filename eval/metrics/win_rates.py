"""Win and loss rates in three conventions, and averages over opponents."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from arena.core.events import Outcome
from arena.records.match_summary import MatchSummary
from arena.records.run_config import HUMAN
from eval.played_match import PlayedMatch
from eval.rounding import exact_mean, round_half_up, to_fraction
from eval.scores import Metric, Score, make_score

OutcomeLabel = Outcome | Literal["uncounted"]
LABELS: Final[tuple[OutcomeLabel, ...]] = (
    "civ_win",
    "murderer_win",
    "draw",
    "forfeit",
    "error",
    "uncounted",
)
"""All outcome labels of a match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCounts:
    """Numbers of matches by outcome (WhodunitBench, section 4.1 and Table 2).

    Forfeits, errors and uncounted matches enter no rate; every table prints them too.
    """

    civ_win: int = 0
    murderer_win: int = 0
    draw: int = 0
    forfeit: int = 0
    error: int = 0
    uncounted: int = 0
    """Reference rows and matches without a vote (`MatchSummary.uncounted`)."""

    @property
    def decisive(self) -> int:
        """Decided matches."""
        return self.civ_win + self.murderer_win

    @property
    def with_result(self) -> int:
        """Matches with a result."""
        return self.decisive + self.draw

    @property
    def total(self) -> int:
        """All matches."""
        return self.with_result + self.forfeit + self.error + self.uncounted

    @property
    def excluding_draws(self) -> float | None:
        """Win rate of decided matches, 0..1: the convention of Table 2."""
        return _share(self.civ_win, self.decisive)

    @property
    def including_draws(self) -> float | None:
        """Win rate of played matches, 0..1: the ratio of section 4.1, and the default here."""
        return _share(self.civ_win, self.with_result)

    @property
    def half_draws(self) -> float | None:
        """Win rate of played matches with a draw as half a win, 0..1."""
        return _share(self.civ_win + self.draw / 2, self.with_result)


def count_outcomes(summaries: Iterable[MatchSummary]) -> OutcomeCounts:
    """Count the matches by outcome."""
    return OutcomeCounts(**Counter(map(_label, summaries)))


def average_of_printed(cells: Iterable[float], places: int = 1) -> float | None:
    """Return the unweighted mean of printed cells, rounded half up: `Avg. Win Ratio` of Table 2."""
    mean = exact_mean(cells)
    return None if mean is None else round_half_up(mean, places)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentAverages:
    """Averages of one contestant over its opponents, three ways, in per cent."""

    as_printed: float | None
    """Mean of the cells after each was rounded to one decimal, rounded again."""
    consistent: float | None
    """Mean of the unrounded cells."""
    pooled: float | None
    """All wins over all matches: cells with more matches weigh more."""
    cells: int
    missing: int
    """Number of opponents without a decided match."""


def average_row(
    cells: Mapping[str, Mapping[str, OutcomeCounts]], civilians: str
) -> OpponentAverages:
    """Return `Avg. Win Ratio`: a civilian contestant over all murderers except itself."""
    row = cells.get(civilians, {})
    return _average([counts for murderer, counts in row.items() if murderer != civilians])


def average_column(
    cells: Mapping[str, Mapping[str, OutcomeCounts]], murderer: str
) -> OpponentAverages:
    """Return `Avg. Loss Ratio`: the loss rate of a murderer over all civilians except itself."""
    column = [row[murderer] for one, row in cells.items() if murderer in row and one != murderer]
    return _average(column)


def measure_win_rate(match: PlayedMatch) -> Iterator[Score]:
    """Yield 1 for a win of the civilians and 0 for any other result; undefined without a result.

    Grouped by the opponent, the same scores are the loss rate of a murderer.
    """
    outcome = match.summary.outcome
    yield _rate(match, "win_rate", float(outcome == "civ_win"), counts=_counts(match))


def measure_win_rate_decided(match: PlayedMatch) -> Iterator[Score]:
    """Yield 1 for a win of the civilians and 0 for one of the murderer; a draw is undefined."""
    outcome = match.summary.outcome
    value = float(outcome == "civ_win")
    yield _rate(match, "win_rate_decided", value, counts=_counts(match) and outcome != "draw")


def measure_win_rate_half(match: PlayedMatch) -> Iterator[Score]:
    """Yield 1 for a win of the civilians, a half for a draw and 0 for a loss."""
    value = {"civ_win": 1.0, "draw": 0.5}.get(match.summary.outcome, 0.0)
    yield _rate(match, "win_rate_half", value, counts=_counts(match))


def measure_outcome_shares(match: PlayedMatch) -> Iterator[Score]:
    """Yield, for each label, whether the match has it, including errors and forfeits."""
    for label in LABELS:
        share = float(_label(match.summary) == label)
        yield make_score(match, "outcome_share", numerator=share, denominator=1.0, group=label)


def _counts(match: PlayedMatch) -> bool:
    """Return whether a match enters win rates."""
    return match.is_played and not match.summary.uncounted


def _label(summary: MatchSummary) -> OutcomeLabel:
    return "uncounted" if summary.uncounted else summary.outcome


def _rate(match: PlayedMatch, metric: str, value: float, *, counts: bool) -> Score:
    # A match with a person is never pooled with matches of models only.
    return make_score(
        match,
        metric,
        numerator=value if counts else 0.0,
        denominator=float(counts),
        group=HUMAN if HUMAN in match.summary.flags else "",
    )


def _average(cells: Iterable[OutcomeCounts]) -> OpponentAverages:
    counts = list(cells)
    rates = [one.excluding_draws for one in counts]
    known = [100 * rate for rate in rates if rate is not None]
    mean = exact_mean(known)
    won, decided = sum(one.civ_win for one in counts), sum(one.decisive for one in counts)
    return OpponentAverages(
        as_printed=average_of_printed(round_half_up(to_fraction(cell), 1) for cell in known),
        consistent=None if mean is None else float(mean),
        pooled=100 * won / decided if decided else None,
        cells=len(known),
        missing=len(counts) - len(known),
    )


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None


METRICS = (
    Metric(
        name="win_rate",
        source="WhodunitBench, 4.1",
        meaning={
            "en": "Share of the played matches that the civilians win; draws are not wins.",
            "zh": "平民方获胜的对局占已分结果对局的比例；平局不算胜。",
        },
        scale=100,
        measure=measure_win_rate,
    ),
    Metric(
        name="win_rate_decided",
        source="WhodunitBench, Table 2",
        meaning={
            "en": "Share of the decided matches that the civilians win; draws are omitted.",
            "zh": "平民方获胜的对局占分出胜负对局的比例；平局不计。",
        },
        scale=100,
        measure=measure_win_rate_decided,
    ),
    Metric(
        name="win_rate_half",
        source="own",
        meaning={
            "en": "Win rate of the civilians where a draw is half a win.",
            "zh": "平局计半胜的平民方胜率。",
        },
        scale=100,
        measure=measure_win_rate_half,
    ),
    Metric(
        name="outcome_share",
        source="own",
        meaning={
            "en": "Share of all attempted matches with each outcome.",
            "zh": "各种结局占全部对局的比例。",
        },
        better="none",
        scale=100,
        measure=measure_outcome_shares,
    ),
)
"""The metrics of this file."""
