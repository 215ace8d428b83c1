"""How often nominal 95 % intervals hold the true value, in simulated matches whose truth is known.

`python -m tests.eval.coverage_study [wilson rates means ratings]` prints tables in Markdown. Every
row has a seed of its own; Wilson's coverage is exact. With 2000 trials a coverage of 95 % is
measured to +- 1 point, with 200 to +- 3.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from time import perf_counter
from typing import Any
from zlib import crc32

import numpy as np

from eval.figures import summarise
from eval.ratings.bradley_terry import Component, IntervalMethod, rate_contestants
from eval.ratings.design import Floats
from eval.ratings.rated_games import RatingOptions
from eval.scores import Score
from eval.stats.bootstrap import LEVEL, ConfidenceInterval, Percentiles, draw_clusters, tail_share
from eval.stats.confidence_intervals import clustered_ratio, t_interval, wilson
from eval.stats.untyped import stats
from tests.eval.ratings.tables import draw_games

CLUSTERS = (5, 10, 20, 50)
TRIALS = 2_000
RESAMPLES = 4_000
FITS = 400
KINDS: tuple[Percentiles, ...] = ("percentile", "expanded")
LONGEST = 11
"""Matches of a script: 1 to this many."""
Cells = dict[str, str]
Row = tuple[str, Cells]
Held = list[bool | None]
"""Whether an interval held the truth; None: there was none."""


def holds(interval: ConfidenceInterval | None, truth: float) -> bool | None:
    """Return whether `interval` holds `truth`, up to noise of floats."""
    return None if interval is None else interval.low - 1e-9 <= truth <= interval.high + 1e-9


def show(held: Sequence[bool | None]) -> str:
    """Return the coverage in per cent, and how often there was no interval."""
    known = [one for one in held if one is not None]
    missing = f" (none in {100 * (1 - len(known) / len(held)):.1f} %)" if held[len(known) :] else ""
    return f"{100 * np.mean(known):.1f}{missing}" if known else f"-{missing}"


def write(title: str, rows: Sequence[Row]) -> None:
    """Print one table."""
    columns = list(dict.fromkeys(name for _, cells in rows for name in cells))
    lines = [f"\n{title}\n", "| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for name, cells in rows:
        lines.append(f"| {name} | " + " | ".join(cells.get(one, "-") for one in columns) + " |")
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def study_wilson() -> Iterator[Row]:
    """Yield the exact coverage of Wilson's interval: a sum over all numbers of successes."""
    for trials in (10, 50, 200):
        inside = [wilson(k, trials) for k in range(trials + 1)]
        cells: Cells = {}
        for rate in (0.1, 0.25, 0.5):
            chances: Any = stats.binom.pmf(range(trials + 1), trials, rate)
            share = sum(p for p, one in zip(chances, inside, strict=True) if holds(one, rate))
            cells[f"p = {rate}"] = f"{100 * share:.1f}"
        yield f"n = {trials}", cells


def draw_wins(
    generator: np.random.Generator, clusters: int, rate: float, icc: float
) -> tuple[Floats, Floats]:
    """Return wins and matches, trials x clusters; rates of scripts are beta-distributed."""
    shape = (TRIALS, clusters)
    rates = np.full(shape, rate)
    if icc:
        size = (1 - icc) / icc
        rates = generator.beta(rate * size, (1 - rate) * size, shape)
    matches = generator.integers(1, LONGEST + 1, shape)
    return generator.binomial(matches, rates).astype(float), matches.astype(float)


def draw_scores(
    generator: np.random.Generator, clusters: int, icc: float, *, skewed: bool
) -> Floats:
    """Return means of scripts around 0, trials x clusters, of 1 to 11 normal or exponential."""
    shape = (TRIALS, clusters)
    matches = generator.integers(1, LONGEST + 1, shape).astype(float)
    noise = generator.standard_normal(shape) / np.sqrt(matches)
    if skewed:
        noise = generator.gamma(matches) / matches - 1
    return np.sqrt(icc) * generator.standard_normal(shape) + np.sqrt(1 - icc) * noise


