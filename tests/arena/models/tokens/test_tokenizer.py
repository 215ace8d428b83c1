import json
from array import array
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from tokenizers import AddedToken

from arena.models.tokens.model_files import TemplateError
from arena.models.tokens.tokenizer import Tokenizer, load_tokenizer
from tests.arena.models.tokens.models import (
    END,
    START,
    STOP,
    make_folder,
    train,
    with_tokens,
)


def test_text_becomes_tokens_and_text_again(tmp_path: Path) -> None:
    tokenizer = load_tokenizer(make_folder(tmp_path))
    text = f"{START}谁在花园里？\n\n\U0001f56f in the garden {END}"
    ids = tokenizer.encode(text)
    assert isinstance(ids, array)
    assert ids[0] == tokenizer.special_id(START)
    assert ids[-1] == tokenizer.special_id(END)
    assert tokenizer.decode(ids) == text


def test_only_special_tokens_have_an_id_as_such(tmp_path: Path) -> None:
    tokenizer = Tokenizer(with_tokens(AddedToken("garden")))
    assert tokenizer.special_id(STOP) == 0
    assert tokenizer.special_id("<|no|>") is None
    assert tokenizer.special_id("garden") is None
    assert tokenizer.special_id("in") is None


def test_half_a_character_becomes_a_question_mark(tmp_path: Path) -> None:
    tokenizer = load_tokenizer(make_folder(tmp_path))
    assert tokenizer.decode(tokenizer.encode("a\ud83db")) == "a?b"


def test_nothing_is_cut_filled_or_added(tmp_path: Path) -> None:
    library: Any = train()
    library.enable_truncation(2)
    library.enable_padding(length=9)
    library.post_processor = tokenizers.processors.TemplateProcessing(
        single="<|stop|> $A", special_tokens=[("<|stop|>", 0)]
    )
    tokenizer = load_tokenizer(make_folder(tmp_path, library=library))
    text = "The gardener was in the garden."
    assert tokenizer.encode(text) == Tokenizer(train()).encode(text)


def test_the_longest_added_token_is_the_one_that_a_text_begins_with() -> None:
    tokenizer = Tokenizer(with_tokens("<|from|>!", "<|"))
    mark = tokenizer.leading_added_token("<|from|>!user")
    assert mark is not None
    assert mark.text == "<|from|>!"
    assert tokenizer.leading_added_token("user") is None


@pytest.mark.parametrize(
    ("token", "divides"),
    [
        (AddedToken("<|new|>", special=True, normalized=False), True),
        (AddedToken("<|new|>", special=False, normalized=False), False),
        (AddedToken("<|new|>", special=True, normalized=True), False),
        (AddedToken("<|new|>", special=True, normalized=False, lstrip=True), False),
        (AddedToken("<|new|>", special=True, normalized=False, rstrip=True), False),
        (AddedToken("<|new|>", special=True, normalized=False, single_word=True), False),
    ],
)
def test_a_token_that_reaches_out_divides_no_text(token: AddedToken, divides: bool) -> None:
    tokenizer = Tokenizer(with_tokens(token))
    mark = tokenizer.leading_added_token("<|new|>")
    assert mark is not None
    assert tokenizer.is_boundary(mark) is divides


@pytest.mark.parametrize("other", ["\n<|from|>", "x<|from|>y", "over<|", "e<"])
def test_a_token_divides_no_text_where_another_may_begin_before_it(other: str) -> None:
    tokenizer = Tokenizer(with_tokens(other))
    mark = tokenizer.leading_added_token(START)
    assert mark is not None
    assert not tokenizer.is_boundary(mark)


def test_a_folder_without_a_tokenizer_or_with_a_broken_one_is_named(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match=r"should have a tokenizer\.json, but has none"):
        load_tokenizer(tmp_path)
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(TemplateError, match=r"tokenizer\.json' should be a tokenizer, but"):
        load_tokenizer(tmp_path)


@pytest.mark.parametrize(
    "config",
    [
        {"added_tokens_decoder": {"900": {"content": "<|new|>"}}},
        {"added_tokens_decoder": {"5": {"content": START}}},
        {"additional_special_tokens": ["<|new|>"]},
        {"extra_special_tokens": ["<|new|>"]},
        {"extra_special_tokens": {"new_token": "<|new|>"}},
        {"unk_token": "<|new|>"},
    ],
)
def test_tokens_that_only_the_configuration_knows_are_refused(
    tmp_path: Path, config: dict[str, object]
) -> None:
    folder = make_folder(tmp_path)
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    with pytest.raises(TemplateError, match=r"should contain the token '<\|(new|from)\|>'"):
        load_tokenizer(folder)
