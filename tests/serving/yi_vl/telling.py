"""A child of the tests: what the plugin gives vLLM for some folders, as one JSON object.

    python -m tests.serving.yi_vl.telling FOLDER

The folder holds `published`, `converted` and others that are not whole; on stdin names of tensors
by layout.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from tokenizers import Tokenizer
from vllm.model_executor.models.registry import ModelRegistry
from vllm.plugins import load_general_plugins
from vllm.renderers import hf
from vllm.tokenizers import registry
from vllm.transformers_utils import config as configs

import serving.yi_vl
from serving.yi_vl.layout import IMAGE
from serving.yi_vl.model import names
from serving.yi_vl.pictures import YiVLImageProcessor
from serving.yi_vl.tokenizer import with_picture
from tests.serving.yi_vl.loading import features

TEMPLATE = Path(serving.yi_vl.__file__).with_name("chat_template.jinja")
HF: Any = hf
TOKENIZERS: Any = registry
CONFIGS: Any = configs


def configured(folder: Path) -> dict[str, Any]:
    config: Any = CONFIGS.get_config(str(folder), trust_remote_code=False, config_format="yi_vl")
    text, vision = config.text_config, config.vision_config
    return {
        "architectures": config.architectures,
        "words": [config.yi_vl_words, text.vocab_size, config.image_token_index],
        "tower": config.yi_vl_tower,
        "features": [config.vision_feature_layer, config.image_seq_length],
        "theta": text.rope_parameters["rope_theta"],
        "language": [text.hidden_size, text.num_key_value_heads, text.max_position_embeddings],
        "vision": [vision.hidden_size, vision.image_size, vision.hidden_act],
    }


def refused(folder: Path) -> str:
    try:
        configured(folder)
    except ValueError as error:
        return str(error)
    return ""


def tokenised(folder: Path) -> dict[str, Any]:
    tokenizer: Any = TOKENIZERS.get_tokenizer(str(folder), tokenizer_mode="yi_vl")
    between = " Who was it?\n"
    return {
        "picture": tokenizer.encode(IMAGE),
        "around": tokenizer.encode(f"Look{IMAGE}{between}{IMAGE}"),
        "alone": [tokenizer.encode("Look"), tokenizer.encode(between)],
        "foreign": len(tokenizer.encode("<image>")),
        "back": tokenizer.decode(tokenizer.encode(" Who was it?")),
        "ends": [tokenizer.bos_token_id, tokenizer.eos_token_id],
        "special": IMAGE in tokenizer.all_special_tokens,
        "last": tokenizer.max_token_id,
    }


def without_start(folder: Path) -> list[int]:
    """Tokenise with a tokenizer whose files put a first token before each text."""
    single = [
        {"SpecialToken": {"id": "<s>", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
    ]
    starts = {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}
    parsed = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    parsed["post_processor"] = {
        "type": "TemplateProcessing",
        "single": single,
        "pair": single,
        "special_tokens": starts,
    }
    assert Tokenizer.from_str(json.dumps(parsed)).encode("Look").ids[0] == 1
    return Tokenizer.from_str(with_picture(json.dumps(parsed), 8_192)).encode("Look").ids


def seen() -> dict[str, Any]:
    mean = [0.25, 0.5, 0.75]
    square = {"height": 448, "width": 448}
    files = {"size": {"shortest_edge": 448}, "crop_size": square, "image_mean": mean}
    process = YiVLImageProcessor({**files, "image_std": [1.0, 1.0, 1.0]}, 448)
    wide = Image.new("RGB", (200, 100), "white")
    glass = Image.new("RGBA", (60, 60), (0, 0, 0, 0))
    array = np.asarray(Image.new("RGB", (90, 120), "red"))
    pixels: Any = process([wide, glass, array])["pixel_values"]
    alone: Any = process([wide])["pixel_values"]
    return {
        "shape": list(pixels.shape),
        "border": pixels[0, :, 0, 0].tolist(),
        "middle": pixels[0, :, 224, 224].tolist(),
        "glass": pixels[1, :, 224, 224].tolist(),
        "array": [pixels[2, :, 0, 0].tolist(), pixels[2, :, 224, 224].tolist()],
        "alone": bool((alone[0] == pixels[0]).all()),
    }


def wrong_side() -> str:
    try:
        YiVLImageProcessor({"crop_size": {"height": 224, "width": 224}}, 448)
    except ValueError as error:
        return str(error)
    return ""


def mapped(layout: str, asked: list[str]) -> dict[str, str | None]:
    mapper: Any = names(published=layout == "published")
    found = {name: [new for new, _ in mapper.apply([(name, None)])] for name in asked}
    return {name: new[0] if new else None for name, new in found.items()}


def loaded(folder: Path, meeting: str) -> object:
    try:
        return features(str(folder), meeting=meeting)
    except ValueError as error:
        return str(error)


def main(place: Path) -> None:
    load_general_plugins()
    serving.yi_vl.register()
    whole = ("published", "converted")
    others = ("plain", "towerless", "other")
    asked: dict[str, list[str]] = json.load(sys.stdin)
    told = {
        "known": serving.yi_vl.ARCHITECTURE in ModelRegistry.get_supported_archs(),
        "configured": {name: configured(place / name) for name in (*whole, "brief")},
        "refused": {name: refused(place / name) for name in others},
        "tokenised": {name: tokenised(place / name) for name in whole},
        "without start": without_start(place / "published"),
        "seen": seen(),
        "wrong side": wrong_side(),
        "mapped": {layout: mapped(layout, given) for layout, given in asked.items()},
        "format": HF._detect_content_format(TEMPLATE.read_text("utf-8"), default="string"),
        "loaded": {
            name: loaded(place / name, "" if met else f"file://{place / 'meeting'}")
            for met, name in enumerate((*whole, "pickled", "lacks"))
        },
    }
    sys.stdout.write(f"\n{json.dumps(told)}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
