"""Compute the prompt tokens of a picture from a model's configuration files: pure."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter, ValidationError

from serving.model_files.profile_file import Family

Config = Mapping[str, Any]

DEFAULT_TOKENS: Final = 4_096
"""Tokens of a picture of unknown or any size: 3.2 megapixels at 28 x 28 pixels per token."""
_TOWERS: Final = ("vision_config", "vision_tower_config", "visual", "vit_config", "image_config")
_SIGHT: Final = ("vision", "visual", "image", "img")
_HEARING: Final = ("audio", "speech", "mel_bins", "whisper")
_Count = Annotated[int, Field(gt=0, strict=True)]
_COUNTS: Final[TypeAdapter[int | list[int]]] = TypeAdapter(
    _Count | Annotated[list[_Count], Field(min_length=1)]
)
_TABLE: Final[TypeAdapter[dict[str, Any]]] = TypeAdapter(dict[str, Any])
_GRIDS: Final[TypeAdapter[list[tuple[int, int]]]] = TypeAdapter(list[tuple[int, int]])
_AREA: Final = 2**16
"""From here on, a longest edge is an area: no tower accepts so many pixels per side."""
_MOST_TILES: Final = re.compile(r"anyres_max_(\d+)")
_MARKS: Final = 4
"""Extra tokens per tile: its row, its column, a line's end."""
_DEFAULT_SIDE: Final = 448
_MEGAPIXEL: Final = 1_003_520
_QWEN3_LEAST: Final = 65_536
_QWEN_LEAST: Final = 3_136


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureSizing:
    """The picture sizes of a model; `tokens` is 0 if its family has a rule."""

    tokens: int
    min_pixels: int
    max_pixels: int
    patch: int
    merge: int
    notes: tuple[str, ...] = ()


def takes_pictures(config: Config) -> bool:
    """Return whether a multimodal model accepts pictures, not only audio."""
    keys = " ".join([*config, *(config.get("thinker_config") or {})]).lower()
    return any(word in keys for word in _SIGHT) or not any(word in keys for word in _HEARING)


def compute_picture_sizing(config: Config, processor: Config, family: Family) -> PictureSizing:
    """Return the picture sizing: by the family's rule, from the files, or an upper bound."""
    tower = _vision_config(config)
    patch = (
        _first_count(tower, "patch_size", "spatial_patch_size")
        or _first_count(processor, "patch_size")
        or 14
    )
    merge = _merge(config, processor, tower)
    if family != "other":
        least = _QWEN3_LEAST if family == "qwen3-vl" else _QWEN_LEAST
        return PictureSizing(
            tokens=0, min_pixels=least, max_pixels=_MEGAPIXEL, patch=patch, merge=merge
        )
    side = _side(config, processor, tower)
    tokens, notes = _count_tokens(config, processor, (side, patch, merge))
    area = (side or _DEFAULT_SIDE) ** 2
    return PictureSizing(
        tokens=tokens, min_pixels=area, max_pixels=area, patch=patch, merge=merge, notes=notes
    )


def _count_tokens(
    config: Config, processor: Config, shape: tuple[int, int, int]
) -> tuple[int, tuple[str, ...]]:
    """Return the maximum tokens of a picture, and the assumptions."""
    side, patch, merge = shape
    tile = (
        _first_count(config, "mm_tokens_per_image", "query_num", "num_image_token")
        or _first_count(processor, "image_seq_length", "image_seq_len", "image_feature_size")
        or (math.ceil(side / (patch * merge)) ** 2 if side else 0)
    )
    if not tile or _is_any_size(processor):
        return DEFAULT_TOKENS, (f"a picture counts as {DEFAULT_TOKENS:,} tokens",)
    tiles = _count_tiles(config, processor, side)
    # A row of patches can end with an extra token.
    ends = math.isqrt(tile) if tiles == 1 else 0
    tokens = tiles * (tile + (_MARKS if tiles > 1 else 0)) + ends
    return tokens, (f"a picture counts as {tokens:,} tokens at most",)


def _count_tiles(config: Config, processor: Config, side: int) -> int:
    """Return the maximum number of tiles of a picture, including its thumbnail."""
    most = _first_count(config, "max_dynamic_patch", "max_slice_nums") or _first_count(
        processor,
        "max_dynamic_patch",
        "max_slice_nums",
        "max_patches",
        "pan_and_scan_max_num_crops",
    )
    if most:
        return most + 1
    if named := _MOST_TILES.search(str(config.get("vision_aspect_ratio"))):
        return int(named[1]) + 1
    grids = config.get("image_grid_pinpoints") or processor.get("image_grid_pinpoints")
    if grids and side:
        areas = [math.ceil(w / side) * math.ceil(h / side) for w, h in _parse_grids(grids)]
        return max(areas, default=0) + 1
    return _count_split_tiles(processor)


def _is_any_size(processor: Config) -> bool:
    """Return whether pictures keep their size, up to an area larger than any script's picture."""
    longest = _first_count(processor.get("size"), "longest_edge")
    return max(_first_count(processor, "max_pixels"), longest) > _AREA


def _count_split_tiles(processor: Config) -> int:
    """Return the tiles of a processor that splits the longest edge into squares (Idefics3)."""
    whole, tile = (
        _first_count(processor.get(name), "longest_edge") for name in ("size", "max_image_size")
    )
    if not (whole and tile and processor.get("do_image_splitting", True)):
        return 1
    return math.ceil(whole / tile) ** 2 + 1


def _parse_grids(grids: Any) -> list[tuple[int, int]]:
    try:
        return _GRIDS.validate_python(grids)
    except ValidationError:
        return []


def _vision_config(config: Config) -> Config:
    for name in _TOWERS:
        if isinstance(config.get(name), dict):
            return config[name]
    return {}


def _side(config: Config, processor: Config, tower: Config) -> int:
    """Return the side, in pixels, of the vision tower's input; 0 if unknown."""
    said = _first_count(processor.get("size"), "height", "shortest_edge")
    return _first_count(config, "force_image_size") or _first_count(tower, "image_size") or said


def _merge(config: Config, processor: Config, tower: Config) -> int:
    """Return how many patches per side become one token."""
    merge = (
        _first_count(config, "spatial_merge_size", "scale_factor")
        or _first_count(tower, "spatial_merge_size")
        or _first_count(processor, "merge_size")
    )
    ratio = config.get("downsample_ratio")
    if not merge and isinstance(ratio, float) and 0 < ratio < 1:
        merge = round(1 / ratio)
    return merge or 1


def _first_count(part: Any, *names: str) -> int:
    """Return the first value in a table that is a count (of a list the largest); 0 if none is."""
    for name in names:
        try:
            value = _COUNTS.validate_python(_TABLE.validate_python(part).get(name))
        except ValidationError:
            continue
        return max(value) if isinstance(value, list) else value
    return 0
