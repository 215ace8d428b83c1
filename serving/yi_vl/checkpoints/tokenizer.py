"""A tokenizer of Yi's kind for the tiny checkpoints, trained on our own words.

Byte-fallback BPE over whole texts: a space is "▁", no space is put before a text, what is not in
the vocabulary falls to its bytes. Training cuts texts at words, so no token reaches across them.
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

from serving.standin.tokenizer import common_characters

UNKNOWN: Final = "<unk>"
START: Final = "<|startoftext|>"
END: Final = "<|endoftext|>"
SPECIAL_TOKENS: Final = (UNKNOWN, START, END)
"""Ids 0 (which pads, too), 1 and 2."""

PICTURE: Final = "<image>"
"""What the conversion calls a picture's token; its id is the size of the vocabulary."""

PADDING: Final = "<pad>"
"""What the conversion pads with; its id is one more."""

SPACE: Final = "▁"
_WORDS: Final = Path(__file__).resolve().parents[2] / "standin" / "words.json"
_SPLIT: Final = Regex(r"▁?[A-Za-z]+|\p{Han}+|\d|▁?#+|▁?[^\s▁\p{L}\d#]+|\p{L}+|▁+")
_BYTES: Final = tuple(f"<0x{byte:02X}>" for byte in range(256))
_ASCII: Final = tuple(map(chr, range(0x21, 0x7F)))
_MERGED: Final = 12_000
_OFTEN: Final = 8
_TURN: Final = "### Human: \n### Assistant: \n"


def train_tokenizer(vocabulary: int, texts: Iterable[str] = ()) -> Tokenizer:
    """Return a tokenizer of exactly `vocabulary` tokens; the same input gives the same one.

    What our words and `texts` do not fill are tokens that no text becomes.
    """
    pieces, merges = _learn(min(vocabulary, _MERGED), tuple(texts))
    known = [*SPECIAL_TOKENS, *_BYTES, *pieces]
    if len(known) > vocabulary:
        raise ValueError(f"wanted a vocabulary of {len(known)} tokens or more, got {vocabulary}")
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
    tokenizer.add_special_tokens([_special(word) for word in SPECIAL_TOKENS])
    return tokenizer


def add_picture_tokens(tokenizer: Any) -> None:
    """Add the two tokens of the conversion behind the vocabulary."""
    tokenizer.add_special_tokens([_special(PICTURE), _special(PADDING)])


def is_word(piece: str) -> bool:
    """Tell whether a token is one of our words, as it stands inside a sentence, or punctuation."""
    return piece in _whole_words()


@cache
def _whole_words() -> frozenset[str]:
    words = _read_words()
    english = (f"{SPACE}{word}" for line in words["en"] for word in line.split())
    chinese = (word for line in words["zh"] for word in line.split() if len(word) > 1)
    return frozenset((*english, *chinese, *"，。？,.?"))


def _special(word: str) -> AddedToken:
    return AddedToken(word, special=True, normalized=False)


@cache
def _learn(
    vocabulary: int, texts: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the pieces and merges that fit into `vocabulary` beside the special tokens."""
    student = Tokenizer(models.BPE())
    student.normalizer = normalizers.Replace(" ", SPACE)
    student.pre_tokenizer = pre_tokenizers.Sequence(
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
    student.train_from_iterator([*_lines(), *texts], trainer)
    model = json.loads(student.to_str())["model"]
    pieces = sorted(model["vocab"], key=lambda piece: model["vocab"][piece])
    return tuple(pieces), tuple((first, second) for first, second in model["merges"])


def _read_words() -> dict[str, list[str]]:
    return json.loads(_WORDS.read_text(encoding="utf-8"))


def _lines() -> Iterator[str]:
    words = _read_words()
    for character in common_characters():
        yield f"{character}\n" * _OFTEN
    for line in words["en"]:
        for word in line.split():
            yield f" {word}" * _OFTEN
            yield f"{word}\n{word.capitalize()}\n {word.capitalize()}\n" * 2
    for line in words["zh"]:
        for word in line.split():
            yield f"{word}\n" * _OFTEN
    for line in (*words["en_text"], *words["zh_text"]):
        yield f"{line}\n" * 2
    yield _TURN * _OFTEN
