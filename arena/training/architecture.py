"""The mini model before training: a small Qwen2.5-VL whose layers already look things up.

Circuits are written into the random weights; training refines all of them. In layer 0, heads
attend to the token one or two places back: with constant queries and keys, rotary positions alone
decide, and the offset is chosen where their sum is largest. In layer 1, heads continue a text that
repeats (induction heads), and others gather a passage at each of its tokens. In layer 2, a word
finds its earlier occurrences and takes over what was gathered there: so the words of a question
know the passages that they come from. In layer 3 a reply gathers its question, in layer 4 it
attends to the passage that is most like what it gathered, and in layer 5 to the token of this
passage that comes next. `arena.training.lookup` says what each of these heads is shown.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tokenizers import Tokenizer

from arena.training.encode import token_id
from arena.training.lookup import CHOOSE, CHOOSE_TOO, GATHER, MATCH, POINT, QUESTION, START
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
LAYERS: Final = 6
HEAD_DIM: Final = HIDDEN // HEADS
ROPE_THETA: Final = 1e7
VISION_HIDDEN: Final = 128
VISION_DEPTH: Final = 3
_HALF: Final = HEAD_DIM // 2
_FAST: Final = HEAD_DIM // 4
"""Rotary frequencies from here on turn too slowly to matter: their channels compare contents."""
_SLOW: Final = (*range(_FAST, _HALF), *range(_HALF + _FAST, HEAD_DIM))
_SHARP: Final = 7.0
_CLEAR: Final = 2.0
_FAINT: Final = 0.3
_QUIET: Final = 0.05
_NOTE: Final = 0.08
_MATCH: Final = 2.0
_COPY: Final = 0.25
_HINT: Final = 0.03
_SUM: Final = 0.4
_TAKE: Final = 0.12


@dataclass(frozen=True, slots=True)
class Channels:
    """Directions of the hidden state, all at right angles, by what they are for; (hidden, n)."""

    codes: Tensor
    """What is compared of a token."""
    last: Tensor
    """Where the code of the token before is written."""
    last_but_one: Tensor
    """Half of the code of the token before that."""
    gathered: Tensor
    """The sum of the codes of a passage, or of what a question asks for."""
    start: Tensor
    """Half of the codes of a passage's first tokens."""

    @staticmethod
    def draw(generator: Any) -> "Channels":
        """Draw the directions."""
        matrix = torch.linalg.qr(torch.randn(HIDDEN, HIDDEN, generator=generator))[0]
        sizes = (HEAD_DIM, HEAD_DIM, _HALF, HEAD_DIM, _HALF)
        return Channels(*matrix.split(sizes, dim=1))


def make_config(tokenizer: Tokenizer) -> Any:
    """Return the configuration for a vocabulary."""
    rope = {"rope_type": "default", "rope_theta": ROPE_THETA, "mrope_section": [8, 12, 12]}
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
            # What layers add at first is small against what the circuits write.
            layer.mlp.down_proj.weight *= _QUIET
            layer.self_attn.o_proj.weight *= _QUIET
        write_lookup(text, channels)
    return model


