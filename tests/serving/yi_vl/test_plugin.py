"""The plugin as vLLM finds it: configurations, tokens, pictures, weights, two ranks.

Run in child processes, since vLLM and transformers need the shim.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from serving.standin.cache import SHIM
from tests.serving.yi_vl.folders import write_json, write_published

pytestmark = pytest.mark.skipif(
    not all(find_spec(name) for name in ("torch", "transformers", "vllm")),
    reason="no vLLM is installed here",
)

ROOT = Path(__file__).parents[3]
WORDS = 8_192
"""Of the tiny checkpoints; the picture's token comes behind them."""

MAKE = """
import sys
from pathlib import Path
from safetensors.torch import load_file, save_file
from serving.yi_vl.checkpoints.writing import write_checkpoint

place = Path(sys.argv[1])
published = write_checkpoint(place / "published", layout="published", sharded=True)
write_checkpoint(place / "converted", layout="converted", newer_names=True)
write_checkpoint(place / "pickled", layout="published", pickled=True)
lacks = write_checkpoint(place / "lacks", layout="converted")
tensors = load_file(lacks / "model.safetensors")
del tensors["language_model.model.layers.1.self_attn.k_proj.weight"]
save_file(tensors, lacks / "model.safetensors")
"""
BOTH = {
    "lm_head.weight": "language_model.lm_head.weight",
    "vision_tower.vision_model.embeddings.position_ids": None,
    "vision_tower.encoder.layers.0.mlp.fc1.bias": (
        "vision_tower.vision_model.encoder.layers.0.mlp.fc1.bias"
    ),
    "vision_tower.vision_model.pre_layrnorm.bias": "vision_tower.vision_model.pre_layrnorm.bias",
    "vision_tower.text_model.embeddings.token_embedding.weight": None,
    "vision_tower.logit_scale": None,
}
NAMES: dict[str, dict[str, str | None]] = {
    "published": {
        **BOTH,
        "model.mm_projector.0.weight": "multi_modal_projector.linear_1.weight",
        "model.mm_projector.1.bias": "multi_modal_projector.linear_2.bias",
        "model.mm_projector.3.weight": "multi_modal_projector.linear_3.weight",
        "model.mm_projector.4.bias": "multi_modal_projector.linear_4.bias",
        "model.layers.0.mlp.up_proj.weight": "language_model.model.layers.0.mlp.up_proj.weight",
        "model.norm.weight": "language_model.model.norm.weight",
        "model.vision_tower.vision_tower.vision_model.pre_layrnorm.bias": None,
    },
    "converted": {
        **BOTH,
        "language_model.model.norm.weight": "language_model.model.norm.weight",
        "model.language_model.norm.weight": "language_model.model.norm.weight",
        "model.vision_tower.vision_model.pre_layrnorm.bias": (
            "vision_tower.vision_model.pre_layrnorm.bias"
        ),
        "multi_modal_projector.linear_3.bias": "multi_modal_projector.linear_3.bias",
        "model.multi_modal_projector.linear_4.bias": "multi_modal_projector.linear_4.bias",
    },
}
"""What tensors are named in the model, by the names of their layout; None: not wanted."""


def child(*arguments: str, asked: str = "") -> str:
    path = os.pathsep.join([str(SHIM), str(ROOT)])
    env = {
        **os.environ,
        "PYTHONPATH": path,
        "HF_HUB_OFFLINE": "1",
        "CUDA_VISIBLE_DEVICES": "",
        "VLLM_LOGGING_LEVEL": "ERROR",
    }
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, env=env, input=asked, capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("yi")
    child("-c", MAKE, str(place))
    yield place
    shutil.rmtree(place)


