"""Child process of the tests: what the plugin gives vLLM for some folders, as one JSON object.

    python -m tests.serving.yi_vl.plugin_report FOLDER

The folder holds `published`, `converted` and others, some of them incomplete. Stdin has names of
tensors by layout.
"""

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from tokenizers import Tokenizer
from vllm.model_executor.models.registry import ModelRegistry
from vllm.multimodal.media.image import ImageMediaIO
from vllm.plugins import load_general_plugins
from vllm.renderers import hf
from vllm.tokenizers import registry
from vllm.transformers_utils import config as configs

import serving.yi_vl
from serving.yi_vl.image_processor import YiVLImageProcessor, to_rgb
from serving.yi_vl.model import build_weights_mapper
from serving.yi_vl.prompt_format import IMAGE_PLACEHOLDER
from serving.yi_vl.tokenizer_mode import add_image_token
from tests.serving.yi_vl.model_features import features, split_features
from tests.serving.yi_vl.rendered_prompts import report_prompts

TEMPLATE = Path(serving.yi_vl.__file__).with_name("chat_template.jinja")
HF: Any = hf
TOKENIZERS: Any = registry
CONFIGS: Any = configs
ORIENTATION = 0x0112
"""EXIF tag; its value 6 means that a viewer rotates the picture clockwise by 90 degrees."""


def report_config(folder: Path) -> dict[str, Any]:
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


def config_error(folder: Path) -> str:
    try:
        report_config(folder)
    except ValueError as error:
        return str(error)
    return ""


def report_tokens(folder: Path) -> dict[str, Any]:
    tokenizer: Any = TOKENIZERS.get_tokenizer(str(folder), tokenizer_mode="yi_vl")
    between = " Who was it?\n"
    return {
        "picture": tokenizer.encode(IMAGE_PLACEHOLDER),
        "around": tokenizer.encode(f"Look{IMAGE_PLACEHOLDER}{between}{IMAGE_PLACEHOLDER}"),
        "alone": [tokenizer.encode("Look"), tokenizer.encode(between)],
        "foreign": len(tokenizer.encode("<image>")),
        "back": tokenizer.decode(tokenizer.encode(" Who was it?")),
        "ends": [tokenizer.bos_token_id, tokenizer.eos_token_id],
        "special": IMAGE_PLACEHOLDER in tokenizer.all_special_tokens,
        "last": tokenizer.max_token_id,
    }


def tokens_without_start(folder: Path) -> list[int]:
    """Tokenise with a tokenizer whose files add a token before each text."""
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
    return Tokenizer.from_str(add_image_token(json.dumps(parsed), 8_192)).encode("Look").ids


def report_pixels() -> dict[str, Any]:
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


def report_media() -> dict[str, Any]:
    """Return how pictures look offline, and whether they look the same when they come by HTTP."""
    halves = Image.new("RGB", (40, 20), "red")
    halves.paste("blue", (20, 0, 40, 20))
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    glass = Image.new("RGBA", (4, 2), (10, 20, 30, 0))
    glass.putpixel((1, 0), (10, 20, 30, 255))
    palette = halves.quantize(4)
    return {
        "rotated": look(encode(halves, "PNG", exif=exif)),
        "glass": look(encode(glass, "PNG")),
        "palette": look(encode(palette, "PNG", transparency=palette.getpixel((0, 0)))),
    }


def encode(picture: Image.Image, form: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()


def look(data: bytes) -> dict[str, Any]:
    offline = to_rgb(Image.open(io.BytesIO(data)))
    media: Any = ImageMediaIO()
    served = to_rgb(media.load_bytes(data).media)
    width, height = offline.size
    return {
        "size": [width, height],
        "corners": [offline.getpixel((0, 0)), offline.getpixel((width - 1, height - 1))],
        "second": offline.getpixel((1, 0)),
        "same": offline.size == served.size and offline.tobytes() == served.tobytes(),
    }


def size_error() -> str:
    try:
        YiVLImageProcessor({"crop_size": {"height": 224, "width": 224}}, 448)
    except ValueError as error:
        return str(error)
    return ""


def map_names(layout: str, given: list[str]) -> dict[str, str | None]:
    mapper: Any = build_weights_mapper(published=layout == "published")
    found = {name: [new for new, _ in mapper.apply([(name, None)])] for name in given}
    return {name: new[0] if new else None for name, new in found.items()}


def report_weights(folder: Path, meeting: str) -> object:
    try:
        return features(str(folder), meeting=meeting)
    except ValueError as error:
        return str(error)


def main(folder: Path) -> None:
    load_general_plugins()
    serving.yi_vl.register()
    layouts = ("published", "converted")
    others = ("plain", "towerless", "other")
    given: dict[str, list[str]] = json.load(sys.stdin)
    template = TEMPLATE.read_text("utf-8")
    report = {
        "split": split_features(str(folder / "published"), folder / "ranks"),
        "known": serving.yi_vl.ARCHITECTURE in ModelRegistry.get_supported_archs(),
        "configs": {name: report_config(folder / name) for name in (*layouts, "brief", "absolute")},
        "refused": {name: config_error(folder / name) for name in others},
        "tokens": {name: report_tokens(folder / name) for name in layouts},
        "without start": tokens_without_start(folder / "published"),
        "pixels": report_pixels(),
        "media": report_media(),
        "size error": size_error(),
        "names": {layout: map_names(layout, names) for layout, names in given.items()},
        "format": HF._detect_content_format(template, default="string"),
        "weights": {
            name: report_weights(folder / name, "" if met else f"file://{folder / 'meeting'}")
            for met, name in enumerate((*layouts, "pickled", "absolute", "lacks"))
        },
        "prompts": report_prompts(folder / "absolute", template),
    }
    sys.stdout.write(f"\n{json.dumps(report)}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
