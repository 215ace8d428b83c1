"""Folders that start an engine with a published shape and random weights, without a network.

They hold only configuration and tokenizer, for `--load-format dummy`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from serving.errors import EngineError, ServingError
from serving.host.xdg_folders import cache_folder
from serving.model_files.profile import find_profile
from serving.model_files.weights import Weights, find_weights, models_folder
from serving.standin.standin_cache import SHIM, standin_folder

_YI_SIZES: Final = MappingProxyType({"yi-vl-6b": "6b-shape", "yi-vl-34b": "34b-shape"})
_QWEN: Final = "qwen2.5-vl-7b"
_LAYERS: Final = 28
_CONTEXT: Final = 128_000
_LANGUAGE: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "hidden_size": 3_584,
        "intermediate_size": 18_944,
        "num_hidden_layers": _LAYERS,
        "num_attention_heads": 28,
        "num_key_value_heads": 4,
        "max_position_embeddings": _CONTEXT,
        "max_window_layers": _LAYERS,
        "layer_types": ["full_attention"] * _LAYERS,
        "rms_norm_eps": 1e-6,
    }
)
"""From config.json of Qwen/Qwen2.5-VL-7B-Instruct."""
_TOWER: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "depth": 32,
        "hidden_size": 1_280,
        "intermediate_size": 3_420,
        "num_heads": 16,
        "out_hidden_size": 3_584,
        "fullatt_block_indexes": [7, 15, 23, 31],
    }
)
_ROTARY_SECTIONS: Final = (16, 24, 24)


def find_dummy_weights(name: str) -> tuple[Weights, str]:
    """Find or write a configuration of the profile `name` for random weights.

    Returns it and its differences from the published one (empty for the user's own folder). Raises
    `ServingError` for a profile without a known shape or a folder.
    """
    found = find_weights(find_profile(name), models_folder(os.environ), dummy=True)
    if found.local:
        return found, ""
    if name in _YI_SIZES:
        folder, remark = _write_yi(name), "the tokenizer is trained locally"
    elif name == _QWEN:
        folder, vocabulary = _write_qwen()
        remark = f"the tokenizer (vocabulary {vocabulary}) is the stand-in's"
    else:
        raise ServingError(
            f"no configuration of {name!r} for random weights: {found.note or 'not on this host'}"
        )
    return Weights(path=str(folder), origin="folder", dummy=True), remark


def _write_qwen() -> tuple[Path, int]:
    source, folder = standin_folder(), cache_folder() / f"{_QWEN}-shape"
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    language, tower = config["text_config"], config["vision_config"]
    language.update(_LANGUAGE)
    language["rope_parameters"]["mrope_section"] = list(_ROTARY_SECTIONS)
    tower.update(_TOWER)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in source.iterdir():
            if path.is_file() and path.suffix in {".json", ".jinja"} and path.name != "made.json":
                (folder / path.name).write_bytes(path.read_bytes())
        (folder / "config.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
    except OSError as error:
        raise EngineError(f"cannot write a configuration to {str(folder)!r}: {error}") from error
    return folder, language["vocab_size"]


def _write_yi(name: str) -> Path:
    """Write it in a child process, which imports torch."""
    folder = cache_folder() / f"{name}-shape"
    others = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([str(SHIM), str(SHIM.parent.parent), *([others] if others else [])])
    words = ("--layout", "published", "--size", _YI_SIZES[name], "--no-weights")
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "serving.yi_vl.checkpoints", str(folder), *words],
        env={**os.environ, "PYTHONPATH": path, "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        cause = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise EngineError(f"cannot write a configuration of {name!r}: {cause[-1]}")
    return folder
