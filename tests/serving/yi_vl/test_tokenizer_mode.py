"""Tokenizer mode `yi_vl`: which of a checkpoint's tokenizer files decides, and the ids it gives.

Run in a child process: vLLM and transformers need the shim.
"""

import json
import os
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest

from serving.standin.standin_cache import SHIM
from serving.yi_vl.prompt_format import IMAGE_PLACEHOLDER
from serving.yi_vl.sentencepiece_convert import parse_model
from tests.serving.yi_vl.checkpoint_folders import write_converted, write_json, write_published
from tests.serving.yi_vl.sentencepiece_models import (
    END,
    PROMPT,
    START,
    WORDS,
    both,
    train,
)

pytestmark = pytest.mark.skipif(
    not all(
        find_spec(name) for name in ("sentencepiece", "google.protobuf", "transformers", "vllm")
    ),
    reason="no sentencepiece or no vLLM is installed here",
)

ROOT = Path(__file__).parents[3]
PLAIN: Final = ("Look", PROMPT, " Who was it?\n", "谋杀案 12 龘🙂", "captain")
SYMBOLIC: Final = ("  a\n\n  b 12", "龘🙂<|im_start|>▁▁▁   ", "a<|im_end|>\nb")
"""Texts with symbols of the model, which the old converter's file does not have."""
AROUND: Final = f"Look{IMAGE_PLACEHOLDER}\n{PROMPT}"
TEXTS: Final = (*PLAIN, *SYMBOLIC, IMAGE_PLACEHOLDER, AROUND)
ROLES: Final = {"unk_token": "<unk>", "bos_token": START, "eos_token": END}
CONFIG: Final = {"tokenizer_class": "LlamaTokenizer", "add_bos_token": False, "legacy": True}


def old_converter_file() -> dict[str, Any]:
    """Return the tokenizer.json that transformers before 4.42 writes for the model.

    Its LlamaConverter adds a space before each text whatever the model says, and knows only the
    first three tokens as special ones: the model's symbols are plain text.
    """
    library: Any = import_module("tokenizers")
    pieces = [(piece.piece, piece.score) for piece in parse_model(train(), "here").pieces]
    vocabulary = {piece: number for number, (piece, _) in enumerate(pieces)}
    merges = [
        (piece[:cut], piece[cut:])
        for piece, _ in sorted(pieces, key=lambda one: -one[1])
        for cut in range(1, len(piece))
        if piece[:cut] in vocabulary and piece[cut:] in vocabulary
    ]
    tokenizer = library.Tokenizer(
        library.models.BPE(vocabulary, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    )
    normalizers, decoders = library.normalizers, library.decoders
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    tokenizer.add_special_tokens(["<unk>", START, END])
    tokenizer.post_processor = library.processors.TemplateProcessing(
        single=f"{START} $A", pair=f"{START} $A {START} $B", special_tokens=[(START, 1)]
    )
    return json.loads(tokenizer.to_str())


def metaspace_file() -> dict[str, Any]:
    """Return the same with the space added by a pre-tokenizer, as for `legacy=False`."""
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"}
    return {
        **old_converter_file(),
        "normalizer": None,
        "pre_tokenizer": {**metaspace, "split": False},
    }


def write_model(folder: Path) -> Path:
    write_published(folder, vocab_size=WORDS)
    write_json(folder / "tokenizer_config.json", {**CONFIG, **ROLES, "pad_token": "<unk>"})
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer.model").write_bytes(train())
    return folder


def write_conversion(folder: Path) -> Path:
    """Write a conversion with both files: its added tokens are in tokenizer_config.json."""
    text, added = {"vocab_size": WORDS + 64}, {"special": True, "normalized": False}
    write_converted(folder, image_token_index=WORDS, text_config=text)
    names = {0: "<unk>", 1: START, 2: END, WORDS: "<image>", WORDS + 1: "<pad>"}
    decoder = {str(id_): {"content": word, **added} for id_, word in names.items()}
    config = {**CONFIG, **ROLES, "pad_token": "<pad>", "added_tokens_decoder": decoder}
    write_json(folder / "tokenizer_config.json", config)
    (folder / "tokenizer.model").write_bytes(train())
    write_json(folder / "tokenizer.json", old_converter_file())
    return folder


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    place = tmp_path_factory.mktemp("tokenizers")
    names = ("model", "both", "json", "metaspace", "broken", "inexact")
    folders = {name: write_model(place / name) for name in names}
    folders["conversion"] = write_conversion(place / "conversion")
    for name in ("both", "json", "broken", "inexact"):
        write_json(folders[name] / "tokenizer.json", old_converter_file())
    write_json(folders["metaspace"] / "tokenizer.json", metaspace_file())
    for name in ("json", "metaspace"):
        (folders[name] / "tokenizer.model").unlink()
    (folders["broken"] / "tokenizer.model").write_bytes(b"version https://git-lfs.github.com/")
    unigram = train(model_type="unigram", user_defined_symbols=[], vocab_size=WORDS - 1_000)
    (folders["inexact"] / "tokenizer.model").write_bytes(unigram)
    done = subprocess.run(
        [sys.executable, "-m", "tests.serving.yi_vl.tokenizer_report", *map(str, folders.values())],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(SHIM), str(ROOT)]),
            "HF_HUB_OFFLINE": "1",
            "CUDA_VISIBLE_DEVICES": "",
            "VLLM_LOGGING_LEVEL": "ERROR",
        },
        input=json.dumps(TEXTS),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def expected_ids(texts: tuple[str, ...]) -> list[list[int]]:
    return [both("as Yi's")[0].encode(text) for text in texts]


