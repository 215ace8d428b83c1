"""How often intervals hold the true value, in simulated matches whose truth is known.

`python -m tests.eval.coverage_study [TRIALS] [rates means pairs agreement ratings]` prints tables
in Markdown; every row has a seed of its own. With 1000 trials a coverage of 95 % is measured to
+- 1.4 points; the second number is the mean width.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from time import perf_counter
from zlib import crc32

import numpy as np

from eval.figures import summarise
from eval.ratings.bradley_terry import Rating, rate_contestants
from eval.ratings.design import Floats
from eval.ratings.games import Prior, RatingOptions
from eval.scores import Score
from eval.stats import agreement
from eval.stats.bootstrap import Interval, Percentiles, bootstrap_ratio
from eval.stats.intervals import clustered_mean, t_interval, wilson
from eval.stats.paired import Pair, compare_pairs
from tests.eval.ratings.tables import draw_games

CLUSTERS = (5, 10, 20, 50)
RESAMPLES = 2_000
FEW_RESAMPLES = 400
KINDS: tuple[Percentiles, ...] = ("percentile", "expanded")
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


def bounds_of(interval: Interval | None) -> Bounds:
    """Return the two ends."""
    return interval and (interval.low, interval.high)


def figure_bounds(clusters: Sequence[Sequence[float]], *, rate: bool) -> Bounds:
    """Return the interval that `summarise` gives by default: one match a score."""
    scores = [
        Score(
            metric="x",
            value=value,
            numerator=value if rate else None,
            denominator=1.0 if rate else None,
            match=f"m{i}.{j}",
            script=f"s{i}.{j}",
            work=f"w{i}",
            game="g",
        )
        for i, values in enumerate(clusters)
        for j, value in enumerate(values)
    ]
    (figure,) = summarise(scores, by=())
    return None if figure.low is None or figure.high is None else (figure.low, figure.high)


def draw_rates(generator: np.random.Generator, count: int, mean: float, icc: float) -> Floats:
    """Return the rate of each of `count` clusters: beta-distributed, with the given correlation."""
    if not icc:
        return np.full(count, mean)
    size = (1 - icc) / icc
    return generator.beta(mean * size, (1 - mean) * size, count)


def try_rates(clusters: int, icc: float, mean: float) -> Trial:
    """Wins of 1 to 11 matches a cluster."""

    def trial(generator: np.random.Generator) -> Iterator[tuple[str, Bounds, float]]:
        rates = draw_rates(generator, clusters, mean, icc)
        sizes = generator.integers(1, 12, clusters)
        values: list[list[float]] = []
        for p, count in zip(rates, sizes, strict=True):
            wins: Floats = generator.binomial(1, float(p), int(count)).astype(float)
            values.append([float(win) for win in wins])
        sums = [sum(one) for one in values]
        yield "Wilson", bounds_of(wilson(int(sum(sums)), int(sum(sizes)))), mean
        yield from both_percentiles(sums, sizes.tolist(), mean)
        yield "cluster-robust t", bounds_of(t_interval(clustered_mean(values))), mean
        yield "**default**: t of log-odds", figure_bounds(values, rate=True), mean

    return trial


def both_percentiles(
    sums: Sequence[float], sizes: Sequence[int], truth: float
) -> Iterator[tuple[str, Bounds, float]]:
    """Yield the bootstrap with plain and with expanded percentiles."""
    for kind in KINDS:
        found = bootstrap_ratio(sums, sizes, resamples=RESAMPLES, percentiles=kind)
        yield f"bootstrap, {kind}", bounds_of(found), truth


def try_means(clusters: int, icc: float, skewed: bool) -> Trial:
    """Judge's scores: normal, or exponential around the mean of the cluster."""

    def trial(generator: np.random.Generator) -> Iterator[tuple[str, Bounds, float]]:
        middle = 3 + np.sqrt(icc) * generator.standard_normal(clusters)
        noise = np.sqrt(1 - icc)
        sizes = generator.integers(1, 12, clusters)
        values: list[list[float]] = []
        for center, count in zip(middle, sizes, strict=True):
            drawn: Floats = generator.normal(0, 1, int(count))
            if skewed:
                drawn = generator.exponential(1, int(count)) - 1
            values.append([float(center + noise * one) for one in drawn])
        yield from both_percentiles([sum(one) for one in values], sizes.tolist(), 3.0)
        yield "cluster-robust t", bounds_of(t_interval(clustered_mean(values))), 3.0

    return trial