@pytest.fixture(scope="module")
def told(place: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folders = tmp_path_factory.mktemp("folders")
    for name in ("published", "converted"):
        (folders / name).symlink_to(place / name)
    write_published(folders / "plain", mm_projector_type="mlp2x_gelu")
    write_published(folders / "brief")
    towerless = write_published(folders / "towerless")
    shutil.rmtree(towerless / "vit")
    write_json(folders / "other" / "config.json", {"architectures": ["LlamaForCausalLM"]})
    for name in ("pickled", "lacks"):
        (folders / name).symlink_to(place / name)
    asked = json.dumps({layout: list(names) for layout, names in NAMES.items()})
    said = child("-m", "tests.serving.yi_vl.telling", str(folders), asked=asked)
    return json.loads(said.splitlines()[-1])


def test_vllm_finds_the_architecture_and_a_second_registration_changes_nothing(
    told: dict[str, Any],
) -> None:
    assert told["known"]


def test_both_layouts_become_the_same_configuration_but_for_the_tower_s_place(
    told: dict[str, Any],
) -> None:
    published, converted = told["configured"]["published"], told["configured"]["converted"]
    assert published.pop("tower") == "vit/clip-vit-H-14-laion2B-s32B-b79K-yi-vl-6B-448"
    assert converted.pop("tower") == ""
    assert published.pop("words") == [WORDS, WORDS + 64, WORDS]
    assert converted.pop("words") == [WORDS + 64, WORDS + 64, WORDS]
    assert published == converted
    assert published["architectures"] == ["YiVLForConditionalGeneration"]
    assert published["features"] == [-2, 1024]
    assert published["theta"] == 5e6


def test_a_context_that_the_files_do_not_tell_is_the_published_one(told: dict[str, Any]) -> None:
    assert told["configured"]["brief"]["language"][2] == 4096


def test_a_folder_that_is_not_yi_vl_is_refused_in_one_line(told: dict[str, Any]) -> None:
    refused = told["refused"]
    assert "mm_projector_type is 'mlp2x_gelu'" in refused["plain"]
    assert "lacks its vision tower" in refused["towerless"]
    assert "names ['LlamaForCausalLM']" in refused["other"]
    assert not any("\n" in line for line in refused.values())


@pytest.mark.parametrize("layout", ["published", "converted"])
def test_the_placeholder_is_one_token_and_divides_texts_that_are_tokenised_alone(
    told: dict[str, Any], layout: str
) -> None:
    seen = told["tokenised"][layout]
    before, between = seen["alone"]
    assert seen["picture"] == [WORDS]
    assert seen["around"] == [*before, WORDS, *between, WORDS]
    assert seen["special"]
    assert seen["last"] >= WORDS


@pytest.mark.parametrize("layout", ["published", "converted"])
def test_nothing_is_added_to_a_text_and_nothing_lost(told: dict[str, Any], layout: str) -> None:
    seen = told["tokenised"][layout]
    assert seen["back"] == " Who was it?"
    assert seen["ends"] == [1, 2]
    assert seen["alone"] == told["tokenised"]["published"]["alone"]
    assert 1 not in seen["alone"][0]


def test_no_first_token_is_added_whatever_the_files_say(told: dict[str, Any]) -> None:
    assert told["without start"] == told["tokenised"]["published"]["alone"][0]


def test_another_word_for_a_picture_is_plain_text(told: dict[str, Any]) -> None:
    assert told["tokenised"]["converted"]["foreign"] > 1


def test_a_picture_is_padded_to_a_square_with_the_mean_colour(told: dict[str, Any]) -> None:
    seen = told["seen"]
    assert seen["shape"] == [3, 3, 448, 448]
    # The colours are cut to whole levels, then the mean is taken away.
    levels = [int(mean * 255) / 255 - mean for mean in (0.25, 0.5, 0.75)]
    assert seen["border"] == pytest.approx(levels, abs=1e-6)
    assert seen["middle"] == pytest.approx([0.75, 0.5, 0.25], abs=1e-6)
    assert seen["glass"] == pytest.approx([0.75, 0.5, 0.25], abs=1e-6)
    border, red = seen["array"]
    assert border == pytest.approx(levels, abs=1e-6)
    assert red == pytest.approx([0.75, -0.5, -0.75], abs=1e-6)


def test_what_a_picture_becomes_does_not_depend_on_others(told: dict[str, Any]) -> None:
    assert told["seen"]["alone"]


def test_a_processor_for_another_size_is_refused(told: dict[str, Any]) -> None:
    assert "was to crop pictures to 448 x 448" in told["wrong side"]
    assert "says 224 x 224" in told["wrong side"]


def test_tensors_of_both_layouts_find_their_places(told: dict[str, Any]) -> None:
    assert told["mapped"] == NAMES


def test_vllm_hands_the_template_parts(told: dict[str, Any]) -> None:
    assert told["format"] == "openai"


def test_weights_load_from_all_kinds_of_files(told: dict[str, Any]) -> None:
    loaded = told["loaded"]
    first, second = loaded["published"]
    assert first != pytest.approx(second, abs=0.1)
    for other in (loaded["converted"], loaded["pickled"]):
        assert other[0] == pytest.approx(first, abs=2e-3)
        assert other[1] == pytest.approx(second, abs=2e-3)


def test_a_tensor_that_is_missing_is_named_in_one_line(told: dict[str, Any]) -> None:
    said = told["loaded"]["lacks"]
    assert "lacks language_model.model.layers.1.self_attn.k_proj.weight" in said
    assert "\n" not in said


def test_two_processes_see_a_picture_as_one_does(
    place: Path, told: dict[str, Any], tmp_path: Path
) -> None:
    folder = str(place / "published")
    said = child("-m", "tests.serving.yi_vl.loading", str(tmp_path / "meeting"), folder)
    split = json.loads(said.splitlines()[-1])
    for one, two in zip(told["loaded"]["published"], split, strict=True):
        assert two == pytest.approx(one, abs=2e-3)
