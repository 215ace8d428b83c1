"""Writer of tiny random checkpoints in both layouts of Yi-VL, and of configurations alone.

Both layouts of one seed hold the same weights. Imports torch, so only child processes and tests
import it.
"""

import importlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, TypedDict, Unpack

import torch
from tokenizers import Tokenizer

from serving.yi_vl.checkpoints.config_files import (
    ROPE_THETA,
    TOWER,
    build_converted_config,
    build_generation_config,
    build_processor_config,
    build_published_config,
    build_tokenizer_config,
    build_tower_config,
)
from serving.yi_vl.checkpoints.random_weights import (
    SeededTensors,
    extend_vocab,
    make_language,
    make_projector,
    make_tower,
)
from serving.yi_vl.checkpoints.tiny_tokenizer import add_image_tokens, train_tokenizer
from serving.yi_vl.model_dims import TINY, ModelDims

Layout = Literal["published", "converted"]

_SAFETENSORS: Any = importlib.import_module("safetensors.torch")  # its types are unknown
_SHARDS: Final = 3
_LAYER_NAMES: Final = {"0": "linear_1", "1": "linear_2", "3": "linear_3", "4": "linear_4"}
"""Names of the projector's layers in the conversion, by those of the published layout."""


class SaveOptions(TypedDict, total=False):
    """Options of how the files are written."""

    dtype: Literal["float32", "bfloat16"]
    """Type of the weights; float32 by default."""
    sharded: bool
    """Write three files and an index. The published layout then also holds a vision tower in the
    main files, which must not be used: the right one is in its own folder."""
    pickled: bool
    """Write PyTorch's .bin files, with the buffers that files of that age have."""
    newer_names: bool
    """Write the conversion's names as transformers 4.52 and later save them."""
    texts: tuple[str, ...]
    """Additional lines to train the tokenizer on."""


def write_checkpoint(
    folder: Path,
    *,
    layout: Layout,
    seed: int = 0,
    dims: ModelDims = TINY,
    **options: Unpack[SaveOptions],
) -> Path:
    """Write a complete checkpoint into `folder` and return it; equal input gives equal bytes."""
    tokenizer = write_configuration(folder, layout=layout, dims=dims, **options)
    language = make_language(dims, tokenizer, SeededTensors(seed))
    projector = make_projector(dims, SeededTensors(seed + 1))
    tower = make_tower(dims, SeededTensors(seed + 2))
    if options.get("pickled"):
        language |= _legacy_buffers(dims)
    if layout == "published":
        main = language | {f"model.mm_projector.{name}": it for name, it in projector.items()}
        if options.get("sharded"):
            unused = make_tower(dims, SeededTensors(seed + 3))
            main |= {f"model.vision_tower.vision_tower.{name}": it for name, it in unused.items()}
        _save(folder, main, options)
        _save(folder / TOWER, tower, {**options, "sharded": False})
    else:
        language = extend_vocab(language, SeededTensors(seed + 4))
        _save(folder, _rename_for_conversion(language, projector, tower, options), options)
    return folder


def write_configuration(
    folder: Path, *, layout: Layout, dims: ModelDims = TINY, **options: Unpack[SaveOptions]
) -> Tokenizer:
    """Create `folder`, write everything but the weights into it and return the tokenizer."""
    dtype, converted = options.get("dtype", "float32"), layout == "converted"
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = train_tokenizer(dims.vocabulary, options.get("texts", ()))
    if converted:
        add_image_tokens(tokenizer)
        _write_json(folder / "config.json", build_converted_config(dims, dtype))
        _write_json(
            folder / "preprocessor_config.json",
            {**build_processor_config(), "processor_class": "LlavaProcessor"},
        )
    else:
        tower = folder / TOWER
        tower.mkdir(parents=True, exist_ok=True)
        _write_json(folder / "config.json", build_published_config(dims, dtype))
        _write_json(tower / "config.json", build_tower_config(dims, dtype))
        _write_json(tower / "preprocessor_config.json", build_processor_config())
    pad = dims.vocabulary + 1 if converted else 0
    _write_json(folder / "generation_config.json", build_generation_config(pad=pad))
    _write_json(folder / "tokenizer_config.json", build_tokenizer_config(converted=converted))
    tokenizer.save(str(folder / "tokenizer.json"))
    return tokenizer


def _rename_for_conversion(
    language: Mapping[str, Any],
    projector: Mapping[str, Any],
    tower: Mapping[str, Any],
    options: SaveOptions,
) -> dict[str, Any]:
    """Return the three parts' tensors under the conversion's names."""
    if options.get("newer_names"):
        head, outer = "", "model."
        inner = {name: name.replace("model.", "model.language_model.", 1) for name in language}
    else:
        head, outer = "language_model.", ""
        inner = {name: f"{head}{name}" for name in language}
    named = {inner[name]: tensor for name, tensor in language.items()}
    for name, tensor in projector.items():
        place, kind = name.split(".")
        named[f"{outer}multi_modal_projector.{_LAYER_NAMES[place]}.{kind}"] = tensor
    return named | {f"{outer}vision_tower.{name}": tensor for name, tensor in tower.items()}


def _legacy_buffers(dims: ModelDims) -> dict[str, Any]:
    """Return the RoPE buffers that older files of Llama hold and loaders ignore."""
    size = dims.hidden // dims.heads
    steps = torch.arange(0, size, 2).float() / size
    name = "model.layers.{}.self_attn.rotary_emb.inv_freq"
    return {name.format(layer): 1 / ROPE_THETA**steps for layer in range(dims.layers)}


def _save(folder: Path, tensors: Mapping[str, Any], options: SaveOptions) -> None:
    """Write the tensors in one file, or in shards with an index."""
    dtype = getattr(torch, options.get("dtype", "float32"))
    stem, end = ("pytorch_model", "bin") if options.get("pickled") else ("model", "safetensors")
    ready = {name: tensor.to(dtype).contiguous() for name, tensor in sorted(tensors.items())}
    if not options.get("sharded"):
        _save_file(folder / f"{stem}.{end}", ready)
        return
    names = list(ready)
    files: dict[str, str] = {}
    for part in range(_SHARDS):
        file = f"{stem}-{part + 1:05}-of-{_SHARDS:05}.{end}"
        own = names[part::_SHARDS]
        _save_file(folder / file, {name: ready[name] for name in own})
        files |= dict.fromkeys(own, file)
    size = sum(tensor.nbytes for tensor in ready.values())
    index = {"metadata": {"total_size": size}, "weight_map": dict(sorted(files.items()))}
    _write_json(folder / f"{stem}.{end}.index.json", index)


def _save_file(path: Path, tensors: dict[str, Any]) -> None:
    if path.suffix == ".bin":
        torch.save(tensors, path)
    else:
        _SAFETENSORS.save_file(tensors, path, metadata={"format": "pt"})


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
