"""The engine's command line, for every profile that fits on every kind of host."""

import importlib.util
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from serving.host.hardware import Hardware, HostShare
from serving.host.memory_plan import check_fit, plan_host, plan_one
from serving.model_files.profile import Profile, find_profile, load_profiles
from serving.process.engine_args import ENGINE, FORKED_ENGINE, EngineCommand, engine_command
from serving.standin.standin_cache import SHIM
from tests.serving.hosts import (
    ALL,
    CPU,
    EIGHT_H200,
    H200,
    RTX_4090,
    T4,
    TWO_A100,
    cpu_host,
)

FITTING = [
    (profile, host)
    for profile in load_profiles().values()
    for host in ALL
    if check_fit(profile, ALL[host]).ok
]


def rendered(profile: Profile, host: Hardware, model: str = "/models/m") -> EngineCommand:
    return engine_command(profile, host, port=8123, model=model, share=plan_one(profile, host))


def flags(command: EngineCommand) -> dict[str, str]:
    """Flag to value; a flag without one has an empty value, and none comes twice."""
    found: dict[str, str] = {}
    words = command.argv[len(ENGINE) :]
    for at, word in enumerate(words):
        if word.startswith("--"):
            assert word not in found, f"{word} comes twice"
            after = words[at + 1] if at + 1 < len(words) else "--"
            found[word] = "" if after.startswith("--") else after
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("profile", "host"), FITTING, ids=lambda one: getattr(one, "name", one))
def test_every_command_serves_its_profile_on_loopback(profile: Profile, host: str) -> None:
    command = rendered(profile, ALL[host])
    said = flags(command)
    forked = profile.is_substitute and host.startswith("cpu")
    assert command.argv[:3] == (FORKED_ENGINE if forked else ENGINE)
    assert said["--host"] == "127.0.0.1"
    assert said["--port"] == "8123"
    assert said["--served-model-name"] == profile.name
    assert said["--max-model-len"] == str(profile.serve_tokens)
    limits = json.loads(said["--limit-mm-per-prompt"])
    assert limits == {"image": profile.images_per_prompt, "video": 0}
    if profile.min_pixels < profile.max_pixels:
        assert json.loads(said["--mm-processor-kwargs"]) == {"max_pixels": profile.max_pixels}
    elif "--mm-processor-kwargs" not in profile.flags:
        assert "--mm-processor-kwargs" not in said, "pictures of one size have no limit to set"
    assert "--enable-prompt-tokens-details" in said
    assert said["--scheduling-policy"] == "priority"


@pytest.mark.slow
@pytest.mark.parametrize(("profile", "host"), FITTING, ids=lambda one: getattr(one, "name", one))
def test_every_command_has_a_guard_and_fetches_no_pictures(profile: Profile, host: str) -> None:
    said = flags(rendered(profile, ALL[host]))
    module, name = said["--middleware"].split(".")
    assert f"class {name}" in (SHIM / f"{module}.py").read_text(encoding="utf-8")
    assert said["--allowed-media-domains"].endswith(".invalid"), "a name that nothing can have"
    assert "--disable-fastapi-docs" in said
    assert "--api-key" not in said, "everybody may read a command line"


@pytest.mark.slow
@pytest.mark.parametrize(("profile", "host"), FITTING, ids=lambda one: getattr(one, "name", one))
def test_no_command_sets_a_seed_trusts_code_or_loads_random_weights(
    profile: Profile, host: str
) -> None:
    said = flags(rendered(profile, ALL[host]))
    for unwanted in ("--seed", "--trust-remote-code", "--allowed-local-media-path"):
        assert unwanted not in said
    assert "--load-format" not in said


@pytest.mark.parametrize("name", ["qwen2.5-vl-7b", "stand-in", "mini"])
def test_a_gpu_command_takes_its_share_and_no_more(name: str) -> None:
    said = flags(rendered(find_profile(name), H200))
    share = plan_one(find_profile(name), H200)
    assert float(said["--gpu-memory-utilization"]) == share.fraction
    assert "--max-num-seqs" not in said
    assert ("--enforce-eager" in said) == (name != "qwen2.5-vl-7b")


