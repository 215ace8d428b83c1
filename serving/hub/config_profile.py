"""Compute a profile from a model's configuration files: pure.

An uncertain figure is an upper bound: unused memory costs throughput, missing memory prevents the
start. The profile's remark lists the assumptions.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from serving.errors import ProfileError
from serving.hub.picture_sizing import PictureSizing, compute_picture_sizing
from serving.model_files.profile import GIB, Profile, SourcedValue
from serving.model_files.profile_file import Family

Config = Mapping[str, Any]

_LANGUAGE: Final = ("text_config", "llm_config", "language_config", "thinker_config")
_SIZES: Final[Mapping[str, int]] = MappingProxyType(
    {"float32": 4, "bfloat16": 2, "float16": 2, "half": 2}
)
_SERVED_BYTES: Final = 2
_CONTEXT_NAMES: Final = (
    *("max_position_embeddings", "max_sequence_length"),
    *("seq_length", "model_max_length"),
)
_CONTEXT: Final = 4_096
"""Tokens, if the configuration has no context length."""
_MOST_SERVED: Final = 32_768
"""Tokens of a prompt with its reply: a long match of seven seats needs fewer."""
_SMALL_CONTEXT: Final = 8_192
_MOST_PICTURES: Final = 32
_REPLY: Final = 1_024

_FAMILIES: Final[Mapping[str, Family]] = MappingProxyType(
    {"qwen2_vl": "qwen2-vl", "qwen2_5_vl": "qwen2.5-vl", "qwen3_vl": "qwen3-vl"}
)
"""By `model_type`: the families with a known rule for picture sizes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFacts:
    """Facts from a model's files. `weight_bytes` is the total of all its weights.

    `defaults` are values of the language model's class that config.json omits.
    """

    hub_id: str
    config: Config
    processor: Config
    weight_bytes: int
    licence: str = ""
    flags: tuple[str, ...] = ()
    defaults: Config = field(default_factory=dict[str, Any])


