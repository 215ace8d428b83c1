"""Picture encoder for many pictures: those of similar size share a padded batch.

It computes the forward pass of transformers, which processes one picture after the other.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from PIL import Image

from arena.training.untyped import Tensor, functional, qwen, torch
from scripts_mm.generate.pictures.small_pictures import SQUARE

PATCH: Final = 14
MERGE: Final = 2
TEMPORAL: Final = 2
Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureGroup:
    """Pictures of one height, padded on the right."""

    pixels: Array
    """(pictures, height, width, 3), 0 to 255."""
    is_padding: Array
    """(pictures, squares) of bool: padding squares."""
    at: Array
    """(squares without padding): their indexes among all squares of all groups."""


def group_pictures(images: Sequence[Image.Image]) -> tuple[PictureGroup, ...]:
    """Return pictures in groups; their sides are multiples of 28 pixels.

    Squares are counted picture by picture, row by row.
    """
    first, begins = 0, list[int]()
    by_size: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, one in enumerate(images):
        # Widths that differ by less than a factor of four.
        by_size[one.height, (one.width // SQUARE).bit_length() // 2].append(number)
        begins.append(first)
        first += one.width * one.height // SQUARE**2
    return tuple(
        _group([images[one] for one in several], [begins[one] for one in several])
        for _, several in sorted(by_size.items())
    )


def _group(images: Sequence[Image.Image], begins: Sequence[int]) -> PictureGroup:
    high, wide = images[0].height, max(one.width for one in images)
    rows, columns = high // SQUARE, wide // SQUARE
    pixels = np.zeros((len(images), high, wide, 3), np.uint8)
    is_padding = np.ones((len(images), rows, columns), np.bool_)
    at: list[Array] = []
    for number, (one, begin) in enumerate(zip(images, begins, strict=True)):
        pixels[number, :, : one.width] = np.asarray(one.convert("RGB"))
        is_padding[number, :, : one.width // SQUARE] = False
        at.append(np.arange(begin, begin + one.width * one.height // SQUARE**2))
    flat = is_padding.reshape(len(images), rows * columns)
    return PictureGroup(pixels=pixels, is_padding=flat, at=np.concatenate(at))


def see(visual: Any, groups: Sequence[PictureGroup], device: str) -> Tensor:
    """Return the encoder's output for every square, (squares, hidden size of the text)."""
    found = [_see_group(visual, one, device) for one in groups]
    at = torch.from_numpy(np.argsort(np.concatenate([one.at for one in groups]))).to(device)
    return torch.cat(found)[at]


def _see_group(visual: Any, group: PictureGroup, device: str) -> Tensor:
    patches = _cut(torch.from_numpy(group.pixels).to(device))
    several, count, _ = patches.shape
    embed = visual.patch_embed.proj.weight
    states = functional.linear(patches, embed.view(embed.shape[0], -1))
    _, high, wide, _ = group.pixels.shape
    turns = _positions(visual, states, (1, high // PATCH, wide // PATCH))
    is_padding = torch.from_numpy(group.is_padding).to(device)
    seen = ~is_padding.repeat_interleave(MERGE**2, dim=1)[:, None, None]
    for block in visual.blocks:
        states = states + _attend(block.attn, block.norm1(states), turns, seen)
        states = states + block.mlp(block.norm2(states))
    merged = visual.merger(states.reshape(several * count, -1))
    return merged[~is_padding.flatten()]


def _cut(pixels: Tensor) -> Tensor:
    """Return pictures as patches, (pictures, patches, channels x 2 x 14 x 14).

    The patches of a square follow one another.
    """
    several, high, wide, channels = pixels.shape
    rows, columns = high // SQUARE, wide // SQUARE
    values = (pixels.float() / 127.5 - 1).permute(0, 3, 1, 2)
    cut = values.reshape(several, channels, rows, MERGE, PATCH, columns, MERGE, PATCH)
    ordered = cut.permute(0, 2, 5, 3, 6, 1, 4, 7).unsqueeze(6)
    return ordered.expand(*ordered.shape[:6], TEMPORAL, PATCH, PATCH).reshape(
        several, rows * columns * MERGE**2, -1
    )


def _positions(visual: Any, states: Tensor, grid: tuple[int, int, int]) -> tuple[Tensor, Tensor]:
    """Return cosine and sine of the rotary positions, (patches, 1, head)."""
    position = qwen.modeling_qwen2_5_vl.get_vision_position_ids
    placed = position(torch.tensor([grid], device=states.device), MERGE)
    cos, sin = visual.rotary_pos_emb(states, placed)
    return cos[:, None], sin[:, None]


def _attend(attention: Any, states: Tensor, turns: tuple[Tensor, Tensor], seen: Tensor) -> Tensor:
    several, count, _ = states.shape
    split = attention.qkv(states).view(several, count, 3, attention.num_heads, -1)
    query, key, value = split.unbind(2)
    mixed = functional.scaled_dot_product_attention(
        _turn(query, turns).transpose(1, 2),
        _turn(key, turns).transpose(1, 2),
        value.transpose(1, 2),
        attn_mask=seen,
    )
    return attention.proj(mixed.transpose(1, 2).reshape(several, count, -1))


def _turn(states: Tensor, turns: tuple[Tensor, Tensor]) -> Tensor:
    cos, sin = turns
    whole = states.float()
    return (whole * cos + qwen.modeling_qwen2_5_vl.rotate_half(whole) * sin).to(states.dtype)
