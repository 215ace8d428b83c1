"""Roofline estimate of a model on a GPU: bytes moved and operations done."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

_Count = Annotated[int, Field(gt=0)]
_Amount = Annotated[float, Field(gt=0)]
_Share = Annotated[float, Field(gt=0, le=1)]


class Roofline(BaseModel):
    """The table [roofline] of an engine profile: a model's shape and a GPU's figures.

    Sizes are in bytes, rates per second; a share is the reached fraction of a rate or of the
    memory. `reserve_bytes` is the engine's memory besides weights and KV; `tower_bytes` are the
    picture tower's weights and `picture_flops` its operations per picture token.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    layers: _Count
    hidden: _Count
    heads: _Count
    kv_heads: _Count
    head_dim: _Count
    intermediate: _Count
    vocabulary: _Count
    tied: bool
    weight_bytes: _Amount = 2.0
    kv_bytes: _Amount = 2.0
    tower_bytes: _Amount
    reserve_bytes: _Amount
    picture_flops: _Amount
    memory: _Amount
    memory_share: _Share
    flops: _Amount
    flops_share: _Share
    bandwidth: _Amount
    bandwidth_share: _Share


@dataclass(frozen=True, slots=True, kw_only=True)
class RooflineEstimate:
    """The estimate: the tokens that the KV cache holds, and terms in seconds by name."""

    kv_tokens: int
    terms: Mapping[str, float]


def estimate_roofline(figures: Roofline) -> RooflineEstimate:
    """Return the KV capacity and the terms of an engine, by the usual counts for a decoder.

    L layers of hidden size h, with q query and k KV heads of size d and an intermediate size i,
    have L x (2 h q d + 2 h k d + 3 h i) parameters; a computed token costs 2 operations
    per parameter, an attention pair 4 L q d; a step reads all weights once and a decode the KV of
    its context, 2 L k d values per token. Context reads and arithmetic are added, not overlapped.
    """
    f = figures
    layer = 2 * f.hidden * f.heads * f.head_dim + 2 * f.hidden * f.kv_heads * f.head_dim
    layers = f.layers * (layer + 3 * f.hidden * f.intermediate)
    table = f.vocabulary * f.hidden * 2
    kv_token = 2 * f.layers * f.kv_heads * f.head_dim * f.kv_bytes
    kept = layers * f.weight_bytes + table * (1 if f.tied else 2) + f.tower_bytes + f.reserve_bytes
    flops = f.flops * f.flops_share
    bandwidth = f.bandwidth * f.bandwidth_share
    return RooflineEstimate(
        kv_tokens=int((f.memory * f.memory_share - kept) / kv_token),
        terms={
            "weights": (layers * f.weight_bytes + table) / bandwidth,
            "token": 2 * layers / flops,
            "context": kv_token / bandwidth,
            "pair": 4 * f.layers * f.heads * f.head_dim / flops,
            "picture": f.picture_flops / flops,
        },
    )
