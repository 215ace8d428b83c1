"""Tiny checkpoints: tensor names of both layouts, which hold the same weights."""

import json
import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch")
pytest.importorskip("safetensors")

from serving.yi_vl.checkpoints.cli import main
from serving.yi_vl.checkpoints.tiny_tokenizer import train_tokenizer
from serving.yi_vl.checkpoints.writer import write_checkpoint
from serving.yi_vl.model_dims import PADDING_TOKENS, SIX_B, TINY, ModelDims

TORCH: Any = import_module("torch")
SAFETENSORS: Any = import_module("safetensors.torch")
TOWER = "vit/clip-vit-H-14-laion2B-s32B-b79K-yi-vl-6B-448"
TOKENIZER = train_tokenizer(TINY.vocabulary)

LLAMA = {
    "model.embed_tokens.weight",
    "model.layers.#.input_layernorm.weight",
    "model.layers.#.mlp.down_proj.weight",
    "model.layers.#.mlp.gate_proj.weight",
    "model.layers.#.mlp.up_proj.weight",
    "model.layers.#.post_attention_layernorm.weight",
    "model.layers.#.self_attn.k_proj.weight",
    "model.layers.#.self_attn.o_proj.weight",
    "model.layers.#.self_attn.q_proj.weight",
    "model.layers.#.self_attn.v_proj.weight",
    "model.norm.weight",
    "lm_head.weight",
}
CLIP = {
    "vision_model.embeddings.class_embedding",
    "vision_model.embeddings.patch_embedding.weight",
    "vision_model.embeddings.position_embedding.weight",
    *(
        f"vision_model.{layer}.{kind}"
        for layer in (
            "pre_layrnorm",
            "post_layernorm",
            "encoder.layers.#.layer_norm1",
            "encoder.layers.#.layer_norm2",
            "encoder.layers.#.mlp.fc1",
            "encoder.layers.#.mlp.fc2",
            "encoder.layers.#.self_attn.k_proj",
            "encoder.layers.#.self_attn.out_proj",
            "encoder.layers.#.self_attn.q_proj",
            "encoder.layers.#.self_attn.v_proj",
        )
        for kind in ("weight", "bias")
    ),
}
PROJECTOR = {
    f"model.mm_projector.{layer}.{kind}" for layer in (0, 1, 3, 4) for kind in ("weight", "bias")
}
LINEARS = {
    f"multi_modal_projector.linear_{layer}.{kind}"
    for layer in (1, 2, 3, 4)
    for kind in ("weight", "bias")
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("yi")
    write_checkpoint(place / "published", layout="published")
    write_checkpoint(place / "converted", layout="converted")
    write_checkpoint(place / "newer", layout="converted", newer_names=True, sharded=True)
    write_checkpoint(place / "sharded", layout="published", sharded=True)
    write_checkpoint(place / "pickled", layout="published", pickled=True)
    return place


def read(folder: Path) -> dict[str, Any]:
    tensors: dict[str, Any] = {}
    for path in sorted(folder.glob("*.safetensors")):
        tensors |= SAFETENSORS.load_file(path)
    for path in sorted(folder.glob("*.bin")):
        tensors |= TORCH.load(path, weights_only=True)
    return tensors


def names(folder: Path) -> set[str]:
    return {re.sub(r"layers\.\d+", "layers.#", name) for name in read(folder)}


def config(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "config.json").read_text(encoding="utf-8"))


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(
    made: Path, tmp_path: Path
) -> None:
    before = contents(made / "published")
    again = contents(write_checkpoint(tmp_path / "again", layout="published"))
    other = contents(write_checkpoint(tmp_path / "other", layout="published", seed=1))
    assert again == before
    assert {name for name in other if other[name] != before[name]} == {
        "model.safetensors",
        f"{TOWER}/model.safetensors",
    }


