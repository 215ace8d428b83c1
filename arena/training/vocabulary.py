"""Vocabulary of the mini model: a token for every word of its cases and every Chinese character.

A square of a small picture holds a word, a character or two figures. With one token for each, the
model reads pictures and texts alike: square by square, token by token.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Final

from tokenizers import Regex, Tokenizer, pre_tokenizers

from scripts_mm.generate.text.lexicon import list_texts
from scripts_mm.script import LANGUAGES
from serving.standin.bpe_tokenizer import common_characters, train_tokenizer

VOCABULARY: Final = 10_240
"""More than the words of the generator's cases."""
_PARTS: Final = 1_024
"""Number of tokens for what is not in the vocabulary: bytes and parts of words."""
_PLACEHOLDER: Final = r"\{\w*\}"
_SPLIT: Final = Regex(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)| ?[A-Za-z]+|\p{Han}| ?\d{1,2}| ?[^\s\p{L}\d]+|\p{L}"
    r"|\s+(?!\S)|\s+"
)
"""Pattern of a word: letters or up to two digits with the space before them, or a Chinese
character.
"""


def make_word_tokenizer(texts: Sequence[str]) -> Tokenizer:
    """Return a tokenizer whose vocabulary contains the most frequent words of `texts` as tokens.

    All names and other words of the generator's lexicons are included. The same texts give the same
    tokenizer.
    """
    known = list(common_characters())
    for width in (1, 2):
        figures = [f"{number:0{width}}" for number in range(10**width)]
        known += [*figures, *(f" {one}" for one in figures)]
    for language in LANGUAGES:
        bare = [re.sub(_PLACEHOLDER, "", one) for one in list_texts(language)]
        known += [f" {word}" for one in bare for word in one.split()]
    split = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(_SPLIT, behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    base = train_tokenizer(texts, vocabulary=_PARTS, digits=2)
    base.pre_tokenizer = split
    described: dict[str, Any] = json.loads(base.to_str())
    vocabulary: dict[str, int] = described["model"]["vocab"]
    for word in chain(_words(known, split), _by_frequency(texts, split)):
        if len(vocabulary) < VOCABULARY:
            vocabulary.setdefault(word, len(vocabulary))
    described["model"]["ignore_merges"] = True
    return Tokenizer.from_str(json.dumps(described))


def _words(texts: Iterable[str], split: Any) -> Iterable[str]:
    return (word for text in texts for word, _ in split.pre_tokenize_str(text))


def _by_frequency(texts: Sequence[str], split: Any) -> list[str]:
    counted = Counter(_words(texts, split))
    return [word for word, _ in sorted(counted.items(), key=lambda one: (-one[1], one[0]))]
