"""`hf:ORG/NAME`: profiles computed from configuration files in their published shapes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import serving.hub.hub_profile
from serving.errors import ProfileError, ServingError
from serving.host.hardware import detect_engine
from serving.host.memory_plan import plan_one
from serving.hub.hub_profile import find_any_profile, hub_profile
from serving.model_files import known_architectures
from serving.model_files.profile import Profile, find_profile
from serving.process.engine_args import engine_command
from serving.resolution.consent import ConsentNeeded
from serving.resolution.name_resolution import resolve_here
from tests.serving.fake_hub import FakeHub
from tests.serving.hosts import H200

OFF = {"HF_HUB_OFFLINE": "1"}
SIGLIP = {"hidden_size": 1152, "image_size": 980, "patch_size": 14, "model_type": "siglip"}

INTERNVL: dict[str, Any] = {
    "architectures": ["InternVLChatModel"],
    "auto_map": {"AutoConfig": "configuration_internvl_chat.InternVLChatConfig"},
    "downsample_ratio": 0.5,
    "dynamic_image_size": True,
    "force_image_size": 448,
    "llm_config": {
        "head_dim": 128,
        "hidden_size": 1024,
        "max_position_embeddings": 40960,
        "model_type": "qwen3",
        "num_attention_heads": 16,
        "num_hidden_layers": 28,
        "num_key_value_heads": 8,
        "sliding_window": None,
        "torch_dtype": "bfloat16",
    },
    "max_dynamic_patch": 12,
    "model_type": "internvl_chat",
    "vision_config": {"hidden_size": 1024, "image_size": 448, "patch_size": 14},
}
GEMMA: dict[str, Any] = {
    "architectures": ["Gemma3ForConditionalGeneration"],
    "mm_tokens_per_image": 256,
    "model_type": "gemma3",
    "text_config": {
        "hidden_size": 2560,
        "intermediate_size": 10240,
        "model_type": "gemma3_text",
        "num_hidden_layers": 34,
        "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
        "sliding_window": 1024,
    },
    "torch_dtype": "bfloat16",
    "vision_config": {
        "hidden_size": 1152,
        "image_size": 896,
        "intermediate_size": 4304,
        "model_type": "siglip_vision_model",
        "num_attention_heads": 16,
        "num_hidden_layers": 27,
        "patch_size": 14,
    },
}
MINICPM: dict[str, Any] = {
    "architectures": ["MiniCPMV"],
    "auto_map": {"AutoConfig": "configuration_minicpm.MiniCPMVConfig"},
    "hidden_size": 3584,
    "image_size": 448,
    "max_position_embeddings": 32768,
    "model_type": "minicpmv",
    "num_attention_heads": 28,
    "num_hidden_layers": 28,
    "num_key_value_heads": 4,
    "patch_size": 14,
    "query_num": 64,
    "slice_config": {"max_slice_nums": 9, "patch_size": 14},
    "slice_mode": True,
    "torch_dtype": "bfloat16",
    "vision_config": SIGLIP,
}
PIXTRAL: dict[str, Any] = {
    "architectures": ["LlavaForConditionalGeneration"],
    "image_seq_length": 1,
    "image_token_index": 10,
    "model_type": "llava",
    "text_config": {
        "head_dim": 128,
        "hidden_size": 5120,
        "intermediate_size": 14336,
        "max_position_embeddings": 1024000,
        "model_type": "mistral",
        "num_hidden_layers": 40,
        "num_key_value_heads": 8,
        "vocab_size": 131072,
    },
    "torch_dtype": "bfloat16",
    "vision_config": {
        "head_dim": 64,
        "image_size": 1024,
        "model_type": "pixtral",
        "patch_size": 16,
    },
}
GLM: dict[str, Any] = {
    "architectures": ["Glm4vForConditionalGeneration"],
    "model_type": "glm4v",
    "text_config": {
        "hidden_size": 4096,
        "max_position_embeddings": 65536,
        "model_type": "glm4v_text",
        "num_attention_heads": 32,
        "num_hidden_layers": 40,
        "num_key_value_heads": 2,
    },
    "torch_dtype": "bfloat16",
    "vision_config": {"image_size": 336, "patch_size": 14, "spatial_merge_size": 2},
}
SMOLVLM: dict[str, Any] = {
    "architectures": ["Idefics3ForConditionalGeneration"],
    "model_type": "idefics3",
    "scale_factor": 4,
    "text_config": {
        "head_dim": 64,
        "hidden_size": 576,
        "max_position_embeddings": 8192,
        "model_type": "llama",
        "num_attention_heads": 9,
        "num_hidden_layers": 30,
        "num_key_value_heads": 3,
    },
    "torch_dtype": "float32",
    "vision_config": {"image_size": 512, "patch_size": 16},
}
ONEVISION: dict[str, Any] = {
    "architectures": ["LlavaOnevisionForConditionalGeneration"],
    "image_grid_pinpoints": [[384, 384], [384, 2304], [2304, 2304]],
    "model_type": "llava_onevision",
    "text_config": {
        "hidden_size": 896,
        "max_position_embeddings": 32768,
        "model_type": "qwen2",
        "num_attention_heads": 14,
        "num_hidden_layers": 24,
        "num_key_value_heads": 2,
    },
    "torch_dtype": "float16",
    "vision_aspect_ratio": "anyres_max_9",
    "vision_config": {"image_size": 384, "patch_size": 14},
}
DEEPSEEK: dict[str, Any] = {
    "architectures": ["DeepseekVLV2ForCausalLM"],
    "language_config": {
        "hidden_size": 2048,
        "kv_lora_rank": 512,
        "max_position_embeddings": 4096,
        "num_attention_heads": 16,
        "num_hidden_layers": 27,
        "num_key_value_heads": 16,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
    },
    "model_type": "deepseek_vl_v2",
    "torch_dtype": "bfloat16",
    "vision_config": {"image_size": 384, "patch_size": 14},
}
IDEFICS_PROCESSOR = {
    "image_seq_len": 64,
    "max_image_size": {"longest_edge": 512},
    "size": {"longest_edge": 2048},
}
GLM_PROCESSOR = {"merge_size": 2, "size": {"shortest_edge": 12544, "longest_edge": 9633792}}
MINICPM_PROCESSOR = {"image_feature_size": 64, "max_slice_nums": 9, "patch_size": 14}


def put(folder: Path, config: Mapping[str, Any], *, weights: str = "model.safetensors") -> Path:
    """Write a model of a megabyte of weights."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / weights).write_bytes(bytes(2**20))
    return folder


