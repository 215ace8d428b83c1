"""Tiny random checkpoints in both layouts in which Yi-VL is to be had, and configurations alone.

    python -m serving.yi_vl.checkpoints FOLDER --layout published|converted
        [--size tiny|6b-shape|34b-shape] [--no-weights] [--dtype float32|bfloat16] [--seed N]

Both layouts of one seed hold the same weights. Imports torch, so only child processes and tests
import it.
"""

import argparse
import importlib
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Literal, TypedDict, Unpack

import torch
from tokenizers import Tokenizer

from serving.yi_vl.checkpoints.configuration import (
    TOWER,
    converted_config,
    generation_config,
    processor_config,
    published_config,
    tokenizer_config,
    tower_config,
)
from serving.yi_vl.checkpoints.tokenizer import add_picture_tokens, train_tokenizer
from serving.yi_vl.checkpoints.weights import (
    Chance,
    make_language,
    make_projector,
    make_tower,
    widen,
)
from serving.yi_vl.shapes import SIX_B, THIRTY_FOUR_B, TINY, Shape

__all__ = ["SHAPES", "TINY", "Saving", "Shape", "write_checkpoint", "write_configuration"]

Layout = Literal["published", "converted"]

SHAPES: Final[Mapping[str, Shape]] = {
    "tiny": TINY,
    "6b-shape": SIX_B,
    "34b-shape": THIRTY_FOUR_B,
}
"""Sizes by the names that the command line has for them."""

_SAFETENSORS: Any = importlib.import_module("safetensors.torch")  # its types are unknown
_LINEARS: Final = {"0": "linear_1", "1": "linear_2", "3": "linear_3", "4": "linear_4"}
_TROUBLE: Final = 2


class Saving(TypedDict, total=False):
    """How the files are written."""

    dtype: Literal["float32", "bfloat16"]
    """The type of the weights; float32 where nothing is said."""
    sharded: bool
    """Three files and an index; the published layout then also holds a tower that is not to be
    used, beside the one of its sub-folder."""
    pickled: bool
    """PyTorch's .bin files, with the buffers that saves of that age hold."""
    newer_names: bool
    """The conversion's names as newer versions of transformers save them."""
    texts: tuple[str, ...]
    """Further lines for the tokenizer to learn from."""


def write_checkpoint(
    folder: Path,
    *,
    layout: Layout,
    seed: int = 0,
    shape: Shape = TINY,
    **saving: Unpack[Saving],
) -> Path:
    """Write a whole checkpoint into `folder` and return it; the same input gives the same bytes."""
    tokenizer = write_configuration(folder, layout=layout, shape=shape, **saving)
    language = make_language(shape, tokenizer, Chance(seed))
    projector = make_projector(shape, Chance(seed + 1))
    tower = make_tower(shape, Chance(seed + 2))
    if saving.get("pickled"):
        language |= _old_buffers(shape)
    if layout == "published":
        main = language | {f"model.mm_projector.{name}": it for name, it in projector.items()}
        if saving.get("sharded"):
            unused = make_tower(shape, Chance(seed + 3))
            main |= {f"model.vision_tower.vision_tower.{name}": it for name, it in unused.items()}
        _save(folder, main, saving)
        _save(folder / TOWER, tower, {**saving, "sharded": False})
    else:
        language = widen(language, Chance(seed + 4))
        _save(folder, _converted_names(language, projector, tower, saving), saving)
    return folder


def write_configuration(
    folder: Path, *, layout: Layout, shape: Shape = TINY, **saving: Unpack[Saving]
) -> Tokenizer:
    """Write everything but the weights into `folder`, which is made; return the tokenizer."""
    dtype, converted = saving.get("dtype", "float32"), layout == "converted"
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = train_tokenizer(shape.vocabulary, saving.get("texts", ()))
    if converted:
        add_picture_tokens(tokenizer)
        _write_json(folder / "config.json", converted_config(shape, dtype))
        _write_json(
            folder / "preprocessor_config.json",
            {**processor_config(), "processor_class": "LlavaProcessor"},
        )
    else:
        tower = folder / TOWER
        tower.mkdir(parents=True, exist_ok=True)
        _write_json(folder / "config.json", published_config(shape, dtype))
        _write_json(tower / "config.json", tower_config(shape, dtype))
        _write_json(tower / "preprocessor_config.json", processor_config())
    pad = shape.vocabulary + 1 if converted else 0
    _write_json(folder / "generation_config.json", generation_config(pad=pad))
    _write_json(folder / "tokenizer_config.json", tokenizer_config(converted=converted))
    tokenizer.save(str(folder / "tokenizer.json"))
    return tokenizer


