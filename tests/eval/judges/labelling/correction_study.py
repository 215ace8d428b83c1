"""How often the interval of a corrected rate covers the true rate, in simulation.

`python -m tests.eval.judges.labelling.correction_study` prints a row a case.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from eval.judges.labelling.rate_correction import Calibration, correct_rate
from eval.stats.confidence_intervals import wilson


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What many draws of one case gave."""

    covered: float
    """Share of intervals of the corrected rate that hold the true one."""
    uncorrected: float
    """The same of Wilson's intervals of the measured rate."""
    bias: float
    """Mean of the corrected rates less the true one."""
    raw_bias: float
    """The same of the measured rates."""
    width: float
    """Mean width of the corrected intervals."""
    undefined: float
    """Share of draws in which the judge was no better than chance on its labels."""


def coverage(
    *, rate: float, sensitivity: float, specificity: float, labels: int, items: int, draws: int
) -> Coverage:
    """Draw `labels` labelled items, half of them true, and `items` judged ones, many times."""
    chance = np.random.default_rng(20_261_123)
    positives = labels // 2
    negatives = labels - positives
    called = rate * sensitivity + (1 - rate) * (1 - specificity)
    hits = chance.binomial(positives, sensitivity, draws)
    rejections = chance.binomial(negatives, specificity, draws)
    yes = chance.binomial(items, called, draws)
    covered = uncorrected = undefined = 0
    errors: list[float] = []
    raw: list[float] = []
    widths: list[float] = []
    for true, false, count in zip(hits.tolist(), rejections.tolist(), yes.tolist(), strict=True):
        known = Calibration(
            true_positives=true, positives=positives, true_negatives=false, negatives=negatives
        )
        found = correct_rate(count, items, known)
        covered += found.low <= rate <= found.high
        plain = wilson(count, items)
        uncorrected += plain.low <= rate <= plain.high
        raw.append(found.measured - rate)
        widths.append(found.high - found.low)
        if found.corrected is None:
            undefined += 1
        else:
            errors.append(found.corrected - rate)
    return Coverage(
        covered=covered / draws,
        uncorrected=uncorrected / draws,
        bias=float(np.mean(errors)),
        raw_bias=float(np.mean(raw)),
        width=float(np.mean(widths)),
        undefined=undefined / draws,
    )


def table() -> Iterator[str]:
    """Yield the rows of the study."""
    yield "rate  Se   Sp   labels items  covered  Wilson  bias    raw bias  width  undefined"
    judges = ((0.95, 0.95), (0.85, 0.9), (0.7, 0.8), (0.6, 0.6))
    for (se, sp), rate, (labels, items) in product(
        judges, (0.05, 0.3, 0.7), ((50, 200), (200, 1000))
    ):
        found = coverage(
            rate=rate, sensitivity=se, specificity=sp, labels=labels, items=items, draws=10_000
        )
        yield (
            f"{rate:.2f}  {se:.2f} {sp:.2f}  {labels:5d} {items:5d}  {found.covered:.3f}    "
            f"{found.uncorrected:.3f}  {found.bias:+.3f}  {found.raw_bias:+.3f}    "
            f"{found.width:.3f}  {found.undefined:.3f}"
        )


if __name__ == "__main__":
    print("\n".join(table()))  # noqa: T201 - it is a study
