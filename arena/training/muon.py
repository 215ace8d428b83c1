"""Muon for matrices: torch's own computes in bfloat16, which is slow on many CPUs.

Keller Jordan et al., "Muon: An optimizer for hidden layers in neural networks" (2024).
"""

from collections.abc import Iterable
from typing import Any, Final

from arena.training.untyped import Tensor, torch

_MOMENTUM: Final = 0.95
_STEPS: Final = 5
_COEFFICIENTS: Final = (3.4445, -4.7750, 2.0315)
_RMS: Final = 0.2
"""Root mean square of an update at rate 1, that of AdamW (Liu et al. 2025, section 2.2)."""


class Muon(torch.optim.Optimizer):
    """Momentum whose matrix is made nearly orthogonal before it is applied."""

    def __init__(self, weights: Iterable[Tensor], dtype: Any) -> None:
        """Optimise `weights`, all of two dimensions; the rate is set before each step.

        Updates are computed in `dtype`.
        """
        torch.optim.Optimizer.__init__(self, weights, {"lr": 0.0})
        self._dtype = dtype

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Apply one update."""
        del closure
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is None:
                    continue
                state = self.state[weight]
                momentum = state.setdefault("momentum", torch.zeros_like(weight))
                momentum.lerp_(weight.grad, 1 - _MOMENTUM)
                update = orthogonal(weight.grad.lerp(momentum, _MOMENTUM).to(self._dtype))
                weight.add_(
                    update.to(weight.dtype), alpha=-group["lr"] * _RMS * max(weight.shape) ** 0.5
                )


def orthogonal(matrix: Tensor) -> Tensor:
    """Return the matrix with all singular values near 1, by Newton-Schulz iteration."""
    a, b, c = _COEFFICIENTS
    is_tall = matrix.shape[0] > matrix.shape[1]
    found = matrix.T if is_tall else matrix
    found = found / (found.norm() + 1e-7)
    for _ in range(_STEPS):
        gram = found @ found.T
        found = a * found + (b * gram + c * gram @ gram) @ found
    return found.T if is_tall else found
