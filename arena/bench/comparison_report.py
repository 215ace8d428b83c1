"""Report of a comparison: one object per arm, and a document with all inputs and results."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Final

from arena.bench.arm_comparison import ArmFigures, ComparisonResult
from arena.bench.arms import ARMS, OURS, Arm
from arena.bench.intervals import MeanInterval, mean_interval, paired_ratio
from arena.bench.throughput import ThroughputPlan
from arena.games.game_registry import find_game
from arena.run.provenance import provenance
from serving.host.hardware import detect

FORMAT_VERSION: Final = 2
"""Format of the JSON file; incremented when a key changes its meaning."""
FIGURES: Final = tuple(
    one.name for one in fields(ArmFigures) if one.name not in {"fault", "projection"}
)
_PLACES: Final = 4


def as_objects(
    compared: ComparisonResult, arms: Mapping[str, Arm] = ARMS
) -> list[dict[str, object]]:
    """Return one object per arm, in the order of `arms`.

    Figures are means over the repetitions, null if one repetition lacks them; those with `_95` are
    [low, high], null with one repetition. `ours_times` is the ratio of the matches per hour of the
    arm `ours` to this arm's, paired by repetition. `skipped` says why an arm was not played.
    """
    return [
        _arm_object(arm, compared)
        for name, arm in arms.items()
        if name in compared.runs or name in compared.skipped
    ]


def as_document(
    bench: ThroughputPlan, compared: ComparisonResult, words: Sequence[str]
) -> dict[str, object]:
    """Return the document of the JSON file; `words` of the command line."""
    run = bench.run
    return {
        "format": FORMAT_VERSION,
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
        "repeat": bench.args.repeat,
        "static_best": compared.static,
        "arms": as_objects(compared),
        "repetitions": {
            name: [one.as_object(6) for one in runs] for name, runs in compared.runs.items()
        },
        "static_sweep": {str(level): one.as_object(6) for level, one in compared.sweep.items()},
    }


def _arm_object(arm: Arm, compared: ComparisonResult) -> dict[str, object]:
    runs, ours = compared.runs.get(arm.name, ()), compared.runs.get(OURS, ())
    found: dict[str, object] = {"arm": arm.name, "about": arm.about}
    found |= {"skipped": compared.skipped.get(arm.name, ""), "repeats": len(runs)}
    for key in FIGURES:
        found |= _over(key, _mean([getattr(one, key) for one in runs]))
    rates = [one.matches_per_h for one in runs]
    is_paired = ours and rates and all(rates) and all(one.matches_per_h for one in ours)
    times = paired_ratio([one.matches_per_h for one in ours], rates) if is_paired else None
    return found | _over("ours_times", times)


def _mean(values: Sequence[float | None]) -> MeanInterval | None:
    known = [value for value in values if value is not None]
    return mean_interval(known) if known and len(known) == len(values) else None


def _over(key: str, found: MeanInterval | None) -> dict[str, object]:
    if found is None:
        return {key: None, f"{key}_95": None}
    ends = None if found.low is None or found.high is None else [found.low, found.high]
    return {
        key: round(found.mean, _PLACES),
        f"{key}_95": ends and [round(end, _PLACES) for end in ends],
    }
