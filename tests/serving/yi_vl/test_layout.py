"""Which folders are Yi-VL, and what is said of those that are not."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.yi_vl.layout import IMAGE, LayoutError, check, read_facts, read_layout
from tests.serving.yi_vl.folders import (
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
    assert check(published) == check(converted) == ""


@pytest.mark.parametrize("kind", ["safetensors", "bin"])
def test_weights_may_lie_in_several_files(tmp_path: Path, kind: str) -> None:
    folder = write_published(tmp_path)
    (folder / "model.safetensors").unlink()
    write_sharded(folder, PUBLISHED_NAMES, kind=kind)
    assert check(folder) == ""


def test_weights_may_be_pickled_in_one_file(tmp_path: Path) -> None:
    folder = write_published(tmp_path)
    (folder / "model.safetensors").unlink()
    write_pickled(folder / "pytorch_model.bin", PUBLISHED_NAMES)
    (folder / TOWER / "model.safetensors").rename(folder / TOWER / "pytorch_model.bin")
    assert check(folder) == ""
    write_pickled(folder / "pytorch_model.bin", PUBLISHED_NAMES[:-2])
    assert "model.mm_projector.4.weight" in check(folder)


def test_the_names_of_newer_saves_are_known(tmp_path: Path) -> None:
    folder = write_converted(tmp_path, is_yi_vl_derived_model=False)
    write_safetensors(folder / "model.safetensors", [f"model.{name}" for name in CONVERTED_NAMES])
    assert read_layout(folder) == "converted"


def test_the_mark_may_be_missing_where_the_projector_tells(tmp_path: Path) -> None:
    folder = write_converted(tmp_path, is_yi_vl_derived_model=False)
    assert check(folder) == ""
    plain = [name for name in CONVERTED_NAMES if "linear_3" not in name and "linear_4" not in name]
    write_safetensors(folder / "model.safetensors", plain)
    assert "is another LLaVA" in check(folder)


def test_no_weights_are_wanted_for_a_dummy(tmp_path: Path) -> None:
    published, converted = write_published(tmp_path / "a"), write_converted(tmp_path / "b")
    for path in tmp_path.glob("**/*.safetensors"):
        path.unlink()
    assert check(published, dummy=True) == check(converted, dummy=True) == ""
    assert "was to hold weights" in check(published)
    assert "was to hold weights" in check(converted)


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


def torn(folder: Path) -> None:
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
    (without_tower, rf"lacks its vision tower, the sub-folder '{TOWER}'"),
    (empty_tower, r"lacks the weights of its vision tower in 'vit/"),
    (remove(f"{TOWER}/model.safetensors"), r"lacks the weights of its vision tower in 'vit/"),
    (remove(f"{TOWER}/config.json"), r"lacks config\.json of its vision tower"),
    (remove(f"{TOWER}/preprocessor_config.json"), r"lacks preprocessor_config\.json of its vision"),
    (remove("tokenizer.json"), r"lacks its tokenizer: tokenizer\.json or tokenizer\.model"),
    (remove("model.safetensors"), r"was to hold weights, but has no \*\.safetensors or \*\.bin"),
    (remove("config.json"), r"was to hold Yi-VL, but config\.json cannot be read"),
    (plain_projector, r"lacks the projector's model\.mm_projector\.1\.weight, model\.mm_proj"),
    (lacks_a_file, r"lacks model-00002-of-00002\.safetensors of its weights"),
    (torn, r"the weights in .* are torn: model\.safetensors has no header"),
    (no_json, r"config\.json cannot be read"),
]


@pytest.mark.parametrize(("spoil", "said"), FAULTS)
def test_what_is_missing_is_named_in_one_line(
    tmp_path: Path, spoil: Callable[[Path], None], said: str
) -> None:
    folder = write_published(tmp_path)
    spoil(folder)
    with pytest.raises(LayoutError, match=said) as caught:
        read_layout(folder)
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in check(folder)
    assert check(folder) == str(caught.value)


def test_a_conversion_without_its_tower_or_its_processor_is_named(tmp_path: Path) -> None:
    folder = write_converted(tmp_path)
    write_safetensors(folder / "model.safetensors", CONVERTED_NAMES[:-1])
    assert "lacks its vision tower among its weights" in check(folder)
    (folder / "preprocessor_config.json").unlink()
    assert "lacks its preprocessor_config.json" in check(folder)


CONFIGS: list[tuple[dict[str, object], str]] = [
    ({"architectures": ["Qwen2VLForConditionalGeneration"]}, r"names \['Qwen2VLForCond"),
    ({"architectures": None}, r"config\.json names \[\]"),
    ({"mm_projector_type": "mlp2x_gelu"}, r"mm_projector_type is 'mlp2x_gelu', not 'mlp2x_gelu_N"),
    ({"mm_vision_tower": None}, r"it names no mm_vision_tower"),
    ({"mm_vision_tower": "/elsewhere/vit"}, r"'/elsewhere/vit' is no sub-folder"),
    ({"mm_vision_tower": "vit/../../vit"}, r"is no sub-folder"),
    ({"mm_vision_tower": "./"}, r"is no sub-folder"),
    ({"mm_vision_select_feature": "cls_patch"}, r"is 'cls_patch', not 'patch'"),
    ({"vocab_size": 0}, r"it tells no vocab_size"),
    ({"vocab_size": "many"}, r"cannot be read: vocab_size: "),
]


@pytest.mark.parametrize(("change", "said"), CONFIGS)
def test_another_configuration_is_refused_with_its_fault(
    change: dict[str, object], said: str
) -> None:
    with pytest.raises(LayoutError, match=said):
        read_facts({**PUBLISHED, **change}, "here")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"text_config": {"hidden_size": 64}}, r"its text_config tells no vocab_size$"),
        ({"text_config": {"vocab_size": "many"}}, r"its text_config tells no vocab_size$"),
        ({"image_token_index": 64064}, r"index 64064 is none of the last .* of 64064$"),
        ({"image_token_index": 7}, r"index 7 is none of the last tokens"),
    ],
)
def test_a_conversion_must_tell_which_tokens_are_no_words(
    change: dict[str, object], said: str
) -> None:
    with pytest.raises(LayoutError, match=said):
        read_facts({**CONVERTED, **change}, "here")


@pytest.mark.parametrize("lost", ["image_token_index", "text_config", "vision_config"])
def test_a_conversion_must_tell_of_its_parts(lost: str) -> None:
    with pytest.raises(LayoutError, match=lost):
        read_facts({name: it for name, it in CONVERTED.items() if name != lost}, "here")


def test_the_picture_s_token_is_the_first_behind_the_vocabulary() -> None:
    assert read_facts(PUBLISHED, "here")[1].picture_token == 64000
    assert read_facts(CONVERTED, "here")[1].picture_token == 64000
    assert read_facts(PUBLISHED, "here")[1].tower == TOWER
    assert IMAGE == "<image_placeholder>"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(sorted({*PUBLISHED, *CONVERTED})), JSON))
def test_any_configuration_is_taken_or_refused_in_one_line(config: dict[str, object]) -> None:
    assert "\n" not in refusal(config)


def refusal(config: object) -> str:
    try:
        read_facts(config, "here")
    except LayoutError as error:
        return str(error)
    return ""


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    assert "config.json cannot be read" in check(tmp_path / "none")
    assert "config.json cannot be read" in check(tmp_path / "none", dummy=True)
    assert os.linesep not in check(tmp_path / "none")


def test_an_index_that_is_none_is_one_line(tmp_path: Path) -> None:
    folder = write_published(tmp_path)
    write_json(folder / "model.safetensors.index.json", {"weights": 1})
    assert "was to be an index of weights, but is not" in check(folder)
