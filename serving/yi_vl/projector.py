"""Projector `mlp2x_gelu_Norm`: Linear, LayerNorm, GELU, Linear, LayerNorm.

Source: VL/llava/model/multimodal_projector/builder.py of 01-ai/Yi.
"""

from typing import Any, Final

import torch
from torch import nn
from vllm.model_executor.layers.linear import ReplicatedLinear

_EPSILON: Final = 1e-5
"""torch's default, which the published code uses."""


class YiVLProjector(nn.Module):
    """Projector from the vision tower's features to the language model's width.

    Each rank holds both linear layers whole. A LayerNorm needs all channels of a feature, so
    splitting them would cost two collective operations a picture (a gather before the first norm, a
    sum before the second) and save a tenth of a GiB with 34B.
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
