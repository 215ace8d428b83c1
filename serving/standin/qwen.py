"""The stand-in's checkpoint: configuration and random weights that give readable nonsense.

Imports torch and transformers, so only the child process that makes the checkpoint imports it.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import torch
from tokenizers import Tokenizer
from transformers.models.qwen2_5_vl.configuration_qwen2_5_vl import Qwen2_5_VLConfig
from transformers.models.qwen2_5_vl.modeling_qwen2_5_vl import Qwen2_5_VLForConditionalGeneration

from serving.standin.bpe_tokenizer import (
    END_OF_TEXT,
    END_OF_TURN,
    IMAGE,
    SPECIAL_TOKENS,
    VIDEO,
    VISION_END,
    VISION_START,
    list_own_words,
    train_tokenizer,
)

CONTEXT: Final = 32_768
"""The most tokens of a prompt with its reply."""

PICTURE_TOKENS: Final = 256
"""The most tokens of one picture; a token covers 28 x 28 pixels."""

_PIXELS_PER_TOKEN: Final = 28 * 28
_HIDDEN: Final = 128
_SEED: Final = 20_260_901
_TEMPLATE: Final = Path(__file__).with_name("chat_template.jinja")

_BIAS_CHANNEL: Final = 0
_BIAS_INPUT: Final = 3.0
_NEVER: Final = -40.0
_RARELY: Final = -6.0
_HEAD_SPREAD: Final = 0.1
_LAYER_SPREAD: Final = 0.08
_END_SPREAD: Final = 0.18
_END_BIAS: Final = 4.0


def make_standin(folder: Path, texts: Iterable[str] | None = None) -> Path:
    """Write a whole checkpoint into `folder` and return it; the same input gives the same bytes.

    `texts` are further training lines of the tokenizer. Call it through
    `serving.standin.standin_cache.standin_folder`, which does it once and in a child process.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = train_tokenizer(texts or ())
    _write_tokenizer(folder, tokenizer)
    _write_model(folder, tokenizer)
    return folder


def _write_tokenizer(folder: Path, tokenizer: Tokenizer) -> None:
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "chat_template.jinja").write_bytes(_TEMPLATE.read_bytes())
    _write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": CONTEXT,
            "eos_token": END_OF_TURN,
            "pad_token": END_OF_TEXT,
            "additional_special_tokens": list(SPECIAL_TOKENS),
            "clean_up_tokenization_spaces": False,
        },
    )
    _write_json(
        folder / "preprocessor_config.json",
        {
            "image_processor_type": "Qwen2VLImageProcessor",
            "processor_class": "Qwen2_5_VLProcessor",
            "patch_size": 14,
            "merge_size": 2,
            "temporal_patch_size": 2,
            "min_pixels": 4 * _PIXELS_PER_TOKEN,
            "max_pixels": PICTURE_TOKENS * _PIXELS_PER_TOKEN,
            "image_mean": [0.5, 0.5, 0.5],
            "image_std": [0.5, 0.5, 0.5],
        },
    )


def _write_model(folder: Path, tokenizer: Tokenizer) -> None:
    model: Any = Qwen2_5_VLForConditionalGeneration(_config(tokenizer))
    model.to(torch.bfloat16)
    generator = torch.Generator().manual_seed(_SEED)
    with torch.no_grad():
        for name, weight in sorted(model.named_parameters()):
            if "norm" not in name:
                spread = 1.0 if "embed_tokens" in name else _LAYER_SPREAD
                weight.copy_(torch.randn(weight.shape, generator=generator) * spread)
        _shape_replies(model, tokenizer, generator)
    model.generation_config.update(
        eos_token_id=[_id(tokenizer, END_OF_TURN), _id(tokenizer, END_OF_TEXT)],
        pad_token_id=_id(tokenizer, END_OF_TEXT),
        do_sample=True,
        temperature=1.0,
    )
    model.save_pretrained(folder)


