"""Plugin as vLLM uses it: configurations, tokens, prompts, pictures, weights, two ranks.

Run in child processes: vLLM and transformers need the shim.
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

from serving.standin.standin_cache import SHIM
from tests.serving.yi_vl.checkpoint_folders import write_json, write_published

pytestmark = pytest.mark.skipif(
    not all(find_spec(name) for name in ("torch", "transformers", "vllm")),
    reason="no vLLM is installed here",
)

ROOT = Path(__file__).parents[3]
WORDS = 8_192
"""Tokens of the tiny checkpoints; the image token is the first after them."""

MAKE = """
import json, sys
from pathlib import Path
from safetensors.torch import load_file, save_file
from serving.yi_vl.checkpoints.writer import write_checkpoint

place = Path(sys.argv[1])
published = write_checkpoint(place / "published", layout="published", sharded=True)
write_checkpoint(place / "converted", layout="converted", newer_names=True)
write_checkpoint(place / "pickled", layout="published", pickled=True)
absolute = write_checkpoint(place / "absolute", layout="published")
config = json.loads((absolute / "config.json").read_text())
tower = (absolute / config["mm_vision_tower"]).rename(place / "tower")
config["mm_vision_tower"] = str(tower)
(absolute / "config.json").write_text(json.dumps(config))
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
"""Names of tensors in the model by their names in the layout; None: not loaded."""


def child(*arguments: str, asked: str = "") -> str:
    path = os.pathsep.join([str(SHIM), str(ROOT)])
    env = {
        **os.environ,
        "PYTHONPATH": path,
        "HF_HUB_OFFLINE": "1",
        "CUDA_VISIBLE_DEVICES": "",
        "OMP_NUM_THREADS": "1",
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
def report(place: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folders = tmp_path_factory.mktemp("folders")
    for name in ("published", "converted", "pickled", "absolute", "lacks"):
        (folders / name).symlink_to(place / name)
    write_published(folders / "plain", mm_projector_type="mlp2x_gelu")
    write_published(folders / "brief")
    towerless = write_published(folders / "towerless")
    shutil.rmtree(towerless / "vit")
    write_json(folders / "other" / "config.json", {"architectures": ["LlamaForCausalLM"]})
    asked = json.dumps({layout: list(names) for layout, names in NAMES.items()})
    output = child("-m", "tests.serving.yi_vl.plugin_report", str(folders), asked=asked)
    return json.loads(output.splitlines()[-1])


@pytest.mark.slow
def test_vllm_finds_the_architecture_and_a_second_registration_changes_nothing(
    report: dict[str, Any],
) -> None:
    assert report["known"]


@pytest.mark.slow
def test_both_layouts_give_the_same_configuration_except_for_the_tower_s_folder(
    report: dict[str, Any],
) -> None:
    configs = report["configs"]
    published, converted = dict(configs["published"]), dict(configs["converted"])
    assert published.pop("tower") == "vit/clip-vit-H-14-laion2B-s32B-b79K-yi-vl-6B-448"
    assert converted.pop("tower") == ""
    assert published.pop("words") == [WORDS, WORDS + 64, WORDS]
    assert converted.pop("words") == [WORDS + 64, WORDS + 64, WORDS]
    assert published == converted
    assert published["architectures"] == ["YiVLForConditionalGeneration"]
    assert published["features"] == [-2, 1024]
    assert published["theta"] == 5e6


@pytest.mark.slow
def test_the_default_context_is_the_published_one(report: dict[str, Any]) -> None:
    assert report["configs"]["brief"]["language"][2] == 4096


@pytest.mark.slow
def test_a_folder_that_is_not_yi_vl_is_refused_in_one_line(report: dict[str, Any]) -> None:
    refused = report["refused"]
    assert "mm_projector_type is 'mlp2x_gelu'" in refused["plain"]
    assert "lacks its vision tower" in refused["towerless"]
    assert "names ['LlamaForCausalLM']" in refused["other"]
    assert not any("\n" in line for line in refused.values())


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["published", "converted"])
def test_the_placeholder_is_one_token_between_texts_that_are_tokenised_alone(
    report: dict[str, Any], layout: str
) -> None:
    seen = report["tokens"][layout]
    before, between = seen["alone"]
    assert seen["picture"] == [WORDS]
    assert seen["around"] == [*before, WORDS, *between, WORDS]
    assert seen["special"]
    assert seen["last"] >= WORDS


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["published", "converted"])
def test_nothing_is_added_to_a_text_and_nothing_lost(report: dict[str, Any], layout: str) -> None:
    seen = report["tokens"][layout]
    assert seen["back"] == " Who was it?"
    assert seen["ends"] == [1, 2]
    assert seen["alone"] == report["tokens"]["published"]["alone"]
    assert 1 not in seen["alone"][0]


@pytest.mark.slow
def test_no_first_token_is_added_whatever_the_files_say(report: dict[str, Any]) -> None:
    assert report["without start"] == report["tokens"]["published"]["alone"][0]


@pytest.mark.slow
def test_the_conversion_s_own_image_token_is_plain_text(report: dict[str, Any]) -> None:
    assert report["tokens"]["converted"]["foreign"] > 1