@pytest.mark.slow
def test_the_published_layout_has_the_published_names(made: Path) -> None:
    folder = made / "published"
    assert names(folder) == LLAMA | PROJECTOR
    assert names(folder / TOWER) == CLIP
    assert config(folder)["mm_vision_tower"] == f"./{TOWER}"
    assert config(folder)["architectures"] == ["LlavaLlamaForCausalLM"]


@pytest.mark.slow
def test_the_conversion_has_the_names_of_older_and_of_newer_saves(made: Path) -> None:
    older = {f"language_model.{name}" for name in LLAMA}
    assert names(made / "converted") == older | LINEARS | {f"vision_tower.{name}" for name in CLIP}
    newer = {name.replace("model.", "model.language_model.", 1) for name in LLAMA}
    inner = LINEARS | {f"vision_tower.{name}" for name in CLIP}
    assert names(made / "newer") == newer | {f"model.{name}" for name in inner}


@pytest.mark.slow
def test_both_layouts_hold_the_same_weights(made: Path) -> None:
    published, tower = read(made / "published"), read(made / "published" / TOWER)
    converted = read(made / "converted")
    places = {"0": "linear_1", "1": "linear_2", "3": "linear_3", "4": "linear_4"}
    for name, tensor in published.items():
        if name.startswith("model.mm_projector."):
            place, kind = name.split(".")[-2:]
            assert converted.pop(f"multi_modal_projector.{places[place]}.{kind}").equal(tensor)
        else:
            other = converted.pop(f"language_model.{name}")
            assert other[: len(tensor)].equal(tensor)
    for name, tensor in tower.items():
        assert converted.pop(f"vision_tower.{name}").equal(tensor)
    assert converted == {}


@pytest.mark.slow
def test_the_conversion_has_64_more_tokens_and_the_first_is_the_image_token(made: Path) -> None:
    facts = config(made / "converted")
    width = TINY.vocabulary + PADDING_TOKENS
    assert facts["image_token_index"] == TINY.vocabulary
    assert facts["pad_token_id"] == TINY.vocabulary + 1
    assert facts["text_config"]["vocab_size"] == width
    weights = read(made / "converted")
    assert len(weights["language_model.lm_head.weight"]) == width
    assert len(weights["language_model.model.embed_tokens.weight"]) == width


@pytest.mark.slow
def test_shards_are_all_in_the_index_and_hold_a_tower_that_must_not_be_used(made: Path) -> None:
    folder = made / "sharded"
    index = json.loads((folder / "model.safetensors.index.json").read_text(encoding="utf-8"))
    for file in set(index["weight_map"].values()):
        held = set(SAFETENSORS.load_file(folder / file))
        assert held == {name for name, it in index["weight_map"].items() if it == file}
    sharded, tower, prefix = read(folder), read(folder / TOWER), "model.vision_tower.vision_tower."
    unused = {name: it for name, it in sharded.items() if name.startswith(prefix)}
    assert unused.keys() == {f"{prefix}{name}" for name in tower}
    assert not any(it.equal(tower[name.removeprefix(prefix)]) for name, it in unused.items())
    assert same(
        {name: it for name, it in sharded.items() if name not in unused}, read(made / "published")
    )


@pytest.mark.slow
def test_a_pickled_checkpoint_is_the_same_with_the_buffers_of_its_age(made: Path) -> None:
    pickled = read(made / "pickled")
    buffers = {name for name in pickled if name.endswith("rotary_emb.inv_freq")}
    assert len(buffers) == TINY.layers
    rest = {name: it for name, it in pickled.items() if name not in buffers}
    assert same(rest, read(made / "published"))
    assert same(read(made / "pickled" / TOWER), read(made / "published" / TOWER))


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return one.keys() == other.keys() and all(it.equal(other[name]) for name, it in one.items())


@pytest.mark.slow
def test_the_norms_of_the_projector_are_far_from_the_identity(made: Path) -> None:
    weights = read(made / "published")
    for layer in (1, 4):
        assert (weights[f"model.mm_projector.{layer}.weight"] - 1).abs().mean() > 0.1
        assert weights[f"model.mm_projector.{layer}.bias"].abs().mean() > 0.1


