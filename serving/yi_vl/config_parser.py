"""Config parser for vLLM's `--config-format yi_vl`: one LLaVA configuration for both layouts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from transformers.configuration_utils import PreTrainedConfig
from transformers.models.clip.configuration_clip import CLIPVisionConfig
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llava.configuration_llava import LlavaConfig
from vllm.transformers_utils.config_parser_base import ConfigParserBase
from vllm.transformers_utils.repo_utils import get_hf_file_to_dict

from serving.yi_vl import ARCHITECTURE
from serving.yi_vl.checkpoint_layout import (
    CheckpointInfo,
    Layout,
    LayoutError,
    find_layout_problem,
    locate_tower_file,
    parse_config,
)
from serving.yi_vl.model_dims import CONTEXT_TOKENS, PADDING_TOKENS

_LLAVA_CONFIG: Final[Any] = LlavaConfig
_LLAMA_CONFIG: Final[Any] = LlamaConfig
_CLIP_CONFIG: Final[Any] = CLIPVisionConfig
_TEXT_FIELDS: Final = (
    "vocab_size",
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "hidden_act",
    "max_position_embeddings",
    "initializer_range",
    "rms_norm_eps",
    "attention_bias",
    "mlp_bias",
    "bos_token_id",
    "eos_token_id",
    "pad_token_id",
    "tie_word_embeddings",
)
"""Fields of config.json that describe the language model."""

_ROPE_THETA: Final = 5_000_000.0
"""Default of both sizes (config.json of 01-ai/Yi-VL-6B and 34B)."""

_RMS_NORM_EPSILON: Final = 1e-5
"""Default of both sizes (config.json of 01-ai/Yi-VL-6B and 34B)."""

SPARE_TOKENS: Final = PADDING_TOKENS
"""Tokens added after the vocabulary of the published layout, as many as the conversion has.

The first is the image token. If it were outside the vocabulary, a request for the log-probabilities
of a prompt with a picture would kill the engine (index out of range; seen with vLLM 0.32).
"""


class YiVLConfigParser(ConfigParserBase):
    """Parser of config.json, of a folder or of a model on the hub, and of the vision tower's."""

    def parse(
        self,
        model: str | Path,
        trust_remote_code: bool,
        revision: str | None = None,
        code_revision: str | None = None,
        **kwargs: Any,
    ) -> tuple[dict[str, Any], PreTrainedConfig]:
        """Return config.json unchanged and the `LlavaConfig` from which the model is built.

        Two fields are our own: `yi_vl_tower`, the path of the vision tower's folder (empty in the
        conversion), and `yi_vl_words`, the number of tokens that the weights have. Raises
        `ValueError` with one line if the files do not describe Yi-VL. Weights are not checked here.
        """
        name = str(model)
        if Path(model).is_dir() and (problem := find_layout_problem(Path(model), dummy=True)):
            raise ValueError(problem)
        raw = _read_json(name, "config.json", revision)
        try:
            layout, info = parse_config(raw, name)
        except LayoutError as error:
            raise ValueError(str(error)) from error
        return raw, _build_config(raw, layout, info, _read_vision(name, layout, info, revision))


def _read_json(model: str, name: str, revision: str | None) -> dict[str, Any]:
    content = get_hf_file_to_dict(name, model, revision or "main")
    if content is None:
        raise ValueError(f"{model!r} should hold Yi-VL, but its {name} cannot be read")
    return content


def _read_vision(
    model: str, layout: Layout, info: CheckpointInfo, revision: str | None
) -> dict[str, Any]:
    if layout == "converted":
        return dict(info.vision_config or {})
    place, name = locate_tower_file(model, info.tower, "config.json")
    content = _read_json(place, name, revision)
    return dict(content.get("vision_config") or content)


def _build_config(
    raw: Mapping[str, Any], layout: Layout, info: CheckpointInfo, vision: Mapping[str, Any]
) -> PreTrainedConfig:
    published = layout == "published"
    text = (
        {**raw, "vocab_size": info.vocab_size + SPARE_TOKENS} if published else raw["text_config"]
    )
    dtype = raw.get("dtype") or raw.get("torch_dtype") or text.get("torch_dtype")
    tower = _CLIP_CONFIG(**_drop_type_fields(vision))
    return _LLAVA_CONFIG(
        architectures=[ARCHITECTURE],
        text_config=_build_text_config(text, dtype),
        vision_config=tower,
        image_token_index=info.image_token_id,
        image_seq_length=(tower.image_size // tower.patch_size) ** 2,
        projector_hidden_act="gelu",
        vision_feature_layer=raw.get("vision_feature_layer", info.mm_vision_select_layer),
        vision_feature_select_strategy="default",
        dtype=dtype,
        yi_vl_tower=info.tower if published else "",
        yi_vl_words=info.vocab_size if published else text["vocab_size"],
    )


def _build_text_config(text: Mapping[str, Any], dtype: object) -> Any:
    rope = text.get("rope_parameters") or {
        "rope_type": "default",
        "rope_theta": text.get("rope_theta") or _ROPE_THETA,
    }
    defaults = {
        "rms_norm_eps": _RMS_NORM_EPSILON,
        "max_position_embeddings": CONTEXT_TOKENS,
    }
    given = {name: text[name] for name in _TEXT_FIELDS if text.get(name) is not None}
    return _LLAMA_CONFIG(
        **{**defaults, **given},
        architectures=["LlamaForCausalLM"],
        rope_parameters=dict(rope),
        dtype=dtype,
    )


def _drop_type_fields(vision: Mapping[str, Any]) -> dict[str, Any]:
    """Drop the fields of a whole CLIP's or an older transformers' file that name types only."""
    type_fields = ("model_type", "architectures", "transformers_version", "torch_dtype", "dtype")
    return {name: value for name, value in vision.items() if name not in type_fields}
