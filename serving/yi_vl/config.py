"""vLLM's config format `yi_vl`: one LLaVA configuration for both layouts of Yi-VL."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from transformers import CLIPVisionConfig, LlamaConfig, LlavaConfig, PreTrainedConfig
from vllm.transformers_utils.config_parser_base import ConfigParserBase
from vllm.transformers_utils.repo_utils import get_hf_file_to_dict

from serving.yi_vl import ARCHITECTURE
from serving.yi_vl.layout import Facts, Layout, LayoutError, check, read_facts
from serving.yi_vl.shapes import CONTEXT, PADDING_TOKENS

_CONFIGURATION: Final[Any] = LlavaConfig
_LLAMA: Final[Any] = LlamaConfig
_CLIP: Final[Any] = CLIPVisionConfig
_FIELDS: Final = (
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
_ROPE_THETA: Final = 5_000_000.0
"""Of both sizes, where the configuration does not say."""

SPARE: Final = PADDING_TOKENS
"""Tokens that the published layout is given behind its vocabulary, as many as the conversion has.

The first stands for pictures. Were it outside of the vocabulary, a request for the probabilities
of a prompt with a picture would end the engine (index out of range; seen with 0.32).
"""


class YiVLConfigParser(ConfigParserBase):
    """Reads config.json of a folder or of a model on the hub, and the vision tower's."""

    def parse(
        self,
        model: str | Path,
        trust_remote_code: bool,
        revision: str | None = None,
        code_revision: str | None = None,
        **kwargs: Any,
    ) -> tuple[dict[str, Any], PreTrainedConfig]:
        """Return config.json as it is and a `LlavaConfig` with what the model here needs to know.

        Of the latter, `yi_vl_tower` is the tower's sub-folder, empty in the conversion, and
        `yi_vl_words` the number of tokens that the weights know. Raises `ValueError` with one line
        where the files do not describe Yi-VL. Weights are not looked at.
        """
        where = str(model)
        if Path(model).is_dir() and (wrong := check(Path(model), dummy=True)):
            raise ValueError(wrong)
        raw = _read(where, "config.json", revision)
        try:
            layout, facts = read_facts(raw, where)
        except LayoutError as error:
            raise ValueError(str(error)) from error
        return raw, _configuration(raw, layout, facts, _vision(where, layout, facts, revision))


def _read(model: str, name: str, revision: str | None) -> dict[str, Any]:
    found = get_hf_file_to_dict(name, model, revision or "main")
    if found is None:
        raise ValueError(f"{model!r} was to hold Yi-VL, but its {name} cannot be read")
    return found


def _vision(model: str, layout: Layout, facts: Facts, revision: str | None) -> dict[str, Any]:
    if layout == "converted":
        return dict(facts.vision_config or {})
    found = _read(model, f"{facts.tower}/config.json", revision)
    return dict(found.get("vision_config") or found)


def _configuration(
    raw: Mapping[str, Any], layout: Layout, facts: Facts, vision: Mapping[str, Any]
) -> PreTrainedConfig:
    published = layout == "published"
    text = {**raw, "vocab_size": facts.vocab_size + SPARE} if published else raw["text_config"]
    dtype = raw.get("dtype") or raw.get("torch_dtype") or text.get("torch_dtype")
    tower = _CLIP(**_without_type(vision))
    return _CONFIGURATION(
        architectures=[ARCHITECTURE],
        text_config=_language(text, dtype),
        vision_config=tower,
        image_token_index=facts.picture_token,
        image_seq_length=(tower.image_size // tower.patch_size) ** 2,
        projector_hidden_act="gelu",
        vision_feature_layer=raw.get("vision_feature_layer", facts.mm_vision_select_layer),
        vision_feature_select_strategy="default",
        dtype=dtype,
        yi_vl_tower=facts.tower if published else "",
        yi_vl_words=facts.vocab_size if published else text["vocab_size"],
    )


def _language(text: Mapping[str, Any], dtype: object) -> Any:
    rope = text.get("rope_parameters") or {
        "rope_type": "default",
        "rope_theta": text.get("rope_theta") or _ROPE_THETA,
    }
    known = {name: text[name] for name in _FIELDS if text.get(name) is not None}
    return _LLAMA(
        **{"rms_norm_eps": 1e-5, "max_position_embeddings": CONTEXT, **known},
        architectures=["LlamaForCausalLM"],
        rope_parameters=dict(rope),
        dtype=dtype,
    )


def _without_type(vision: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what a configuration of a whole CLIP or of an older transformers says besides."""
    beside = ("model_type", "architectures", "transformers_version", "torch_dtype", "dtype")
    return {name: value for name, value in vision.items() if name not in beside}
