"""What nvidia-smi, the control group and the installed packages say of a host."""

import os
from pathlib import Path

import pytest

from serving.host.hardware import apply_memory_limit, describe_host, detect, parse_gpus
from tests.serving.hosts import (
    BARE,
    CPU,
    EIGHT_H200,
    H200,
)

GIB = 2**30
ONE = "0, NVIDIA H200, 143771, 143149, 580.65.06, 9.0, GPU-aaaa-1\n"
TWO = ONE + "1, NVIDIA GeForce RTX 4090, 24564, 23020, 580.65.06, 8.9, GPU-bbbb-2\n"


def test_the_output_of_nvidia_smi_is_read() -> None:
    gpus, why = parse_gpus(ONE)
    assert why == ""
    (gpu,) = gpus
    assert (gpu.index, gpu.name, gpu.driver, gpu.compute) == (0, "NVIDIA H200", "580.65.06", 9.0)
    assert gpu.total_gib == pytest.approx(140.4, abs=0.05)
    assert gpu.free_gib == pytest.approx(139.8, abs=0.05)


@pytest.mark.parametrize(
    ("visible", "indices"),
    [
        (None, [0, 1]),
        ("0", [0]),
        ("1,0", [1, 0]),
        ("GPU-bbbb-2", [1]),
        ("GPU-bbbb", [1]),
        ("1,7,0", [1]),
        ("", []),
        ("-1", []),
        ("MIG-1234", []),
    ],
)
def test_only_visible_gpus_count(visible: str | None, indices: list[int]) -> None:
    gpus, why = parse_gpus(TWO, visible)
    assert [gpu.index for gpu in gpus] == indices
    assert bool(why) == (not indices)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nvidia-smi lists no GPU"),
        ("\n\n", "nvidia-smi lists no GPU"),
        ("No devices were found\n", "unusable row: 'No devices were found'"),
        ("0, NVIDIA GB10, [N/A], [N/A], 580.1, 12.1, GPU-c\n", "unusable row"),
    ],
)
def test_what_cannot_be_read_is_a_reason_and_no_error(text: str, said: str) -> None:
    gpus, why = parse_gpus(text)
    assert gpus == ()
    assert said in why


@pytest.mark.parametrize(
    ("files", "named", "found"),
    [
        ((), None, False),
        (("gcc", "cc", "clang++", "Python.h"), None, False),
        (("g++",), None, False),
        (("g++", "Python.h"), None, True),
        (("g++", "Python.h"), "clang++", False),
        (("clang++", "Python.h"), "clang++", True),
    ],
)
def test_a_compiler_is_the_one_that_pytorch_would_call_and_has_the_headers_of_python(
    files: tuple[str, ...],
    named: str | None,
    *,
    found: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in files:
        (tmp_path / name).write_text("#!/bin/sh\n", encoding="ascii")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", {"include": str(tmp_path)}.get)
    monkeypatch.delenv("CXX", raising=False)
    if named:
        monkeypatch.setenv("CXX", named)
    assert detect(tmp_path).compiler is found


def test_one_gpu_that_cannot_be_read_does_not_hide_another() -> None:
    gpus, why = parse_gpus("0, Broken, [N/A], [N/A], 580.1, 12.1, GPU-c\n" + TWO.splitlines()[1])
    assert [gpu.index for gpu in gpus] == [1]
    assert why == ""


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (("", "", ""), (64, 40)),
        (("max\n", str(9 * GIB), ""), (64, 40)),
        ((str(24 * GIB), str(10 * GIB), ""), (24, 14)),
        ((str(24 * GIB), str(10 * GIB), f"anon 1\ninactive_file {6 * GIB}\n"), (24, 20)),
        ((str(24 * GIB), str(30 * GIB), ""), (24, 0)),
        ((str(500 * GIB), str(10 * GIB), ""), (64, 40)),
    ],
)
def test_memory_is_what_the_control_group_leaves(
    group: tuple[str, ...], expected: tuple[int, int]
) -> None:
    total, free = apply_memory_limit(group, 64 * GIB, 40 * GIB)
    assert (total // GIB, free // GIB) == expected


def test_a_host_is_named_for_people() -> None:
    assert describe_host(H200) == "1 x NVIDIA H200"
    assert describe_host(EIGHT_H200) == "8 x NVIDIA H200"
    assert describe_host(CPU) == "the CPU with 20.0 GiB of memory free"
    assert describe_host(BARE) == "this host"


@pytest.mark.parametrize(
    ("script", "gpus", "said"),
    [
        (f"printf '{ONE}'", 1, ""),
        (
            "echo 'NVIDIA-SMI has failed because of the driver'; exit 9",
            0,
            "status 9: NVIDIA-SMI has",
        ),
        (None, 0, "nvidia-smi is not installed"),
    ],
)
def test_this_host_is_looked_at_with_its_own_nvidia_smi(
    script: str | None, gpus: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if script is not None:
        program = tmp_path / "nvidia-smi"
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    found = detect(tmp_path / "runs" / "to" / "come")
    assert len(found.gpus) == gpus
    assert said in found.no_gpu
    assert found.cores >= 1
    assert 0 < found.free_memory_gib <= found.memory_gib
    assert found.disk_free_gib > 0
    assert os.environ["PATH"] == str(tmp_path)
