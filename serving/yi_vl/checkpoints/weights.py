"""Random weights of a Yi-VL under which pictures, norms and attention all matter.

The names are those of transformers' `LlamaForCausalLM` and `CLIPVisionModel`; the projector's are
the places of its layers in a row. Imports torch.
"""

from collections.abc import Mapping
from typing import Any, Final

import torch
from tokenizers import Tokenizer

from serving.yi_vl.checkpoints.tokenizer import END, SPECIAL_TOKENS, is_word
from serving.yi_vl.shapes import PADDING_TOKENS, PATCH, PICTURE_SIDE, Shape

_BIAS_CHANNEL: Final = 0
_BIAS_INPUT: Final = 3.0
_NEVER: Final = -16.0
_RARELY: Final = -6.0
_ENDS: Final = 10.5
_NOT_TWICE: Final = 0.06
_HEAD_SPREAD: Final = 0.3
_END_SPREAD: Final = 0.1
_LOOK_SPREAD: Final = 1.4
_LAYER_SPREAD: Final = 0.9
_STOP: Final = "###"


class Chance:
    """Tensors drawn one after another from one seed, scaled to what goes into them."""

    def __init__(self, seed: int) -> None:
        self._generator: Any = torch.Generator().manual_seed(seed)

    def normal(self, *size: int, spread: float = 1.0) -> Any:
        """Return values round 0."""
        return torch.randn(size, generator=self._generator) * spread

    def matrix(self, out: int, into: int, spread: float = _LAYER_SPREAD) -> Any:
        """Return a matrix that keeps the size of its input, times `spread`."""
        return self.normal(out, into, spread=spread / into**0.5)

    def scale(self, size: int) -> Any:
        """Return the weights of a norm: far enough from 1 that leaving them out shows."""
        return 1 + self.normal(size, spread=0.3)


def make_language(shape: Shape, tokenizer: Tokenizer, chance: Chance) -> dict[str, Any]:
    """Return the language model's tensors.

    One channel of every embedding is a constant that the layers leave alone, so the output
    head's column of that channel is a bias on each token: words as they are, parts of words
    rarely, the rest almost never, and an end after some forty tokens at temperature 1.
    """
    hidden, key = shape.hidden, shape.hidden // shape.heads * shape.kv_heads
    embed = chance.normal(shape.vocabulary, hidden)
    embed[:, _BIAS_CHANNEL] = _BIAS_INPUT
    tensors = {"model.embed_tokens.weight": embed}
    for layer in range(shape.layers):
        own = {
            "input_layernorm.weight": chance.scale(hidden),
            "self_attn.q_proj.weight": chance.matrix(hidden, hidden, _LOOK_SPREAD),
            "self_attn.k_proj.weight": chance.matrix(key, hidden, _LOOK_SPREAD),
            "self_attn.v_proj.weight": chance.matrix(key, hidden),
            "self_attn.o_proj.weight": chance.matrix(hidden, hidden),
            "post_attention_layernorm.weight": chance.scale(hidden),
            "mlp.gate_proj.weight": chance.matrix(shape.mlp, hidden),
            "mlp.up_proj.weight": chance.matrix(shape.mlp, hidden),
            "mlp.down_proj.weight": chance.matrix(hidden, shape.mlp),
        }
        own["self_attn.o_proj.weight"][_BIAS_CHANNEL] = 0
        own["mlp.down_proj.weight"][_BIAS_CHANNEL] = 0
        tensors |= {f"model.layers.{layer}.{name}": tensor for name, tensor in own.items()}
    tensors["model.norm.weight"] = chance.scale(hidden)
    tensors["model.norm.weight"][_BIAS_CHANNEL] = 1
    tensors["lm_head.weight"] = _make_head(shape, tokenizer, chance, embed)
    return tensors


