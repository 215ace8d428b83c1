"""The mini model before training: a small Qwen2.5-VL whose first layers already look things up.

Two circuits are written into the random weights. In the first layer, heads attend to the token one
or two places back: with constant queries and keys, rotary positions alone decide, and the offset
is chosen where their sum is largest. In the second layer, heads compare the current token with what
the first layer noted of each earlier token's predecessor, and pass on the token found: so a text
that repeats is continued as it went before (an induction head). Training refines all of it.
"""

import math
from dataclasses import dataclass
from typing import Any, Final

from tokenizers import Tokenizer

from arena.training.encode import token_id
from arena.training.untyped import Tensor, qwen, torch
from serving.standin.tokenizer import (
    END_OF_TEXT,
    END_OF_TURN,
    IMAGE,
    VIDEO,
    VISION_END,
    VISION_START,
)

CONTEXT: Final = 16_384
HIDDEN: Final = 256
HEADS: Final = 4
LAYERS: Final = 4
HEAD_DIM: Final = HIDDEN // HEADS
ROPE_THETA: Final = 1e7
VISION_HIDDEN: Final = 128
VISION_DEPTH: Final = 3
_FAST: Final = HEAD_DIM // 4
"""Rotary frequencies from here on turn too slowly to matter: their channels compare contents."""
_SHARP: Final = 7.0
_NOTE: Final = 0.12
_EVEN: Final = 2.5
_MATCH: Final = 2.0
_COPY: Final = 0.25
_SUM: Final = 0.5


@dataclass(frozen=True, slots=True)
class Channels:
    """Directions of the hidden state, all at right angles, by what they are for; (hidden, n)."""

    codes: Tensor
    """What is compared of a token."""
    notes: Tensor
    """Where the code of the token before is written, and of the one before that."""
    rest: Tensor

    @staticmethod
    def draw(generator: Any) -> "Channels":
        """Draw the directions."""
        matrix = torch.linalg.qr(torch.randn(HIDDEN, HIDDEN, generator=generator))[0]
        codes, notes, rest = matrix.split((HEAD_DIM, 2 * HEAD_DIM, HEAD_DIM), dim=1)
        return Channels(codes, notes, rest)


def make_config(tokenizer: Tokenizer) -> Any:
    """Return the configuration for a vocabulary."""
    rope = {"rope_type": "default", "rope_theta": ROPE_THETA, "mrope_section": [8, 12, 12]}
    return qwen.Qwen2_5_VLConfig(
        text_config={
            "vocab_size": tokenizer.get_vocab_size(),
            "hidden_size": HIDDEN,
            "intermediate_size": 640,
            "num_hidden_layers": LAYERS,
            "num_attention_heads": HEADS,
            "num_key_value_heads": HEADS,
            "max_position_embeddings": CONTEXT,
            "rope_parameters": rope,
            "bos_token_id": token_id(tokenizer, END_OF_TEXT),
            "eos_token_id": token_id(tokenizer, END_OF_TURN),
            "tie_word_embeddings": True,
            "dtype": "bfloat16",
        },
        vision_config={
            "depth": VISION_DEPTH,
            "hidden_size": VISION_HIDDEN,
            "out_hidden_size": HIDDEN,
            "intermediate_size": 2 * VISION_HIDDEN,
            "num_heads": 4,
            "fullatt_block_indexes": list(range(VISION_DEPTH)),
        },
        image_token_id=token_id(tokenizer, IMAGE),
        video_token_id=token_id(tokenizer, VIDEO),
        vision_start_token_id=token_id(tokenizer, VISION_START),
        vision_end_token_id=token_id(tokenizer, VISION_END),
        tie_word_embeddings=True,
    )


def make_model(tokenizer: Tokenizer, seed: int) -> Any:
    """Return the model before training, in float32; the same seed gives the same weights."""
    torch.manual_seed(seed)
    model: Any = qwen.Qwen2_5_VLForConditionalGeneration(make_config(tokenizer)).float()
    generator = torch.Generator().manual_seed(seed)
    text = model.model.language_model
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.ndim >= 2:  # noqa: PLR2004 - a matrix
                spread = 0.5 / math.sqrt(weight[0].numel())
                weight.copy_(torch.randn(weight.shape, generator=generator) * spread)
            elif "bias" in name:
                weight.zero_()
        embed = text.embed_tokens.weight
        embed.copy_(torch.randn(embed.shape, generator=generator) / math.sqrt(HIDDEN))
        channels = Channels.draw(generator)
        for head, offset in enumerate((1, 2)):
            _look_back(text.layers[0].self_attn, head, offset)
            _note(text.layers[0].self_attn, head, channels)
        write_lookup(text, channels)
        for layer in text.layers:
            layer.mlp.down_proj.weight *= 0.2
    return model