def compute_profile(facts: HubFacts) -> Profile:
    """Return the profile of a model; raises `ProfileError` that names a missing figure."""
    language = {**facts.defaults, **language_config(facts.config)}
    heads = _config_count(facts, language, "num_attention_heads", "n_heads", "num_heads")
    kv_heads = _kv_heads(language, heads)
    context = _context(language, facts.config)
    served = min(context or _CONTEXT, _MOST_SERVED)
    family = _FAMILIES.get(str(facts.config.get("model_type")), "other")
    pictures = compute_picture_sizing(facts.config, facts.processor, family)
    parameters, weights = _weights(facts)
    notes = (
        *_kv_notes(language),
        *(() if context else (f"a context of {_CONTEXT:,} tokens, as its files have none",)),
        *pictures.notes,
    )
    return Profile(
        name=f"hf:{facts.hub_id}",
        family=family,
        hub_id=facts.hub_id,
        licence=facts.licence or "not stated; see its page",
        architecture=facts.config["architectures"][0],
        parameters_b=parameters / 1e9,
        weights_gib=weights,
        kv_bytes_per_token=_kv_bytes(facts, language, kv_heads, heads),
        heads=heads,
        kv_heads=kv_heads,
        context_tokens=context or _CONTEXT,
        serve_tokens=served,
        reply_tokens=min(_REPLY, served // 4),
        images_per_prompt=_images_per_prompt(served, pictures),
        min_pixels=pictures.min_pixels,
        max_pixels=pictures.max_pixels,
        patch=pictures.patch,
        merge=pictures.merge,
        picture_tokens=pictures.tokens,
        flags=facts.flags,
        overflow="summarise" if served <= _SMALL_CONTEXT else None,
        eight_bit="quantization_config" in facts.config,
        remark="; ".join(notes),
    )


def language_config(config: Config) -> Config:
    """Return the language model's part of config.json, or its top level if it has no such part."""
    part = next((config[name] for name in _LANGUAGE if isinstance(config.get(name), dict)), None)
    if part is None:
        return config
    # In an omni model, the thinker's part contains the text part.
    return {**_top_level_values(config), **language_config(part)}


def lacks_shape(config: Config) -> bool:
    """Return whether config.json leaves the language model's shape to class defaults."""
    language = language_config(config)
    heads, context = ("num_attention_heads", "n_heads"), _CONTEXT_NAMES
    layers = ("num_hidden_layers", "n_layers", "num_layers")
    return not all(any(language.get(name) for name in names) for names in (layers, heads, context))


def _top_level_values(config: Config) -> Config:
    """Return top-level values that apply to the language model unless it overrides them."""
    names = ("quantization_config", "torch_dtype", "dtype", "max_position_embeddings")
    return {name: config[name] for name in names if name in config}


def _config_count(facts: HubFacts, language: Config, *names: str) -> int:
    for name in names:
        value = language.get(name)
        if isinstance(value, int) and value > 0:
            return value
    raise ProfileError(f"config.json of {facts.hub_id!r} has no {names[0]} of its language model")


def _kv_heads(language: Config, heads: int) -> int:
    for name in ("num_key_value_heads", "multi_query_group_num", "num_kv_heads", "n_kv_heads"):
        value = language.get(name)
        if isinstance(value, int) and 0 < value <= heads and heads % value == 0:
            return value
    return heads


def _head_dim(facts: HubFacts, language: Config, heads: int) -> int:
    for name in ("head_dim", "kv_channels", "attention_head_dim"):
        value = language.get(name)
        if isinstance(value, int) and value > 0:
            return value
    split = [language.get(name) for name in ("qk_nope_head_dim", "qk_rope_head_dim")]
    sizes = [one for one in split if isinstance(one, int)]
    if len(sizes) == len(split):
        return sum(sizes)
    return math.ceil(_config_count(facts, language, "hidden_size", "n_embd", "d_model") / heads)


def _kv_bytes(facts: HubFacts, language: Config, kv_heads: int, heads: int) -> SourcedValue:
    layers = _config_count(facts, language, "num_hidden_layers", "n_layers", "num_layers")
    head_dim = _head_dim(facts, language, heads)
    size = 2 * layers * kv_heads * head_dim * _SERVED_BYTES
    note = (
        f"2 x {layers} layers x {kv_heads} KV heads x {head_dim} x {_SERVED_BYTES} bytes; "
        f"config.json of {facts.hub_id}"
    )
    return SourcedValue(value=size, basis="computed", note=note)


def _kv_notes(language: Config) -> Iterator[str]:
    if language.get("kv_lora_rank"):
        yield "its cache is smaller than assumed (MLA)"
    elif language.get("sliding_window") or "linear_attention" in (
        language.get("layer_types") or ()
    ):
        yield "its cache is smaller than assumed (some layers keep a window or a state)"


def _context(language: Config, config: Config) -> int:
    for part in (language, config):
        for name in _CONTEXT_NAMES:
            value = part.get(name)
            if isinstance(value, int) and value > 0:
                return value
    return 0


def _weights(facts: HubFacts) -> tuple[float, SourcedValue]:
    """Return the parameters in billions, and the GiB of the served weights."""
    if "quantization_config" in facts.config:
        note = f"{facts.weight_bytes:,} bytes of quantised weights"
        return facts.weight_bytes, SourcedValue(
            value=facts.weight_bytes / GIB, basis="computed", note=note
        )
    language = language_config(facts.config)
    named = [part.get(key) for part in (facts.config, language) for key in ("dtype", "torch_dtype")]
    width = next((_SIZES[one] for one in named if isinstance(one, str) and one in _SIZES), 2)
    parameters = facts.weight_bytes / width
    note = f"{facts.weight_bytes:,} bytes of weights in {width} bytes each, served in 2"
    served = parameters * _SERVED_BYTES / GIB
    return parameters, SourcedValue(value=served, basis="computed", note=note)


def _images_per_prompt(served: int, pictures: PictureSizing) -> int:
    """Return the pictures per prompt: as many as fill half of the context, at least one."""
    most = pictures.tokens or math.ceil(
        pictures.max_pixels / (pictures.patch * pictures.merge) ** 2
    )
    return max(1, min(_MOST_PICTURES, served // 2 // most))
