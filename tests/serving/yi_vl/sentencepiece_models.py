"""Sentencepiece models of Yi's kind, trained on the stand-ins' words."""

import io
import json
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import serving.standin
from serving.yi_vl.prompt_format import SYSTEM_TEXT
from serving.yi_vl.sentencepiece_convert import build_tokenizer, parse_model

START, END = "<|startoftext|>", "<|endoftext|>"
SYMBOLS: Final = ("<|im_start|>", "<|im_end|>", "<|im", "▁▁▁")
PROMPT: Final = f"{SYSTEM_TEXT}\n\n### Human: Who was it?\n### Assistant:"
WORDS: Final = 2_600
"""Tokens of the models."""
YI: Final[dict[str, Any]] = {
    "vocab_size": WORDS,
    "model_type": "bpe",
    "normalization_rule_name": "identity",
    "add_dummy_prefix": False,
    "remove_extra_whitespaces": False,
    "byte_fallback": True,
    "split_digits": True,
    "allow_whitespace_only_pieces": True,
    "character_coverage": 0.995,
    "user_defined_symbols": list(SYMBOLS),
    "unk_id": 0,
    "bos_id": 1,
    "eos_id": 2,
    "bos_piece": START,
    "eos_piece": END,
    "num_threads": 1,
    "minloglevel": 2,
}
KINDS: Final[dict[str, dict[str, Any]]] = {
    "as Yi's": {},
    "with a space before each text": {"add_dummy_prefix": True, "user_defined_symbols": []},
    "without needless spaces": {
        "remove_extra_whitespaces": True,
        "user_defined_symbols": list(SYMBOLS[:3]),
    },
    "with both": {
        "add_dummy_prefix": True,
        "remove_extra_whitespaces": True,
        "user_defined_symbols": [],
    },
    "without bytes": {"byte_fallback": False},
}


@cache
def lines() -> tuple[str, ...]:
    words = Path(serving.standin.__file__).with_name("words.json")
    parsed: dict[str, list[str]] = json.loads(words.read_text("utf-8"))
    return tuple(line for group in parsed.values() for line in group)


def train(**changes: object) -> bytes:
    library: Any = import_module("sentencepiece")
    made = io.BytesIO()
    library.SentencePieceTrainer.train(
        sentence_iterator=iter(lines()), model_writer=made, **{**YI, **changes}
    )
    return made.getvalue()


@cache
def both(kind: str) -> tuple[Any, Any]:
    """Return sentencepiece's tokenizer of a model and ours."""
    library: Any = import_module("sentencepiece")
    model = train(**KINDS[kind])
    ours = build_tokenizer(parse_model(model, "here"), "here")
    return library.SentencePieceProcessor(model_proto=model), ours
