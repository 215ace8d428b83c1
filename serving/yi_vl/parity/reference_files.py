"""What the reference reads from a folder, the same for both layouts."""

import importlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch

_SAFETENSORS: Any = importlib.import_module("safetensors.torch")  # its types are unknown
_NO_WEIGHTS: Final = ("rotary_emb.inv_freq", "embeddings.position_ids")
_PUBLISHED: Final = "model.mm_projector."
_CONVERTED: Final = "multi_modal_projector."
_PLACES: Final = {"linear_1": "0", "linear_2": "1", "linear_3": "3", "linear_4": "4"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Configurations and weights, by the names of transformers' Llama and CLIP."""

    language: dict[str, Any]
    language_weights: dict[str, Any]
    tower: dict[str, Any]
    tower_weights: dict[str, Any]
    projector_weights: dict[str, Any]
    """By their places in a row: linear 0, norm 1, (GELU 2,) linear 3, norm 4."""
    processor: Path
    """The folder of the picture processor's configuration."""
    words: int
    """Tokens that can be said; the first behind them stands for pictures."""
    layer: int
    """Which of the tower's hidden states the features are."""


def read_files(folder: Path) -> Files:
    """Read a checkpoint of either layout; raises `OSError` or `KeyError` where it is not whole."""
    config = _read_json(folder / "config.json")
    weights = {
        name: tensor for name, tensor in _read_weights(folder) if not name.endswith(_NO_WEIGHTS)
    }
    if "text_config" in config:
        return _converted(folder, config, weights)
    return _published(folder, config, weights)


def _published(folder: Path, config: dict[str, Any], weights: dict[str, Any]) -> Files:
    place = folder / config["mm_vision_tower"]
    tower = _read_json(place / "config.json")
    own = {name: it for name, it in _read_weights(place) if name.startswith("vision_model.")}
    other = (_PUBLISHED, "model.vision_tower.")
    return Files(
        language=_plain(config),
        language_weights={name: it for name, it in weights.items() if not name.startswith(other)},
        tower=_plain(tower.get("vision_config", tower)),
        tower_weights={name: it for name, it in own.items() if not name.endswith(_NO_WEIGHTS)},
        projector_weights=_under(_PUBLISHED, weights),
        processor=place,
        words=config["vocab_size"],
        layer=config["mm_vision_select_layer"],
    )


def _converted(folder: Path, config: dict[str, Any], weights: dict[str, Any]) -> Files:
    if any(name.startswith("model.language_model.") for name in weights):
        language = {
            **{
                f"model.{name}": it for name, it in _under("model.language_model.", weights).items()
            },
            "lm_head.weight": weights["lm_head.weight"],
        }
        weights = _under("model.", weights)
    else:
        language = _under("language_model.", weights)
    layers = (name.split(".") for name in _under(_CONVERTED, weights))
    projector = {
        f"{_PLACES[layer]}.{kind}": weights[f"{_CONVERTED}{layer}.{kind}"] for layer, kind in layers
    }
    return Files(
        language=_plain(config["text_config"]),
        language_weights=language,
        tower=_plain(config["vision_config"]),
        tower_weights=_under("vision_tower.", weights),
        projector_weights=projector,
        processor=folder,
        words=config["image_token_index"],
        layer=config["vision_feature_layer"],
    )


def _plain(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration without what only says of which class and type it is."""
    names = ("architectures", "model_type", "torch_dtype", "dtype")
    return {name: value for name, value in config.items() if name not in names}


def _under(prefix: str, weights: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in weights.items()
        if name.startswith(prefix)
    }


def _read_weights(folder: Path) -> Iterator[tuple[str, Any]]:
    """Return the tensors of all weight files in `folder`, sub-folders left out."""
    safe = sorted(folder.glob("*.safetensors"))
    for path in safe:
        yield from _SAFETENSORS.load_file(path).items()
    pickled: Any = sorted(folder.glob("pytorch_model*.bin"))
    for path in () if safe else pickled:
        yield from torch.load(path, map_location="cpu", weights_only=True).items()


def _read_json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))
