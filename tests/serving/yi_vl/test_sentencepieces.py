"""Tokenizers made from tokenizer.model give the ids that sentencepiece gives."""

import io
import json
import os
import subprocess
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import serving.standin
from serving.standin.cache import SHIM
from serving.yi_vl.layout import IMAGE, SYSTEM
from serving.yi_vl.sentencepieces import build_tokenizer, read_model, write_fast
from tests.serving.yi_vl.folders import write_json, write_published

pytestmark = pytest.mark.skipif(
    not all(find_spec(name) for name in ("sentencepiece", "google", "google.protobuf")),
    reason="no sentencepiece is installed here",
)

ROOT = Path(__file__).parents[3]
START, END = "<|startoftext|>", "<|endoftext|>"
SYMBOLS: Final = ("<|im_start|>", "<|im_end|>", "<|im", "▁▁▁")
PROMPT: Final = f"{SYSTEM}\n\n### Human: Who was it?\n### Assistant:"
WORDS = 2_600
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
CHILD = """
import json, sys
from vllm.plugins import load_general_plugins
from vllm.tokenizers import registry
import serving.yi_vl

load_general_plugins()
serving.yi_vl.register()
made = registry.get_tokenizer(sys.argv[1], tokenizer_mode="yi_vl")
told = {
    "ids": [made.encode(text) for text in json.load(sys.stdin)],
    "roles": [made.bos_token_id, made.eos_token_id, made.unk_token_id],
    "special": made.all_special_tokens,
    "back": made.decode(made.encode(" Who was it?")),
}
print("\\n" + json.dumps(told))
"""


@cache
def lines() -> tuple[str, ...]:
    words = Path(serving.standin.__file__).with_name("words.json")
    parsed: dict[str, list[str]] = json.loads(words.read_text("utf-8"))
    return tuple(line for told in parsed.values() for line in told)


def train(**changes: object) -> bytes:
    library: Any = import_module("sentencepiece")
    made = io.BytesIO()
    library.SentencePieceTrainer.train(
        sentence_iterator=iter(lines()), model_writer=made, **{**YI, **changes}
    )
    return made.getvalue()


@cache
def both(kind: str) -> tuple[Any, Any]:
    """Return sentencepiece's tokenizer and ours."""
    library: Any = import_module("sentencepiece")
    model = train(**KINDS[kind])
    ours = build_tokenizer(read_model(model, "here"), "here")
    return library.SentencePieceProcessor(model_proto=model), ours


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
    # What these three stand for is read in a text; sentencepiece itself does not.
    return (
        st.lists(part, max_size=16)
        .map("".join)
        .filter(lambda text: not any(word in text for word in (START, END, "<unk>")))
    )


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


@pytest.mark.parametrize("kind", KINDS)
def test_every_word_and_line_becomes_the_ids_that_sentencepiece_gives(kind: str) -> None:
    theirs, ours = both(kind)
    pieces = {theirs.id_to_piece(id_) for id_ in range(theirs.get_piece_size())}
    for text in (pieces - {START, END, "<unk>"}) | set(lines()):
        assert ids(ours, text) == theirs.encode(text), text


def test_words_never_join_to_what_stands_for_a_byte() -> None:
    library: Any = import_module("sentencepiece")
    proto = read_model(train(), "here")
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
def test_the_space_put_before_a_text_is_taken_away_again(text: str) -> None:
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
    proto = read_model(train(**trained), "here")
    change(proto)
    with pytest.raises(ValueError, match="cannot be followed exactly") as caught:
        build_tokenizer(read_model(proto.SerializeToString(), "here"), "here")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_cannot_be_followed_exactly_is_refused_in_one_line() -> None:
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
    assert "out of use" in refusal(unused)
    assert "other characters in place" in refusal(other)
    assert "leaves spaces" in refusal(plain)
    assert "behind words" in refusal(behind)
    assert "is not a BPE model" in refusal(unigram)
    assert "'<|im_start|>'" in refusal(nothing, add_dummy_prefix=True)
    assert "'a b'" in refusal(nothing, user_defined_symbols=["a b"])


def test_a_file_that_is_no_model_is_refused_in_one_line() -> None:
    with pytest.raises(
        ValueError, match=r"the tokenizer\.model in 'here' cannot be read"
    ) as caught:
        read_model(b"version https://git-lfs.github.com/spec/v1\n", "here")
    assert "\n" not in str(caught.value)


def test_without_sentencepiece_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece.sentencepiece_model_pb2", None)
    with pytest.raises(ValueError, match="not installed"):
        read_model(b"", "here")


def test_the_configurations_names_for_tokens_hold(tmp_path: Path) -> None:
    named = {"added_tokens_decoder": {"1": {"content": "<start>"}}, "pad_token": "<unk>"}
    write_fast(tmp_path, train(), {**named, "bos_token": "<start>", "eos_token": None}, "here")
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
        build_tokenizer(read_model(train(), "here"), "here", taken)


@pytest.mark.skipif(
    not all(find_spec(name) for name in ("transformers", "vllm")),
    reason="no vLLM is installed here",
)
def test_a_folder_without_tokenizer_json_loads_in_the_tokenizer_mode(tmp_path: Path) -> None:
    theirs, _ = both("as Yi's")
    folder = write_published(tmp_path / "model", vocab_size=WORDS)
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer.model").write_bytes(train())
    config = {"tokenizer_class": "LlamaTokenizer", "add_bos_token": False, "legacy": True}
    tokens = {"unk_token": "<unk>", "bos_token": START, "eos_token": END, "pad_token": "<unk>"}
    write_json(folder / "tokenizer_config.json", {**config, **tokens})
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(SHIM), str(ROOT)]),
        "HF_HUB_OFFLINE": "1",
        "CUDA_VISIBLE_DEVICES": "",
        "VLLM_LOGGING_LEVEL": "ERROR",
    }
    asked = ["Look", PROMPT, "  a\n\n  b 12", "龘🙂<|im_start|>▁▁▁   "]
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(folder)],
        env=env,
        input=json.dumps([*asked, IMAGE, f"Look{IMAGE}\n{PROMPT}"]),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    around = [*theirs.encode("Look"), WORDS, *theirs.encode(f"\n{PROMPT}")]
    assert told["ids"] == [*map(theirs.encode, asked), [WORDS], around]
    assert told["roles"] == [1, 2, 0]
    assert IMAGE in told["special"]
    assert told["back"] == " Who was it?"
