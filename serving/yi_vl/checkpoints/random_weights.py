"""Random weights of a Yi-VL in which pictures, norms and attention all have an effect.

Tensors have the names of transformers' `LlamaForCausalLM` and `CLIPVisionModel`; the projector's
have the indexes of its layers. Shapes are torch's: (outputs, inputs). Imports torch.
"""

from collections.abc import Mapping
from typing import Any, Final

import torch
from tokenizers import Tokenizer

from serving.yi_vl.checkpoints.tiny_tokenizer import END, SPECIAL_TOKENS, is_word
from serving.yi_vl.model_dims import IMAGE_SIZE, PADDING_TOKENS, PATCH_SIZE, ModelDims
from serving.yi_vl.prompt_format import STOP_STRING

_BIAS_CHANNEL: Final = 0
"""Channel with the same value in every embedding; see `make_language`."""
_BIAS_INPUT: Final = 3.0
"""Value of this channel."""

# Logits and spreads, tuned by trial: replies at temperature 1 are words of both languages and end
# after about forty tokens; leaving out a norm or a picture changes every reply.
_NEVER_LOGIT: Final = -16.0
_PART_LOGIT: Final = -6.0
_END_LOGIT: Final = 10.5
_REPEAT_PENALTY: Final = 0.06
_HEAD_SPREAD: Final = 0.3
_END_SPREAD: Final = 0.1
_ATTENTION_SPREAD: Final = 1.4
_LAYER_SPREAD: Final = 0.9


class SeededTensors:
    """Seeded source of random tensors, which draws them one after another."""

    def __init__(self, seed: int) -> None:
        self._generator: Any = torch.Generator().manual_seed(seed)

    def normal(self, *size: int, spread: float = 1.0) -> Any:
        """Draw a tensor of shape `size` with mean 0 and deviation `spread`."""
        return torch.randn(size, generator=self._generator) * spread

    def matrix(self, out: int, into: int, spread: float = _LAYER_SPREAD) -> Any:
        """Draw a matrix of shape (out, into) that scales its input by `spread`."""
        return self.normal(out, into, spread=spread / into**0.5)

    def scale(self, size: int) -> Any:
        """Draw the weights of a norm, far enough from 1 that leaving it out has an effect."""
        return 1 + self.normal(size, spread=0.3)


def make_language(dims: ModelDims, tokenizer: Tokenizer, source: SeededTensors) -> dict[str, Any]:
    """Return the language model's tensors.

    One channel of every embedding is a constant that the layers do not change, so the output head's
    column of that channel is a bias for each token: whole words are likely, parts of words rare,
    other tokens almost impossible, and a reply ends after about forty tokens at temperature 1.
    """
    hidden, key = dims.hidden, dims.hidden // dims.heads * dims.kv_heads
    embed = source.normal(dims.vocabulary, hidden)
    embed[:, _BIAS_CHANNEL] = _BIAS_INPUT
    tensors = {"model.embed_tokens.weight": embed}
    for layer in range(dims.layers):
        own = {
            "input_layernorm.weight": source.scale(hidden),
            "self_attn.q_proj.weight": source.matrix(hidden, hidden, _ATTENTION_SPREAD),
            "self_attn.k_proj.weight": source.matrix(key, hidden, _ATTENTION_SPREAD),
            "self_attn.v_proj.weight": source.matrix(key, hidden),
            "self_attn.o_proj.weight": source.matrix(hidden, hidden),
            "post_attention_layernorm.weight": source.scale(hidden),
            "mlp.gate_proj.weight": source.matrix(dims.mlp, hidden),
            "mlp.up_proj.weight": source.matrix(dims.mlp, hidden),
            "mlp.down_proj.weight": source.matrix(hidden, dims.mlp),
        }
        own["self_attn.o_proj.weight"][_BIAS_CHANNEL] = 0
        own["mlp.down_proj.weight"][_BIAS_CHANNEL] = 0
        tensors |= {f"model.layers.{layer}.{name}": tensor for name, tensor in own.items()}
    tensors["model.norm.weight"] = source.scale(hidden)
    tensors["model.norm.weight"][_BIAS_CHANNEL] = 1
    tensors["lm_head.weight"] = _make_head(dims, tokenizer, source, embed)
    return tensors


