"""Admission compared with fixed numbers of live matches, on many loads, in virtual time."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final

from arena.bench.arm_comparison import ArmFigures, compute_figures, live_levels
from arena.bench.arms import ARMS, OURS, fix_live
from arena.bench.simulation.virtual_run import play_virtual
from arena.bench.workload_shapes import SHAPES, WorkloadShape, draw_shapes

_MAX_LIVE: Final = 256
"""Maximum fixed number of live matches of one replica, except all of them."""
QUICK_SHAPES: Final = ("7b, 100k", "one script, 18", "24 scripts, short")
"""Shapes of a quick run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeComparison:
    """A load with admission and with the best fixed number, one value per seed."""

    shape: WorkloadShape
    default: tuple[ArmFigures, ...]
    static: tuple[ArmFigures, ...]
    live: int
    """Best fixed number of live matches: most matches per hour over all seeds."""

    @property
    def ratios(self) -> tuple[float, ...]:
        """Return matches per hour of admission over those of the best fixed number, by seed."""
        pairs = zip(self.default, self.static, strict=True)
        return tuple(ours.matches_per_h / best.matches_per_h for ours, best in pairs)

    def as_object(self) -> dict[str, object]:
        """Return the JSON object that `arena bench admission` prints."""
        ratios = self.ratios
        return {
            "shape": self.shape.name,
            "default_over_best_static": round(fmean(ratios), 4),
            "low": round(min(ratios), 4),
            "high": round(max(ratios), 4),
            "seeds": len(ratios),
            "matches_per_h": round(fmean(one.matches_per_h for one in self.default), 1),
            "best_static": self.live,
            "best_static_matches_per_h": round(fmean(one.matches_per_h for one in self.static), 1),
            "hit_rate": _mean([one.hit_rate for one in self.default]),
            "hit_over_belady": round(fmean(_share(one) for one in self.default), 4),
            "best_static_hit_rate": _mean([one.hit_rate for one in self.static]),
            "projected_over_actual_peak": _mean([one.projection for one in self.default]),
            "preemptions": sum(one.preemptions or 0 for one in self.default),
            "unfinished": sum(one.unfinished for one in self.default),
        }


def choose_shapes(*, quick: bool, drawn: int, seed: int) -> tuple[WorkloadShape, ...]:
    """Return the shapes to play: three or all, plus `drawn` random ones that depend on `seed`."""
    fixed = tuple(one for one in SHAPES if not quick or one.name in QUICK_SHAPES)
    return (*fixed, *draw_shapes(seed, drawn))


def compare_shapes(
    shapes: Sequence[WorkloadShape], seeds: Sequence[int]
) -> Iterator[ShapeComparison]:
    """Yield each shape with its figures when it is finished, using all processors.

    All fixed numbers are played with the first seed, the best of them and its two neighbours with
    all seeds; of these three, the best over all seeds counts.
    """
    with ProcessPoolExecutor() as pool:
        for shape in shapes:
            yield _compare_shape(shape, seeds, pool)


def summarise_shapes(found: Iterable[ShapeComparison]) -> dict[str, object]:
    """Return the smallest and the median ratio over shapes."""
    ratios = [fmean(one.ratios) for one in found]
    return {"shapes": len(ratios), "min": round(min(ratios), 4), "median": round(median(ratios), 4)}


def play_shape(shape: WorkloadShape, live: int | None, seed: int) -> ArmFigures:
    """Play a load with admission, or with `live` concurrent matches and no admission."""
    arm = ARMS[OURS] if live is None else fix_live(live)
    return compute_figures(play_virtual(shape.make_run(seed), arm.policy))


def _compare_shape(
    shape: WorkloadShape, seeds: Sequence[int], pool: ProcessPoolExecutor
) -> ShapeComparison:
    def play(live: int | None, seed: int) -> Future[ArmFigures]:
        return pool.submit(play_shape, shape, live, seed)

    levels = _levels(shape)
    ours = [play(None, seed) for seed in seeds]
    first = {level: play(level, seeds[0]) for level in levels}
    place = levels.index(max(levels, key=lambda level: first[level].result().matches_per_h))
    near = levels[max(0, place - 1) : place + 2]
    plays = {level: [first[level], *(play(level, seed) for seed in seeds[1:])] for level in near}
    static = {level: tuple(one.result() for one in some) for level, some in plays.items()}
    live = max(near, key=lambda level: fmean(one.matches_per_h for one in static[level]))
    return ShapeComparison(
        shape=shape,
        default=tuple(one.result() for one in ours),
        static=static[live],
        live=live,
    )


def _levels(shape: WorkloadShape) -> list[int]:
    total = shape.matches // shape.scripts * shape.scripts
    levels = live_levels(total, shape.replicas)
    return [live for live in levels if live <= _MAX_LIVE * shape.replicas or live == total]


def _share(one: ArmFigures) -> float:
    return (one.hit_rate or 0.0) / one.belady if one.belady else 1.0


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(fmean(known), 4) if known else None