@pytest.mark.parametrize(
    ("host", "batch", "dtype"),
    [(H200, "16384", "bfloat16"), (RTX_4090, "4096", "bfloat16"), (T4, "4096", "float16")],
)
def test_small_and_old_gpus_get_smaller_batches_and_their_own_number_format(
    host: Hardware, batch: str, dtype: str
) -> None:
    said = flags(rendered(find_profile("qwen2.5-vl-3b"), host))
    assert said["--max-num-batched-tokens"] == batch
    assert said["--dtype"] == dtype


def test_a_model_that_is_split_names_its_gpus_and_splits_pictures() -> None:
    command = rendered(find_profile("qwen3-vl-235b-a22b"), EIGHT_H200)
    assert flags(command)["--tensor-parallel-size"] == "4"
    assert flags(command)["--mm-encoder-tp-mode"] == "data"
    assert dict(command.env)["CUDA_VISIBLE_DEVICES"] == "0,1,2,3"
    alone = rendered(find_profile("qwen2.5-vl-7b"), TWO_A100)
    assert "--tensor-parallel-size" not in flags(alone)
    assert dict(alone.env)["CUDA_VISIBLE_DEVICES"] == "0"
    assert dict(alone.env)["CUDA_DEVICE_ORDER"] == "PCI_BUS_ID"


def test_two_models_with_gpus_of_their_own_do_not_see_the_other() -> None:
    pair = [find_profile("qwen2.5-vl-7b"), find_profile("qwen3-vl-8b")]
    seen = [
        dict(engine_command(one, TWO_A100, port=1, model="/m", share=share).env)[
            "CUDA_VISIBLE_DEVICES"
        ]
        for one, share in zip(pair, plan_host(pair, TWO_A100), strict=True)
    ]
    assert sorted(seen) == ["0", "1"]


@pytest.mark.parametrize(
    ("name", "dtype"), [("stand-in", "float32"), ("mini", "float32"), ("qwen2.5-vl-3b", "bfloat16")]
)
def test_a_cpu_command_starts_fast_and_keeps_its_memory(name: str, dtype: str) -> None:
    profile = find_profile(name)
    command = rendered(profile, CPU)
    said, env = flags(command), dict(command.env)
    assert {"--enforce-eager", "--max-num-seqs"} <= set(said)
    assert said["--dtype"] == dtype
    assert env["VLLM_CPU_KVCACHE_SPACE"] == str(int(plan_one(profile, CPU).kv_gib))
    for gpu_only in ("--gpu-memory-utilization", "--tensor-parallel-size", "--block-size"):
        assert gpu_only not in said
    assert not any(name.startswith("CUDA") for name in env)


@pytest.mark.parametrize(
    ("name", "version", "program"),
    [
        ("stand-in", "0.32.0", FORKED_ENGINE),
        ("stand-in-yi", "0.33.1rc1", FORKED_ENGINE),
        ("mini", "0.32.0", FORKED_ENGINE),
        ("stand-in", "0.29.0", FORKED_ENGINE),
        ("stand-in", "0.28.1", ENGINE),
        ("qwen2.5-vl-3b", "0.32.0", ENGINE),
    ],
)
def test_only_a_tiny_model_on_the_cpu_is_forked_and_only_where_vllm_is_known_to_allow_it(
    name: str, version: str, program: tuple[str, ...]
) -> None:
    command = rendered(find_profile(name), replace(CPU, engine_version=version))
    assert command.argv[:3] == program
    for tiny in ("stand-in", "mini"):
        assert rendered(find_profile(tiny), H200).argv[:3] == ENGINE


def test_the_cpu_engine_never_gets_less_than_a_whole_gib() -> None:
    share = HostShare(where="cpu", kv_gib=0.4, kv_tokens=1)
    command = engine_command(find_profile("stand-in"), CPU, port=1, model="/m", share=share)
    assert dict(command.env)["VLLM_CPU_KVCACHE_SPACE"] == "1"