def make_projector(shape: Shape, chance: Chance) -> dict[str, Any]:
    """Return the projector's tensors: linear, norm, GELU (which has none), linear, norm."""
    hidden = shape.hidden
    tensors = {
        "0.weight": chance.matrix(hidden, shape.vision_hidden, 2.0),
        "0.bias": chance.normal(hidden, spread=0.5),
        "1.weight": chance.scale(hidden),
        "1.bias": chance.normal(hidden, spread=0.5),
        "3.weight": chance.matrix(hidden, hidden, 2.0),
        "3.bias": chance.normal(hidden, spread=0.5),
        "4.weight": chance.scale(hidden),
        "4.bias": chance.normal(hidden, spread=0.3),
    }
    # A picture's place has the constant of a word's, or its state would be sized otherwise.
    tensors["4.weight"][_BIAS_CHANNEL] = 0
    tensors["4.bias"][_BIAS_CHANNEL] = _BIAS_INPUT
    return tensors


def make_tower(shape: Shape, chance: Chance) -> dict[str, Any]:
    """Return the vision tower's tensors, all its layers and the last norm included."""
    hidden, patches = shape.vision_hidden, (PICTURE_SIDE // PATCH) ** 2
    patch = chance.normal(hidden, 3, PATCH, PATCH, spread=1 / PATCH)
    tensors = {
        "embeddings.class_embedding": chance.normal(hidden),
        "embeddings.patch_embedding.weight": patch,
        "embeddings.position_embedding.weight": chance.normal(patches + 1, hidden, spread=0.5),
        **_make_norm("pre_layrnorm", hidden, chance),
    }
    for layer in range(shape.vision_layers):
        own = _make_norm("layer_norm1", hidden, chance)
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            spread = _LOOK_SPREAD if name in {"q_proj", "k_proj"} else _LAYER_SPREAD
            own |= _make_linear(f"self_attn.{name}", (hidden, hidden), chance, spread)
        own |= _make_norm("layer_norm2", hidden, chance)
        own |= _make_linear("mlp.fc1", (shape.vision_mlp, hidden), chance)
        own |= _make_linear("mlp.fc2", (hidden, shape.vision_mlp), chance)
        tensors |= {f"encoder.layers.{layer}.{name}": tensor for name, tensor in own.items()}
    tensors |= _make_norm("post_layernorm", hidden, chance)
    return {f"vision_model.{name}": tensor for name, tensor in tensors.items()}


def widen(language: Mapping[str, Any], chance: Chance) -> dict[str, Any]:
    """Return the language model with the conversion's further tokens, which are never said."""
    embed, head = language["model.embed_tokens.weight"], language["lm_head.weight"]
    more = chance.normal(PADDING_TOKENS, embed.shape[1])
    silent = torch.zeros(PADDING_TOKENS, head.shape[1])
    silent[:, _BIAS_CHANNEL] = _NEVER / _BIAS_INPUT
    return {
        **language,
        "model.embed_tokens.weight": torch.cat((embed, more)),
        "lm_head.weight": torch.cat((head, silent)),
    }


def _make_head(shape: Shape, tokenizer: Tokenizer, chance: Chance, embed: Any) -> Any:
    """Return the output head, turned away from repeating the token that came last."""
    head = chance.normal(shape.vocabulary, shape.hidden, spread=_HEAD_SPREAD) - _NOT_TWICE * embed
    biases = [_bias(tokenizer.id_to_token(token) or "") for token in range(shape.vocabulary)]
    for piece in (END, _STOP):
        row = chance.normal(shape.hidden, spread=_END_SPREAD)
        head[tokenizer.token_to_id(piece) or 0] = row
    head[:, _BIAS_CHANNEL] = torch.tensor(biases) / _BIAS_INPUT
    return head


def _bias(piece: str) -> float:
    """Return the logit of a token before the model's state is asked."""
    if piece in {END, _STOP}:
        return _ENDS
    if piece in SPECIAL_TOKENS or (piece.startswith("<") and piece.endswith(">")):
        return _NEVER
    return 0.0 if is_word(piece) else _RARELY


def _make_norm(name: str, size: int, chance: Chance) -> dict[str, Any]:
    return {f"{name}.weight": chance.scale(size), f"{name}.bias": chance.normal(size, spread=0.2)}


def _make_linear(
    name: str, size: tuple[int, int], chance: Chance, spread: float = _LAYER_SPREAD
) -> dict[str, Any]:
    weight = chance.matrix(*size, spread=spread)
    return {f"{name}.weight": weight, f"{name}.bias": chance.normal(size[0], spread=0.1)}