def _converted_names(
    language: Mapping[str, Any],
    projector: Mapping[str, Any],
    tower: Mapping[str, Any],
    saving: Saving,
) -> dict[str, Any]:
    if saving.get("newer_names"):
        head, outer = "", "model."
        inner = {name: name.replace("model.", "model.language_model.", 1) for name in language}
    else:
        head, outer = "language_model.", ""
        inner = {name: f"{head}{name}" for name in language}
    named = {inner[name]: tensor for name, tensor in language.items()}
    for name, tensor in projector.items():
        place, kind = name.split(".")
        named[f"{outer}multi_modal_projector.{_LINEARS[place]}.{kind}"] = tensor
    return named | {f"{outer}vision_tower.{name}": tensor for name, tensor in tower.items()}


def _old_buffers(shape: Shape) -> dict[str, Any]:
    """Return what older saves of Llama hold beside the weights, and no loader needs."""
    size = shape.hidden // shape.heads
    steps = torch.arange(0, size, 2).float() / size
    name = "model.layers.{}.self_attn.rotary_emb.inv_freq"
    return {name.format(layer): 1 / 5_000_000.0**steps for layer in range(shape.layers)}


def _save(folder: Path, tensors: Mapping[str, Any], saving: Saving) -> None:
    dtype = getattr(torch, saving.get("dtype", "float32"))
    stem, end = ("pytorch_model", "bin") if saving.get("pickled") else ("model", "safetensors")
    ready = {name: tensor.to(dtype).contiguous() for name, tensor in sorted(tensors.items())}
    if not saving.get("sharded"):
        _save_one(folder / f"{stem}.{end}", ready)
        return
    names, count = list(ready), 3
    where: dict[str, str] = {}
    for part in range(count):
        file = f"{stem}-{part + 1:05}-of-{count:05}.{end}"
        own = names[part::count]
        _save_one(folder / file, {name: ready[name] for name in own})
        where |= dict.fromkeys(own, file)
    size = sum(tensor.nbytes for tensor in ready.values())
    index = {"metadata": {"total_size": size}, "weight_map": dict(sorted(where.items()))}
    _write_json(folder / f"{stem}.{end}.index.json", index)


def _save_one(path: Path, tensors: dict[str, Any]) -> None:
    if path.suffix == ".bin":
        torch.save(tensors, path)
    else:
        _SAFETENSORS.save_file(tensors, path, metadata={"format": "pt"})


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def main(words: Iterable[str] | None = None) -> int:
    """Write what the command line asks for; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m serving.yi_vl.checkpoints")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--layout", choices=("published", "converted"), required=True)
    parser.add_argument("--size", choices=tuple(SHAPES), default="tiny")
    parser.add_argument("--no-weights", action="store_true", help="for --load-format dummy")
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="bfloat16")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(None if words is None else list(words))
    if asked.size != "tiny" and not asked.no_weights:
        sys.stderr.write(f"weights are made for 'tiny' alone; {asked.size!r} needs --no-weights\n")
        return _TROUBLE
    shape = SHAPES[asked.size]
    try:
        if asked.no_weights:
            write_configuration(asked.folder, layout=asked.layout, shape=shape, dtype=asked.dtype)
        else:
            write_checkpoint(
                asked.folder, layout=asked.layout, seed=asked.seed, shape=shape, dtype=asked.dtype
            )
    except OSError as error:
        sys.stderr.write(f"no checkpoint can be written to {str(asked.folder)!r}: {error}\n")
        return _TROUBLE
    return 0
