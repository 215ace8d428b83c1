"""Newton's method for many Bradley-Terry fits in parallel: all resamples of a bootstrap.

With log-odds x of a cell and n = log nu, Davidson's (1970) model gives civ_win, draw and
murderer_win the weights exp(x/2), exp(n) and exp(-x/2); without draws this is Bradley-Terry. The
log-likelihood is concave in (x, n); steps are clipped to length 2.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from eval.ratings.design import SCRIPT_PRECISION, Design, Floats
from eval.stats.untyped import sparse

_STEPS: Final = 60
_LONGEST: Final = 2.0
_SMALL: Final = 1e-9
_FLAT: Final = 1e-5
"""Below this information a strength, alpha or nu is undetermined: it diverges or is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fits:
    """Parameters that maximise the penalised likelihood, one row per fit."""

    parameters: Floats
    draws: Floats | None
    """log nu of each fit; None: no draws."""
    likelihood: Floats
    """Log-likelihood, without the prior."""
    finite: NDArray[np.bool_]
    """Whether the matches of the fit, not only the prior, determine alpha, nu and strengths."""


def has_draws(design: Design) -> bool:
    """Return whether any match of `design` is a draw."""
    return bool(design.tallies[:, 1::3].sum())


def fit_newton(design: Design, drawn: NDArray[np.int64], *, with_draws: bool) -> Fits:
    """Return a fit for each row of `drawn` (fits x clusters, counts of the clusters).

    A script that is drawn twice counts as two scripts, so its prior counts twice.
    """
    counts = (design.tallies.T @ drawn.T).T.reshape(len(drawn), -1, 3)
    copies = np.zeros((len(drawn), design.rows.shape[1]))
    copies[:, design.strength_count :] = drawn[:, design.script_clusters]
    size = design.rows.shape[1]
    values = np.zeros((len(counts), size + with_draws))
    outer = _outer_products(design.rows)
    active = np.arange(len(counts))
    for _ in range(_STEPS):
        _, gradient, information = _derive(design, outer, values[active], counts[active])
        _add_prior(design, values[active], copies[active], gradient, information)
        information += _SMALL * np.eye(information.shape[1])
        step = np.linalg.solve(information, gradient[..., None])
        longest = np.abs(step).max(axis=1, keepdims=True)
        values[active] += (step * np.minimum(1.0, _LONGEST / np.maximum(longest, _SMALL)))[..., 0]
        active = active[longest[:, 0, 0] > _SMALL]
        if not len(active):
            break
    likelihood, _, known = _derive(design, outer, values, counts)
    constraint = _constraint(design)
    places = [*range(design.strength_count), *range(size, size + with_draws)]
    ranked = known[:, places][:, :, places]
    ranked[:, : design.strength_count, : design.strength_count] += constraint
    return Fits(
        parameters=values[:, :size],
        draws=values[:, size] if with_draws else None,
        likelihood=likelihood,
        finite=np.linalg.eigvalsh(ranked)[:, 0] > _FLAT,
    )


def _derive(
    design: Design, outer: Any, values: Floats, counts: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return the log-likelihood of each fit, its gradient and its information."""
    size = design.rows.shape[1]
    with_draws = values.shape[1] > size
    odds = (design.rows @ values[:, :size].T).T + design.offsets
    even = np.exp(values[:, size:]) if with_draws else np.zeros((len(values), 1))
    weights = [np.exp(odds / 2), np.broadcast_to(even, odds.shape), np.exp(-odds / 2)]
    total = weights[0] + weights[1] + weights[2]
    civ_win, draw, murderer_win = (weight / total for weight in weights)
    played = counts.sum(axis=-1)
    gain = (counts[..., 0] - counts[..., 2]) / 2
    lead = (civ_win - murderer_win) / 2
    likelihood = gain * odds - played * np.log(total)
    gradient = np.zeros_like(values)
    gradient[:, :size] = (design.rows.T @ (gain - played * lead).T).T
    information = np.zeros((*values.shape, values.shape[1]))
    bend = played * ((civ_win + murderer_win) / 4 - lead**2)
    information[:, :size, :size] = (outer @ bend.T).T.reshape(-1, size, size)
    if with_draws:
        likelihood = likelihood + counts[..., 1] * values[:, size:]
        gradient[:, size] = (counts[..., 1] - played * draw).sum(axis=1)
        cross = -(design.rows.T @ (played * lead * draw).T).T
        information[:, :size, size] = information[:, size, :size] = cross
        information[:, size, size] = (played * draw * (1 - draw)).sum(axis=1)
    return likelihood.sum(axis=1), gradient, information


def _add_prior(
    design: Design, values: Floats, copies: Floats, gradient: Floats, information: Floats
) -> None:
    """Add the gradient and the information of the prior to those of the likelihood."""
    size = design.rows.shape[1]
    away = values[:, :size] - design.centre
    sure = 1 / (1 + np.exp(-away))
    gradient[:, :size] += design.half_draws * (1 - 2 * sure) / 4 - away @ design.precision
    gradient[:, :size] -= SCRIPT_PRECISION * copies * away
    information[:, :size, :size] += design.precision
    diagonal = list(range(size))
    information[:, diagonal, diagonal] += (
        design.half_draws * sure * (1 - sure) / 2 + SCRIPT_PRECISION * copies
    )


def _outer_products(rows: Any) -> Any:
    """Return the sparse matrix whose columns are the outer products of the rows, flattened."""
    cells, size = rows.shape
    dense: Floats = rows.toarray()
    entries: list[tuple[int, int, float]] = []
    for cell in range(cells):
        used = np.flatnonzero(dense[cell])
        entries += [
            (int(i) * size + int(j), cell, float(dense[cell, i] * dense[cell, j]))
            for i in used
            for j in used
        ]
    places = np.array([entry[:2] for entry in entries])
    numbers = np.array([entry[2] for entry in entries])
    shape = (size * size, cells)
    return sparse.csr_matrix((numbers, (places[:, 0], places[:, 1])), shape=shape)


def _constraint(design: Design) -> Floats:
    """Return the constraints that fix the sum of strengths of each side without an anchor."""
    fixed = {side for _, side in design.fixed}
    total = np.zeros((design.strength_count, design.strength_count))
    for side in {side for _, side in design.free} - fixed:
        columns = [1 + i for i, one in enumerate(design.free) if one[1] == side]
        total[np.ix_(columns, columns)] = 1.0
    return total
