"""The stand-in's checkpoint, its tokenizer and template, its cache, and the shim it needs."""

import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment
from tokenizers import Tokenizer

from serving.errors import EngineError
from serving.model_files.profile import find_profile
from serving.model_files.weights import weights_problem
from serving.standin import standin_cache
from serving.standin.bpe_tokenizer import SPECIAL_TOKENS, common_characters, train_tokenizer
from serving.standin.standin_cache import RECIPES, SHIM, is_whole, recipe_hash, standin_folder
from serving.yi_vl.checkpoint_layout import read_layout

TEMPLATE = (Path(standin_cache.__file__).with_name("chat_template.jinja")).read_text(
    encoding="utf-8"
)
TOKENIZER = train_tokenizer(())
ENGLISH = (
    "I arrived at the lighthouse shortly before nine. The captain was arguing with Eleanor about "
    "the insurance, and nobody noticed that the barometer had been moved to the other wall."
)
CHINESE = "我在九点前到达灯塔。船长正在和艾琳争论保险单的事，没有人注意到气压计被移到了另一面墙上。"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def folder(place: Path) -> Path:
    return standin_folder(cache=place)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.slow
def test_the_checkpoint_is_small_and_a_qwen2_5_vl_of_32k_tokens(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert config["architectures"] == ["Qwen2_5_VLForConditionalGeneration"]
    assert config["text_config"]["max_position_embeddings"] == 32_768
    assert (folder / "model.safetensors").stat().st_size < 40_000_000
    assert config["image_token_id"] == TOKENIZER.token_to_id("<|image_pad|>")


@pytest.mark.slow
def test_a_picture_costs_at_most_256_tokens(folder: Path) -> None:
    processor = json.loads((folder / "preprocessor_config.json").read_text(encoding="utf-8"))
    side = processor["patch_size"] * processor["merge_size"]
    assert processor["max_pixels"] // side**2 == 256


@pytest.mark.slow
def test_a_reply_ends_with_the_end_of_a_turn(folder: Path) -> None:
    ends = json.loads((folder / "generation_config.json").read_text(encoding="utf-8"))
    assert TOKENIZER.token_to_id("<|im_end|>") in ends["eos_token_id"]


@pytest.fixture(scope="module")
def yi(place: Path) -> Path:
    return standin_folder(name="stand-in-yi", cache=place)


@pytest.mark.slow
def test_the_yi_stand_in_is_a_whole_yi_vl_with_the_figures_of_its_profile(yi: Path) -> None:
    profile = find_profile("stand-in-yi")
    assert weights_problem(profile, yi) == ""
    assert read_layout(yi) == "published"
    config = json.loads((yi / "config.json").read_text(encoding="utf-8"))
    assert config["architectures"] == [profile.architecture]
    assert config["max_position_embeddings"] == profile.context_tokens
    shape = ("num_hidden_layers", "num_attention_heads", "num_key_value_heads", "hidden_size")
    layers, heads, kv_heads, width = (config[name] for name in shape)
    assert (heads, kv_heads) == (profile.heads, profile.kv_heads)
    assert 2 * layers * kv_heads * width // heads * 4 == profile.kv_bytes_per_token.value
    count = sum(parameters(path) for path in yi.rglob("*.safetensors"))
    assert count == round(profile.parameters_b * 1e9)


def parameters(path: Path) -> int:
    """Count what a file of safetensors holds, by the header it begins with."""
    data = path.read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    return sum(math.prod(one["shape"]) for name, one in header.items() if name != "__metadata__")


@pytest.mark.slow
def test_a_broken_tower_has_the_yi_stand_in_made_again_with_the_same_bytes(
    place: Path, yi: Path
) -> None:
    files = [path for path in sorted(yi.rglob("*")) if path.is_file()]
    before = {path: path.read_bytes() for path in files}
    (tower,) = yi.glob("vit/*/model.safetensors")
    tower.write_bytes(b"torn")
    assert not is_whole(yi)
    assert standin_folder(name="stand-in-yi", cache=place) == yi
    assert {path: path.read_bytes() for path in files} == before


@pytest.mark.slow
def test_each_stand_in_has_a_folder_of_its_own(folder: Path, yi: Path) -> None:
    assert folder.name == f"standin-{recipe_hash(())}"
    assert yi.name == f"standin-yi-{recipe_hash((), 'stand-in-yi')}"
    for recipe in RECIPES.values():
        assert all((SHIM.parent / file).is_file() for file in recipe.files)


@pytest.mark.slow
def test_a_checkpoint_that_is_there_is_not_made_again(
    place: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert standin_folder(cache=place) == folder


@pytest.mark.slow
def test_a_broken_checkpoint_is_made_again_with_the_same_bytes(place: Path, folder: Path) -> None:
    before = contents(folder)
    (folder / "model.safetensors").write_bytes(b"torn")
    assert not is_whole(folder)
    assert standin_folder(cache=place) == folder
    assert contents(folder) == before
    assert [path.name for path in place.glob(".*")] == []


@pytest.mark.slow
def test_the_recipe_has_a_name_that_follows_what_it_is_made_from(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert folder.name == f"standin-{recipe_hash(())}"
    assert recipe_hash(()) != recipe_hash(("more",)) != recipe_hash(("mo", "re"))
    fewer = replace(RECIPES["stand-in"], files=("standin/bpe_tokenizer.py",))
    monkeypatch.setattr(standin_cache, "RECIPES", {"stand-in": fewer})
    assert folder.name != f"standin-{recipe_hash(())}"


def test_a_cache_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EngineError, match=r"^the stand-in cannot be built in .*file.*: .*$"):
        standin_folder(cache=tmp_path / "file")


def test_what_goes_wrong_in_the_making_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(EngineError, match=r"^the stand-in cannot be built: exit status 1$"):
        standin_folder(cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_tokenizer_is_the_same_each_time() -> None:
    assert train_tokenizer(()).to_str() == TOKENIZER.to_str()
    assert train_tokenizer(("barometer " * 9,)).to_str() != TOKENIZER.to_str()


@given(st.text())
def test_any_text_comes_back_from_its_tokens(text: str) -> None:
    assert decode(TOKENIZER.encode(text).ids) == text


def decode(ids: list[int]) -> str:
    return TOKENIZER.decode(ids, skip_special_tokens=False)


def test_both_languages_are_decently_compressed() -> None:
    assert tokens(TOKENIZER, ENGLISH) < len(ENGLISH) / 3.3
    assert tokens(TOKENIZER, CHINESE) < len(CHINESE)
    assert all(tokens(TOKENIZER, character) == 1 for character in common_characters())


def tokens(tokenizer: Tokenizer, text: str) -> int:
    return len(tokenizer.encode(text).ids)


@pytest.mark.slow
def test_texts_of_the_caller_are_learnt() -> None:
    taught = train_tokenizer(["barometer 艾琳 艾琳 barometer"] * 5)
    assert tokens(taught, "艾琳") == 1
    assert tokens(taught, " barometer") < tokens(TOKENIZER, " barometer")


def test_special_tokens_are_one_token_each_and_text_never_becomes_one() -> None:
    for word in SPECIAL_TOKENS:
        assert tokens(TOKENIZER, word) == 1
    assert tokens(TOKENIZER, "<|im_ end|>") > 1


def render(messages: list[dict[str, Any]], *, ask: bool) -> str:
    # The settings with which transformers, and so the engine, renders a chat template.
    environment = Environment(trim_blocks=True, lstrip_blocks=True, autoescape=False)
    template = environment.from_string(TEMPLATE)
    return template.render(messages=messages, add_generation_prompt=ask)


def text_part(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def message(role: str, content: str | list[dict[str, str]]) -> dict[str, Any]:
    return {"role": role, "content": content}


WORDS = st.text(max_size=9)
PARTS = st.lists(st.builds(text_part, WORDS) | st.just({"type": "image"}), max_size=4)
ASKED = st.builds(message, st.sampled_from(["system", "user"]), WORDS | PARTS)


@pytest.mark.slow
@given(st.lists(ASKED, min_size=1, max_size=4), WORDS, st.lists(ASKED, max_size=3))
def test_a_prompt_only_grows(
    before: list[dict[str, Any]], reply: str, after: list[dict[str, Any]]
) -> None:
    later = [*before, message("assistant", reply), *after]
    assert render(later, ask=True).startswith(render(before, ask=True) + reply + "<|im_end|>\n")


def test_pictures_stand_where_they_were_put() -> None:
    picture, said = {"type": "image"}, {"type": "text", "text": "then"}
    content = [picture, said, picture, picture, said]
    shown = "<|vision_start|><|image_pad|><|vision_end|>"
    assert render([{"role": "user", "content": content}], ask=True) == (
        f"<|im_start|>user\n{shown}then{shown}{shown}then<|im_end|>\n<|im_start|>assistant\n"
    )


TORCH = """
import types, os
defined = []
class Library:
    def __init__(self, name, kind): defined.append((name, kind))
    def define(self, schema): defined.append(schema)
def load_library(path):
    if os.environ["LOADS"] == "no": raise OSError("Could not load this library")
library = types.SimpleNamespace(Library=Library)
ops = types.SimpleNamespace(load_library=load_library)
"""
BROKEN = """
import torch
from {name}._inner import thing
torch.ops.load_library("x")
"""
ASKS = """
import torchvision, torchaudio, torch, sys
print(torch.defined, hasattr(torchaudio, "thing"))
try:
    import torchaudio._inner
except ImportError as error:
    print("absent")
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with packages that behave as the broken builds do, or as whole ones."""
    (tmp_path / "torch.py").write_text(TORCH)
    (tmp_path / "torchvision").mkdir()
    (tmp_path / "torchvision" / "__init__.py").write_text("import torch; seen = torch.defined")
    (tmp_path / "torchvision" / "_C.so").touch()
    (tmp_path / "torchaudio").mkdir()
    (tmp_path / "torchaudio" / "__init__.py").write_text(BROKEN.format(name="torchaudio"))
    (tmp_path / "torchaudio" / "_inner.py").write_text("thing = 1")
    return tmp_path


def run(code: str, *path: Path, loads: str = "no") -> str:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "LOADS": loads}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout


def test_the_shim_declares_what_a_broken_torchvision_wants_and_empties_torchaudio(
    site: Path,
) -> None:
    schema = "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
    declared = [("torchvision", "DEF"), f"nms{schema}", f"qnms{schema}"]
    assert run(ASKS, SHIM, site) == f"{declared} False\nabsent\n"


def test_the_shim_leaves_whole_builds_alone(site: Path) -> None:
    assert run(ASKS, SHIM, site, loads="yes") == "[] True\n"


def test_the_shim_costs_a_process_that_imports_none_of_them_nothing(site: Path) -> None:
    code = "import sys, json; print('torch' in sys.modules, sys.modules['json'].__name__)"
    assert run(code, SHIM, site) == "False json\n"


def test_the_shim_runs_the_sitecustomize_that_it_hides(site: Path) -> None:
    (site / "sitecustomize.py").write_text("import sys; sys.hidden = 1")
    assert run("import sys; print(sys.hidden)", SHIM, site) == "1\n"


INSTALLED = """
import importlib, importlib.util
for name in ("torchvision.transforms", "torchaudio", "torchcodec"):
    if importlib.util.find_spec(name.partition(".")[0]):
        importlib.import_module(name)
print("fine")
"""


@pytest.mark.slow
def test_the_packages_that_are_installed_here_import_behind_the_shim() -> None:
    assert run(INSTALLED, SHIM) == "fine\n"
