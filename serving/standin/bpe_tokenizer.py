"""The stand-in's tokenizer: byte-level BPE trained on our own words, with Qwen's special tokens."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypedDict

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

VOCABULARY_SIZE: Final = 10_240
"""Total tokens: 256 bytes, about 4,000 Chinese characters, and words in both languages."""

END_OF_TURN: Final = "<|im_end|>"
END_OF_TEXT: Final = "<|endoftext|>"
IMAGE: Final = "<|image_pad|>"
VIDEO: Final = "<|video_pad|>"
VISION_START: Final = "<|vision_start|>"
VISION_END: Final = "<|vision_end|>"

SPECIAL_TOKENS: Final = (
    END_OF_TEXT,
    "<|im_start|>",
    END_OF_TURN,
    VISION_START,
    VISION_END,
    "<|vision_pad|>",
    IMAGE,
    VIDEO,
)

_WORDS: Final = Path(__file__).with_name("words.json")
_SPLIT: Final = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)| ?[A-Za-z]+|\p{Han}+|\d{1,%d}| ?[^\s\p{L}\d]+|\p{L}+"
    r"|\s+(?!\S)|\s+"
)
"""Pre-tokenization; merges do not cross words, runs of Chinese, digits, punctuation or space."""

_OFTEN: Final = 8


class WordList(TypedDict):
    """Our own word list: single words and whole sentences, English and Chinese."""

    en: list[str]
    en_text: list[str]
    zh: list[str]
    zh_text: list[str]


def common_characters() -> list[str]:
    """Return the 3,755 Chinese characters of GB 2312's first level, in its order."""
    rows = range(0xB0, 0xD8)
    cells = range(0xA1, 0xFF)
    pairs = (bytes((row, cell)) for row in rows for cell in cells)
    return [text for pair in pairs if (text := pair.decode("gb2312", errors="ignore"))]


def list_own_words() -> frozenset[str]:
    """Return our words as they occur in a sentence: English after a space, Chinese bare."""
    words = _read_words()
    english = (f" {word}" for line in words["en"] for word in line.split())
    chinese = (word for line in words["zh"] for word in line.split() if len(word) > 1)
    return frozenset((*english, *chinese, *"，。？,.?"))


def train_tokenizer(
    texts: Iterable[str], *, vocabulary: int = VOCABULARY_SIZE, digits: int = 1
) -> Tokenizer:
    """Train on the built-in words and `texts`; the same input gives the same tokenizer.

    A token holds at most `digits` digits.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_SPLIT % digits), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        min_frequency=2,
        show_progress=False,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        special_tokens=[
            AddedToken(word, special=True, normalized=False) for word in SPECIAL_TOKENS
        ],
    )
    tokenizer.train_from_iterator([*_training_lines(_read_words()), *texts], trainer)
    return tokenizer


def _read_words() -> WordList:
    return json.loads(_WORDS.read_text(encoding="utf-8"))


def _training_lines(words: WordList) -> Iterator[str]:
    for character in common_characters():
        yield f"{character}\n" * _OFTEN
    for line in words["en"]:
        for word in line.split():
            yield f" {word}" * _OFTEN
            yield f"{word}\n" * 2
            yield f"{word.capitalize()}\n {word.capitalize()}" * 2
    for line in words["zh"]:
        for word in line.split():
            yield f"{word}\n" * _OFTEN
    for line in (*words["en_text"], *words["zh_text"]):
        yield f"{line}\n" * 2
