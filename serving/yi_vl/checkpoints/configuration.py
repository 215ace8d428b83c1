"""The JSON files of a Yi-VL checkpoint, of either layout."""

from typing import Any, Final

from serving.yi_vl.checkpoints.tokenizer import END, PADDING, PICTURE, START, UNKNOWN
from serving.yi_vl.shapes import CONTEXT, PADDING_TOKENS, PATCH, PICTURE_SIDE, Shape

TOWER: Final = "./vit/clip-vit-H-14-laion2B-s32B-b79K-yi-vl-6B-448"
"""Where the published layout has its vision tower, from the folder on."""

_MEAN: Final = [0.48145466, 0.4578275, 0.40821073]
_STD: Final = [0.26862954, 0.26130258, 0.27577711]


def published_config(shape: Shape, dtype: str) -> dict[str, Any]:
    """Return config.json of the published layout."""
    return {
        "architectures": ["LlavaLlamaForCausalLM"],
        **_language(shape, dtype),
        "model_type": "llava",
        "vocab_size": shape.vocabulary,
        "pad_token_id": 0,
        "image_aspect_ratio": "pad",
        "freeze_mm_mlp_adapter": False,
        "mm_hidden_size": shape.vision_hidden,
        "mm_projector_type": "mlp2x_gelu_Norm",
        "mm_use_im_patch_token": False,
        "mm_use_im_start_end": False,
        "mm_vision_select_feature": "patch",
        "mm_vision_select_layer": -2,
        "mm_vision_tower": TOWER,
        "tune_mm_mlp_adapter": False,
        "use_mm_proj": True,
    }


def converted_config(shape: Shape, dtype: str) -> dict[str, Any]:
    """Return config.json of the conversion to transformers' LLaVA layout."""
    size, padding = shape.vocabulary + PADDING_TOKENS, shape.vocabulary + 1
    return {
        "architectures": ["LlavaForConditionalGeneration"],
        "ignore_index": -100,
        "image_token_index": shape.vocabulary,
        "is_yi_vl_derived_model": True,
        "model_type": "llava",
        "pad_token_id": padding,
        "projector_hidden_act": "gelu",
        "text_config": {
            "architectures": ["LlamaForCausalLM"],
            **_language(shape, dtype),
            "model_type": "llama",
            "vocab_size": size,
            "pad_token_id": padding,
        },
        "torch_dtype": dtype,
        "vision_config": {"model_type": "clip_vision_model", **_vision(shape)},
        "vision_feature_layer": -2,
        "vision_feature_select_strategy": "default",
        "vocab_size": size,
    }


def tower_config(shape: Shape, dtype: str) -> dict[str, Any]:
    """Return config.json of the published layout's vision tower."""
    return {
        "architectures": ["CLIPVisionModel"],
        **_vision(shape),
        "model_type": "clip_vision_model",
        "torch_dtype": dtype,
    }


def processor_config() -> dict[str, Any]:
    """Return preprocessor_config.json: 448 x 448, bicubic, CLIP's mean and deviation."""
    return {
        "crop_size": {"height": PICTURE_SIDE, "width": PICTURE_SIDE},
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
        "size": {"shortest_edge": PICTURE_SIDE},
    }


def tokenizer_config(*, converted: bool) -> dict[str, Any]:
    """Return tokenizer_config.json; no token is put before a text."""
    special = {"bos_token": START, "eos_token": END, "unk_token": UNKNOWN}
    return {
        "add_bos_token": False,
        "add_eos_token": False,
        **special,
        "clean_up_tokenization_spaces": False,
        "legacy": True,
        "model_max_length": CONTEXT,
        "pad_token": PADDING if converted else UNKNOWN,
        **({"additional_special_tokens": [PICTURE]} if converted else {}),
        "padding_side": "right",
        "sp_model_kwargs": {},
        "tokenizer_class": "LlamaTokenizer",
    }


def generation_config(*, pad: int) -> dict[str, Any]:
    """Return generation_config.json."""
    return {"bos_token_id": 1, "do_sample": True, "eos_token_id": 2, "pad_token_id": pad}


def _language(shape: Shape, dtype: str) -> dict[str, Any]:
    return {
        "attention_bias": False,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "hidden_act": "silu",
        "hidden_size": shape.hidden,
        "initializer_range": 0.02,
        "intermediate_size": shape.mlp,
        "max_position_embeddings": CONTEXT,
        "num_attention_heads": shape.heads,
        "num_hidden_layers": shape.layers,
        "num_key_value_heads": shape.kv_heads,
        "pretraining_tp": 1,
        "rms_norm_eps": 1e-05,
        "rope_scaling": None,
        "rope_theta": 5_000_000.0,
        "tie_word_embeddings": False,
        "torch_dtype": dtype,
        "use_cache": True,
    }


def _vision(shape: Shape) -> dict[str, Any]:
    return {
        "attention_dropout": 0.0,
        "hidden_act": "gelu",
        "hidden_size": shape.vision_hidden,
        "image_size": PICTURE_SIDE,
        "intermediate_size": shape.vision_mlp,
        "layer_norm_eps": 1e-05,
        "num_attention_heads": shape.vision_heads,
        "num_channels": 3,
        "num_hidden_layers": shape.vision_layers,
        "patch_size": PATCH,
        "projection_dim": shape.vision_hidden,
    }
