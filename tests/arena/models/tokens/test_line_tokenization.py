"""Texts that are tokenised line by line, where that is as good as whole."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.models.tokens.line_tokenization import tokenizes_per_line
from serving.yi_vl.checkpoints.tiny_tokenizer import add_image_tokens, train_tokenizer
from serving.yi_vl.model_dims import TINY

YI: Any = train_tokenizer(TINY.vocabulary)
add_image_tokens(YI)
DESCRIBED: str = YI.to_str()
TALK = st.lists(
    st.sampled_from(
        [
            "###",
            " Human",
            ":",
            " ",
            "\n",
            "\n\n",
            "谁",
            "在花园里",
            " the",
            "garden",
            "é",
            "<image>",
        ]
    )
    | st.text(max_size=3)
).map("".join)


def counted(tokenizer: Any, text: str) -> int:
    return len(tokenizer.encode(text, add_special_tokens=False).ids)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(TALK)
def test_lines_and_the_ends_between_them_are_as_many_tokens_as_the_whole(text: str) -> None:
    whole = text.encode(errors="replace").decode()
    parts = [part for line in whole.split("\n") for part in (line, "\n")][:-1]
    assert sum(counted(YI, part) for part in parts) == counted(YI, whole)


def test_a_tokenizer_of_yi_s_kind_ends_its_tokens_with_the_line() -> None:
    assert tokenizes_per_line(DESCRIBED)


def prepends(read: dict[str, Any]) -> None:
    read["normalizer"] = {
        "type": "Sequence",
        "normalizers": [{"type": "Prepend", "prepend": "▁"}, read["normalizer"]],
    }


def composes(read: dict[str, Any]) -> None:
    read["normalizer"] = {"type": "NFKC"}


def cuts(read: dict[str, Any]) -> None:
    read["pre_tokenizer"] = {"type": "Whitespace"}


def drops_bytes(read: dict[str, Any]) -> None:
    read["model"]["byte_fallback"] = False


def joins_ends(read: dict[str, Any]) -> None:
    read["model"]["vocab"][".\n"] = 9_000


def joins_bytes(read: dict[str, Any]) -> None:
    read["model"]["vocab"][".<0x0A>"] = 9_000


def takes_whole_lines(read: dict[str, Any]) -> None:
    read["model"]["ignore_merges"] = True


def strips(read: dict[str, Any]) -> None:
    read["added_tokens"][0]["lstrip"] = True


def adds_ends(read: dict[str, Any]) -> None:
    read["added_tokens"][0]["content"] = "</s>\n"


def is_another(read: dict[str, Any]) -> None:
    read["model"] |= {"type": "Unigram"}


@pytest.mark.parametrize(
    "change",
    [
        prepends,
        composes,
        cuts,
        drops_bytes,
        joins_ends,
        joins_bytes,
        takes_whole_lines,
        strips,
        adds_ends,
        is_another,
    ],
)
def test_where_it_does_not_follow_a_text_stays_whole(
    change: Callable[[dict[str, Any]], None],
) -> None:
    read = json.loads(DESCRIBED)
    change(read)
    assert not tokenizes_per_line(json.dumps(read))


def test_tokens_of_several_ends_of_lines_are_no_hindrance() -> None:
    read = json.loads(DESCRIBED)
    read["model"]["vocab"] |= {"\n": 9_000, "\n\n": 9_001}
    read["model"]["merges"].append(["\n", "\n"])
    description = json.dumps(read)
    assert tokenizes_per_line(description)
    tokenizer: Any = tokenizers.Tokenizer.from_str(description)
    text = "a\n\n\nb\n"
    assert counted(tokenizer, text) == sum(
        counted(tokenizer, p) for p in ("a", "\n\n\n", "b", "\n")
    )
