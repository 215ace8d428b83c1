"""Profiles: the files in serving/profiles and what is refused at their door."""

import importlib.util
import json
from pathlib import Path

import pytest

from scripts_mm.vision_tokens import VISION_TOKEN_RULES
from serving.errors import ProfileError, ServingError
from serving.model_files.profile import find_profile, load_profiles, parse_profile, stand_ins
from serving.model_files.profile_file import FAMILIES
from serving.model_files.weights import weights_problem
from serving.standin.standin_cache import RECIPES

ROOT = Path(__file__).parents[3]
MINI = ROOT / "serving" / "mini"
GOOD = """
name = "tiny-vl-1b"
family = "qwen2-vl"
hub_id = "Some/Tiny-VL-1B"
licence = "MIT"
architecture = "Qwen2VLForConditionalGeneration"
parameters = 1_073_741_824
context_tokens = 32_768
serve_tokens = 16_384

[shape]
layers = 10
heads = 8
kv_heads = 2
head_dim = 64
source = "a test"

[pictures]
images_per_prompt = 8
min_pixels = 3136
max_pixels = 1_003_520
patch = 14
merge = 2
"""

# Weights in GB and KV bytes per token as PERFORMANCE has them; both rounded there.
KNOWN = {
    "qwen2.5-vl-3b": (7.5, 36_864),
    "qwen2.5-vl-7b": (16.6, 57_344),
    "qwen2.5-vl-32b": (66.9, 262_144),
    "qwen2.5-vl-72b-fp8": (76.5, 327_680),
    "qwen3-vl-8b": (17.7, 147_456),
    "qwen3-vl-32b": (66.9, 262_144),
    "yi-vl-6b": (None, 65_536),
    "yi-vl-34b": (None, 245_760),
}


@pytest.mark.parametrize("name", KNOWN)
def test_computed_figures_agree_with_the_known_ones(name: str) -> None:
    profile = find_profile(name)
    weights, kv = KNOWN[name]
    assert profile.kv_bytes_per_token.value == kv
    if weights is not None:
        assert profile.weights_gib.value * 2**30 / 1e9 == pytest.approx(weights, rel=0.015)


def test_the_sizes_that_must_be_there_are_there() -> None:
    wanted = {
        *("qwen2-vl-2b", "qwen2-vl-7b", "qwen2-vl-72b"),
        *("qwen2.5-vl-3b", "qwen2.5-vl-7b", "qwen2.5-vl-32b", "qwen2.5-vl-72b"),
        *("qwen3-vl-2b", "qwen3-vl-4b", "qwen3-vl-8b", "qwen3-vl-32b"),
        *("qwen3-vl-30b-a3b", "qwen3-vl-235b-a22b", "yi-vl-6b", "yi-vl-34b"),
        *("smolvlm-256m", "smolvlm-500m", "smolvlm2-256m", "smolvlm2-500m"),
        *("internvl3-1b", "gemma-3-4b", "stand-in", "stand-in-yi", "mini"),
    }
    assert wanted <= set(load_profiles())


@pytest.mark.parametrize("name", list(load_profiles()))
def test_every_profile_says_nothing_impossible(name: str) -> None:
    profile = find_profile(name)
    assert profile.name == name
    assert profile.family in FAMILIES
    assert profile.token_side == (
        32 if profile.family == "qwen3-vl" else profile.patch * profile.merge
    )
    assert profile.max_pixels <= 1_048_576, "pictures are capped at about a megapixel"
    assert profile.reply_tokens < profile.serve_tokens <= profile.context_tokens
    assert profile.weights_gib.value > 0
    assert {profile.weights_gib.basis, profile.kv_bytes_per_token.basis} == {"computed"}
    assert "--seed" not in profile.flags
    assert not profile.takes_seed
    assert profile.licence
    assert profile.picture_tokens or profile.family in VISION_TOKEN_RULES, (
        "what a picture takes is known"
    )
    assert profile.images_per_prompt * profile.picture_tokens < profile.serve_tokens


def test_the_name_of_a_file_is_the_name_of_its_profile() -> None:
    folder = ROOT / "serving" / "profiles"
    assert {path.stem for path in folder.glob("*.toml")} == set(load_profiles())