def make_projector(dims: ModelDims, source: SeededTensors) -> dict[str, Any]:
    """Return the projector's tensors: Linear 0, LayerNorm 1, (GELU 2,) Linear 3, LayerNorm 4."""
    hidden = dims.hidden
    tensors = {
        "0.weight": source.matrix(hidden, dims.vision_hidden, 2.0),
        "0.bias": source.normal(hidden, spread=0.5),
        "1.weight": source.scale(hidden),
        "1.bias": source.normal(hidden, spread=0.5),
        "3.weight": source.matrix(hidden, hidden, 2.0),
        "3.bias": source.normal(hidden, spread=0.5),
        "4.weight": source.scale(hidden),
        "4.bias": source.normal(hidden, spread=0.3),
    }
    # A feature has the constant of an embedding, or the final norm would scale it differently.
    tensors["4.weight"][_BIAS_CHANNEL] = 0
    tensors["4.bias"][_BIAS_CHANNEL] = _BIAS_INPUT
    return tensors


def make_tower(dims: ModelDims, source: SeededTensors) -> dict[str, Any]:
    """Return the vision tower's tensors, including its last layer and norm, which are unused."""
    hidden, patches = dims.vision_hidden, (IMAGE_SIZE // PATCH_SIZE) ** 2
    patch = source.normal(hidden, 3, PATCH_SIZE, PATCH_SIZE, spread=1 / PATCH_SIZE)
    tensors = {
        "embeddings.class_embedding": source.normal(hidden),
        "embeddings.patch_embedding.weight": patch,
        "embeddings.position_embedding.weight": source.normal(patches + 1, hidden, spread=0.5),
        **_make_norm("pre_layrnorm", hidden, source),
    }
    for layer in range(dims.vision_layers):
        own = _make_norm("layer_norm1", hidden, source)
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            spread = _ATTENTION_SPREAD if name in {"q_proj", "k_proj"} else _LAYER_SPREAD
            own |= _make_linear(f"self_attn.{name}", (hidden, hidden), source, spread)
        own |= _make_norm("layer_norm2", hidden, source)
        own |= _make_linear("mlp.fc1", (dims.vision_mlp, hidden), source)
        own |= _make_linear("mlp.fc2", (hidden, dims.vision_mlp), source)
        tensors |= {f"encoder.layers.{layer}.{name}": tensor for name, tensor in own.items()}
    tensors |= _make_norm("post_layernorm", hidden, source)
    return {f"vision_model.{name}": tensor for name, tensor in tensors.items()}


def extend_vocab(language: Mapping[str, Any], source: SeededTensors) -> dict[str, Any]:
    """Return the language model with the conversion's additional tokens, never sampled."""
    embed, head = language["model.embed_tokens.weight"], language["lm_head.weight"]
    more = source.normal(PADDING_TOKENS, embed.shape[1])
    impossible = torch.zeros(PADDING_TOKENS, head.shape[1])
    impossible[:, _BIAS_CHANNEL] = _NEVER_LOGIT / _BIAS_INPUT
    return {
        **language,
        "model.embed_tokens.weight": torch.cat((embed, more)),
        "lm_head.weight": torch.cat((head, impossible)),
    }


def _make_head(dims: ModelDims, tokenizer: Tokenizer, source: SeededTensors, embed: Any) -> Any:
    """Return the output head (tokens, hidden), which makes repeating the last token less likely."""
    head = (
        source.normal(dims.vocabulary, dims.hidden, spread=_HEAD_SPREAD) - _REPEAT_PENALTY * embed
    )
    biases = [_token_bias(tokenizer.id_to_token(token) or "") for token in range(dims.vocabulary)]
    for piece in (END, STOP_STRING):
        row = source.normal(dims.hidden, spread=_END_SPREAD)
        head[tokenizer.token_to_id(piece) or 0] = row
    head[:, _BIAS_CHANNEL] = torch.tensor(biases) / _BIAS_INPUT
    return head


def _token_bias(piece: str) -> float:
    """Return the part of a token's logit that does not depend on the state."""
    if piece in {END, STOP_STRING}:
        return _END_LOGIT
    if piece in SPECIAL_TOKENS or (piece.startswith("<") and piece.endswith(">")):
        return _NEVER_LOGIT
    return 0.0 if is_word(piece) else _PART_LOGIT


def _make_norm(name: str, size: int, source: SeededTensors) -> dict[str, Any]:
    return {f"{name}.weight": source.scale(size), f"{name}.bias": source.normal(size, spread=0.2)}


def _make_linear(
    name: str, size: tuple[int, int], source: SeededTensors, spread: float = _LAYER_SPREAD
) -> dict[str, Any]:
    weight = source.matrix(*size, spread=spread)
    return {f"{name}.weight": weight, f"{name}.bias": source.normal(size[0], spread=0.1)}
