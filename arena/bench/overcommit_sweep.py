"""Overcommit under wrong estimates: fixed ratios and the adaptive default.

In virtual time, against the best fixed number of live matches on the same engine.
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Final

from arena.bench.arm_comparison import live_levels
from arena.bench.arms import ARMS, OURS, Arm, fix_live
from arena.bench.simulation.virtual_run import VirtualRun
from arena.bench.throughput import play_arm
from arena.schedule.admission import AdmissionPolicy
from arena.schedule.overcommit import OvercommitController

RATIOS: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5)
_SEED: Final = 0
_SHOWN_FIGURES: Final = ("matches_per_h", "hit_rate", "live_most", "preemptions", "unfinished")
_PLACES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Miscalibration:
    """Errors as factors of the true values; 1: no error."""

    stated_kv: float = 1.0
    """KV capacity that the arena assumes."""
    counted: float = 1.0
    """Tokens that the arena counts."""
    prefill: float = 1.0
    """Time of a prefill, over that of the engine's profile."""


MISCALIBRATIONS: Final = (
    Miscalibration(),
    Miscalibration(stated_kv=0.5),
    Miscalibration(stated_kv=2.0),
    Miscalibration(counted=0.5),
    Miscalibration(counted=1.5),
    Miscalibration(prefill=3.0),
)


def sweep_overcommit(run: VirtualRun) -> Iterator[dict[str, object]]:
    """Yield a row for each wrong value and ratio when it is finished, using all processors.

    `overcommit` is None for the default, which adapts; `over_best_static` is None if no fixed
    number of live matches finishes a match.
    """
    levels = tuple(live_levels(run.matches * len(run.scripts), run.replicas))
    arms = {None: ARMS[OURS], **{ratio: fix_overcommit(ratio) for ratio in RATIOS}}
    with ProcessPoolExecutor() as pool:
        engines = {one.prefill: Miscalibration(prefill=one.prefill) for one in MISCALIBRATIONS}
        static = {
            factor: [
                pool.submit(play_arm, apply_miscalibration(run, wrong), fix_live(live), _SEED)
                for live in levels
            ]
            for factor, wrong in engines.items()
        }
        plays = [
            (wrong, ratio, pool.submit(play_arm, apply_miscalibration(run, wrong), arm, _SEED))
            for wrong, (ratio, arm) in product(MISCALIBRATIONS, arms.items())
        ]
        for wrong, ratio, play in plays:
            rates = [one.result().matches_per_h for one in static[wrong.prefill]]
            best, played = max(rates), play.result()
            over = round(played.matches_per_h / best, _PLACES) if best else None
            yield {
                **asdict(wrong),
                "overcommit": ratio,
                "over_best_static": over,
                "best_static": levels[rates.index(best)],
                **{name: getattr(played, name) for name in _SHOWN_FIGURES},
            }


def fix_overcommit(ratio: float) -> Arm:
    """Return the arm `ours` with a fixed overcommit ratio."""
    fixed = OvercommitController(value=ratio, low=min(RATIOS), high=max(RATIOS))
    return replace(ARMS[OURS], policy=AdmissionPolicy(adapt=False, overcommit=fixed))


def apply_miscalibration(run: VirtualRun, wrong: Miscalibration) -> VirtualRun:
    """Return `run` with wrong values. Only a slow prefill changes the engine itself."""
    terms, slow = run.profile.terms, wrong.prefill
    terms = replace(
        terms, token=slow * terms.token, pair=slow * terms.pair, picture=slow * terms.picture
    )
    return replace(
        run,
        profile=replace(run.profile, terms=terms),
        stated_kv=wrong.stated_kv,
        count_factor=wrong.counted,
    )
