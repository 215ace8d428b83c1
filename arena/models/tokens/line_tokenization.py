"""Check whether a tokenizer can be applied line by line."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

_END: Final = "\n"
_BYTE: Final = "<0x0A>"
"""Newline as a byte token."""


def tokenizes_per_line(description: str) -> bool:
    """Return whether each line, and the newlines between two lines, tokenise independently.

    `description`: a tokenizer.json. True only if three conditions prove it. The tokenizer does not
    split texts, and rewrites single characters at most. The model merges adjacent pairs (BPE). No
    token contains a newline together with another character. Then no merge ever joins a newline
    with the text before or after it.
    """
    read: Mapping[str, Any] = json.loads(description)
    model: Mapping[str, Any] = read["model"]
    plain = read.get("pre_tokenizer") is None and _normalizer_keeps_lines(read.get("normalizer"))
    return (
        plain and _is_plain_bpe(model) and _has_pure_newlines(model, read.get("added_tokens") or ())
    )


def _normalizer_keeps_lines(normaliser: Mapping[str, Any] | None) -> bool:
    if normaliser is None:
        return True
    if normaliser["type"] == "Sequence":
        return all(_normalizer_keeps_lines(one) for one in normaliser["normalizers"])
    if normaliser["type"] != "Replace":
        return False
    pattern = str(normaliser["pattern"].get("String", ""))
    return len(pattern) == 1 and _END not in pattern + str(normaliser["content"])


def _is_plain_bpe(model: Mapping[str, Any]) -> bool:
    others = ("dropout", "continuing_subword_prefix", "end_of_word_suffix", "ignore_merges")
    known = model.get("type") == "BPE" and not any(model.get(name) for name in others)
    words: Mapping[str, int] = model["vocab"]
    return known and (_END in words or (bool(model.get("byte_fallback")) and _BYTE in words))


def _has_pure_newlines(model: Mapping[str, Any], added: Iterable[Mapping[str, Any]]) -> bool:
    greedy = any(one["lstrip"] or one["rstrip"] or one["single_word"] for one in added)
    texts = (*model["vocab"], *(one["content"] for one in added))
    return not greedy and not any(_mixes_newline(text) for text in texts)


def _mixes_newline(text: str) -> bool:
    return (_END in text and bool(text.strip(_END))) or (_BYTE in text and text != _BYTE)
