"""Standings of a tournament: outcomes of each pair, and one rating over all its games."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from arena.core.events import Outcome
from arena.errors import RecordError
from arena.records.match_summary import MatchSummary
from arena.records.run_config import RunConfig, match_specs
from arena.records.run_record import RunRecord
from eval.ratings.bradley_terry import RESAMPLES, Rating, Ratings, rate_contestants
from eval.ratings.rated_games import EndedMatch, RatedGame, RatingOptions, elo_scale, read_game


@dataclass(slots=True, kw_only=True)
class PairResult:
    """The results of one pair of contestants in one game."""

    game: str
    civilians: str
    murderer: str
    planned: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter[Outcome])
    """Outcomes of the finished, counted matches; an `error` will be replayed."""
    uncounted: Counter[str] = field(default_factory=Counter[str])
    """Matches that enter no rate, by their game's reason."""
    damaged: int = 0
    """Matches whose record cannot be read."""

    @property
    def missing(self) -> int:
        """Matches without a result: not played yet, aborted or damaged."""
        return self.planned - self.uncounted.total() - self.outcomes.total() + self.errors

    @property
    def errors(self) -> int:
        """Matches that ended as an error."""
        return self.outcomes["error"]

    def as_object(self) -> dict[str, object]:
        """Return the pair as an object of `--json`."""
        names: tuple[Outcome, ...] = ("civ_win", "murderer_win", "draw", "forfeit", "error")
        return {
            "game": self.game,
            "civilians": self.civilians,
            "murderer": self.murderer,
            **{name: self.outcomes[name] for name in names},
            "uncounted": dict(self.uncounted),
            "damaged": self.damaged,
            "missing": self.missing,
            "planned": self.planned,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """Results of all pairs, and the ratings from them."""

    pairs: tuple[PairResult, ...]
    ratings: Ratings
    rated: int
    """The number of rated matches."""

    def as_objects(self) -> Iterator[dict[str, object]]:
        """Yield the objects of `--json`: one per pair, then one per rating."""
        yield from (one.as_object() for one in self.pairs)
        yield from rating_objects(self.ratings)


def count_results(
    planned: Mapping[str, RunConfig], started: Mapping[str, RunRecord]
) -> tuple[PairResult, ...]:
    """Return the progress of each pair; both mappings are by the run's name."""
    return _SummaryReader(planned, started).pairs()


def make_standings(
    planned: Mapping[str, RunConfig],
    started: Mapping[str, RunRecord],
    *,
    resamples: int = RESAMPLES,
    anchors: Mapping[str, float] | None = None,
) -> Standings:
    """Return the standings after the finished matches of the runs, by name.

    Each game has the same total weight in the joint Bradley-Terry fit, regardless of its number of
    matches. `anchors` are fixed Elo ratings; None: those of `eval.ratings.rated_games`.
    """
    reader = _SummaryReader(planned, started)
    pairs = reader.pairs()
    ratings, rated = _rate(reader.games, anchors, resamples)
    return Standings(pairs=pairs, ratings=ratings, rated=rated)


class RatableMatch(EndedMatch, Protocol):
    """A finished match with its script's world and its game."""

    @property
    def game(self) -> str:
        """Name of the game."""
        ...

    @property
    def work(self) -> str:
        """The cluster."""
        ...


def rate_matches(
    matches: Iterable[RatableMatch],
    *,
    resamples: int = RESAMPLES,
    anchors: Mapping[str, float] | None = None,
) -> Ratings:
    """Return the ratings of finished matches, as in `make_standings`."""
    games: dict[str, list[RatedGame]] = {}
    for one in matches:
        if (game := read_game(one, one.work)) is not None:
            games.setdefault(one.game, []).append(game)
    return _rate(games, anchors, resamples)[0]


def _rate(
    games: Mapping[str, Sequence[RatedGame]], anchors: Mapping[str, float] | None, resamples: int
) -> tuple[Ratings, int]:
    """Return the ratings and the number of rated matches."""
    rated = tuple(weigh_equally(games))
    options = RatingOptions(anchors=anchors) if anchors else RatingOptions()
    return rate_contestants(rated, options, resamples=resamples), len(rated)


def weigh_equally(games: Mapping[str, Sequence[RatedGame]]) -> Iterable[RatedGame]:
    """Yield all matches, weighted such that each game has equal weight; the mean weight is 1."""
    total = sum(map(len, games.values()))
    for some in games.values():
        weight = total / (len(games) * len(some))
        yield from (replace(one, weight=weight) for one in some)


class _SummaryReader:
    """Reader of the summaries of a tournament's runs, each once."""

    def __init__(self, planned: Mapping[str, RunConfig], started: Mapping[str, RunRecord]) -> None:
        self._planned, self._started = planned, started
        self.games: dict[str, list[RatedGame]] = {}
        """The rated matches, by game."""

    def pairs(self) -> tuple[PairResult, ...]:
        found: dict[tuple[str, str, str], PairResult] = {}
        for name, config in self._planned.items():
            record = self._started.get(name)
            works = self._works(config, record)
            for spec in match_specs(config):
                key = (config.game, spec.civilians, spec.murderer)
                pair = found.setdefault(
                    key, PairResult(game=key[0], civilians=key[1], murderer=key[2])
                )
                pair.planned += 1
                if record is not None:
                    self._read(pair, record, spec.id, works[spec.script.sha256])
        return tuple(found.values())

    def _read(self, pair: PairResult, record: RunRecord, match: str, work: str) -> None:
        try:
            summary: MatchSummary | None = record.match(match).summary()
        except RecordError:
            pair.damaged += 1
            return
        if summary is None:
            return
        if summary.uncounted and summary.outcome != "error":
            pair.uncounted[summary.uncounted] += 1
            return
        pair.outcomes[summary.outcome] += 1
        if (game := read_game(summary, work)) is not None:
            self.games.setdefault(pair.game, []).append(game)

    def _works(self, config: RunConfig, record: RunRecord | None) -> dict[str, str]:
        if record is None:
            return {}
        return {ref.sha256: record.script(ref).work or ref.id for ref in config.scripts}


def rating_objects(ratings: Ratings) -> Iterator[dict[str, object]]:
    """Yield an object of `--json` for each rating."""
    for group, part in enumerate(ratings.components, 1):
        yield from (_rating_object(one, group) for one in part.ratings)


def _rating_object(one: Rating, group: int) -> dict[str, object]:
    interval = one.strength.interval
    return {
        "contestant": one.contestant,
        "side": one.side,
        "elo": one.strength.elo,
        "low": None if interval is None else elo_scale(interval.low),
        "high": None if interval is None else elo_scale(interval.high),
        "matches": one.matches,
        "anchored": one.anchored,
        "separated": one.separated,
        "group": group,
    }
