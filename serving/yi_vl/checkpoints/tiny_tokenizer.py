"""Tokenizer of Yi's kind for the tiny checkpoints, trained on the stand-ins' words.

Byte-fallback BPE over whole texts: a space is "▁", no space is added before a text, and characters
outside the vocabulary become bytes. Training splits texts at words, so no token spans two words.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    trainers,
)

from serving.standin.bpe_tokenizer import common_characters

UNKNOWN: Final = "<unk>"
START: Final = "<|startoftext|>"
END: Final = "<|endoftext|>"
SPECIAL_TOKENS: Final = (UNKNOWN, START, END)
"""Tokens with ids 0 (also padding), 1 and 2, as in the published tokenizer."""

IMAGE: Final = "<image>"
"""Image token of the conversion; its id is the size of the vocabulary."""

PADDING: Final = "<pad>"
"""Padding token of the conversion; its id is one more."""

SPACE: Final = "▁"
_WORDS: Final = Path(__file__).resolve().parents[2] / "standin" / "words.json"
_SPLIT: Final = Regex(r"▁?[A-Za-z]+|\p{Han}+|\d|▁?#+|▁?[^\s▁\p{L}\d#]+|\p{L}+|▁+")
_BYTES: Final = tuple(f"<0x{byte:02X}>" for byte in range(256))
_ASCII: Final = tuple(map(chr, range(0x21, 0x7F)))
_MAX_TRAINED: Final = 12_000
"""Limit of trained tokens, so that training for the shape of 64,000 tokens stays short."""
_REPEATS: Final = 8
"""Repetitions of a word in the training text: enough to merge it into one token."""
_TURN: Final = "### Human: \n### Assistant: \n"


def train_tokenizer(vocabulary: int, texts: Iterable[str] = ()) -> Tokenizer:
    """Return a tokenizer of exactly `vocabulary` tokens; the same input gives the same one.

    Ids that the words and `texts` leave over are tokens that no text contains.
    """
    pieces, merges = _train(min(vocabulary, _MAX_TRAINED), tuple(texts))
    known = [*SPECIAL_TOKENS, *_BYTES, *pieces]
    if len(known) > vocabulary:
        raise ValueError(
            f"the vocabulary should have {len(known)} tokens or more, got {vocabulary}"
        )
    known += [f"<|unused_{number}|>" for number in range(len(known), vocabulary)]
    tokenizer: Any = Tokenizer(
        models.BPE(
            vocab={piece: number for number, piece in enumerate(known)},
            merges=list(merges),
            unk_token=UNKNOWN,
            fuse_unk=True,
            byte_fallback=True,
        )
    )
    tokenizer.normalizer = normalizers.Replace(" ", SPACE)
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    tokenizer.add_special_tokens([_special_token(word) for word in SPECIAL_TOKENS])
    return tokenizer


def add_image_tokens(tokenizer: Any) -> None:
    """Add the image and padding tokens of the conversion after the vocabulary."""
    tokenizer.add_special_tokens([_special_token(IMAGE), _special_token(PADDING)])


def is_word(piece: str) -> bool:
    """Return whether a token is a whole word as inside a sentence, or punctuation."""
    return piece in _whole_words()


@cache
def _whole_words() -> frozenset[str]:
    words = _read_words()
    english = (f"{SPACE}{word}" for line in words["en"] for word in line.split())
    chinese = (word for line in words["zh"] for word in line.split() if len(word) > 1)
    return frozenset((*english, *chinese, *"，。？,.?"))


def _special_token(word: str) -> AddedToken:
    return AddedToken(word, special=True, normalized=False)


@cache
def _train(
    vocabulary: int, texts: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the pieces and merges that fit into `vocabulary` with the special tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Replace(" ", SPACE)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(r"[\n\r\t]+"), behavior="removed"),
            pre_tokenizers.Split(_SPLIT, behavior="isolated"),
        ]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary - len(SPECIAL_TOKENS) - len(_BYTES),
        min_frequency=2,
        show_progress=False,
        initial_alphabet=[SPACE, *_ASCII],
    )
    tokenizer.train_from_iterator([*_training_lines(), *texts], trainer)
    model = json.loads(tokenizer.to_str())["model"]
    pieces = sorted(model["vocab"], key=lambda piece: model["vocab"][piece])
    return tuple(pieces), tuple((first, second) for first, second in model["merges"])


def _read_words() -> dict[str, list[str]]:
    return json.loads(_WORDS.read_text(encoding="utf-8"))


def _training_lines() -> Iterator[str]:
    words = _read_words()
    for character in common_characters():
        yield f"{character}\n" * _REPEATS
    for line in words["en"]:
        for word in line.split():
            yield f" {word}" * _REPEATS
            yield f"{word}\n{word.capitalize()}\n {word.capitalize()}\n" * 2
    for line in words["zh"]:
        for word in line.split():
            yield f"{word}\n" * _REPEATS
    for line in (*words["en_text"], *words["zh_text"]):
        yield f"{line}\n" * 2
    yield _TURN * _REPEATS