def test_every_stand_in_is_small_short_spoken_made_here_and_has_no_other_name() -> None:
    assert [one.name for one in stand_ins()] == ["stand-in", "stand-in-yi"]
    for profile in stand_ins():
        assert (profile.hub_id, profile.aliases, profile.conversions) == ("", (), ())
        assert profile.reply_tokens == 64
        assert profile.weights_gib.value < 0.1
        assert profile.name in RECIPES
    assert find_profile("stand-in").serve_tokens == 32_768


def test_the_mini_model_is_tiny_and_comes_with_the_arena() -> None:
    mini = find_profile("mini")
    assert [one.name for one in load_profiles().values() if one.bundled] == ["mini"]
    assert (mini.hub_id, mini.aliases, mini.conversions, mini.stand_in) == ("", (), (), False)
    assert mini.is_substitute
    assert mini.weights_gib.value < 0.1


@pytest.mark.skipif(not MINI.is_dir(), reason="the mini model's files are not in this checkout")
def test_the_figures_of_the_mini_model_are_those_of_its_files() -> None:
    profile = find_profile("mini")
    assert weights_problem(profile, MINI) == ""
    config = json.loads((MINI / "config.json").read_text(encoding="utf-8"))
    language = config["text_config"]
    assert config["architectures"] == [profile.architecture]
    assert language["max_position_embeddings"] == profile.context_tokens
    shape = ("num_hidden_layers", "num_attention_heads", "num_key_value_heads", "hidden_size")
    layers, heads, kv_heads, width = (language[name] for name in shape)
    assert (heads, kv_heads) == (profile.heads, profile.kv_heads)
    assert 2 * layers * kv_heads * width // heads * 4 == profile.kv_bytes_per_token.value
    processor = json.loads((MINI / "preprocessor_config.json").read_text(encoding="utf-8"))
    assert (processor["min_pixels"], processor["max_pixels"]) == (
        profile.min_pixels,
        profile.max_pixels,
    )
    values = (MINI / "model.safetensors").stat().st_size / 2
    assert values / 1e9 == pytest.approx(profile.parameters_b, rel=0.02)


@pytest.mark.parametrize(
    ("name", "published_bytes", "width"),
    [
        ("smolvlm2-256m", 1.03e9, 4),
        ("smolvlm2-500m", 2.03e9, 4),
        ("internvl3-1b", 1.88e9, 2),
        ("gemma-3-4b", 4.96e9 + 3.64e9, 2),
    ],
)
def test_the_parameters_of_small_models_agree_with_their_published_files(
    name: str, published_bytes: float, width: int
) -> None:
    parameters = find_profile(name).parameters_b * 1e9
    assert parameters * width == pytest.approx(published_bytes, rel=0.005)


def test_a_model_of_a_small_context_and_its_stand_in_are_played_alike() -> None:
    real, untrained = find_profile("yi-vl-6b"), find_profile("stand-in-yi")
    for name in (
        *("architecture", "serve_tokens", "plugin", "flags", "chat_template", "stop"),
        *("picture_mode", "overflow", "context_budget", "images_per_prompt"),
        *("min_pixels", "max_pixels", "patch", "merge"),
    ):
        assert getattr(real, name) == getattr(untrained, name), name
    assert (real.stop, real.picture_mode, real.overflow) == (("###",), "notes", "summarise")
    assert real.max_pixels // real.token_side**2 == 1_024


def test_only_yi_vl_needs_a_plugin() -> None:
    needing = {one.name for one in load_profiles().values() if one.plugin}
    assert needing == {"yi-vl-6b", "yi-vl-34b", "stand-in-yi"}


def language_parameters(hidden: int, mlp: int, layers: int, heads: int, kv_heads: int) -> int:
    """Count a Llama of 64,000 words, whose output words are not its input words."""
    own = 2 * hidden**2 + 2 * hidden * hidden * kv_heads // heads + 3 * hidden * mlp + 2 * hidden
    return layers * own + hidden + 2 * 64_000 * hidden


def tower_parameters(hidden: int = 1_280, mlp: int = 5_120, layers: int = 32) -> int:
    """Count CLIP's ViT-H/14 at 448 x 448 with all its layers and both its outer norms."""
    own = 4 * hidden * (hidden + 1) + 2 * hidden * mlp + mlp + hidden + 4 * hidden
    return layers * own + 3 * 14 * 14 * hidden + hidden + 1_025 * hidden + 4 * hidden


def projector_parameters(hidden: int) -> int:
    """Count linear, norm, linear, norm, from 1,280 channels."""
    return 1_280 * hidden + hidden + hidden**2 + hidden + 4 * hidden


