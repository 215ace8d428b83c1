"""How often intervals of paired differences and of agreement hold the true value, in simulation.

`python -m tests.eval.coverage_pairs_study [TRIALS] [pairs agreement]` prints tables in Markdown;
every row has a seed of its own. tests/eval/coverage_study.py has all other intervals.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from time import perf_counter
from zlib import crc32

import numpy as np

from eval.stats import agreement
from eval.stats.bootstrap import ConfidenceInterval, bootstrap_ratio
from eval.stats.paired import ScorePair, compare_pairs

CLUSTERS = (5, 10, 20, 50)
RESAMPLES = 2_000
FEW_RESAMPLES = 400
Bounds = tuple[float, float] | None
Trial = Callable[[np.random.Generator], Iterator[tuple[str, Bounds, float]]]
"""One simulated study: name of an interval, the interval, the truth."""


def measure(row: str, trials: int, trial: Trial) -> Mapping[str, str]:
    """Return, by name of interval, the share of trials that held the truth and the mean width."""
    generator = np.random.default_rng(crc32(row.encode()))
    held: dict[str, list[bool]] = defaultdict(list)
    widths: dict[str, list[float]] = defaultdict(list)
    missing: dict[str, int] = defaultdict(int)
    for _ in range(trials):
        for name, bounds, truth in trial(generator):
            if bounds is None:
                missing[name] += 1
                continue
            held[name].append(bounds[0] - 1e-9 <= truth <= bounds[1] + 1e-9)
            widths[name].append(bounds[1] - bounds[0])
    return {
        name: f"{100 * np.mean(found):.1f} ({np.mean(widths[name]):.2f})"
        + (f", none in {missing[name]}" if missing[name] else "")
        for name, found in held.items()
    }


def bounds_of(interval: ConfidenceInterval | None) -> Bounds:
    """Return the two ends."""
    return interval and (interval.low, interval.high)


def try_pairs(clusters: int, icc: float) -> Trial:
    """Difference of two contestants with rates .35 and .2 on the same 4 matches a script."""

    def trial(generator: np.random.Generator) -> Iterator[tuple[str, Bounds, float]]:
        pairs: list[ScorePair] = []
        hardness = generator.normal(0, np.sqrt(icc), (clusters, 2)) * 0.2
        for i, (first, second) in enumerate(hardness):
            for _ in range(4):
                wins = generator.random(2) < (0.35 + first, 0.2 + second)
                pairs.append(ScorePair(cluster=str(i), first=float(wins[0]), second=float(wins[1])))
        found = compare_pairs(pairs)
        yield "**default**: expanded", bounds_of(found.interval), 0.15
        differences = [(float(one.first or 0) - float(one.second or 0)) for one in pairs]
        sums = np.reshape(differences, (clusters, 4)).sum(axis=1).tolist()
        plain = bootstrap_ratio(sums, [4] * clusters, resamples=RESAMPLES, percentiles="percentile")
        yield "percentile", bounds_of(plain), 0.15

    return trial


def try_agreement(items: int) -> Trial:
    """A judge with sensitivity .8 and specificity .9 on a share of .4; scores correlated at .7."""
    yes, hit, right = 0.4, 0.8, 0.9
    both, said = yes * hit, yes * hit + (1 - yes) * (1 - right)
    expected = yes * said + (1 - yes) * (1 - said)
    accuracy = both + (1 - yes) * right
    truths = {
        "F1": 2 * both / (yes + said),
        "kappa": (accuracy - expected) / (1 - expected),
    }
    statistics = {
        "F1": agreement.f1,
        "kappa": agreement.cohen_kappa,
    }

    def trial(generator: np.random.Generator) -> Iterator[tuple[str, Bounds, float]]:
        human = (generator.random(items) < yes).astype(int)
        judge = (generator.random(items) < np.where(human, hit, 1 - right)).astype(int)
        for name, statistic in statistics.items():
            found = agreement.agreement_interval(
                statistic, human.tolist(), judge.tolist(), resamples=FEW_RESAMPLES
            )
            yield name, bounds_of(found), truths[name]
        x = generator.standard_normal(items)
        y = 0.7 * x + np.sqrt(1 - 0.49) * generator.standard_normal(items)
        for name, statistic, truth in (
            ("Pearson", agreement.pearson, 0.7),
            ("Spearman", agreement.spearman, 6 / np.pi * np.arcsin(0.35)),
        ):
            found = agreement.agreement_interval(
                statistic, x.tolist(), y.tolist(), resamples=FEW_RESAMPLES
            )
            yield name, bounds_of(found), float(truth)

    return trial


def write(title: str, rows: Sequence[tuple[str, Mapping[str, str]]]) -> None:
    """Print one table: a row a setting, a column an interval."""
    columns = list(dict.fromkeys(name for _, cells in rows for name in cells))
    lines = [f"\n{title}\n", "| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for name, cells in rows:
        lines.append(f"| {name} | " + " | ".join(cells.get(one, "-") for one in columns) + " |")
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def main(arguments: Sequence[str]) -> None:
    """Print the tables that are asked for, or all."""
    trials = int(arguments[0]) if arguments else 500
    asked = set(arguments[1:]) or {"pairs", "agreement"}
    started = perf_counter()
    if "pairs" in asked:
        rows = [
            (f"ICC {icc}, G = {g}", try_pairs(g, icc)) for icc, g in product((0.0, 0.2), CLUSTERS)
        ]
        write("Paired differences", [(row, measure(row, trials, one)) for row, one in rows])
    if "agreement" in asked:
        rows = [(f"{n} items", try_agreement(n)) for n in (20, 50, 100, 200)]
        write("Agreement", [(row, measure(row, trials // 2, one)) for row, one in rows])
    sys.stdout.write(f"\n{trials} trials, {perf_counter() - started:.0f} s\n")


if __name__ == "__main__":
    main(sys.argv[1:])
