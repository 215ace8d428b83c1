"""Muon for matrices: torch's own computes in bfloat16, which is slow on many CPUs.

Keller Jordan et al., "Muon: An optimizer for hidden layers in neural networks" (2024).
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

from arena.training.untyped import Tensor, torch

_MOMENTUM: Final = 0.95
_STEPS: Final = 5
_COEFFICIENTS: Final = (3.4445, -4.7750, 2.0315)
_RMS: Final = 0.2
"""Root mean square of an update at rate 1, that of AdamW (Liu et al. 2025, section 2.2)."""


class Muon(torch.optim.Optimizer):
    """Optimizer by momentum, whose matrix is made nearly orthogonal before it is applied."""

    def __init__(self, weights: Iterable[Tensor], dtype: Any) -> None:
        """Optimise `weights`, all of two dimensions; the rate is set before each step.

        Updates are computed in `dtype`.
        """
        torch.optim.Optimizer.__init__(self, weights, {"lr": 0.0})
        self._dtype = dtype

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Apply one update; matrices of one shape together, which is faster on a GPU."""
        del closure
        for group in self.param_groups:
            by_shape: dict[Any, list[Tensor]] = defaultdict(list)
            for weight in group["params"]:
                if weight.grad is not None:
                    by_shape[weight.shape].append(weight)
            for shape, weights in by_shape.items():
                updates = orthogonal(torch.stack([self._direction(one) for one in weights]))
                rate = -group["lr"] * _RMS * max(shape) ** 0.5
                several = updates.to(weights[0].dtype).unbind(0)
                torch._foreach_add_(weights, several, alpha=rate)

    def _direction(self, weight: Tensor) -> Tensor:
        state = self.state[weight]
        momentum = state.setdefault("momentum", torch.zeros_like(weight))
        momentum.lerp_(weight.grad, 1 - _MOMENTUM)
        return weight.grad.lerp(momentum, _MOMENTUM).to(self._dtype)


def orthogonal(matrices: Tensor) -> Tensor:
    """Return matrices, (..., rows, columns), with all singular values near 1.

    By Newton-Schulz iteration.
    """
    a, b, c = _COEFFICIENTS
    is_tall = matrices.shape[-2] > matrices.shape[-1]
    found = matrices.mT if is_tall else matrices
    found = found / (found.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(_STEPS):
        gram = found @ found.mT
        found = a * found + (b * gram + c * gram @ gram) @ found
    return found.mT if is_tall else found
