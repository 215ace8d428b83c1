"""GPU kinds with their published figures, and the parser of GPU sets such as `4xh200`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from serving.errors import ServingError
from serving.host.hardware import Gpu, Hardware

HERE = "here"
"""The word for this host's GPUs."""
_DEFAULT = "h200"
_MOST = 4096
_NEAR = 0.1
"""The largest relative difference from a kind's memory: one name is sold with several sizes."""


@dataclass(frozen=True, slots=True)
class GpuKind:
    """One kind of GPU; rates per second are published peaks without sparsity, not measured."""

    name: str
    mark: str
    """The substring that identifies it in the driver's GPU name."""
    memory_gib: float
    """As the driver reports it, error correction on."""
    flops: float
    """Dense bf16 operations, sums in fp32."""
    bandwidth: float
    """Bytes of memory."""
    link: float
    """Bytes to the other GPUs of a host, one way: NVLink, or PCIe 4.0 x16."""
    compute: float
    """The compute capability."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuSet:
    """GPUs of one kind, and a remark on how they were chosen."""

    kind: GpuKind
    count: int
    remark: str = ""


_ALL = (
    GpuKind("h200", "H200", 140.4, 989.4e12, 4800e9, 450e9, 9.0),
    GpuKind("h100", "H100", 79.6, 989.4e12, 3350e9, 450e9, 9.0),
    GpuKind("a100-80", "A100", 79.25, 312e12, 2039e9, 300e9, 8.0),
    GpuKind("a100-40", "A100", 39.5, 312e12, 1555e9, 300e9, 8.0),
    GpuKind("l40s", "L40S", 45.0, 362e12, 864e9, 32e9, 8.9),
    GpuKind("rtx-4090", "RTX 4090", 23.99, 165.2e12, 1008e9, 32e9, 8.9),
    GpuKind("rtx-3090", "RTX 3090", 24.0, 71e12, 936e9, 32e9, 8.6),
)
GPU_KINDS: Mapping[str, GpuKind] = MappingProxyType({kind.name: kind for kind in _ALL})
"""By name: SXM modules of H200, H100 and A100, cards of the others, by NVIDIA's data sheets."""


def parse_gpu_set(words: str, hardware: Hardware) -> GpuSet:
    """Return the GPUs that `words` name: `4xh200`, `h100`, `2` or `here`.

    A bare number means GPUs of this host's kind, or else H200s, which the remark states. Raises
    `ServingError` for other words, and for `here` if `hardware` has no GPU of a known kind.
    """
    found = re.fullmatch(r"(?:(\d{1,9})(?:x(?=.)|$))?(.*)", words.strip().lower())
    number, name = (found[1], found[2]) if found else (None, words)
    count = int(number) if number else None
    if count is not None and not 1 <= count <= _MOST:
        raise ServingError(f"wanted 1 to {_MOST} GPUs, got {words!r}")
    if name == HERE:
        return _local_gpus(hardware, count)
    if not name and count is not None:
        return _count_only(hardware, count)
    if name not in GPU_KINDS:
        raise ServingError(
            f"no GPUs {words!r}; wanted words such as 1, 4xh200 or {HERE}, "
            f"with one of {', '.join(GPU_KINDS)}"
        )
    return GpuSet(kind=GPU_KINDS[name], count=count or 1)


def find_gpu_kind(gpu: Gpu) -> GpuKind | None:
    """Return the kind of a GPU that the driver reports, with its own memory; None: unknown."""
    for kind in _ALL:
        if kind.mark in gpu.name and abs(gpu.total_gib / kind.memory_gib - 1) <= _NEAR:
            return replace(kind, memory_gib=gpu.total_gib)
    return None


def _local_gpus(hardware: Hardware, count: int | None) -> GpuSet:
    if not hardware.gpus:
        why = hardware.no_gpu or "no GPU was found"
        raise ServingError(f"this host has no GPU to plan for ({why}); name a kind, such as 1xh200")
    gpu = hardware.gpus[0]
    kind = find_gpu_kind(gpu)
    if kind is None:
        raise ServingError(
            f"no figures are known for {gpu.name!r} with {gpu.total_gib:.1f} GiB; "
            f"name a kind instead: {', '.join(GPU_KINDS)}"
        )
    if any(other.name != gpu.name for other in hardware.gpus):
        raise ServingError("this host's GPUs are of several kinds; name one, such as 2xh200")
    least = min(other.total_gib for other in hardware.gpus)
    return GpuSet(kind=replace(kind, memory_gib=least), count=count or len(hardware.gpus))


def _count_only(hardware: Hardware, count: int) -> GpuSet:
    try:
        return _local_gpus(hardware, count)
    except ServingError:
        remark = f"assumes GPUs of kind {_DEFAULT}: this host has none of a known kind"
        return GpuSet(kind=GPU_KINDS[_DEFAULT], count=count, remark=remark)
