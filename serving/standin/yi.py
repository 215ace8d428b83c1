"""The stand-in of the Yi line: a tiny Yi-VL in the layout of the published files.

Imports torch, so only the child process that makes the checkpoint imports it.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import safetensors.torch
from tokenizers import Tokenizer

from serving.yi_vl.checkpoints.writer import write_checkpoint
from serving.yi_vl.model_dims import TINY

_FILES: Final[Any] = safetensors.torch
_SEED: Final = 20_261_121
_NEVER: Final = -40.0
_SELDOM: Final = 1.0
_STOP: Final = "###"
_ENDS: Final = ("<|endoftext|>", _STOP)
_BEFORE: Final = ":"  # the last token of a prompt that asks for a reply
_SPACES: Final = "▁ \t\r\n"


def make_standin(folder: Path, texts: Iterable[str] = ()) -> Path:
    """Write a whole checkpoint into `folder` and return it; the same input gives the same bytes.

    `texts` are further training lines of the tokenizer. Call it through
    `serving.standin.standin_cache.standin_folder`, which does it once and in a child process.
    """
    write_checkpoint(
        folder, layout="published", seed=_SEED, dims=TINY, dtype="bfloat16", texts=tuple(texts)
    )
    path = folder / "model.safetensors"
    tensors = _FILES.load_file(path)
    _shape_replies(tensors, Tokenizer.from_file(str(folder / "tokenizer.json")))
    _FILES.save_file(tensors, path, metadata={"format": "pt"})
    return folder


def _shape_replies(tensors: dict[str, Any], tokenizer: Tokenizer) -> None:
    """Prevent empty replies and bare space, which a JSON grammar allows without limit.

    Each token has a bias through the one channel that is equal in every embedding; end tokens are
    made improbable at the start of a reply. The stop string is rare, since it truncates a JSON
    object where the end token is not allowed.
    """
    embed, head = tensors["model.embed_tokens.weight"], tensors["lm_head.weight"]
    channel = int((embed.float().std(dim=0) == 0).nonzero()[0])
    ids = tokenizer.get_vocab()
    for token in (token for piece, token in ids.items() if not piece.strip(_SPACES)):
        head[token] = 0
        head[token, channel] = _NEVER / embed[token, channel]
    head[ids[_STOP], channel] = _SELDOM / embed[ids[_STOP], channel]
    state = embed[ids[_BEFORE]].float()
    state[channel] = 0
    direction = state / state.norm()
    for word in _ENDS:
        row = head[ids[word]].float()
        head[ids[word]] = (row - (row @ direction + 1) * direction).to(head.dtype)