@pytest.mark.slow
def test_a_picture_is_padded_to_a_square_with_the_mean_colour(report: dict[str, Any]) -> None:
    seen = report["pixels"]
    assert seen["shape"] == [3, 3, 448, 448]
    # The colours are truncated to whole levels, then the mean is subtracted.
    levels = [int(mean * 255) / 255 - mean for mean in (0.25, 0.5, 0.75)]
    assert seen["border"] == pytest.approx(levels, abs=1e-6)
    assert seen["middle"] == pytest.approx([0.75, 0.5, 0.25], abs=1e-6)
    assert seen["glass"] == pytest.approx([0.75, 0.5, 0.25], abs=1e-6)
    border, red = seen["array"]
    assert border == pytest.approx(levels, abs=1e-6)
    assert red == pytest.approx([0.75, -0.5, -0.75], abs=1e-6)


@pytest.mark.slow
def test_transparent_parts_are_white_offline_and_by_http(report: dict[str, Any]) -> None:
    glass, palette = report["media"]["glass"], report["media"]["palette"]
    assert (glass["corners"][0], glass["second"]) == ([255, 255, 255], [10, 20, 30])
    assert palette["corners"] == [[255, 255, 255], [0, 0, 255]]
    assert glass["same"]
    assert palette["same"]


@pytest.mark.slow
def test_a_picture_is_rotated_as_its_exif_orientation_says_offline_and_by_http(
    report: dict[str, Any],
) -> None:
    rotated = report["media"]["rotated"]
    assert rotated["size"] == [20, 40]
    assert rotated["corners"] == [[255, 0, 0], [0, 0, 255]]
    assert rotated["same"]


@pytest.mark.slow
def test_an_absolute_path_of_the_vision_tower_is_accepted(report: dict[str, Any]) -> None:
    config = report["configs"]["absolute"]
    assert Path(config["tower"]).is_absolute()
    published = report["configs"]["published"]
    assert {**config, "tower": ""} == {**published, "tower": ""}
    # The prompts are rendered with this checkpoint's image processor.
    assert report["prompts"]["a picture"]["status"] == 200


@pytest.mark.slow
def test_a_placeholder_in_a_text_of_a_chat_is_plain_text(report: dict[str, Any]) -> None:
    prompts = report["prompts"]
    assert (prompts["a literal"]["status"], prompts["a literal"]["tokens"]) == (200, 0)
    for name in ("a literal, then a picture", "a picture, then a literal", "a literal in a reply"):
        assert (prompts[name]["status"], prompts[name]["tokens"]) == (200, 1024), name
    # The picture is at the position of its part, after the literal.
    first, later = prompts["a picture"], prompts["a literal, then a picture"]
    assert later["ranges"][0] == [later["first"], 1024]
    assert later["first"] > first["first"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prompt", "error"),
    [
        ("two placeholders, one picture", "has 2 for 1 pictures"),
        ("one placeholder, two pictures", "has 1 for 2 pictures"),
        ("no placeholder, one picture", "has 0 for 1 pictures"),
        ("one placeholder, no picture", "has 1 for 0 pictures"),
    ],
)
def test_a_wrong_number_of_placeholders_is_the_caller_s_error(
    report: dict[str, Any], prompt: str, error: str
) -> None:
    answer = report["prompts"][prompt]
    assert answer["status"] == 400
    assert f"one <image_placeholder> for each picture, but {error}" in answer["error"]


@pytest.mark.slow
def test_a_right_number_of_placeholders_is_accepted(report: dict[str, Any]) -> None:
    prompts = report["prompts"]
    assert prompts["one picture"]["tokens"] == 1024
    assert prompts["no placeholder, no picture"]["tokens"] == 0


@pytest.mark.slow
def test_the_pixels_of_a_picture_do_not_depend_on_others(report: dict[str, Any]) -> None:
    assert report["pixels"]["alone"]


@pytest.mark.slow
def test_a_processor_for_another_size_is_refused(report: dict[str, Any]) -> None:
    assert "should crop pictures to 448 x 448" in report["size error"]
    assert "crops to 224 x 224" in report["size error"]


@pytest.mark.slow
def test_tensors_of_both_layouts_get_the_model_s_names(report: dict[str, Any]) -> None:
    assert report["names"] == NAMES


@pytest.mark.slow
def test_vllm_passes_parts_to_the_template(report: dict[str, Any]) -> None:
    assert report["format"] == "openai"


@pytest.mark.slow
def test_weights_load_from_all_kinds_of_files(report: dict[str, Any]) -> None:
    loaded = report["weights"]
    first, second = loaded["published"]
    assert first != pytest.approx(second, abs=0.1)
    for other in (loaded["converted"], loaded["pickled"], loaded["absolute"]):
        assert other[0] == pytest.approx(first, abs=2e-3)
        assert other[1] == pytest.approx(second, abs=2e-3)


@pytest.mark.slow
def test_a_tensor_that_is_missing_is_named_in_one_line(report: dict[str, Any]) -> None:
    error = report["weights"]["lacks"]
    assert "lacks language_model.model.layers.1.self_attn.k_proj.weight" in error
    assert "\n" not in error


@pytest.mark.slow
def test_two_processes_see_a_picture_as_one_does(report: dict[str, Any]) -> None:
    for one, two in zip(report["weights"]["published"], report["split"], strict=True):
        assert two == pytest.approx(one, abs=2e-3)