def test_a_checkpoint_can_be_in_bfloat16(tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path, layout="published", dtype="bfloat16")
    assert {it.dtype for it in read(folder).values()} == {TORCH.bfloat16}
    assert config(folder)["torch_dtype"] == "bfloat16"


@pytest.mark.slow
def test_the_configuration_of_6b_is_the_published_one_and_needs_no_weights(tmp_path: Path) -> None:
    words = [str(tmp_path), "--layout", "published", "--size", "6b-shape", "--no-weights"]
    assert main(words) == 0
    facts = config(tmp_path)
    assert (facts["hidden_size"], facts["vocab_size"], facts["rope_theta"]) == (4096, 64000, 5e6)
    assert (facts["num_attention_heads"], facts["num_key_value_heads"]) == (32, 4)
    assert config(tmp_path / TOWER)["hidden_size"] == SIX_B.vision_hidden == facts["mm_hidden_size"]
    assert not [*tmp_path.rglob("*.safetensors"), *tmp_path.rglob("*.bin")]


def test_weights_of_a_real_size_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "new"), "--layout", "converted", "--size", "34b-shape"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("more", [[], ["--no-weights"]])
def test_a_folder_that_cannot_be_created_is_an_error_of_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert main([str(tmp_path / "file" / "new"), "--layout", "published", *more]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert error.startswith("cannot write a checkpoint to ")


def test_a_shape_whose_heads_do_not_divide_its_width_is_refused() -> None:
    fields = {name: getattr(TINY, name) for name in ModelDims.__slots__}
    with pytest.raises(ValueError, match=r"divide each other, got 100 / 8 / 4$"):
        ModelDims(**{**fields, "hidden": 100, "heads": 8, "kv_heads": 4})


@pytest.mark.slow
def test_the_special_tokens_have_yis_ids_and_none_is_added_before_a_text(made: Path) -> None:
    vocabulary = TOKENIZER.get_vocab()
    words = ("<unk>", "<|startoftext|>", "<|endoftext|>", "<0x00>", "<0xFF>")
    assert [vocabulary[word] for word in words] == [0, 1, 2, 3, 258]
    assert TOKENIZER.get_vocab_size() == TINY.vocabulary
    written: dict[str, Any] = json.loads(
        (made / "published" / "tokenizer_config.json").read_text(encoding="utf-8")
    )
    assert written["add_bos_token"] is False
    assert TOKENIZER.encode("the captain").ids[0] not in {0, 1, 2}


@given(st.text())
@settings(max_examples=50)
def test_any_text_comes_back_from_its_tokens(text: str) -> None:
    plain = re.sub("▁|<unk>|<\\|(start|end)oftext\\|>", "", text)
    assert TOKENIZER.decode(TOKENIZER.encode(plain).ids, skip_special_tokens=False) == plain


def test_words_of_both_languages_are_tokens_and_rare_characters_are_bytes() -> None:
    assert TOKENIZER.encode(" captain").tokens == ["▁captain"]
    assert TOKENIZER.encode("灯塔").tokens == ["灯塔"]
    assert TOKENIZER.encode("齉").tokens == ["<0xE9>", "<0xBD>", "<0x89>"]
    assert TOKENIZER.encode("### Human: \n").tokens == ["###", "▁Human", ":", "▁", "<0x0A>"]


def test_the_tokenizer_is_trained_on_texts_of_the_caller_too() -> None:
    taught = train_tokenizer(TINY.vocabulary + 64, ["zyzzogeton 艾琳娜 艾琳娜 zyzzogeton"] * 40)
    assert len(taught.encode("艾琳娜").ids) == 1
    assert len(taught.encode(" zyzzogeton").ids) < len(TOKENIZER.encode(" zyzzogeton").ids)
