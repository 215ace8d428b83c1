"""Configuration files (JSON) of a Yi-VL checkpoint, of either layout.

Source of the values: the files of 01-ai/Yi-VL-6B and of BUAADreamer/Yi-VL-6B-hf.
"""

from typing import Any, Final

from serving.yi_vl.checkpoints.tiny_tokenizer import END, IMAGE, PADDING, START, UNKNOWN
from serving.yi_vl.model_dims import (
    CONTEXT_TOKENS,
    IMAGE_SIZE,
    PADDING_TOKENS,
    PATCH_SIZE,
    ModelDims,
)

TOWER: Final = "./vit/clip-vit-H-14-laion2B-s32B-b79K-yi-vl-6B-448"
"""Folder of the vision tower in the published layout, relative to the checkpoint."""

ROPE_THETA: Final = 5_000_000.0
"""Of both published sizes."""

_MEAN: Final = [0.48145466, 0.4578275, 0.40821073]
_STD: Final = [0.26862954, 0.26130258, 0.27577711]
"""Mean and deviation of red, green and blue that CLIP was trained with."""


def build_published_config(dims: ModelDims, dtype: str) -> dict[str, Any]:
    """Return config.json of the published layout."""
    return {
        "architectures": ["LlavaLlamaForCausalLM"],
        **_language(dims, dtype),
        "model_type": "llava",
        "vocab_size": dims.vocabulary,
        "pad_token_id": 0,
        "image_aspect_ratio": "pad",
        "freeze_mm_mlp_adapter": False,
        "mm_hidden_size": dims.vision_hidden,
        "mm_projector_type": "mlp2x_gelu_Norm",
        "mm_use_im_patch_token": False,
        "mm_use_im_start_end": False,
        "mm_vision_select_feature": "patch",
        "mm_vision_select_layer": -2,
        "mm_vision_tower": TOWER,
        "tune_mm_mlp_adapter": False,
        "use_mm_proj": True,
    }


def build_converted_config(dims: ModelDims, dtype: str) -> dict[str, Any]:
    """Return config.json of the conversion to transformers' LLaVA layout."""
    size, padding = dims.vocabulary + PADDING_TOKENS, dims.vocabulary + 1
    return {
        "architectures": ["LlavaForConditionalGeneration"],
        "ignore_index": -100,
        "image_token_index": dims.vocabulary,
        "is_yi_vl_derived_model": True,
        "model_type": "llava",
        "pad_token_id": padding,
        "projector_hidden_act": "gelu",
        "text_config": {
            "architectures": ["LlamaForCausalLM"],
            **_language(dims, dtype),
            "model_type": "llama",
            "vocab_size": size,
            "pad_token_id": padding,
        },
        "torch_dtype": dtype,
        "vision_config": {"model_type": "clip_vision_model", **_vision(dims)},
        "vision_feature_layer": -2,
        "vision_feature_select_strategy": "default",
        "vocab_size": size,
    }


def build_tower_config(dims: ModelDims, dtype: str) -> dict[str, Any]:
    """Return config.json of the published layout's vision tower."""
    return {
        "architectures": ["CLIPVisionModel"],
        **_vision(dims),
        "model_type": "clip_vision_model",
        "torch_dtype": dtype,
    }


def build_processor_config() -> dict[str, Any]:
    """Return preprocessor_config.json: 448 x 448, bicubic, CLIP's mean and deviation."""
    return {
        "crop_size": {"height": IMAGE_SIZE, "width": IMAGE_SIZE},
        "do_center_crop": True,
        "do_convert_rgb": True,
        "do_normalize": True,
        "do_rescale": True,
        "do_resize": True,
        "image_mean": _MEAN,
        "image_processor_type": "CLIPImageProcessor",
        "image_std": _STD,
        "resample": 3,
        "rescale_factor": 1 / 255,
        "size": {"shortest_edge": IMAGE_SIZE},
    }


def build_tokenizer_config(*, converted: bool) -> dict[str, Any]:
    """Return tokenizer_config.json; no token is added before a text."""
    special = {"bos_token": START, "eos_token": END, "unk_token": UNKNOWN}
    return {
        "add_bos_token": False,
        "add_eos_token": False,
        **special,
        "clean_up_tokenization_spaces": False,
        "legacy": True,
        "model_max_length": CONTEXT_TOKENS,
        "pad_token": PADDING if converted else UNKNOWN,
        **({"additional_special_tokens": [IMAGE]} if converted else {}),
        "padding_side": "right",
        "sp_model_kwargs": {},
        "tokenizer_class": "LlamaTokenizer",
    }


def build_generation_config(*, pad: int) -> dict[str, Any]:
    """Return generation_config.json."""
    return {"bos_token_id": 1, "do_sample": True, "eos_token_id": 2, "pad_token_id": pad}


def _language(dims: ModelDims, dtype: str) -> dict[str, Any]:
    return {
        "attention_bias": False,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "hidden_act": "silu",
        "hidden_size": dims.hidden,
        "initializer_range": 0.02,
        "intermediate_size": dims.mlp,
        "max_position_embeddings": CONTEXT_TOKENS,
        "num_attention_heads": dims.heads,
        "num_hidden_layers": dims.layers,
        "num_key_value_heads": dims.kv_heads,
        "pretraining_tp": 1,
        "rms_norm_eps": 1e-05,
        "rope_scaling": None,
        "rope_theta": ROPE_THETA,
        "tie_word_embeddings": False,
        "torch_dtype": dtype,
        "use_cache": True,
    }


def _vision(dims: ModelDims) -> dict[str, Any]:
    return {
        "attention_dropout": 0.0,
        "hidden_act": "gelu",
        "hidden_size": dims.vision_hidden,
        "image_size": IMAGE_SIZE,
        "intermediate_size": dims.vision_mlp,
        "layer_norm_eps": 1e-05,
        "num_attention_heads": dims.vision_heads,
        "num_channels": 3,
        "num_hidden_layers": dims.vision_layers,
        "patch_size": PATCH_SIZE,
        "projection_dim": dims.vision_hidden,
    }
