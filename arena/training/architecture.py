"""Architecture of the mini model: a small Qwen2.5-VL initialised with look-up circuits.

Circuits are written into the random weights; training refines all of them. In layer 0, a head
attends to the previous token: with constant queries and keys, only rotary positions decide. In
layer 1, every token of a passage gathers it: its first tokens (which distinguish it from others),
only its first one, and all words so far. In layer 2, a word finds its earlier occurrences and
copies the codes of the passages that contain them. In layer 3 a reply gathers these from its
question, with the question's words. In layer 4 it attends to the passage that agrees most, and in
layer 5 to the next token of this passage, or for a ballot to the accused names.
`arena.training.lookup` defines the attention targets of these heads. Heads that continue a
repeating text (induction heads) help from the start.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tokenizers import Tokenizer

from arena.training.encode import token_id
from arena.training.lookup import (
    CHOOSE,
    CHOOSE_TOO,
    FIRST,
    GATHER,
    MATCH,
    POINT,
    QUESTION,
    QUESTION_TOO,
    START,
    TALLY,
)
from arena.training.untyped import Tensor, qwen, torch
from serving.standin.bpe_tokenizer import (
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
LAYERS: Final = 6
HEAD_DIM: Final = HIDDEN // HEADS
ROPE_THETA: Final = 1e7
_SECTIONS: Final = [0, 0, HEAD_DIM // 2]
"""Rotary frequencies for time, row and column of a square. All are the column's: the squares of a
strip are read like the words of a text.
"""
VISION_HIDDEN: Final = 192
VISION_DEPTH: Final = 3
_HALF: Final = HEAD_DIM // 2
_FAST: Final = HEAD_DIM // 4
"""Index from which rotary frequencies are too slow to matter: their channels compare contents."""
_SLOW: Final = (*range(_FAST, _HALF), *range(_HALF + _FAST, HEAD_DIM))
# Initial strengths of the circuits, set by hand: with them, an untrained model continues a text
# that repeats. Training changes all of them.
_SHARP: Final = 7.0
"""Biases of query and key for the attention to the previous token."""
_CLEAR: Final = 2.0
"""Scale of the code of a token in its embedding."""
_FAINT: Final = 0.3
"""Scale of the rest of an embedding."""
_QUIET: Final = 0.05
"""Scale of random weights that write into the hidden state."""
_NOTE: Final = 0.08
"""Scale of the previous token's code."""
_MATCH: Final = 2.0
"""Scale of queries and keys that compare contents."""
_COPY: Final = 0.25
"""Scale of the code of the token that a reply should copy next."""
_HINT: Final = 0.03
"""The same in lower layers, which should not yet decide."""
_SUM: Final = 0.4
"""Scale of the codes that a passage gathers."""
_TAKE: Final = 0.12
"""Scale of what words and questions copy from passages, and ballots from accused names."""
_CHOSEN: Final = 0.25
"""Scale of the codes of the chosen passage."""


@dataclass(frozen=True, slots=True)
class Channels:
    """Orthogonal directions of the hidden state, by purpose; (hidden, n)."""

    codes: Tensor
    """Code of a token, for comparisons."""
    last: Tensor
    """Code of the previous token."""
    known_by: Tensor
    """Codes of a passage's first tokens, or of the passages that a question refers to."""
    first: Tensor
    """Half of the code of a passage's first token."""
    gathered: Tensor
    """Half of the codes of a passage's words, or of a question's."""

    @staticmethod
    def draw(generator: Any) -> "Channels":
        """Draw the directions."""
        matrix = torch.linalg.qr(torch.randn(HIDDEN, HIDDEN, generator=generator))[0]
        sizes = (HEAD_DIM, HEAD_DIM, HEAD_DIM, _HALF, _HALF)
        return Channels(*matrix.split(sizes, dim=1))