@pytest.mark.parametrize(
    ("name", "shape"),
    [("yi-vl-6b", (4_096, 11_008, 32, 32, 4)), ("yi-vl-34b", (7_168, 20_480, 60, 56, 8))],
)
def test_the_parameters_of_yi_vl_follow_from_its_published_shapes(
    name: str, shape: tuple[int, int, int, int, int]
) -> None:
    parts = (language_parameters(*shape), projector_parameters(shape[0]), tower_parameters())
    assert find_profile(name).parameters_b == pytest.approx(sum(parts) / 1e9, abs=1e-12)
    said = (ROOT / f"serving/profiles/{name}.toml").read_text(encoding="utf-8")
    assert all(f"{part:_}" in said for part in parts)


@pytest.mark.skipif(importlib.util.find_spec("vllm") is None, reason="no vLLM is installed here")
def test_vllm_knows_every_architecture_that_needs_no_plugin_and_none_that_does() -> None:
    found = importlib.util.find_spec("vllm")
    assert found is not None
    assert found.submodule_search_locations is not None
    folder = Path(found.submodule_search_locations[0])
    registry = (folder / "model_executor" / "models" / "registry.py").read_text(encoding="utf-8")
    for profile in load_profiles().values():
        assert (f'"{profile.architecture}"' in registry) == (not profile.plugin), profile.name


def test_figures_are_computed_from_parameters_and_shape() -> None:
    profile = parse_profile(GOOD, "tiny.toml")
    assert profile.weights_gib.value == 2.0
    assert profile.kv_bytes_per_token.value == 2 * 10 * 2 * 64 * 2
    assert profile.reply_tokens == 1024
    eight = parse_profile(
        GOOD.replace("context_tokens", "parameters_8bit = 536_870_912\ncontext_tokens"), "x"
    )
    assert eight.weights_gib.value == 1.5
    assert eight.eight_bit
    assert not profile.eight_bit


@pytest.mark.parametrize(
    ("change", "to", "said"),
    [
        ("parameters = 1_073_741_824", "parameters = 'many'", "'parameters'"),
        ("layers = 10", "layers = 0", "'shape.layers'"),
        ("layers = 10", "", "'shape.layers': field required"),
        ("layers = 10", "layers = 10\nlayer = 1", "'shape.layer': extra inputs"),
        ('family = "qwen2-vl"', 'family = "llava"', "'family'"),
        ('name = "tiny-vl-1b"', 'name = "Tiny VL"', "'name'"),
        ("serve_tokens = 16_384", "serve_tokens = 65_536", "serve_tokens 65536 is more"),
        ("min_pixels = 3136", "min_pixels = 2_000_000", "min_pixels is more"),
        ("kv_heads = 2", "kv_heads = 3", "8 heads cannot share 3 KV heads"),
        ('hub_id = "Some/Tiny-VL-1B"', 'hub_id = ""', "a stand-in or bundled model has no"),
        ('licence = "MIT"', "", "'licence': field required"),
        ('licence = "MIT"', 'licence = ""', "'licence'"),
        ('licence = "MIT"', 'licence = "MIT"\nfetch_from = "x/y"', "fetch_from 'x/y' is none of"),
        ("name =", "name", "is not TOML"),
        (
            "context_tokens",
            "parameters_8bit = 2_000_000_000\ncontext_tokens",
            "parameters_8bit is more",
        ),
    ],
)
def test_a_broken_file_is_refused_with_its_name_and_the_field(
    change: str, to: str, said: str
) -> None:
    assert change in GOOD
    with pytest.raises(ProfileError) as caught:
        parse_profile(GOOD.replace(change, to, 1), "tiny.toml")
    message = str(caught.value)
    assert message.startswith("tiny.toml")
    assert said in message
    assert "\n" not in message


def test_an_unknown_name_is_answered_with_near_misses_and_all_there_are() -> None:
    with pytest.raises(ServingError) as caught:
        find_profile("qwen2.5-vl-8b", also=["qwen"])
    message = str(caught.value)
    assert "no model 'qwen2.5-vl-8b', did you mean 'qwen2.5-vl-" in message
    assert "stand-in" in message.partition("there are ")[2]
    assert message.partition("there are ")[2].startswith("qwen, ")


def test_names_are_found_whatever_their_case() -> None:
    assert find_profile("Qwen2.5-VL-7B").name == "qwen2.5-vl-7b"