def profile_in(
    tmp_path: Path,
    config: Mapping[str, Any],
    processor: Mapping[str, Any] | None = None,
    **environ: str,
) -> Profile:
    """Return the profile of a model in the models folder."""
    folder = put(tmp_path / "org" / "model", config)
    if processor:
        text = json.dumps(processor)
        (folder / "preprocessor_config.json").write_text(text, encoding="utf-8")
    return hub_profile("org/model", {"ARENA_MODELS": str(tmp_path), **OFF, **environ})


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A vLLM of this registry, and no notes of what a hub said."""
    known_architectures = frozenset(
        one["architectures"][0]
        for one in (INTERNVL, GEMMA, MINICPM, PIXTRAL, GLM, SMOLVLM, ONEVISION, DEEPSEEK)
    )
    more = {"Qwen2AudioForConditionalGeneration", "Qwen2VLForConditionalGeneration"}
    monkeypatch.setattr(
        serving.hub.hub_profile, "multimodal_architectures", lambda: known_architectures | more
    )
    monkeypatch.setattr(serving.hub.hub_profile, "config_types", lambda: frozenset({"glm4v"}))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("yi", "got the alias 'yi'; name one of yi-vl-6b, yi-vl-34b"),
        ("QWEN", "got the alias 'QWEN'; name one of qwen2-vl-"),
        ("http://127.0.0.1:9/v1#m", "got the URL of a server; name the profile of its model: "),
    ],
)
def test_what_is_planned_or_bundled_is_a_profile_and_no_alias_or_server(
    name: str, told: str
) -> None:
    with pytest.raises(ProfileError) as caught:
        find_any_profile(name)
    assert f"wanted a profile, {told}" in str(caught.value)
    assert "stand-in" not in str(caught.value) or "://" in name


@pytest.mark.parametrize(
    ("config", "processor", "kv", "heads", "context", "picture"),
    [
        (INTERNVL, {}, 2 * 28 * 8 * 128 * 2, (16, 8), 40_960, 13 * (256 + 4)),
        (MINICPM, MINICPM_PROCESSOR, 2 * 28 * 4 * 128 * 2, (28, 4), 32_768, 10 * (64 + 4)),
        (GLM, GLM_PROCESSOR, 2 * 40 * 2 * 128 * 2, (32, 2), 65_536, 4_096),
        (SMOLVLM, IDEFICS_PROCESSOR, 2 * 30 * 3 * 64 * 2, (9, 3), 8_192, 17 * (64 + 4)),
        (ONEVISION, {}, 2 * 24 * 2 * 64 * 2, (14, 2), 32_768, 10 * (28**2 + 4)),
        (DEEPSEEK, {}, 2 * 27 * 16 * 192 * 2, (16, 16), 4_096, 28**2 + 28),
    ],
)
def test_a_profile_follows_from_the_published_configuration(
    *,
    config: Mapping[str, Any],
    processor: Mapping[str, Any],
    kv: int,
    heads: tuple[int, int],
    context: int,
    picture: int,
    tmp_path: Path,
) -> None:
    own_code = "auto_map" in config
    profile = profile_in(tmp_path, config, processor, ARENA_TRUST_REMOTE_CODE=str(int(own_code)))
    assert (profile.name, profile.hub_id) == ("hf:org/model", "org/model")
    assert profile.architecture == config["architectures"][0]
    assert profile.kv_bytes_per_token.value == kv
    assert (profile.heads, profile.kv_heads) == heads
    assert profile.context_tokens == context
    assert profile.serve_tokens == min(context, 32_768)
    assert profile.picture_tokens == picture
    assert profile.images_per_prompt == max(1, min(32, profile.serve_tokens // 2 // picture))
    assert profile.flags == (("--trust-remote-code",) if own_code else ())


@pytest.mark.slow
@pytest.mark.skipif(detect_engine()[0] is None, reason="no transformers without an engine")
@pytest.mark.parametrize(
    ("config", "kv", "heads", "context", "picture"),
    [
        (GEMMA, 2 * 34 * 4 * 256 * 2, (8, 4), 131_072, 256 + 16),
        (PIXTRAL, 2 * 40 * 8 * 128 * 2, (32, 8), 1_024_000, 64**2 + 64),
    ],
)
def test_what_a_configuration_leaves_to_its_class_is_found_there(
    config: Mapping[str, Any],
    kv: int,
    heads: tuple[int, int],
    context: int,
    picture: int,
    tmp_path: Path,
) -> None:
    profile = profile_in(tmp_path, config)
    assert profile.kv_bytes_per_token.value == kv
    assert (profile.heads, profile.kv_heads) == heads
    assert profile.context_tokens == context
    assert profile.picture_tokens == picture


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (DEEPSEEK, "its cache is smaller than assumed (MLA)"),
        (MINICPM, "a picture counts as 680 tokens at most"),
        ({**GLM, "vision_config": {}}, "a picture counts as 4,096 tokens"),
    ],
)
def test_what_was_assumed_is_said(config: Mapping[str, Any], said: str, tmp_path: Path) -> None:
    processor = MINICPM_PROCESSOR if config is MINICPM else {}
    assert said in profile_in(tmp_path, config, processor, ARENA_TRUST_REMOTE_CODE="1").remark


def test_weights_are_measured_by_files_and_by_the_index(tmp_path: Path) -> None:
    folder = put(tmp_path / "org" / "model", GLM)
    environ = {"ARENA_MODELS": str(tmp_path), **OFF}
    assert hub_profile("org/model", environ).weights_gib.value * 2**30 == 2**20
    index = {"metadata": {"total_size": 4 * 2**30}, "weight_map": {"a": "model.safetensors"}}
    path = folder / "model.safetensors.index.json"
    path.write_text(json.dumps(index), encoding="utf-8")
    profile = hub_profile("org/model", environ)
    assert profile.weights_gib.value == 4
    assert profile.parameters_b == pytest.approx(2 * 2**30 / 1e9)


def test_four_bytes_a_parameter_are_served_in_two_and_quantised_ones_need_a_gpu(
    tmp_path: Path,
) -> None:
    assert profile_in(tmp_path / "a", SMOLVLM).weights_gib.value * 2**30 == 2**19
    quantised = {**GLM, "quantization_config": {"quant_method": "awq", "bits": 4}}
    profile = profile_in(tmp_path / "b", quantised)
    assert profile.weights_gib.value * 2**30 == 2**20
    assert profile.eight_bit


def test_a_profile_of_ours_is_used_for_its_hub_id_whatever_its_case() -> None:
    assert hub_profile("qwen/qwen2-vl-2b-instruct", OFF) == find_profile("qwen2-vl-2b")
    assert hub_profile("BUAADreamer/Yi-VL-6B-hf", OFF) == find_profile("yi-vl-6b")


def no_defaults(folder: Path) -> Mapping[str, Any]:
    return {}


LLAMA = {**GLM, "architectures": ["LlamaForCausalLM"]}
AUDIO = {
    "architectures": ["Qwen2AudioForConditionalGeneration"],
    "audio_config": {"num_mel_bins": 128},
    "text_config": GLM["text_config"],
}
OWN = {**GLM, "architectures": ["NewestVL"], "auto_map": {"AutoModel": "modeling.NewestVL"}}


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (LLAMA, "'org/model' is a LlamaForCausalLM, which vLLM "),
        (AUDIO, "is a Qwen2AudioForConditionalGeneration, which accepts no pictures"),
        (
            OWN,
            "needs the model's own code; review the code, then allow it with --trust-remote-code",
        ),
        (
            INTERNVL,
            "needs the model's own code; review the code, then allow it with --trust-remote-code",
        ),
        (
            MINICPM,
            "needs the model's own code; review the code, then allow it with --trust-remote-code",
        ),
        ({"model_type": "x"}, "config.json of 'org/model' names no architecture"),
        ({**GLM, "text_config": {}}, "config.json of 'org/model' has no num_attention_heads"),
    ],
)
def test_what_vllm_does_not_serve_is_refused_in_one_line(
    config: Mapping[str, Any], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving.hub.hub_profile, "class_defaults", no_defaults)
    with pytest.raises(ServingError) as caught:
        profile_in(tmp_path, config)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["{", "[]", "3", "\x00"])
def test_a_broken_configuration_is_refused_with_its_place(text: str, tmp_path: Path) -> None:
    folder = put(tmp_path / "org" / "model", GLM)
    (folder / "config.json").write_text(text, encoding="utf-8")
    with pytest.raises(ServingError) as caught:
        hub_profile("org/model", {"ARENA_MODELS": str(tmp_path), **OFF})
    assert str(caught.value).startswith(f"{folder / 'config.json'} is not a model's configuration")


def test_a_models_own_code_runs_only_where_the_user_trusts_it(tmp_path: Path) -> None:
    profile = profile_in(tmp_path, OWN, ARENA_TRUST_REMOTE_CODE="1")
    share = plan_one(profile, H200)
    argv = engine_command(profile, H200, port=1, model="/m", share=share).argv
    assert "--trust-remote-code" in argv
    plain = profile_in(tmp_path / "b", GLM, ARENA_TRUST_REMOTE_CODE="1")
    assert "--trust-remote-code" not in plain.flags, "it needs none"


def test_pickled_weights_alone_need_the_users_word(tmp_path: Path) -> None:
    put(tmp_path / "org" / "model", GLM, weights="pytorch_model.bin")
    environ = {"ARENA_MODELS": str(tmp_path), **OFF}
    with pytest.raises(ServingError, match=r"has no weights as safetensors; .* --allow-pickle"):
        hub_profile("org/model", environ)
    allowed = hub_profile("org/model", {**environ, "ARENA_ALLOW_PICKLE": "1"})
    assert allowed.weights_gib.value * 2**30 == 2**20


@pytest.mark.parametrize("name", ["model", "a/b/c", "a/../b", "/b", "a/", "a b/c", "-a/b", ""])
def test_a_name_that_no_model_can_have_is_refused(name: str) -> None:
    with pytest.raises(ServingError, match=r"is not a hub id; wanted hf:ORG/NAME"):
        hub_profile(name, OFF)


@pytest.mark.slow
def test_the_hub_is_asked_only_with_consent_and_what_it_said_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "config.json": json.dumps(GLM).encode(),
        "preprocessor_config.json": json.dumps(GLM_PROCESSOR).encode(),
        "model-00001-of-00001.safetensors": bytes(2**20),
        "README.md": b"",
    }
    with FakeHub({"org/model": files}, licence="mit") as hub:
        environ = hub.environ(str(tmp_path / "hub"))
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(
            ConsentNeeded, match=r"or --fetch downloads them from the hub"
        ) as caught:
            hub_profile("org/model", environ)
        assert (caught.value.offer.name, caught.value.offer.gib) == ("hf:org/model", 0)
        assert hub.ranges == []
        profile = hub_profile("org/model", {**environ, "ARENA_FETCH": "1"})
        assert (profile.licence, profile.picture_tokens) == ("mit", 4_096)
        assert [name for name, _ in hub.ranges] == ["config.json", "preprocessor_config.json"]
        assert hub_profile("org/model", environ) == profile, "it is not asked again"
    with pytest.raises(ServingError, match="no files of 'org/other' on this host, and the hub is"):
        hub_profile("org/other", {**environ, **OFF})


def test_a_model_of_the_hub_is_resolved_like_a_profile(tmp_path: Path) -> None:
    folder = put(tmp_path / "org" / "model", GLM)
    environ = {"ARENA_MODELS": str(tmp_path), **OFF}
    found = resolve_here("hf:org/model", H200, environ=environ)
    assert found.profile is not None
    assert found.weights is not None
    assert (found.profile.name, found.weights.path) == ("hf:org/model", str(folder))
    assert found.why.startswith("hf:org/model was requested by name: room for")
    assert found.why.endswith("a picture counts as 156 tokens at most")


def test_a_server_of_a_model_of_the_hub_has_its_limits_where_its_files_are_here(
    tmp_path: Path,
) -> None:
    put(tmp_path / "org" / "model", GLM)
    served = {name: {"url": "http://there:8000/v1"} for name in ("hf:org/model", "hf:org/other")}
    environ = {"ARENA_MODELS": str(tmp_path), "ARENA_ENDPOINTS": json.dumps(served), **OFF}
    found = resolve_here("hf:org/model", H200, environ=environ)
    assert (found.kind, found.profile) == ("url", hub_profile("org/model", environ))
    other = resolve_here("hf:org/other", H200, environ=environ)
    assert (other.kind, other.profile) == ("url", None)


@pytest.mark.skipif(detect_engine()[0] is None, reason="there is no vLLM to read")
def test_what_the_installed_vllm_knows_is_read_from_its_source() -> None:
    assert "Gemma3ForConditionalGeneration" in known_architectures.multimodal_architectures()
    assert "LlamaForCausalLM" not in known_architectures.multimodal_architectures()
    assert {"qwen2_vl", "internvl", "deepseek_vl_v2"} <= known_architectures.config_types()
    assert "internvl_chat" not in known_architectures.config_types(), "only its own code reads it"
