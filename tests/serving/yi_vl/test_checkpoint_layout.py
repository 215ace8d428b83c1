"""Checkpoint layouts: which folders are Yi-VL, and how the errors name what others lack."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.yi_vl.checkpoint_layout import (
    LayoutError,
    find_layout_problem,
    locate_tower_file,
    parse_config,
    read_layout,
)
from serving.yi_vl.prompt_format import IMAGE_PLACEHOLDER
from tests.serving.yi_vl.checkpoint_folders import (
    CONVERTED,
    CONVERTED_NAMES,
    PUBLISHED,
    PUBLISHED_NAMES,
    TOWER,
    write_converted,
    write_json,
    write_pickled,
    write_published,
    write_safetensors,
    write_sharded,
)


def test_a_whole_folder_of_either_layout_is_recognised(tmp_path: Path) -> None:
    published, converted = write_published(tmp_path / "a"), write_converted(tmp_path / "b")
    assert (read_layout(published), read_layout(converted)) == ("published", "converted")
    assert find_layout_problem(published) == find_layout_problem(converted) == ""


@pytest.mark.parametrize("kind", ["safetensors", "bin"])
def test_weights_may_be_in_several_files(tmp_path: Path, kind: str) -> None:
    folder = write_published(tmp_path)
    (folder / "model.safetensors").unlink()
    write_sharded(folder, PUBLISHED_NAMES, kind=kind)
    assert find_layout_problem(folder) == ""


def test_weights_may_be_pickled_in_one_file(tmp_path: Path) -> None:
    folder = write_published(tmp_path)
    (folder / "model.safetensors").unlink()
    write_pickled(folder / "pytorch_model.bin", PUBLISHED_NAMES)
    (folder / TOWER / "model.safetensors").rename(folder / TOWER / "pytorch_model.bin")
    assert find_layout_problem(folder) == ""
    write_pickled(folder / "pytorch_model.bin", PUBLISHED_NAMES[:-2])
    assert "model.mm_projector.4.weight" in find_layout_problem(folder)


def test_the_names_of_newer_saves_are_known(tmp_path: Path) -> None:
    folder = write_converted(tmp_path, is_yi_vl_derived_model=False)
    write_safetensors(folder / "model.safetensors", [f"model.{name}" for name in CONVERTED_NAMES])
    assert read_layout(folder) == "converted"


def test_the_mark_may_be_missing_if_the_projector_has_its_layer_norms(tmp_path: Path) -> None:
    folder = write_converted(tmp_path, is_yi_vl_derived_model=False)
    assert find_layout_problem(folder) == ""
    plain = [name for name in CONVERTED_NAMES if "linear_3" not in name and "linear_4" not in name]
    write_safetensors(folder / "model.safetensors", plain)
    assert "is another LLaVA" in find_layout_problem(folder)


def test_a_dummy_needs_no_weights(tmp_path: Path) -> None:
    published, converted = write_published(tmp_path / "a"), write_converted(tmp_path / "b")
    for path in tmp_path.glob("**/*.safetensors"):
        path.unlink()
    assert find_layout_problem(published, dummy=True) == ""
    assert find_layout_problem(converted, dummy=True) == ""
    assert "should hold weights" in find_layout_problem(published)
    assert "should hold weights" in find_layout_problem(converted)


def remove(*names: str) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return spoil


def without_tower(folder: Path) -> None:
    for path in (folder / TOWER).iterdir():
        path.unlink()
    (folder / TOWER).rmdir()


def empty_tower(folder: Path) -> None:
    (folder / TOWER / "model.safetensors").write_bytes(b"")


def truncated(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"\x00" * 20)


def plain_projector(folder: Path) -> None:
    names = [name for name in PUBLISHED_NAMES if ".1." not in name and ".4." not in name]
    write_safetensors(folder / "model.safetensors", names)


def lacks_a_file(folder: Path) -> None:
    write_sharded(folder, PUBLISHED_NAMES)
    (folder / "model-00002-of-00002.safetensors").unlink()


def no_json(folder: Path) -> None:
    (folder / "config.json").write_text("{")


FAULTS: list[tuple[Callable[[Path], None], str]] = [
    (without_tower, rf"lacks its vision tower, the folder '{TOWER}'"),
    (empty_tower, r"lacks the weights of its vision tower in 'vit/"),
    (remove(f"{TOWER}/model.safetensors"), r"lacks the weights of its vision tower in 'vit/"),
    (remove(f"{TOWER}/config.json"), r"lacks config\.json of its vision tower"),
    (remove(f"{TOWER}/preprocessor_config.json"), r"lacks preprocessor_config\.json of its vision"),
    (remove("tokenizer.json"), r"lacks its tokenizer: tokenizer\.model or tokenizer\.json"),
    (remove("model.safetensors"), r"should hold weights \(\*\.safetensors or \*\.bin\)"),
    (remove("config.json"), r"should hold Yi-VL, but config\.json cannot be read"),
    (plain_projector, r"lacks the projector's model\.mm_projector\.1\.weight, model\.mm_proj"),
    (lacks_a_file, r"lacks model-00002-of-00002\.safetensors of its weights"),
    (truncated, r"the weights in .* are truncated: model\.safetensors has no header"),
    (no_json, r"config\.json cannot be read"),
]


@pytest.mark.parametrize(("spoil", "problem"), FAULTS)
def test_what_is_missing_is_named_in_one_line(
    tmp_path: Path, spoil: Callable[[Path], None], problem: str
) -> None:
    folder = write_published(tmp_path)
    spoil(folder)
    with pytest.raises(LayoutError, match=problem) as caught:
        read_layout(folder)
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in find_layout_problem(folder)
    assert find_layout_problem(folder) == str(caught.value)


def test_a_conversion_without_its_tower_or_its_processor_is_named(tmp_path: Path) -> None:
    folder = write_converted(tmp_path)
    write_safetensors(folder / "model.safetensors", CONVERTED_NAMES[:-1])
    assert "lacks its vision tower among its weights" in find_layout_problem(folder)
    (folder / "preprocessor_config.json").unlink()
    assert "lacks its preprocessor_config.json" in find_layout_problem(folder)


CONFIGS: list[tuple[dict[str, object], str]] = [
    ({"architectures": ["Qwen2VLForConditionalGeneration"]}, r"names \['Qwen2VLForCond"),
    ({"architectures": None}, r"config\.json names \[\]"),
    ({"mm_projector_type": "mlp2x_gelu"}, r"mm_projector_type is 'mlp2x_gelu', not 'mlp2x_gelu_N"),
    ({"mm_vision_tower": None}, r"it has no mm_vision_tower"),
    ({"mm_vision_tower": "vit/../../vit"}, r"'vit/\.\./\.\./vit' is neither a sub-folder"),
    ({"mm_vision_tower": "./"}, r"is neither a sub-folder of the checkpoint nor an absolute"),
    ({"mm_vision_select_feature": "cls_patch"}, r"is 'cls_patch', not 'patch'"),
    ({"vocab_size": 0}, r"it has no vocab_size"),
    ({"vocab_size": "many"}, r"cannot be read: vocab_size: "),
]


@pytest.mark.parametrize(("change", "problem"), CONFIGS)
def test_another_configuration_is_refused_with_its_fault(
    change: dict[str, object], problem: str
) -> None:
    with pytest.raises(LayoutError, match=problem):
        parse_config({**PUBLISHED, **change}, "here")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"text_config": {"hidden_size": 64}}, r"its text_config has no vocab_size$"),
        ({"text_config": {"vocab_size": "many"}}, r"its text_config has no vocab_size$"),
        ({"image_token_index": 64064}, r"index 64064 is not among the last .* of 64064$"),
        ({"image_token_index": 7}, r"index 7 is not among the last tokens"),
    ],
)
def test_a_conversion_must_name_the_tokens_after_its_vocabulary(
    change: dict[str, object], problem: str
) -> None:
    with pytest.raises(LayoutError, match=problem):
        parse_config({**CONVERTED, **change}, "here")


@pytest.mark.parametrize("lost", ["image_token_index", "text_config", "vision_config"])
def test_a_conversion_must_describe_its_parts(lost: str) -> None:
    with pytest.raises(LayoutError, match=lost):
        parse_config({name: it for name, it in CONVERTED.items() if name != lost}, "here")


def test_the_image_token_is_the_first_after_the_vocabulary() -> None:
    assert parse_config(PUBLISHED, "here")[1].image_token_id == 64000
    assert parse_config(CONVERTED, "here")[1].image_token_id == 64000
    assert parse_config(PUBLISHED, "here")[1].tower == TOWER
    assert IMAGE_PLACEHOLDER == "<image_placeholder>"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(sorted({*PUBLISHED, *CONVERTED})), JSON))
def test_any_configuration_is_accepted_or_refused_in_one_line(config: dict[str, object]) -> None:
    assert "\n" not in refusal(config)


def refusal(config: object) -> str:
    try:
        parse_config(config, "here")
    except LayoutError as error:
        return str(error)
    return ""


def test_the_vision_tower_may_have_an_absolute_path(tmp_path: Path) -> None:
    folder = write_published(tmp_path / "model")
    tower = (folder / TOWER).rename(tmp_path / "tower")
    write_json(folder / "config.json", {**PUBLISHED, "mm_vision_tower": str(tower)})
    assert find_layout_problem(folder) == ""
    assert read_layout(folder) == "published"
    (tower / "model.safetensors").unlink()
    assert f"the weights of its vision tower in {str(tower)!r}" in find_layout_problem(folder)
    (tower / "preprocessor_config.json").unlink()
    assert "preprocessor_config.json of its vision tower" in find_layout_problem(folder)
    write_json(folder / "config.json", {**PUBLISHED, "mm_vision_tower": "/elsewhere/vit"})
    assert "lacks its vision tower, the folder '/elsewhere/vit'" in find_layout_problem(folder)


def test_a_file_of_the_tower_is_below_the_model_or_in_the_absolute_folder() -> None:
    assert locate_tower_file("01-ai/Yi", "vit/a", "x.json") == ("01-ai/Yi", "vit/a/x.json")
    assert locate_tower_file("01-ai/Yi", "/data/a", "x.json") == ("/data/a", "x.json")
    assert locate_tower_file("01-ai/Yi", "", "x.json") == ("01-ai/Yi", "x.json")


def test_a_folder_that_does_not_exist_is_one_line(tmp_path: Path) -> None:
    assert "config.json cannot be read" in find_layout_problem(tmp_path / "none")
    assert "config.json cannot be read" in find_layout_problem(tmp_path / "none", dummy=True)
    assert os.linesep not in find_layout_problem(tmp_path / "none")


def test_an_index_that_is_none_is_one_line(tmp_path: Path) -> None:
    folder = write_published(tmp_path)
    write_json(folder / "model.safetensors.index.json", {"weights": 1})
    assert "should be an index of weights, but is not" in find_layout_problem(folder)
