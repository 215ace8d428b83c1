"""What is told of a comparison: one object an arm, and a document with all that led to it."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Final

from arena.bench.arms import ARMS, OURS, Arm
from arena.bench.compare import Compared, Figures
from arena.bench.intervals import Interval, interval, ratio
from arena.bench.throughput import Bench
from arena.games.registry import find_game
from arena.run.provenance import provenance
from serving.hardware import detect

FORMAT: Final = 2
"""Of the JSON file; raised when a key changes its meaning."""
FIGURES: Final = tuple(one.name for one in fields(Figures) if one.name != "fault")
_PLACES: Final = 4


def as_objects(compared: Compared, arms: Mapping[str, Arm] = ARMS) -> list[dict[str, object]]:
    """Return one object an arm, in the order of `arms`.

    Figures are means over the repetitions, null where one does not know them; those with `_95` are
    [low, high], null with one repetition. `ours_times` is how many times the matches an hour of the
    arm `ours` plays, paired by repetition. `skipped` says why an arm was not played.
    """
    return [
        _object(arm, compared)
        for name, arm in arms.items()
        if name in compared.runs or name in compared.skipped
    ]


def as_document(bench: Bench, compared: Compared, words: Sequence[str]) -> dict[str, object]:
    """Return all of it, as it is written into the JSON file; `words` of the command line."""
    run = bench.run
    return {
        "format": FORMAT,
        "command": shlex.join(words),
        "load": {
            "name": bench.name,
            "game": run.game,
            "options": asdict(run.options),
            "scripts": len(run.scripts),
            "matches": bench.matches,
        },
        **asdict(provenance(detect(), find_game(run.game))),
        "server": dict(compared.server),
        "repeat": bench.repeat,
        "static_best": compared.static,
        "arms": as_objects(compared),
        "repetitions": {name: list(map(_plain, runs)) for name, runs in compared.runs.items()},
        "static_sweep": {str(level): _plain(one) for level, one in compared.sweep.items()},
    }


def _object(arm: Arm, compared: Compared) -> dict[str, object]:
    runs, ours = compared.runs.get(arm.name, ()), compared.runs.get(OURS, ())
    found: dict[str, object] = {"arm": arm.name, "about": arm.about}
    found |= {"skipped": compared.skipped.get(arm.name, ""), "repeats": len(runs)}
    for key in FIGURES:
        found |= _over(key, _mean([getattr(one, key) for one in runs]))
    rates = [one.matches_per_h for one in runs]
    is_paired = ours and rates and all(rates) and all(one.matches_per_h for one in ours)
    times = ratio([one.matches_per_h for one in ours], rates) if is_paired else None
    return found | _over("ours_times", times)


def _mean(values: Sequence[float | None]) -> Interval | None:
    known = [value for value in values if value is not None]
    return interval(known) if known and len(known) == len(values) else None


def _over(key: str, found: Interval | None) -> dict[str, object]:
    if found is None:
        return {key: None, f"{key}_95": None}
    ends = None if found.low is None or found.high is None else [found.low, found.high]
    return {
        key: round(found.mean, _PLACES),
        f"{key}_95": ends and [round(end, _PLACES) for end in ends],
    }


def _plain(figures: Figures) -> dict[str, object]:
    found = asdict(figures)
    return {key: round(one, 6) if isinstance(one, float) else one for key, one in found.items()}