def bootstrap_many(above: Floats, below: Floats, truth: float) -> Mapping[str, Held]:
    """Return what the bootstrap of `eval.stats` holds in all trials, which share one drawing."""
    clusters = above.shape[1]
    drawn = draw_clusters(clusters, resamples=RESAMPLES).astype(float)
    values = (drawn @ above.T) / (drawn @ below.T)
    tails = {"percentile": (1 - LEVEL) / 2, "expanded": tail_share(clusters)}
    found: dict[str, Held] = {}
    for kind in KINDS:
        low, high = np.quantile(values, (tails[kind], 1 - tails[kind]), axis=0)
        inside = (low - 1e-9 <= truth) & (truth <= high + 1e-9)
        found[f"bootstrap, {kind}"] = inside.tolist()
    return found


def hold_t(above: Floats, below: Floats, truth: float) -> Held:
    """Return what the cluster-robust t holds in each trial."""
    pairs = zip(above.tolist(), below.tolist(), strict=True)
    return [holds(t_interval(clustered_ratio(up, down)), truth) for up, down in pairs]


def hold_figure(wins: Sequence[float], matches: Sequence[float], truth: float) -> bool | None:
    """Return whether the default interval of a rate holds; each script has one score."""
    scores = [
        Score(
            metric="x",
            value=up / down,
            numerator=up,
            denominator=down,
            match=f"m{i}",
            script=f"s{i}",
            work=f"s{i}",
            game="g",
        )
        for i, (up, down) in enumerate(zip(wins, matches, strict=True))
    ]
    (figure,) = summarise(scores, by=())
    assert figure.low is not None
    assert figure.high is not None
    return holds(ConfidenceInterval(low=figure.low, high=figure.high, method=""), truth)


def study_rates(rate: float, icc: float) -> Iterator[Row]:
    """Yield coverage for a pooled rate and for the macro mean of a rate, a row an interval."""
    rows: dict[str, Cells] = defaultdict(dict)
    exact = cache(wilson)
    for clusters in CLUSTERS:
        generator = np.random.default_rng(crc32(f"rate {rate} {icc} {clusters}".encode()))
        wins, matches = draw_wins(generator, clusters, rate, icc)
        sums = zip(wins.sum(axis=1).tolist(), matches.sum(axis=1).tolist(), strict=True)
        held: dict[str, Held] = {
            "pooled: Wilson": [holds(exact(int(k), int(n)), rate) for k, n in sums]
        }
        for name, above, below in (
            ("pooled", wins, matches),
            ("macro", wins / matches, np.ones_like(wins)),
        ):
            for kind, found in bootstrap_many(above, below, rate).items():
                held[f"{name}: {kind}"] = found
            held[f"{name}: cluster-robust t"] = hold_t(above, below, rate)
        pairs = zip(wins.tolist(), matches.tolist(), strict=True)
        held["macro: **t of log-odds**"] = [hold_figure(up, down, rate) for up, down in pairs]
        for name, found in held.items():
            rows[f"p = {rate}, ICC {icc}, {name}"][f"G = {clusters}"] = show(found)
    yield from rows.items()


def study_means(icc: float, *, skewed: bool) -> Iterator[Row]:
    """Yield coverage for the macro mean of scores, a row an interval."""
    rows: dict[str, Cells] = defaultdict(dict)
    label = f"{'skewed' if skewed else 'normal'}, ICC {icc}"
    for clusters in CLUSTERS:
        generator = np.random.default_rng(crc32(f"{label} {clusters}".encode()))
        means = draw_scores(generator, clusters, icc, skewed=skewed)
        ones = np.ones_like(means)
        held = {
            **bootstrap_many(means, ones, 0.0),
            "**cluster-robust t**": hold_t(means, ones, 0.0),
        }
        for name, found in held.items():
            rows[f"{label}, {name}"][f"G = {clusters}"] = show(found)
    yield from rows.items()


