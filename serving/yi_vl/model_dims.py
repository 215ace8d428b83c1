"""Model dimensions of Yi-VL: the two published sizes, and one small enough for any machine."""

from dataclasses import dataclass
from typing import Final

IMAGE_SIZE: Final = 448
"""Side of the square picture that the vision tower takes, in pixels (`image_size`)."""

PATCH_SIZE: Final = 14
"""Side of a patch in pixels (`patch_size`); a picture has 32 x 32 = 1,024 patches."""

CONTEXT_TOKENS: Final = 4_096
"""Limit of a prompt and its reply together (`max_position_embeddings` of both sizes)."""

PADDING_TOKENS: Final = 64
"""Tokens that the conversion adds after the vocabulary: image, padding and unused ones.

Source: `vocab_size` 64064 of BUAADreamer/Yi-VL-6B-hf.
"""

_MIN_TOWER_LAYERS: Final = 2
"""The features are the output of the last layer but one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDims:
    """Dimensions of the language model and of its vision tower."""

    hidden: int
    mlp: int
    layers: int
    heads: int
    kv_heads: int
    vision_hidden: int
    vision_mlp: int
    vision_layers: int
    """All layers of the tower; the features are the output of the last but one."""
    vision_heads: int
    vocabulary: int
    """Tokens of the published layout; the conversion has `PADDING_TOKENS` more."""

    def __post_init__(self) -> None:
        if self.hidden % self.heads or self.heads % self.kv_heads:
            raise ValueError(
                f"hidden / heads / kv_heads should divide each other, got {self.hidden} / "
                f"{self.heads} / {self.kv_heads}"
            )
        if self.vision_hidden % self.vision_heads or self.vision_layers < _MIN_TOWER_LAYERS:
            raise ValueError(
                "the tower should have two layers or more and heads that divide its width, got "
                f"{self.vision_layers} layers and {self.vision_hidden} / {self.vision_heads}"
            )


TINY: Final = ModelDims(
    hidden=128,
    mlp=256,
    layers=2,
    heads=4,
    kv_heads=2,
    vision_hidden=64,
    vision_mlp=128,
    vision_layers=3,
    vision_heads=2,
    vocabulary=8_192,
)
"""A model of a few million parameters that still takes 1,024 patches of a picture."""

SIX_B: Final = ModelDims(
    hidden=4_096,
    mlp=11_008,
    layers=32,
    heads=32,
    kv_heads=4,
    vision_hidden=1_280,
    vision_mlp=5_120,
    vision_layers=32,
    vision_heads=16,
    vocabulary=64_000,
)
"""Yi-VL-6B (config.json of 01-ai/Yi-VL-6B)."""

THIRTY_FOUR_B: Final = ModelDims(
    hidden=7_168,
    mlp=20_480,
    layers=60,
    heads=56,
    kv_heads=8,
    vision_hidden=1_280,
    vision_mlp=5_120,
    vision_layers=32,
    vision_heads=16,
    vocabulary=64_000,
)
"""Yi-VL-34B (config.json of 01-ai/Yi-VL-34B)."""