def make_config(tokenizer: Tokenizer) -> Any:
    """Return the configuration for a vocabulary."""
    rope = {"rope_type": "default", "rope_theta": ROPE_THETA, "mrope_section": _SECTIONS}
    return qwen.Qwen2_5_VLConfig(
        text_config={
            "vocab_size": tokenizer.get_vocab_size(),
            "hidden_size": HIDDEN,
            "intermediate_size": 512,
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
        code = embed @ channels.codes @ channels.codes.T
        embed.copy_(_FAINT * embed + (_CLEAR - _FAINT) * code)
        for layer in text.layers:
            # The initial contribution of layers is small compared with that of the circuits.
            layer.mlp.down_proj.weight *= _QUIET
            layer.self_attn.o_proj.weight *= _QUIET
        write_lookup(text, channels)
    return model


def write_lookup(text: Any, channels: Channels) -> None:
    """Write the heads that look passages up: see `arena.training.lookup` for their targets."""
    one = channels
    half = one.codes[:, :_HALF]
    layers = [layer.self_attn for layer in text.layers]
    _look_back(layers[0], 0)
    _pass_on(layers[0], 0, one.codes, one.last * _NOTE)
    for layer, head, share in ((1, 0, _HINT), (2, 1, _HINT), (3, 2, _HINT), (5, 1, _COPY)):
        _compare(layers[layer], head, _successor(one))
        _pass_on(layers[layer], head, one.codes, one.codes * share)
    _pass_on(layers[1], FIRST[1], half, one.first * _TAKE)
    _pass_on(layers[1], GATHER[1], half, one.gathered * _SUM)
    _pass_on(layers[1], START[1], one.codes, one.known_by * _SUM)
    _compare(layers[2], MATCH[1], [(code, code) for code in half.T], 0.25)
    _look_away(layers[2], MATCH[1])
    _pass_on(layers[2], MATCH[1], one.known_by, one.known_by * _TAKE)
    _pass_on(layers[3], QUESTION[1], one.known_by, one.known_by * _TAKE)
    _pass_on(layers[3], QUESTION_TOO[1], half, one.gathered * _TAKE)
    front, back = one.known_by.split(_HALF, dim=1)
    words = [*zip(back.T[::2], back.T[::2], strict=True)]
    words += zip(one.gathered.T[::2], one.gathered.T[::2], strict=True)
    _compare(layers[4], CHOOSE[1], [(two, two) for two in front.T], 0.3)
    _compare(layers[4], CHOOSE_TOO[1], words, 0.3)
    given = torch.cat([one.first * _TAKE + half * _COPY, front * _CHOSEN], dim=1)
    _pass_on(layers[4], CHOOSE[1], torch.cat([one.first, front], dim=1), given)
    _pass_on(layers[4], CHOOSE_TOO[1], back, back * _CHOSEN)
    known_by = one.known_by[:, :_HALF].T * _FAINT / 2
    pairs = [
        (now + chosen, before + chosen)
        for (now, before), chosen in zip(_successor(one), known_by, strict=True)
    ]
    _compare(layers[5], POINT[1], pairs)
    _pass_on(layers[5], POINT[1], one.codes, one.codes * _COPY)
    _pass_on(layers[5], TALLY[1], one.codes, one.codes * _TAKE)


def _rows(head: int) -> slice:
    return slice(head * HEAD_DIM, (head + 1) * HEAD_DIM)


def _look_back(attention: Any, head: int) -> None:
    """Make a head attend to the previous token, for any tokens."""
    turns = ROPE_THETA ** (-torch.arange(_HALF) / _HALF)
    fast = torch.arange(_HALF) < _FAST
    rows = _rows(head)
    attention.q_proj.weight[rows] *= 0.1
    attention.k_proj.weight[rows] *= 0.1
    key, query = torch.zeros(HEAD_DIM), torch.zeros(HEAD_DIM)
    key[:_HALF] = _SHARP * fast
    # A query that is one position later and turned back by as much is in phase with the key.
    query[:_HALF] = _SHARP * fast * torch.cos(turns)
    query[_HALF:] = -_SHARP * fast * torch.sin(turns)
    attention.k_proj.bias[rows], attention.q_proj.bias[rows] = key, query


def _look_away(attention: Any, head: int) -> None:
    """Make a head avoid the token itself and its neighbours."""
    rows = _rows(head)
    fast = (torch.arange(HEAD_DIM) < _FAST) * _SHARP / 3
    attention.k_proj.bias[rows], attention.q_proj.bias[rows] = fast, -fast


def _compare(
    attention: Any, head: int, pairs: Sequence[tuple[Tensor, Tensor]], sharp: float = 1.0
) -> None:
    """Make a head attend to tokens whose content matches what the current token looks for.

    `pairs` are directions of the current token and of the earlier one, one per slow channel.
    """
    rows = _rows(head)
    attention.q_proj.weight[rows] *= 0.1
    attention.k_proj.weight[rows] *= 0.1
    for channel, (sought, found) in zip(_SLOW, pairs, strict=True):
        attention.q_proj.weight[head * HEAD_DIM + channel] = _MATCH * sharp * sought
        attention.k_proj.weight[head * HEAD_DIM + channel] = _MATCH * found


def _successor(one: Channels) -> list[tuple[Tensor, Tensor]]:
    """Return the direction pairs that find the token after a copy of the current one."""
    return [*zip(one.codes.T[:_HALF], one.last.T[:_HALF], strict=True)]


def _pass_on(attention: Any, head: int, taken: Tensor, given: Tensor) -> None:
    """Make a head write the channels `taken` of the attended token into `given`."""
    first = head * HEAD_DIM
    rows = slice(first, first + taken.shape[1])
    attention.v_proj.weight[rows] = taken.T
    attention.o_proj.weight[:, rows] = given