def test_only_a_hub_id_may_be_asked_of_the_hub() -> None:
    profile = find_profile("qwen2.5-vl-3b")
    local = dict(rendered(profile, CPU, "/models/qwen2.5-vl-3b").env)
    assert local["HF_HUB_OFFLINE"] == local["TRANSFORMERS_OFFLINE"] == "1"
    from_hub = rendered(profile, CPU, profile.hub_id)
    assert "HF_HUB_OFFLINE" not in dict(from_hub.env)
    assert flags(from_hub)["--model"] == "Qwen/Qwen2.5-VL-3B-Instruct"


def test_random_weights_only_when_asked() -> None:
    profile = find_profile("qwen2.5-vl-7b")
    command = engine_command(
        profile, H200, port=1, model="/m", share=plan_one(profile, H200), dummy_weights=True
    )
    assert flags(command)["--load-format"] == "dummy"


@pytest.mark.parametrize(
    ("version", "renderers"),
    [
        ("0.26.0", None),
        ("", None),
        ("0.28.0", "4"),
        ("0.32.0", "4"),
        ("0.33.1rc1", "4"),
        ("1.0.0", "4"),
    ],
)
def test_a_version_that_refuses_several_renderers_is_not_asked_for_them(
    version: str, renderers: str | None
) -> None:
    host = replace(H200, engine_version=version)
    said = flags(rendered(find_profile("qwen2.5-vl-7b"), host))
    assert said.get("--renderer-num-workers") == renderers


@pytest.mark.parametrize(
    ("version", "wanted"),
    [("0.26.0", False), ("0.31.0", False), ("0.32.0", True), ("1.0.0", True)],
)
def test_the_token_endpoint_is_asked_for_where_it_replies_with_text(
    version: str, *, wanted: bool
) -> None:
    host = replace(CPU, engine_version=version)
    assert ("--enable-scale-out" in flags(rendered(find_profile("stand-in"), host))) is wanted


def test_the_extra_flags_of_a_profile_are_passed_on() -> None:
    profile = replace(find_profile("qwen2.5-vl-7b"), flags=("--kv-cache-dtype", "fp8"))
    assert flags(rendered(profile, H200))["--kv-cache-dtype"] == "fp8"


@pytest.mark.parametrize("name", ["yi-vl-6b", "stand-in-yi"])
def test_a_model_of_a_plugin_names_its_parts_and_a_template_that_is_there(name: str) -> None:
    said = flags(rendered(find_profile(name), CPU if name == "stand-in-yi" else H200))
    assert (said["--config-format"], said["--tokenizer-mode"]) == ("yi_vl", "yi_vl")
    template = Path(said["--chat-template"])
    assert template.is_absolute()
    assert template.is_file()
    assert template.parts[-3:] == ("serving", "yi_vl", "chat_template.jinja")
    assert "--chat-template" not in flags(rendered(find_profile("stand-in"), CPU))


def test_the_same_input_gives_the_same_command() -> None:
    profile = find_profile("qwen2.5-vl-3b")
    assert rendered(profile, cpu_host(20.0)) == rendered(profile, cpu_host(20.0))


@pytest.mark.skipif(importlib.util.find_spec("vllm") is None, reason="no vLLM is installed here")
def test_the_installed_vllm_knows_every_flag() -> None:
    found = importlib.util.find_spec("vllm")
    assert found is not None
    assert found.submodule_search_locations is not None
    folder = Path(found.submodule_search_locations[0])
    places = [folder / "engine" / "arg_utils.py", *(folder / "entrypoints").rglob("*args*.py")]
    text = "\n".join(place.read_text(encoding="utf-8") for place in places)
    used = {flag for profile, host in FITTING for flag in flags(rendered(profile, ALL[host]))}
    for flag in used - {"--model"}:
        assert re.search(rf"\b{flag[2:].replace('-', '_')}\b", text), flag


def test_an_engine_compiles_nothing_on_a_cpu_and_what_it_wants_on_a_gpu() -> None:
    assert dict(rendered(find_profile("stand-in"), CPU).env)["TORCHDYNAMO_DISABLE"] == "1"
    on_gpu = rendered(find_profile("qwen2.5-vl-7b"), H200)
    assert "TORCHDYNAMO_DISABLE" not in dict(on_gpu.env)