def try_pairs(clusters: int, icc: float) -> Trial:
    """Difference of two contestants with rates .35 and .2 on the same 4 matches a script."""

    def trial(generator: np.random.Generator) -> Iterator[tuple[str, Bounds, float]]:
        pairs: list[Pair] = []
        hardness = generator.normal(0, np.sqrt(icc), (clusters, 2)) * 0.2
        for i, (first, second) in enumerate(hardness):
            for _ in range(4):
                wins = generator.random(2) < (0.35 + first, 0.2 + second)
                pairs.append(Pair(cluster=str(i), first=float(wins[0]), second=float(wins[1])))
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
        "accuracy": accuracy,
        "F1": 2 * both / (yes + said),
        "kappa": (accuracy - expected) / (1 - expected),
    }
    statistics = {
        "accuracy": agreement.accuracy,
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


def try_ratings(
    clusters: int, spread: float, prior: Prior, weak: float, counts: dict[str, list[float]]
) -> Trial:
    """Four contestants, all pairs once a script, alpha -1 and draws; the last one is `weak`."""
    civilians = {"A": 0.6, "B": 0.2, "C": -0.2, "D": weak}
    murderers = {"A": -0.5, "B": 0.5, "C": 0.3, "D": weak}
    options = RatingOptions(prior=prior, scripts=spread > 0, anchors={})
    centred = {
        side: {name: value - float(np.mean(list(of.values()))) for name, value in of.items()}
        for side, of in (("civilians", civilians), ("murderer", murderers))
    }
    alpha = -1 + float(np.mean(list(civilians.values()))) - float(np.mean(list(murderers.values())))

    def trial(generator: np.random.Generator) -> Iterator[tuple[str, Bounds, float]]:
        games = draw_games(
            generator,
            civilians,
            murderers,
            alpha=-1.0,
            scripts=clusters,
            script_spread=spread,
            draws=-0.7,
        )
        for kind in KINDS:
            found = rate_contestants(games, options, resamples=FEW_RESAMPLES, percentiles=kind)
            (part,) = found.components
            yield f"alpha, {kind}", bounds_of(part.alpha.interval), alpha
            for rating in part.ratings:
                if rating.side != "both":
                    yield (
                        _name(rating, kind),
                        bounds_of(rating.strength.interval),
                        centred[rating.side][rating.contestant],
                    )
            counts["degenerate"].append(part.degenerate / FEW_RESAMPLES)
            counts["separated"].append(part.separated / FEW_RESAMPLES)

    return trial


def _name(rating: Rating, kind: str) -> str:
    return f"{'D' if rating.contestant == 'D' else 'A, B, C'}, {kind}"


def write(title: str, rows: Sequence[tuple[str, Mapping[str, str]]]) -> None:
    """Print one table: a row a setting, a column an interval."""
    columns = list(dict.fromkeys(name for _, cells in rows for name in cells))
    lines = [f"\n{title}\n", "| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for name, cells in rows:
        lines.append(f"| {name} | " + " | ".join(cells.get(one, "-") for one in columns) + " |")
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def study_ratings(trials: int) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the rows of ratings, with the share of resamples that say too little."""
    settings = [
        *product((0.0,), CLUSTERS, ("half_draw", "normal"), (-0.6,)),
        *product((0.0,), (10, 20), ("half_draw", "normal", "none"), (-3.0,)),
        *product((0.9,), CLUSTERS, ("half_draw",), (-0.6,)),
    ]
    for spread, clusters, prior, weak in settings:
        row = f"G = {clusters}, scripts' sd {spread}, prior {prior}, D {weak}"
        counts: dict[str, list[float]] = defaultdict(list)
        found = dict(measure(row, trials, try_ratings(clusters, spread, prior, weak, counts)))
        for name, shares in counts.items():
            found[f"{name} resamples"] = f"{100 * np.mean(shares):.1f} %"
        yield row, found


def main(arguments: Sequence[str]) -> None:
    """Print the tables that are asked for, or all."""
    trials = int(arguments[0]) if arguments else 1000
    asked = set(arguments[1:]) or {"rates", "means", "pairs", "agreement", "ratings"}
    started = perf_counter()
    if "rates" in asked:
        rows = [
            (f"p = {p}, ICC {icc}, G = {g}", try_rates(g, icc, p))
            for p, icc, g in product((0.25, 0.05, 0.5), (0.0, 0.2), CLUSTERS)
        ]
        write("Rates", [(row, measure(row, trials, one)) for row, one in rows])
    if "means" in asked:
        rows = [
            (f"{'skewed' if skew else 'normal'}, ICC {icc}, G = {g}", try_means(g, icc, skew))
            for skew, icc, g in product((False, True), (0.0, 0.2), CLUSTERS)
        ]
        write("Means", [(row, measure(row, trials, one)) for row, one in rows])
    if "pairs" in asked:
        rows = [
            (f"ICC {icc}, G = {g}", try_pairs(g, icc)) for icc, g in product((0.0, 0.2), CLUSTERS)
        ]
        write("Paired differences", [(row, measure(row, trials, one)) for row, one in rows])
    if "agreement" in asked:
        rows = [(f"{n} items", try_agreement(n)) for n in (20, 50, 100, 200)]
        write("Agreement", [(row, measure(row, trials // 2, one)) for row, one in rows])
    if "ratings" in asked:
        write("Ratings", list(study_ratings(trials // 2)))
    sys.stdout.write(f"\n{trials} trials, {perf_counter() - started:.0f} s\n")


if __name__ == "__main__":
    main(sys.argv[1:])