def _shape_replies(model: Any, tokenizer: Tokenizer, generator: Any) -> None:
    """Make random replies readable: mostly whole words, of limited length, never empty.

    One channel of every embedding is a constant that the layers do not change, so the output head's
    column of that channel is a bias on each token. At temperature 1 a reply has about 45 tokens, at
    0.7 about 35. In JSON, a string does not begin with the punctuation that ends one (tokens such
    as `":"`).
    """
    embed, head = model.model.language_model.embed_tokens.weight, model.lm_head.weight
    embed[:, _BIAS_CHANNEL] = _BIAS_INPUT
    for layer in model.model.language_model.layers:
        layer.self_attn.o_proj.weight[_BIAS_CHANNEL] = 0
        layer.mlp.down_proj.weight[_BIAS_CHANNEL] = 0
    head.copy_(torch.randn(head.shape, generator=generator) * _HEAD_SPREAD)
    head[:, _BIAS_CHANNEL] = torch.tensor(_biases(tokenizer)) / _BIAS_INPUT
    end = _id(tokenizer, END_OF_TURN)
    head[end] = torch.randn(head.shape[1], generator=generator) * _END_SPREAD
    head[end, _BIAS_CHANNEL] = _END_BIAS / _BIAS_INPUT
    _never_follow(model, end, _id(tokenizer, "\n"))
    for quote in [token for word, token in tokenizer.get_vocab().items() if word[:-1][:1] == '"']:
        _never_follow(model, quote, _id(tokenizer, ":"))
        _never_follow(model, quote, _id(tokenizer, '":'))


def _never_follow(model: Any, token: int, before: int) -> None:
    """Make `token` improbable after `before`: turn its output row away from that hidden state."""
    head, state = model.lm_head.weight, model.model.language_model.embed_tokens.weight[before]
    direction = state.float() / state.float().norm()
    row = head[token].float()
    head[token] = row - (row @ direction + 1) * direction


def _biases(tokenizer: Tokenizer) -> list[float]:
    """Return a logit bias per token: 0 for words, low for parts of words, lowest for the rest.

    The rest includes bare space, which a JSON grammar allows without limit.
    """
    special = {_id(tokenizer, word) for word in SPECIAL_TOKENS}
    words = list_own_words()
    biases: list[float] = []
    for token in range(tokenizer.get_vocab_size()):
        text = tokenizer.decode([token])
        if token in special or not text.strip() or not text.isprintable() or "�" in text:
            biases.append(_NEVER)
        else:
            biases.append(0.0 if text in words else _RARELY)
    return biases


def _config(tokenizer: Tokenizer) -> Any:
    rope = {"rope_type": "default", "rope_theta": 1_000_000.0, "mrope_section": [4, 6, 6]}
    return Qwen2_5_VLConfig(
        text_config={
            "vocab_size": tokenizer.get_vocab_size(),
            "hidden_size": _HIDDEN,
            "intermediate_size": 2 * _HIDDEN,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "max_position_embeddings": CONTEXT,
            "rope_parameters": rope,
            "bos_token_id": _id(tokenizer, END_OF_TEXT),
            "eos_token_id": _id(tokenizer, END_OF_TURN),
            "dtype": "bfloat16",
        },
        vision_config={
            "depth": 2,
            "hidden_size": _HIDDEN,
            "out_hidden_size": _HIDDEN,
            "intermediate_size": 2 * _HIDDEN,
            "num_heads": 4,
            "fullatt_block_indexes": [1],
        },
        image_token_id=_id(tokenizer, IMAGE),
        video_token_id=_id(tokenizer, VIDEO),
        vision_start_token_id=_id(tokenizer, VISION_START),
        vision_end_token_id=_id(tokenizer, VISION_END),
        tie_word_embeddings=False,
    )


def _id(tokenizer: Tokenizer, word: str) -> int:
    token = tokenizer.token_to_id("Ċ" if word == "\n" else word)
    assert token is not None, f"the tokenizer has no token {word!r}"
    return token


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
