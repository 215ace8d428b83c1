"""What is told of a comparison: one object an arm, and a document with all that led to it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields

from arena.bench.arms import ARMS, OURS, STATIC
from arena.bench.compare import Compared, open_bound
from arena.bench.intervals import Interval, interval, ratio
from arena.bench.measure import Figures

FORMAT = 1
"""Of the JSON file; raised when a key changes its meaning."""
FIGURES = tuple(one.name for one in fields(Figures))
RATIOS = ("of_lru", "of_belady", "of_open_bound", "of_static_best", "ours_times")
"""Shares of a bound that an arm reached: of the LRU and Belady hit rates, and in time of the faster
open loop and of the best fixed number of live matches. `ours_times`: how many times the matches an
hour of this arm ours plays."""
KEYS = (
    "arm",
    "about",
    "skipped",
    "repeats",
    *FIGURES,
    *RATIOS,
    *(f"{key}_95" for key in ("turns_per_s", "matches_per_h", "hit_rate", "ours_times")),
)
"""What is told of an arm, in this order. Figures are means over the repetitions, null where nothing
is known; those with `_95` are [low, high], null with one repetition. `skipped` says why an arm was
not played, and all figures are null then."""
_PLACES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """Where, when and with what a comparison was made."""

    command: str
    seed: int
    repeat: int
    trace: Mapping[str, object]
    about: Mapping[str, object]
    """Versions, commit, hardware and when it began."""
    kib_per_parked_match: float | None = None


def as_objects(compared: Compared) -> list[dict[str, object]]:
    """Return one object of `KEYS` an arm, in the order of `ARMS`."""
    names = [name for name in ARMS if name in compared.runs or name in compared.skipped]
    return [_object(name, compared) for name in names]


def as_document(compared: Compared, about: Circumstances) -> dict[str, object]:
    """Return all of it, as it is written into the JSON file."""
    facts = compared.facts
    return {
        "format": FORMAT,
        "command": about.command,
        "seed": about.seed,
        "repeat": about.repeat,
        "trace": dict(about.trace),
        **about.about,
        "kib_per_parked_match": about.kib_per_parked_match,
        "server": {
            "name": facts.name,
            "engine": facts.engine,
            "virtual_time": facts.virtual,
            "kv_tokens": facts.capacity.tokens if facts.capacity else None,
            "block": facts.capacity.block_size if facts.capacity else None,
            "features": sorted(facts.features),
            "cold_by": "salts" if facts.salted else "reset caches",
            **dict(facts.about),
        },
        "remarks": list(facts.remarks),
        "static_best": compared.best_static,
        "arms": as_objects(compared),
        "repetitions": {
            name: [_rounded(asdict(one)) for one in runs] for name, runs in compared.runs.items()
        },
        "static_sweep": {
            str(level): _rounded(asdict(one)) for level, one in compared.static.items()
        },
        "scaling": {
            name: {str(level): _rounded(asdict(one)) for level, one in by_level.items()}
            for name, by_level in compared.scaling.items()
        },
    }


def _object(name: str, compared: Compared) -> dict[str, object]:
    runs = compared.runs.get(name, ())
    found: dict[str, Interval | None] = {key: _over(runs, key) for key in FIGURES}
    found |= _ratios(name, runs, compared)
    value: dict[str, object] = {}
    value |= dict.fromkeys(KEYS)
    value |= {key: round(one.mean, _PLACES) for key, one in found.items() if one}
    value |= {
        f"{key}_95": [round(one.low, _PLACES), round(one.high, _PLACES)]
        for key, one in found.items()
        if f"{key}_95" in KEYS and one and one.low is not None and one.high is not None
    }
    value |= {
        "arm": name,
        "about": ARMS[name].about,
        "skipped": compared.skipped.get(name, ""),
        "repeats": len(runs),
    }
    return value


def _over(runs: Sequence[Figures], key: str) -> Interval | None:
    """Return a figure over the repetitions; None unless every one of them knows it."""
    values: list[float | None] = [getattr(one, key) for one in runs]
    known = [value for value in values if value is not None]
    return interval(known) if known and len(known) == len(values) else None


def _ratios(
    name: str, runs: Sequence[Figures], compared: Compared
) -> Mapping[str, Interval | None]:
    seconds = [one.seconds for one in runs]
    rates = [one.matches_per_h for one in runs]
    static = [one.seconds for one in compared.runs.get(STATIC, ())]
    ours = [one.matches_per_h for one in compared.runs.get(OURS, ())]
    hits = [one.hit_rate for one in runs]
    return {
        "of_lru": _ratio(hits, [one.hit_rate_lru for one in runs]),
        "of_belady": _ratio(hits, [one.hit_rate_belady for one in runs]),
        "of_open_bound": _ratio(open_bound(compared.runs), seconds),
        "of_static_best": _ratio(static, seconds),
        "ours_times": _ratio(ours, rates),
    }


def _ratio(above: Sequence[float | None], below: Sequence[float | None]) -> Interval | None:
    """Return the paired ratio; None where a side is unknown or nothing."""
    pairs = [(a, b) for a, b in zip(above, below, strict=False) if a and b]
    if not pairs or len(pairs) < max(len(above), len(below)):
        return None
    return ratio([a for a, _ in pairs], [b for _, b in pairs])


def _rounded(value: Mapping[str, object]) -> dict[str, object]:
    return {key: round(one, 6) if isinstance(one, float) else one for key, one in value.items()}
