"""Checkpoint as the reference model reads it, the same for both layouts."""

import importlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch

_SAFETENSORS: Any = importlib.import_module("safetensors.torch")  # its types are unknown
_BUFFERS: Final = ("rotary_emb.inv_freq", "embeddings.position_ids")
_PUBLISHED: Final = "model.mm_projector."
_CONVERTED: Final = "multi_modal_projector."
_INDEXES: Final = {"linear_1": "0", "linear_2": "1", "linear_3": "3", "linear_4": "4"}
"""Indexes of the projector's layers by their names in the conversion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceCheckpoint:
    """Checkpoint: configurations and weights under the names of transformers' Llama and CLIP."""

    language: dict[str, Any]
    language_weights: dict[str, Any]
    tower: dict[str, Any]
    tower_weights: dict[str, Any]
    projector_weights: dict[str, Any]
    """By the indexes of the layers: Linear 0, LayerNorm 1, (GELU 2,) Linear 3, LayerNorm 4."""
    processor: Path
    """Folder of the image processor's configuration."""
    words: int
    """Tokens that can be sampled; the image token is the first after them."""
    layer: int
    """Index of the tower's hidden state that is used as features."""


def read_checkpoint(folder: Path) -> ReferenceCheckpoint:
    """Read a checkpoint of either layout; `OSError` or `KeyError` if it is not complete."""
    config = _read_json(folder / "config.json")
    weights = {
        name: tensor for name, tensor in _read_weights(folder) if not name.endswith(_BUFFERS)
    }
    if "text_config" in config:
        return _from_converted(folder, config, weights)
    return _from_published(folder, config, weights)


def _from_published(
    folder: Path, config: dict[str, Any], weights: dict[str, Any]
) -> ReferenceCheckpoint:
    tower_folder = folder / config["mm_vision_tower"]
    tower = _read_json(tower_folder / "config.json")
    own = {name: it for name, it in _read_weights(tower_folder) if name.startswith("vision_model.")}
    other = (_PUBLISHED, "model.vision_tower.")
    return ReferenceCheckpoint(
        language=_drop_type_fields(config),
        language_weights={name: it for name, it in weights.items() if not name.startswith(other)},
        tower=_drop_type_fields(tower.get("vision_config", tower)),
        tower_weights={name: it for name, it in own.items() if not name.endswith(_BUFFERS)},
        projector_weights=_select_prefix(_PUBLISHED, weights),
        processor=tower_folder,
        words=config["vocab_size"],
        layer=config["mm_vision_select_layer"],
    )


def _from_converted(
    folder: Path, config: dict[str, Any], weights: dict[str, Any]
) -> ReferenceCheckpoint:
    if any(name.startswith("model.language_model.") for name in weights):
        language = {
            **{
                f"model.{name}": it
                for name, it in _select_prefix("model.language_model.", weights).items()
            },
            "lm_head.weight": weights["lm_head.weight"],
        }
        weights = _select_prefix("model.", weights)
    else:
        language = _select_prefix("language_model.", weights)
    layers = (name.split(".") for name in _select_prefix(_CONVERTED, weights))
    projector = {
        f"{_INDEXES[layer]}.{kind}": weights[f"{_CONVERTED}{layer}.{kind}"]
        for layer, kind in layers
    }
    return ReferenceCheckpoint(
        language=_drop_type_fields(config["text_config"]),
        language_weights=language,
        tower=_drop_type_fields(config["vision_config"]),
        tower_weights=_select_prefix("vision_tower.", weights),
        projector_weights=projector,
        processor=folder,
        words=config["image_token_index"],
        layer=config["vision_feature_layer"],
    )


def _drop_type_fields(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration without the fields that name classes and types only."""
    names = ("architectures", "model_type", "torch_dtype", "dtype")
    return {name: value for name, value in config.items() if name not in names}


def _select_prefix(prefix: str, weights: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tensors whose names begin with `prefix`, without it."""
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in weights.items()
        if name.startswith(prefix)
    }


def _read_weights(folder: Path) -> Iterator[tuple[str, Any]]:
    """Yield the tensors of all weight files in `folder`, without sub-folders."""
    safe = sorted(folder.glob("*.safetensors"))
    for path in safe:
        yield from _SAFETENSORS.load_file(path).items()
    pickled: Any = sorted(folder.glob("pytorch_model*.bin"))
    for path in () if safe else pickled:
        yield from torch.load(path, map_location="cpu", weights_only=True).items()


def _read_json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))
