"""The leak probe: a linear model that guesses the culprit from word features.

Every candidate of a case is a bag of features; the guess is the candidate with the highest sum of
weights. The weights maximise the conditional log-likelihood over the candidates of a case
(McFadden 1974), with an L2 penalty, by L-BFGS over the whole training set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_optimize: Final[Any] = import_module("scipy.optimize")
_special: Final[Any] = import_module("scipy.special")
_ITERATIONS = 100
_PENALTIES = (0.01, 0.05, 0.2)
"""L2 penalties to try; a fifth of the training cases selects one."""
_KEPT_BACK = 5
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFeatures:
    """A case for the model: the numbers of each candidate's features, and the culprit.

    A single row represents `candidates` rows: the same features, with other weights per position.
    """

    rows: tuple[IntArray, ...]
    right: int
    candidates: int

    def features(self, at: int) -> IntArray:
        """Return the features of candidate `at`."""
        (first, *others) = self.rows
        return self.rows[at] if others else first * self.candidates + at


class FeatureVocabulary:
    """Numbers of features, in order of first occurrence."""

    def __init__(self) -> None:
        """Start empty."""
        self._numbers: dict[str, int] = {}

    def row(self, features: Iterable[str]) -> IntArray:
        """Return the numbers of `features`, each once, sorted; new ones get new numbers."""
        found = {self._numbers.setdefault(one, len(self._numbers)) for one in features}
        return np.asarray(sorted(found), dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearProbe:
    """A weight per feature by its number; features not in training have weight 0."""

    weights: FloatArray

    def guess(self, bag: CaseFeatures) -> int:
        """Return the index of the guessed candidate; of equal ones the first."""
        rows = (bag.features(at) for at in range(bag.candidates))
        sums = [float(self.weights[row[row < len(self.weights)]].sum()) for row in rows]
        return max(range(len(sums)), key=sums.__getitem__)


def train_probe(bags: Sequence[CaseFeatures], least: int = 5) -> LinearProbe:
    """Return the model trained on `bags`, all with the same number of candidates.

    Features of fewer than `least` candidates are left out. The penalty is the one with the most
    hits on the last fifth of the bags after training on the others.
    """
    cut = len(bags) - len(bags) // _KEPT_BACK

    def count_validation_hits(penalty: float) -> int:
        return count_hits(_train_with_penalty(bags[:cut], least, penalty), bags[cut:])

    return _train_with_penalty(bags, least, max(_PENALTIES, key=count_validation_hits))


def _train_with_penalty(bags: Sequence[CaseFeatures], least: int, penalty: float) -> LinearProbe:
    rows = [bag.features(at) for bag in bags for at in range(bag.candidates)]
    columns = np.concatenate(rows)
    owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    kept = np.bincount(columns)[columns] >= least
    return LinearProbe(
        weights=_fit_weights(columns[kept], owner[kept], [bag.right for bag in bags], penalty)
    )


def count_hits(model: LinearProbe, bags: Sequence[CaseFeatures]) -> int:
    """Return the number of culprits that the model guesses."""
    return sum(model.guess(bag) == bag.right for bag in bags)


def _fit_weights(
    columns: IntArray, owner: IntArray, right: Sequence[int], penalty: float
) -> FloatArray:
    """Return the weights; `owner[i]` is the candidate, counted over all cases, of `columns[i]`.

    The loss is convex, so the optimum does not depend on the start. scikit-learn has no model for
    the choice between candidates of one case.
    """
    cases, width = len(right), int(columns.max(initial=0)) + 1
    count = int(owner.max(initial=0)) // cases + 1
    goal = np.zeros((cases, count))
    goal[np.arange(cases), np.asarray(right)] = 1.0

    def loss_and_gradient(weights: FloatArray) -> tuple[float, FloatArray]:
        sums = np.bincount(owner, weights[columns], cases * count).reshape(goal.shape)
        logs = _special.log_softmax(sums, axis=1)
        wrong = (np.exp(logs) - goal).reshape(-1)
        gradient = np.bincount(columns, wrong[owner], width) / cases + penalty * weights
        loss = -float((logs * goal).sum()) / cases + penalty / 2 * float(weights @ weights)
        return loss, gradient

    options = {"maxiter": _ITERATIONS}
    found = _optimize.minimize(
        loss_and_gradient, np.zeros(width), jac=True, method="L-BFGS-B", options=options
    )
    return np.asarray(found.x, dtype=np.float64)
