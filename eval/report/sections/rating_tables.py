"""Strengths: Bradley-Terry with a rating per side, and Elo and OpenSkill."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from eval.ratings.bradley_terry import Component, Rating, rate_contestants
from eval.ratings.elo import rate_elo
from eval.ratings.likelihood import LikelihoodRatio, compare_anchors, compare_single
from eval.ratings.online import OnlineRating
from eval.ratings.openskill_rating import rate_openskill
from eval.ratings.rated_games import RatedGame, RatingOptions, StrengthKey, elo_scale, read_game
from eval.report.elements import (
    Cell,
    FigureCell,
    ReportBlock,
    ReportParagraph,
    Section,
    Table,
    format_number,
)
from eval.report.report_context import ReportContext

RESAMPLES: Final = 1000
ORDERS: Final = 40
_MARGIN: Final = 100.0
_SIDES: Final = ("civilians", "murderer", "both")


def report_ratings(context: ReportContext) -> Section:
    """Return the section on strengths, one table per game."""
    blocks: list[ReportBlock] = []
    for game in context.games:
        played = [one for one in context.matches if one.summary.game == game]
        games = [read_game(one.summary, one.work) for one in played]
        known = [one for one in games if one is not None]
        blocks += [_table(context, game, known)] if known else []
    if not blocks:
        blocks = [context.missing("ratings")]
    return context.section("ratings", ReportParagraph(text=context.say("ratings.how")), *blocks)


def _table(context: ReportContext, game: str, games: Sequence[RatedGame]) -> Table:
    found = rate_contestants(games, resamples=RESAMPLES)
    elo, skill = rate_elo(games, orders=ORDERS), rate_openskill(games, orders=ORDERS)
    parts = found.components
    ends = [end for part in parts for one in part.ratings for end in _ends(one)]
    span = (min(ends, default=0.0) - _MARGIN, max(ends, default=0.0) + _MARGIN)
    rows = [
        (
            *((str(number),) if len(parts) > 1 else ()),
            *_row(context, one, elo, skill, span),
        )
        for number, part in enumerate(parts, start=1)
        for one in sorted(part.ratings, key=_order)
    ]
    names = ["contestant", "faction", "strength", "flags"]
    left = {"contestant", "faction", "flags", "part"}
    keys = [*(["part"] if len(parts) > 1 else []), *names, "games", "elo", "openskill"]
    return Table(
        name=f"ratings_{game}",
        title=context.say("table.ratings", game=game),
        columns=tuple(
            context.column(key, "left" if key in left else "right", places=0) for key in keys
        ),
        rows=tuple(rows),
        note=" ".join(
            (
                *(_note(context, part) for part in parts),
                _link_note(context, len(parts)),
                *_fit_notes(context, games),
            )
        ),
    )


def _order(one: Rating) -> tuple[int, float]:
    return _SIDES.index(one.side), -(one.strength.value or 0.0)


def _row(
    context: ReportContext,
    one: Rating,
    elo: Mapping[StrengthKey, OnlineRating],
    skill: Mapping[StrengthKey, OnlineRating],
    span: tuple[float, float],
) -> tuple[Cell, ...]:
    ends = _ends(one)
    flags = [key for key in ("anchored", "separated") if getattr(one, key)]
    online = elo.get((one.contestant, one.side)), skill.get((one.contestant, one.side))
    return (
        context.display_name(one.contestant),
        context.say(f"faction.{one.side}"),
        FigureCell(
            value=one.strength.elo,
            low=ends[1] if len(ends) > 1 else None,
            high=ends[2] if len(ends) > 1 else None,
            places=0,
            least=span[0],
            most=span[1],
            is_point=True,
        ),
        ", ".join(context.say(f"flag.{key}") for key in flags),
        format_number(one.games, 0),
        _format_spread(online[0], 0),
        _format_spread(online[1], 1),
    )


def _format_spread(rating: OnlineRating | None, places: int) -> str | None:
    return (
        rating and f"{format_number(rating.mean, places)} ± {format_number(rating.spread, places)}"
    )


def _ends(one: Rating) -> tuple[float, ...]:
    """Return the value of a rating and the ends of its interval, on the Elo scale."""
    if one.strength.elo is None:
        return ()
    interval = one.strength.interval
    return (
        one.strength.elo,
        *((elo_scale(interval.low), elo_scale(interval.high)) if interval else ()),
    )


def _note(context: ReportContext, part: Component) -> str:
    interval = part.alpha.interval
    bounds = (
        f" [{format_number(interval.low, 2)}, {format_number(interval.high, 2)}]"
        if interval
        else ""
    )
    return context.say(
        "note.ratings",
        alpha=f"{format_number(part.alpha.value, 2)}{bounds}",
        draws=format_number(part.draws.value, 2),
        clusters=part.clusters,
        degenerate=part.degenerate,
        separated=part.separated,
        resamples=RESAMPLES,
    )


def _fit_notes(context: ReportContext, games: Sequence[RatedGame]) -> Iterator[str]:
    """Yield likelihood-ratio notes: one strength per contestant, and the anchors."""
    options = RatingOptions()
    tests: Mapping[str, LikelihoodRatio | None] = {
        "note.single": compare_single(games, options),
        "note.anchors": compare_anchors(games, options),
    }
    for key, test in tests.items():
        if test is not None:
            statistic = format_number(test.statistic, 1)
            yield context.say(
                key, statistic=statistic, freedom=test.freedom, p=format_number(test.p, 3)
            )


def _link_note(context: ReportContext, parts: int) -> str:
    return context.say("note.disconnected", parts=parts) if parts > 1 else ""