def study_ratings(
    label: str,
    clusters: Sequence[int],
    trials: int,
    *,
    spread: float = 0.0,
    weak: float = -0.6,
    kinds: Sequence[IntervalMethod] = ("error", *KINDS),
) -> Iterator[Row]:
    """Yield coverage of alpha and strengths, and the shares of fits that say too little.

    Four contestants, all 16 pairs once a script, alpha -1, draws; civilian D has strength `weak`.
    """
    civilians = {"A": 0.6, "B": 0.2, "C": -0.2, "D": weak}
    murderers = {"A": -0.5, "B": 0.5, "C": 0.3, "D": -0.3}
    middle = float(np.mean(list(civilians.values())))
    truth = {("alpha", ""): -1 + middle}
    truth |= {(name, "civilians"): value - middle for name, value in civilians.items()}
    truth |= {(name, "murderer"): value for name, value in murderers.items()}
    options = RatingOptions(scripts=spread > 0, anchors={})
    for count, kind in product(clusters, kinds):
        generator = np.random.default_rng(crc32(f"{spread} {weak} {count}".encode()))
        held: dict[str, Held] = defaultdict(list)
        parts: list[Component] = []
        for seed in range(trials):
            games = draw_games(
                generator,
                civilians,
                murderers,
                alpha=-1.0,
                scripts=count,
                script_spread=spread,
                draws=-0.7,
            )
            found = rate_contestants(games, options, resamples=FITS, seed=seed, spread=kind)
            (part,) = found.components
            parts.append(part)
            held["alpha"].append(holds(part.alpha.interval, truth["alpha", ""]))
            for one in part.ratings:
                if one.side != "both":
                    name = "civilian D" if one.contestant + one.side == "Dcivilians" else "others"
                    wanted = truth[one.contestant, one.side]
                    held[name].append(holds(one.strength.interval, wanted))
        flagged = np.mean([any(one.separated for one in part.ratings) for part in parts])
        yield (
            f"{label}, G = {count}, {kind}",
            {
                **{name: show(held[name]) for name in ("alpha", "others", "civilian D")},
                "degenerate resamples": share([part.degenerate / FITS for part in parts]),
                "separated resamples": share([part.separated / FITS for part in parts]),
                "trials with a flag": f"{100 * flagged:.0f} %",
            },
        )


def share(values: Sequence[float]) -> str:
    """Return the mean in per cent."""
    return f"{100 * np.mean(values):.1f} %"


def study_all_ratings() -> Iterator[Row]:
    """Yield the rows of ordinary, degenerate and script-dependent designs."""
    yield from study_ratings("equal scripts", CLUSTERS, 200)
    yield from study_ratings("D loses, -3", (5, 10, 20, 50), 200, weak=-3.0, kinds=("error",))
    yield from study_ratings("scripts' sd .9", (5, 10, 20), 100, spread=0.9, kinds=("error",))


STUDIES: Mapping[str, tuple[str, Callable[[], Iterator[Row]]]] = {
    "wilson": ("Wilson, exact", study_wilson),
    "rates": (
        "Rates of 1 to 11 matches a script",
        lambda: (row for p, icc in product((0.25, 0.1), (0.0, 0.2)) for row in study_rates(p, icc)),
    ),
    "means": (
        "Macro mean of scores of 1 to 11 matches a script",
        lambda: (
            row
            for skewed, icc in product((False, True), (0.0, 0.2))
            for row in study_means(icc, skewed=skewed)
        ),
    ),
    "ratings": ("Bradley-Terry with a faction effect and draws", study_all_ratings),
}


def main(asked: Sequence[str]) -> None:
    """Print the tables that are asked for, or all."""
    for name in asked or STUDIES:
        title, study = STUDIES[name]
        started = perf_counter()
        write(title, list(study()))
        sys.stdout.write(f"\n{name}: {perf_counter() - started:.0f} s\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