def write_lookup(text: Any, channels: Channels) -> None:
    """Write the heads that look passages up: see `arena.training.lookup` for what they learn."""
    for head in (0, 1):
        _continue(text.layers[1].self_attn, head, channels)
    for half, head in enumerate((2, 3)):
        _gather(text.layers[1].self_attn, head, half, channels)
    _choose(text.layers[2].self_attn, 0, channels)
    _continue(text.layers[3].self_attn, 0, channels)


def _rows(head: int) -> slice:
    return slice(head * HEAD_DIM, (head + 1) * HEAD_DIM)


def _look_back(attention: Any, head: int, offset: int) -> None:
    """Make a head attend to the token `offset` places back, whatever the tokens are."""
    half = HEAD_DIM // 2
    turns = ROPE_THETA ** (-torch.arange(half) / half)
    fast = torch.arange(half) < _FAST
    rows = _rows(head)
    attention.q_proj.weight[rows] *= 0.1
    attention.k_proj.weight[rows] *= 0.1
    key, query = torch.zeros(HEAD_DIM), torch.zeros(HEAD_DIM)
    key[:half] = _SHARP * fast
    # A query at distance `offset` that turns back by as much meets the key in phase.
    query[:half] = _SHARP * fast * torch.cos(offset * turns)
    query[half:] = -_SHARP * fast * torch.sin(offset * turns)
    attention.k_proj.bias[rows], attention.q_proj.bias[rows] = key, query


def _note(attention: Any, head: int, channels: Channels) -> None:
    """Make a head write the code of the token that it attends to into channels of its own."""
    rows = _rows(head)
    attention.v_proj.weight[rows] = channels.codes.T
    attention.o_proj.weight[:, rows] = channels.notes[:, rows] * _NOTE


def _continue(attention: Any, head: int, channels: Channels) -> None:
    """Make a head find what followed the current token before, and pass it on.

    Half of the channels that compare contents look for the current token, the other half for the
    one before it.
    """
    rows, half = _rows(head), HEAD_DIM // 2
    slow = [*range(_FAST, half), *range(half + _FAST, HEAD_DIM)]
    attention.q_proj.weight[rows] *= 0.1
    attention.k_proj.weight[rows] *= 0.1
    for at, channel in enumerate(slow):
        row, code = head * HEAD_DIM + channel, at + head * len(slow)
        is_current = at % 4 > 0
        sought = channels.codes[:, code] * _EVEN if is_current else channels.notes[:, code]
        noted = channels.notes[:, code if is_current else HEAD_DIM + code]
        attention.q_proj.weight[row] = _MATCH * sought
        attention.k_proj.weight[row] = _MATCH * noted
    passed = channels.rest if head else channels.codes
    attention.v_proj.weight[rows] = passed.T
    attention.o_proj.weight[:, rows] = passed * _COPY


def _gather(attention: Any, head: int, half: int, channels: Channels) -> None:
    """Make a head sum the codes of the tokens that it attends to in a half of the rest."""
    rows = _rows(head)
    count = HEAD_DIM // 2
    attention.v_proj.weight[rows][:count] = channels.codes[:, :count].T
    written = channels.rest[:, half * count : (half + 1) * count]
    attention.o_proj.weight[:, rows][:, :count] = written * _SUM


def _choose(attention: Any, head: int, channels: Channels) -> None:
    """Make a head attend to where much was gathered that the current token asks for."""
    rows, half = _rows(head), HEAD_DIM // 2
    slow = [*range(_FAST, half), *range(half + _FAST, HEAD_DIM)]
    attention.q_proj.weight[rows] *= 0.1
    attention.k_proj.weight[rows] *= 0.1
    for at, channel in enumerate(slow):
        row = head * HEAD_DIM + channel
        attention.q_proj.weight[row] = _MATCH * channels.rest[:, half + at]
        attention.k_proj.weight[row] = _MATCH * channels.rest[:, at]
    attention.v_proj.weight[rows][:half] = channels.rest[:, :half].T
    attention.o_proj.weight[:, rows][:, :half] = channels.codes[:, :half] * _COPY
