"""The projector `mlp2x_gelu_Norm`: Linear, LayerNorm, GELU, Linear, LayerNorm."""

from typing import Any, Final

import torch
from torch import nn
from vllm.model_executor.layers.linear import ReplicatedLinear

_EPSILON: Final = 1e-5
"""What torch, and so the published code, takes where nobody says otherwise."""


class YiVLProjector(nn.Module):
    """From the vision tower's features to the language model's width.

    Its linear layers are whole on each rank. A LayerNorm needs all channels of a feature, so a
    split of the first layer would have to be gathered before it and a split of the second summed
    before the other one: two collective operations a picture, to save a tenth of a GiB for 34B.
    """

    def __init__(self, vision: int, text: int, *, quant_config: Any, prefix: str) -> None:
        super().__init__()
        self.linear_1 = ReplicatedLinear(
            vision, text, quant_config=quant_config, prefix=f"{prefix}.linear_1"
        )
        self.linear_2 = nn.LayerNorm(text, eps=_EPSILON)
        self.act = nn.GELU()
        self.linear_3 = ReplicatedLinear(
            text, text, quant_config=quant_config, prefix=f"{prefix}.linear_3"
        )
        self.linear_4 = nn.LayerNorm(text, eps=_EPSILON)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Map features of shape (..., `vision`) to (..., `text`)."""
        wide, _ = self.linear_1(features)
        wide, _ = self.linear_3(self.act(self.linear_2(wide)))
        return self.linear_4(wide)