def write_lookup(text: Any, channels: Channels) -> None:
    """Write the heads that look passages up: see `arena.training.lookup` for what they learn."""
    one = channels
    layers = [layer.self_attn for layer in text.layers]
    for head, (offset, notes) in enumerate(((1, one.last), (2, one.last_but_one))):
        _look_back(layers[0], head, offset)
        _pass_on(layers[0], head, one.codes[:, : notes.shape[1]], notes, _NOTE)
    for layer, head, share in ((1, 0, _HINT), (1, 1, _HINT), (3, 1, _HINT), (5, 1, _COPY)):
        _compare(layers[layer], head, _successor(one, head), 1.0)
        _pass_on(layers[layer], head, one.codes, one.codes, share)
    _pass_on(layers[1], GATHER[1], one.codes, one.gathered, _SUM)
    _pass_on(layers[1], START[1], one.codes[:, :_HALF], one.start, _TAKE)
    _compare(layers[2], MATCH[1], [(code, code) for code in one.codes.T[:_HALF]], 3.0)
    _look_away(layers[2], MATCH[1])
    _pass_on(layers[2], MATCH[1], one.gathered, one.gathered, _TAKE)
    _pass_on(layers[3], QUESTION[1], one.codes + one.gathered, one.gathered, _TAKE)
    for (layer, head), part in zip((CHOOSE, CHOOSE_TOO), one.gathered.split(_HALF, 1), strict=True):
        _compare(layers[layer], head, [(two, two) for two in part.T], 0.2)
        _pass_on(layers[layer], head, one.start, one.start, _TAKE)
    first = [(at, code) for at, code in zip(one.start.T, one.codes.T[:_HALF], strict=True)]
    mixed = [first[n] if n % 4 == 0 else pair for n, pair in enumerate(_successor(one, 0))]
    _compare(layers[5], POINT[1], mixed, 1.0)
    _pass_on(layers[5], POINT[1], one.codes, one.codes, _COPY)


def _rows(head: int) -> slice:
    return slice(head * HEAD_DIM, (head + 1) * HEAD_DIM)


def _look_back(attention: Any, head: int, offset: int) -> None:
    """Make a head attend to the token `offset` places back, whatever the tokens are."""
    turns = ROPE_THETA ** (-torch.arange(_HALF) / _HALF)
    fast = torch.arange(_HALF) < _FAST
    rows = _rows(head)
    attention.q_proj.weight[rows] *= 0.1
    attention.k_proj.weight[rows] *= 0.1
    key, query = torch.zeros(HEAD_DIM), torch.zeros(HEAD_DIM)
    key[:_HALF] = _SHARP * fast
    # A query at distance `offset` that turns back by as much meets the key in phase.
    query[:_HALF] = _SHARP * fast * torch.cos(offset * turns)
    query[_HALF:] = -_SHARP * fast * torch.sin(offset * turns)
    attention.k_proj.bias[rows], attention.q_proj.bias[rows] = key, query


def _look_away(attention: Any, head: int) -> None:
    """Make a head shun the token itself and its neighbours."""
    rows = _rows(head)
    fast = (torch.arange(HEAD_DIM) < _FAST) * _SHARP / 3
    attention.k_proj.bias[rows], attention.q_proj.bias[rows] = fast, -fast


def _compare(
    attention: Any, head: int, pairs: Sequence[tuple[Tensor, Tensor]], sharp: float = 1.0
) -> None:
    """Make a head attend where what a token has is what the current token looks for.

    `pairs` are directions of the current token and of the earlier one, one a slow channel.
    """
    rows = _rows(head)
    attention.q_proj.weight[rows] *= 0.1
    attention.k_proj.weight[rows] *= 0.1
    for channel, (sought, found) in zip(_SLOW, pairs, strict=True):
        attention.q_proj.weight[head * HEAD_DIM + channel] = _MATCH * sharp * sought
        attention.k_proj.weight[head * HEAD_DIM + channel] = _MATCH * found


def _successor(one: Channels, head: int) -> list[tuple[Tensor, Tensor]]:
    """Return what makes a head find the token that followed the current one before.

    A quarter of the channels looks for the token before the current one.
    """
    offset = (head % 2) * _HALF
    now = zip(one.codes.T[offset:], one.last.T[offset:], strict=True)
    before = zip(one.last.T, one.last_but_one.T, strict=False)
    pairs = zip(now, before, strict=False)
    return [both[n % 4 == 0] for n, both in enumerate(pairs)]


def _pass_on(attention: Any, head: int, taken: Tensor, given: Tensor, share: float) -> None:
    """Make a head write the channels `taken` of the token that it attends to into `given`."""
    first = head * HEAD_DIM
    rows = slice(first, first + taken.shape[1])
    attention.v_proj.weight[rows] = taken.T
    attention.o_proj.weight[:, rows] = given * share
