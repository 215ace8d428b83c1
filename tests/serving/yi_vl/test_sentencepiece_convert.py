"""Tokenizers converted from tokenizer.model give the ids that sentencepiece gives."""

import json
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from serving.yi_vl.sentencepiece_convert import build_tokenizer, parse_model, write_fast_tokenizer
from tests.serving.yi_vl.sentencepiece_models import (
    END,
    KINDS,
    PROMPT,
    START,
    SYMBOLS,
    WORDS,
    both,
    lines,
    train,
)

pytestmark = pytest.mark.skipif(
    not all(find_spec(name) for name in ("sentencepiece", "google", "google.protobuf")),
    reason="no sentencepiece is installed here",
)


def ids(tokenizer: Any, text: str) -> list[int]:
    return tokenizer.encode(text, add_special_tokens=False).ids


def beginnings() -> st.SearchStrategy[str]:
    words = sorted({word for line in lines() for word in line.split()})
    return st.sampled_from([word[:end] for word in words for end in (len(word), 3)])


def texts() -> st.SearchStrategy[str]:
    marks = ["### Human: ", "\n### Assistant:", "<0x0A>", "▁", "▁▁", "   ", "象", "侦探", "谋杀案"]
    part = st.one_of(
        beginnings(),
        st.sampled_from([" ", "  ", "\n", "\n\n", "\t", "\r", *marks, *SYMBOLS]),
        st.sampled_from(
            ["0", "2024", "٣", "é", "e\u0301", "龘", "🙂", "👩‍👧", "\u3000", "ﬁ", "Ａ"]
        ),
        st.text(max_size=6),
    )
    # These three are recognised in a text; sentencepiece itself does not recognise them.
    return (
        st.lists(part, max_size=16)
        .map("".join)
        .filter(lambda text: not any(word in text for word in (START, END, "<unk>")))
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@given(text=texts())
@example(text=PROMPT)
@example(text="")
@example(text="  ")
@example(text=" ▁ ")
@example(text="Room 1984:  ▁▁ <|im_start|>  谋杀案🙂龘\n\n### Human: ")
def test_a_text_becomes_the_ids_that_sentencepiece_gives(kind: str, text: str) -> None:
    theirs, ours = both(kind)
    assert ids(ours, text) == theirs.encode(text)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_word_and_line_becomes_the_ids_that_sentencepiece_gives(kind: str) -> None:
    theirs, ours = both(kind)
    pieces = {theirs.id_to_piece(id_) for id_ in range(theirs.get_piece_size())}
    for text in (pieces - {START, END, "<unk>"}) | set(lines()):
        assert ids(ours, text) == theirs.encode(text), text


def test_words_never_merge_to_the_token_of_a_byte() -> None:
    library: Any = import_module("sentencepiece")
    proto = parse_model(train(), "here")
    for number, piece in enumerate(("<", ">", "0", "A", "x", "<0", "<0x", "<0x0", "<0x0A")):
        if piece not in {one.piece for one in proto.pieces}:
            proto.pieces.add(piece=piece, score=-10_000 - number, type=1)
    theirs = library.SentencePieceProcessor(model_proto=proto.SerializeToString())
    assert theirs.encode("<0x0A>", out_type=str) == ["<0x0A", ">"]
    assert ids(build_tokenizer(proto, "here"), "<0x0A>") == theirs.encode("<0x0A>")


@given(text=texts())
def test_ids_become_their_text_again(text: str) -> None:
    theirs, ours = both("as Yi's")
    assert ours.decode(theirs.encode(text), skip_special_tokens=False) == text.replace("▁", " ")


@given(text=texts())
def test_the_space_added_before_a_text_is_removed_again(text: str) -> None:
    theirs, ours = both("with a space before each text")
    assert ours.decode(ids(ours, text), skip_special_tokens=False) == text.replace("▁", " ")
    assert theirs.decode(ids(ours, text)) == text.replace("▁", " ")


def test_control_tokens_are_special_and_a_models_symbols_are_not() -> None:
    theirs, ours = both("as Yi's")
    added = {it.content: (id_, it.special) for id_, it in ours.get_added_tokens_decoder().items()}
    assert added == {
        **{word: (id_, True) for id_, word in enumerate(("<unk>", START, END))},
        **{word: (theirs.piece_to_id(word), False) for word in SYMBOLS},
    }
    assert ids(ours, f"Human{END}") == [*theirs.encode("Human"), 2]


def refusal(change: Any, **trained: object) -> str:
    proto = parse_model(train(**trained), "here")
    change(proto)
    with pytest.raises(ValueError, match="cannot be reproduced exactly") as caught:
        build_tokenizer(parse_model(proto.SerializeToString(), "here"), "here")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_model_that_cannot_be_reproduced_exactly_is_refused_in_one_line() -> None:
    def unknown(proto: Any) -> None:
        proto.pieces[-1].piece = "侦龘"

    def equal(proto: Any) -> None:
        first, second = [one for one in proto.pieces if one.type == 1][:2]
        second.score = first.score

    def unused(proto: Any) -> None:
        proto.pieces[-1].type = 5

    def other(proto: Any) -> None:
        proto.normalizer_spec.precompiled_charsmap = b"x"

    def plain(proto: Any) -> None:
        proto.normalizer_spec.escape_whitespaces = False

    def behind(proto: Any) -> None:
        proto.trainer_spec.treat_whitespace_as_suffix = True

    def unigram(proto: Any) -> None:
        proto.trainer_spec.model_type = 1

    def nothing(_: Any) -> None:
        pass

    assert "unknown characters" in refusal(unknown)
    assert "equal score" in refusal(equal)
    assert "unused pieces" in refusal(unused)
    assert "replaces characters" in refusal(other)
    assert "does not escape spaces" in refusal(plain)
    assert "at the end of words" in refusal(behind)
    assert "is not a BPE model" in refusal(unigram)
    assert "'<|im_start|>'" in refusal(nothing, add_dummy_prefix=True)
    assert "'a b'" in refusal(nothing, user_defined_symbols=["a b"])


def test_a_file_that_is_not_a_model_is_refused_in_one_line() -> None:
    with pytest.raises(
        ValueError, match=r"the tokenizer\.model in 'here' cannot be read"
    ) as caught:
        parse_model(b"version https://git-lfs.github.com/spec/v1\n", "here")
    assert "\n" not in str(caught.value)


def test_without_sentencepiece_an_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece.sentencepiece_model_pb2", None)
    with pytest.raises(ValueError, match="sentencepiece and protobuf, which are not installed"):
        parse_model(b"", "here")


def test_the_configuration_s_names_for_tokens_take_precedence(tmp_path: Path) -> None:
    named = {"added_tokens_decoder": {"1": {"content": "<start>"}}, "pad_token": "<unk>"}
    write_fast_tokenizer(
        tmp_path, train(), {**named, "bos_token": "<start>", "eos_token": None}, "here"
    )
    config = json.loads((tmp_path / "tokenizer_config.json").read_text("utf-8"))
    roles = {"unk": "<unk>", "bos": "<start>", "eos": END, "pad": "<unk>"}
    assert {role: config[f"{role}_token"] for role in roles} == roles
    library: Any = import_module("tokenizers")
    made = library.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert ids(made, "<start>") == [1]
    assert made.get_vocab_size() == WORDS


@pytest.mark.parametrize("taken", [{1: END}, {WORDS - 1: "<start>"}])
def test_names_that_clash_with_words_are_refused(taken: dict[int, str]) -> None:
    with pytest.raises(ValueError, match="other names for its words"):
        build_tokenizer(parse_model(train(), "here"), "here", taken)
