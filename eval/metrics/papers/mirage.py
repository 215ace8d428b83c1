"""MIRAGE: the trust inclination index and clue investigation."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from arena.core.events import ClueRevealed, PhaseStarted, Rated
from arena.core.purposes import Purpose
from arena.core.seats import SeatId
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score

_SUSPICION, _TRUST = "suspicion", "trust"
"""The scales of `Rated`."""


def tii(suspicion: Sequence[float | None], trust: Sequence[float | None]) -> float | None:
    """Return the trust inclination index `P_T / (P_S + P_T)` of one rated role.

    Ratings 0..2 over raters and rounds; missing ones are omitted from their sum. Range 0..1; None
    if both sums are 0 (MIRAGE App. B.1).
    """
    doubted, trusted = total(suspicion), total(trust)
    return trusted / (doubted + trusted) if doubted + trusted else None


def fii(suspicion: Sequence[float | None], trust: Sequence[float | None]) -> float | None:
    """Return the suspicion share, 1 - TII (MIRAGE's released code)."""
    index = tii(suspicion, trust)
    return None if index is None else 1 - index


def fii_released(
    suspicion: Sequence[float | None], trust: Sequence[float | None], most: int = 2
) -> float | None:
    """Return the suspicion share as in MIRAGE's released code.

    Each sum is divided by its maximum (number of ratings x `most`), so it equals `fii` if both
    scales have the same number of ratings.
    """
    doubted, trusted = _share_of_most(suspicion, most), _share_of_most(trust, most)
    return doubted / (doubted + trusted) if doubted + trusted else None


def total(values: Iterable[float | None]) -> float:
    """Return the sum of the values that are not missing."""
    return sum(value for value in values if value is not None)


def seat_ratings(
    match: PlayedMatch,
) -> Iterable[tuple[SeatId, list[int | None], list[int | None]]]:
    """Yield each seat that is rated, with its ratings of suspicion and of trust."""
    rated = [event for event in match.events if isinstance(event, Rated)]
    for seat in match.started.seats:
        doubted, trusted = (
            [one.value for one in rated if one.about == seat and one.scale == scale]
            for scale in (_SUSPICION, _TRUST)
        )
        if doubted or trusted:
            yield seat, doubted, trusted


def measure_tii(match: PlayedMatch) -> Iterable[Score]:
    """Yield TII of each rated seat."""
    for seat, doubted, trusted in seat_ratings(match):
        both = total(doubted) + total(trusted)
        yield make_score(match, TII.name, numerator=total(trusted), denominator=both, seat=seat)


def measure_fii(match: PlayedMatch) -> Iterable[Score]:
    """Yield FII of each rated seat."""
    for seat, doubted, trusted in seat_ratings(match):
        yield make_score(match, FII.name, value=fii(doubted, trusted), seat=seat)


def measure_fii_released(match: PlayedMatch) -> Iterable[Score]:
    """Yield FII of each rated seat, as in the released code."""
    for seat, doubted, trusted in seat_ratings(match):
        value = fii_released(doubted, trusted)
        yield make_score(match, FII_RELEASED.name, value=value, seat=seat)


def measure_missing_ratings(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of missing ratings of each seat."""
    for seat, doubted, trusted in seat_ratings(match):
        every = (*doubted, *trusted)
        missing = sum(value is None for value in every)
        yield make_score(match, MISSING.name, numerator=missing, denominator=len(every), seat=seat)


def measure_cic(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of the script's clues that any seat found."""
    if (found := _clue_finders(match)) is not None:
        clues = len(match.script.clues)
        yield make_score(match, CIC.name, numerator=len(found), denominator=clues)


def measure_cic_curve(match: PlayedMatch) -> Iterable[Score]:
    """Yield CIC after each round; the group is the round's number."""
    yield from _curve(match, CIC_CURVE.name, {clue.id for clue in match.script.clues})


def measure_cic_key_curve(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of found key clues after each round."""
    yield from _curve(match, CIC_KEY_CURVE.name, _key_clues(match))


def measure_cic_role(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of the script's clues that each seat found."""
    found = _clue_finders(match)
    for seat in match.started.seats if found is not None else ():
        own = sum(finder == seat for finder in (found or {}).values())
        clues = len(match.script.clues)
        yield make_score(match, CIC_ROLE.name, numerator=own, denominator=clues, seat=seat)


def measure_cic_key(match: PlayedMatch) -> Iterable[Score]:
    """Yield the share of found key clues."""
    found = _clue_finders(match)
    if found is not None:
        keys = _key_clues(match)
        yield make_score(
            match, CIC_KEY.name, numerator=len(keys & set(found)), denominator=len(keys)
        )


def _share_of_most(values: Sequence[float | None], most: int) -> float:
    known = [value for value in values if value is not None]
    return sum(known) / (most * len(known)) if known else 0.0


def _key_clues(match: PlayedMatch) -> set[str]:
    return {clue for one in match.script.truth.key_clues for clue in one.clues}


def _curve(match: PlayedMatch, metric: str, clues: Collection[str]) -> Iterator[Score]:
    """Yield the share of `clues` found by the end of each round of searches."""
    searched = [one.round for one in match.requests.values() if one.purpose == Purpose.ACT]
    found: dict[int, set[str]] = {
        number: set() for number in range(1, max(searched, default=0) + 1)
    }
    current = 0
    for event in match.events if searched else ():
        if isinstance(event, PhaseStarted):
            # Searches after the last round count turns from 1 again; they belong to the last round.
            current = max(current, event.round)
        elif isinstance(event, ClueRevealed) and event.cause == "found" and event.clue in clues:
            found.setdefault(max(current, 1), set()).add(event.clue)
    seen: set[str] = set()
    for number in sorted(found):
        seen |= found[number]
        yield make_score(
            match, metric, numerator=len(seen), denominator=len(clues), group=str(number)
        )


def _clue_finders(match: PlayedMatch) -> dict[str, SeatId | None] | None:
    """Return the found clues and their finders; None: the game has no searches."""
    if not any(one.purpose == Purpose.ACT for one in match.requests.values()):
        return None
    return {
        event.clue: event.finder
        for event in match.events
        if isinstance(event, ClueRevealed) and event.cause == "found"
    }


TII = Metric(
    name="TII",
    source="MIRAGE App. B.1",
    meaning={
        "en": "Trust in a seat / (suspicion + trust), by the others' ratings.",
        "zh": "其他角色对该席位的信任分占怀疑与信任总分的比例。",
    },
    scale=100,
    measure=measure_tii,
)
FII = Metric(
    name="fii",
    source="MIRAGE's released code",
    meaning={
        "en": "Suspicion of a seat / (suspicion + trust): 1 - TII.",
        "zh": "其他角色对该席位的怀疑分占怀疑与信任总分的比例，即1-TII。",
    },
    better="lower",
    scale=100,
    measure=measure_fii,
)
FII_RELEASED = Metric(
    name="fii_released",
    source="MIRAGE's released code",
    meaning={
        "en": "The same with each scale divided by its maximum, as in the released code.",
        "zh": "同上，两个量表各按其最大值折算（公开代码的算法）。",
    },
    better="lower",
    scale=100,
    measure=measure_fii_released,
)
MISSING = Metric(
    name="missing_ratings",
    source="own",
    meaning={
        "en": "Share of the ratings of a seat that could not be read.",
        "zh": "对该席位的评分中缺失的比例。",
    },
    better="lower",
    scale=100,
    measure=measure_missing_ratings,
)
CIC = Metric(
    name="CIC",
    source="MIRAGE App. B.2",
    meaning={
        "en": "Share of the script's clues that any seat found.",
        "zh": "剧本线索中被任一席位找到的比例。",
    },
    scale=100,
    measure=measure_cic,
)
CIC_CURVE = Metric(
    name="cic_curve",
    source="MIRAGE Fig. 2",
    meaning={
        "en": "Share of the script's clues found by the end of a round.",
        "zh": "到某一轮结束时已被找到的线索比例。",
    },
    scale=100,
    measure=measure_cic_curve,
)
CIC_KEY_CURVE = Metric(
    name="cic_key_curve",
    source="own",
    meaning={
        "en": "Share of the key clues found by the end of a round.",
        "zh": "到某一轮结束时，破案所依据的关键线索中已被找到的比例。",
    },
    scale=100,
    measure=measure_cic_key_curve,
)
CIC_ROLE = Metric(
    name="cic_role",
    source="MIRAGE App. B.2",
    meaning={
        "en": "Share of the script's clues that a seat found itself.",
        "zh": "剧本线索中由该席位自己找到的比例。",
    },
    scale=100,
    measure=measure_cic_role,
)
CIC_KEY = Metric(
    name="cic_key",
    source="own",
    meaning={
        "en": "Share of the key clues that any seat found.",
        "zh": "破案所依据的关键线索中被找到的比例。",
    },
    scale=100,
    measure=measure_cic_key,
)
METRICS: tuple[Metric, ...] = (
    *(TII, FII, FII_RELEASED, MISSING),
    *(CIC, CIC_CURVE, CIC_ROLE, CIC_KEY, CIC_KEY_CURVE),
)
