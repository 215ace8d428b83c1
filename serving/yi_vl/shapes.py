"""The sizes of a Yi-VL: of the two that are published, and of one small enough for any machine."""

from dataclasses import dataclass
from typing import Final

PICTURE_SIDE: Final = 448
"""Pixels of the square that the vision tower sees."""

PATCH: Final = 14
"""Pixels along the side of one patch; 32 x 32 patches are the 1,024 features of a picture."""

CONTEXT: Final = 4_096
"""Tokens that a prompt and its reply may have together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Widths and depths of the language model and of its vision tower."""

    hidden: int
    mlp: int
    layers: int
    heads: int
    kv_heads: int
    vision_hidden: int
    vision_mlp: int
    vision_layers: int
    """All layers of the tower; the features come from the last but one."""
    vision_heads: int
    vocabulary: int
    """Tokens of the published layout; the conversion has `PADDING_TOKENS` more."""

    def __post_init__(self) -> None:
        if self.hidden % self.heads or self.heads % self.kv_heads:
            raise ValueError(
                f"wanted hidden / heads / kv_heads that divide each other, got {self.hidden} / "
                f"{self.heads} / {self.kv_heads}"
            )
        if self.vision_hidden % self.vision_heads or self.vision_layers < 2:  # noqa: PLR2004
            raise ValueError(
                "wanted a tower of two layers or more whose heads divide its width, got "
                f"{self.vision_layers} layers and {self.vision_hidden} / {self.vision_heads}"
            )


PADDING_TOKENS: Final = 64
"""Tokens that the conversion adds behind the vocabulary: the picture's, the padding's, spares."""

TINY: Final = Shape(
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
"""A model of a few million parameters that still looks at 1,024 patches of a picture."""

SIX_B: Final = Shape(
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
"""Yi-VL-6B, from its published configuration."""

THIRTY_FOUR_B: Final = Shape(
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
"""Yi-VL-34B, from its published configuration."""
