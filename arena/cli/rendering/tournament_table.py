"""Tables of a tournament: outcomes of each pair, and ratings."""

from collections import Counter
from collections.abc import Iterator, Sequence

from arena.cli.rendering.formatting import UNKNOWN, format_plural
from arena.cli.rendering.named_rows import NamedRows
from eval.ratings.bradley_terry import Component, Estimate, Rating
from eval.ratings.rated_games import elo_scale
from eval.standings import PairResult, Standings
from eval.stats.bootstrap import FEWEST_CLUSTERS

_SIDES = ("both", "civilians", "murderer")


def pair_table(pairs: Sequence[PairResult]) -> NamedRows:
    """Return one row per pair: the outcomes of its matches, and how many are missing."""
    several = len({one.game for one in pairs}) > 1
    return NamedRows(
        heads=(
            *(["game"] if several else []),
            *("civilians", "murderer"),
            *("civ\nwins", "murderer\nwins", "draws", "forfeits", "missing", "planned"),
        ),
        rows=[
            (
                *([one.game] if several else []),
                *(one.civilians, one.murderer),
                *(
                    str(one.outcomes[name])
                    for name in ("civ_win", "murderer_win", "draw", "forfeit")
                ),
                f"{one.missing}{f' ({one.damaged} damaged)' if one.damaged else ''}",
                str(one.planned),
            )
            for one in pairs
        ],
        names=3 if several else 2,
    )


def pair_notes(pairs: Sequence[PairResult]) -> Iterator[str]:
    """Yield which matches the outcomes of the table leave out, and why."""
    causes = sum((one.uncounted for one in pairs), Counter[str]())
    for cause, count in causes.items():
        yield f"{format_plural(count, 'match', 'matches')} not counted: {cause}"
    if errors := sum(one.errors for one in pairs):
        yield (
            f"{format_plural(errors, 'match', 'matches')} ended as an error and will be played "
            "again"
        )


def rating_table(standings: Standings) -> NamedRows:
    """Return the ratings by contestant: of both sides, as civilians and as murderer."""
    return NamedRows(
        heads=("contestant", "Elo", "as\ncivilians", "as\nmurderer", "matches", "flags"),
        rows=list(_rating_rows(standings.ratings.components)),
        names=1,
        words=1,
    )


def format_estimate(estimate: Estimate) -> str:
    """Return a rating on the Elo scale with half of its 95 % interval."""
    if estimate.elo is None:
        return UNKNOWN
    interval = estimate.interval
    if interval is None:
        return f"{estimate.elo:.0f}"
    low, high = elo_scale(interval.low), elo_scale(interval.high)
    return f"{estimate.elo:.0f} [{low:.0f}, {high:.0f}]"


def rating_notes(standings: Standings) -> Iterator[str]:
    """Yield notes on the ratings: how they were computed, and what is not shown."""
    parts = standings.ratings.components
    ratings = [one for part in parts for one in part.ratings]
    several = len({one.game for one in standings.pairs}) > 1
    weights = ", each game of equal weight" if several else ""
    yield (
        "Bradley-Terry ratings on the Elo scale, from "
        f"{format_plural(standings.rated, 'match', 'matches')}{weights}"
    )
    yield from dict.fromkeys(map(_interval_note, parts))
    if any(one.strength.value is None for one in ratings):
        yield (
            f"{UNKNOWN}: no finite rating fits the matches: there are too few, or their outcomes "
            "are too similar"
        )
    elif any(len(sides) < len(_SIDES) for part in parts for sides in _by_name(part).values()):
        yield f"{UNKNOWN}: no match on this side is rated yet; Elo is the mean of both sides"
    if any(one.anchored for one in ratings):
        yield "fixed: the rating is a convention, to which the others are relative"
    if any(one.separated for one in ratings):
        yield "one-sided: it only won or only lost, so that only the prior keeps the rating finite"
    if len(parts) > 1:
        yield "groups have not met, so their ratings cannot be compared"


def _interval_note(part: Component) -> str:
    if part.clusters < FEWEST_CLUSTERS:
        return (
            f"no intervals: they need {FEWEST_CLUSTERS} scripts with different stories, and "
            f"matches of {part.clusters} are rated"
        )
    if any(one.strength.interval is not None for one in part.ratings):
        return "[low, high]: 95 % interval over scripts"
    return "no intervals: no rating is fitted, or none can be fitted to resampled scripts"


def _rating_rows(parts: Sequence[Component]) -> Iterator[tuple[str, ...]]:
    for number, part in enumerate(parts, 1):
        for name, sides in sorted(_by_name(part).items(), key=lambda item: -_sort_value(item[1])):
            flags = [f"group {number}"] if len(parts) > 1 else []
            flags += ["fixed"] if any(one.anchored for one in sides.values()) else []
            flags += ["one-sided"] if any(one.separated for one in sides.values()) else []
            yield (
                name,
                *(
                    format_estimate(sides[side].strength) if side in sides else UNKNOWN
                    for side in _SIDES
                ),
                str(max(one.matches for one in sides.values())),
                ", ".join(flags),
            )


def _by_name(part: Component) -> dict[str, dict[str, Rating]]:
    found: dict[str, dict[str, Rating]] = {}
    for one in part.ratings:
        found.setdefault(one.contestant, {})[one.side] = one
    return found


def _sort_value(sides: dict[str, Rating]) -> float:
    values = [one.strength.value for one in sides.values() if one.strength.value is not None]
    both = sides.get("both")
    if both is not None and both.strength.value is not None:
        return both.strength.value
    return max(values, default=0.0)