def around_ids() -> list[int]:
    theirs, _ = both("as Yi's")
    return [*theirs.encode("Look"), WORDS, *theirs.encode(f"\n{PROMPT}")]


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["model", "both", "conversion"])
def test_a_tokenizer_model_decides_even_if_there_is_a_tokenizer_json(
    reports: dict[str, Any], folder: str
) -> None:
    report = reports[folder]
    assert report["ids"] == [*expected_ids((*PLAIN, *SYMBOLIC)), [WORDS], around_ids()]
    assert report["roles"] == [1, 2, 0]
    assert report["back"] == " Who was it?"
    assert IMAGE_PLACEHOLDER in report["special"]


def test_the_old_converter_s_file_shifts_tokens_if_it_is_read_as_it_is() -> None:
    library: Any = import_module("tokenizers")
    tokenizer = library.Tokenizer.from_str(json.dumps(old_converter_file()))
    encoded = [tokenizer.encode(text, add_special_tokens=False) for text in PLAIN]
    assert all(one.tokens[0].startswith("▁") for one in encoded)
    assert [one.ids for one in encoded] != expected_ids(PLAIN)
    symbol = tokenizer.encode("<|im_start|>", add_special_tokens=False)
    assert len(symbol.ids) > len(both("as Yi's")[0].encode("<|im_start|>"))


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["json", "metaspace"])
def test_the_old_converter_s_file_alone_is_read_without_its_leading_space(
    reports: dict[str, Any], folder: str
) -> None:
    report = reports[folder]
    assert report["ids"][: len(PLAIN)] == expected_ids(PLAIN)
    assert report["ids"][-2:] == [[WORDS], around_ids()]
    assert report["roles"] == [1, 2, 0]
    assert report["back"] == " Who was it?"


@pytest.mark.slow
def test_a_conversion_keeps_the_id_of_its_padding(reports: dict[str, Any]) -> None:
    assert reports["conversion"]["pad"] == WORDS + 1


@pytest.mark.slow
def test_an_unusable_tokenizer_model_is_an_error_even_if_there_is_a_tokenizer_json(
    reports: dict[str, Any],
) -> None:
    assert "the tokenizer.model in " in reports["broken"]["error"]
    assert "cannot be read" in reports["broken"]["error"]
    error = reports["inexact"]["error"]
    assert "is not a BPE model; to use a tokenizer.json instead, remove tokenizer.model" in error
