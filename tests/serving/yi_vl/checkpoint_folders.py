"""Checkpoint folders of both layouts, written by hand: configurations and names of tensors."""

import json
import pickle
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

TOWER = "vit/clip-448"

PUBLISHED: Mapping[str, Any] = {
    "architectures": ["LlavaLlamaForCausalLM"],
    "model_type": "llava",
    "vocab_size": 64000,
    "mm_projector_type": "mlp2x_gelu_Norm",
    "mm_vision_tower": f"./{TOWER}",
    "mm_vision_select_layer": -2,
    "mm_vision_select_feature": "patch",
}
CONVERTED: Mapping[str, Any] = {
    "architectures": ["LlavaForConditionalGeneration"],
    "model_type": "llava",
    "image_token_index": 64000,
    "is_yi_vl_derived_model": True,
    "text_config": {"vocab_size": 64064},
    "vision_config": {"image_size": 448},
}
PUBLISHED_NAMES = (
    "model.embed_tokens.weight",
    *(
        f"model.mm_projector.{place}.{kind}"
        for place in (0, 1, 3, 4)
        for kind in ("weight", "bias")
    ),
)
CONVERTED_NAMES = (
    "language_model.model.embed_tokens.weight",
    *(
        f"multi_modal_projector.linear_{layer}.{kind}"
        for layer in (1, 2, 3, 4)
        for kind in ("weight", "bias")
    ),
    "vision_tower.vision_model.embeddings.class_embedding",
)


def write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def write_safetensors(path: Path, names: Iterable[str]) -> None:
    header = json.dumps(
        {name: {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for name in names}
    ).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header)


def write_pickled(path: Path, names: Iterable[str]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(dict.fromkeys(names, 0), protocol=2))


def write_sharded(folder: Path, names: Iterable[str], *, kind: str = "safetensors") -> None:
    stem = "pytorch_model" if kind == "bin" else "model"
    files = [f"{stem}-0000{part}-of-00002.{kind}" for part in (1, 2)]
    places = {name: files[place % 2] for place, name in enumerate(names)}
    write_json(folder / f"{stem}.{kind}.index.json", {"weight_map": places})
    for file in files:
        own = [name for name, place in places.items() if place == file]
        (write_pickled if kind == "bin" else write_safetensors)(folder / file, own)


def write_published(folder: Path, **changes: object) -> Path:
    """Write a complete folder whose tensors have no values."""
    write_json(folder / "config.json", {**PUBLISHED, **changes})
    write_json(folder / "tokenizer.json", {})
    write_json(folder / TOWER / "config.json", {})
    write_json(folder / TOWER / "preprocessor_config.json", {})
    write_safetensors(folder / "model.safetensors", PUBLISHED_NAMES)
    write_safetensors(folder / TOWER / "model.safetensors", ["vision_model.class_embedding"])
    return folder


def write_converted(folder: Path, **changes: object) -> Path:
    """Write a complete folder whose tensors have no values."""
    write_json(folder / "config.json", {**CONVERTED, **changes})
    write_json(folder / "tokenizer.json", {})
    write_json(folder / "preprocessor_config.json", {})
    write_safetensors(folder / "model.safetensors", CONVERTED_NAMES)
    return folder
