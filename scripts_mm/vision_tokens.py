"""Vision tokens: the tokens of a picture per model family, and the size at which it is seen."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from scripts_mm.script import ScriptError

VisionFamily = Literal["qwen2-vl", "qwen2.5-vl", "qwen3-vl", "yi-vl"]
VISION_FAMILIES: tuple[VisionFamily, ...] = get_args(VisionFamily)

MAX_RATIO = 200
"""Maximum ratio of the longer to the shorter side that the Qwen-VL processors accept."""
SERVED_MAX_PIXELS = 1_003_520
"""Cap of our servers on the pixels of a picture: 1,280 tokens of a Qwen2.5-VL model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisionTokenRule:
    """The rule by which a family turns pixels into tokens."""

    factor: int
    """Pixels of a side that one token covers: patch size x merge size."""
    min_pixels: int
    """The published processor's lower bound."""
    max_pixels: int
    """The published processor's upper bound."""
    fixed: int | None = None
    """Tokens of every picture, for a family with one input size."""


def input_size(
    width: int,
    height: int,
    family: VisionFamily,
    min_pixels: int | None = None,
    max_pixels: int | None = None,
) -> tuple[int, int]:
    """Return the width and height in pixels at which `family` sees the picture.

    Qwen-VL: both sides become multiples of the factor, their product is between the bounds (None:
    those of the family), and the aspect ratio is kept approximately; the rule is `smart_resize`
    of qwen-vl-utils 0.0.14 (QwenLM/Qwen3-VL, qwen-vl-utils, vision_process.py), with the minimum
    of one factor per side that transformers sets after shrinking. Yi-VL pads to a square and
    resizes to 448 x 448. Raises ScriptError for ratios above 200 and impossible bounds.
    """
    rule = VISION_TOKEN_RULES[family]
    if min(width, height) < 1:
        raise ScriptError(f"a picture of {width}x{height} pixels cannot be shown")
    if rule.fixed is not None:
        side = rule.factor * math.isqrt(rule.fixed)
        return side, side
    low = rule.min_pixels if min_pixels is None else min_pixels
    high = rule.max_pixels if max_pixels is None else max_pixels
    if high < low or high < rule.factor**2:
        raise ScriptError(f"no size of {family!r} has between {low} and {high} pixels")
    if max(width, height) / min(width, height) > MAX_RATIO:
        raise ScriptError(
            f"a picture of {width}x{height} pixels is too long: {family!r} accepts ratios "
            f"up to {MAX_RATIO}"
        )
    return _fit_to_bounds(width, height, rule.factor, (low, high))


def count_vision_tokens(
    width: int,
    height: int,
    family: VisionFamily,
    min_pixels: int | None = None,
    max_pixels: int | None = None,
) -> int:
    """Return the image tokens of the picture, without the tokens that mark its start and end.

    One token per square of `factor` pixels of the resized picture; Yi-VL always 1,024. Raises as
    `input_size`.
    """
    seen_width, seen_height = input_size(width, height, family, min_pixels, max_pixels)
    return (seen_width // VISION_TOKEN_RULES[family].factor) * (
        seen_height // VISION_TOKEN_RULES[family].factor
    )


def _fit_to_bounds(
    width: int, height: int, factor: int, bounds: tuple[int, int]
) -> tuple[int, int]:
    low, high = bounds
    wide = max(factor, round(width / factor) * factor)
    tall = max(factor, round(height / factor) * factor)
    if wide * tall > high:
        shrink = math.sqrt(height * width / high)
        wide = max(factor, math.floor(width / shrink / factor) * factor)
        tall = max(factor, math.floor(height / shrink / factor) * factor)
    elif wide * tall < low:
        grow = math.sqrt(low / (height * width))
        wide = math.ceil(width * grow / factor) * factor
        tall = math.ceil(height * grow / factor) * factor
    return wide, tall


VISION_TOKEN_RULES: Mapping[VisionFamily, VisionTokenRule] = MappingProxyType(
    {
        "qwen2-vl": VisionTokenRule(factor=28, min_pixels=3136, max_pixels=12_845_056),
        "qwen2.5-vl": VisionTokenRule(factor=28, min_pixels=3136, max_pixels=12_845_056),
        "qwen3-vl": VisionTokenRule(factor=32, min_pixels=65_536, max_pixels=16_777_216),
        "yi-vl": VisionTokenRule(factor=14, min_pixels=200_704, max_pixels=200_704, fixed=1024),
    }
)
"""Patch 14 x merge 2, patch 16 x merge 2 and, for Yi-VL, patch 14 at 448 x 448; the bounds are
those of the published `preprocessor_config.json` (Yi-VL: of its vision tower)."""
