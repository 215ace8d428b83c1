"""What this host has: GPUs, cores, memory, disk and the engine that is installed."""

import os
import subprocess
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

import psutil

Engine = Literal["cuda", "cpu"]

GIB = 2**30
_FIELDS = "index,name,memory.total,memory.free,driver_version,compute_cap,uuid"
_SMI = ("nvidia-smi", f"--query-gpu={_FIELDS}", "--format=csv,noheader,nounits")
_SMI_SECONDS = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """One CUDA device, numbered as nvidia-smi does; `compute` is its capability, such as 9.0."""

    index: int
    name: str
    total_gib: float
    free_gib: float
    driver: str
    compute: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """One host as an engine will find it. `no_gpu` says why `gpus` is empty."""

    gpus: tuple[Gpu, ...] = ()
    cores: int
    memory_gib: float
    free_memory_gib: float
    disk_free_gib: float
    engine: Engine | None
    engine_version: str = ""
    no_gpu: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The part of one host that one engine may take; made by `serving.fit.plan_host`.

    `fraction` is of each of the `gpus` (indices; as many as the model is split over), and
    nothing on the CPU; `kv_gib` is what the plan leaves there for keys and values.
    """

    where: Engine
    gpus: tuple[int, ...] = ()
    fraction: float = 0.0
    kv_gib: float
    kv_tokens: int


def detect(folder: Path | None = None) -> Hardware:
    """Look at this host; `folder` is where runs are written (default: the working folder)."""
    gpus, no_gpu = _gpus()
    engine, engine_version = installed_engine()
    memory = psutil.virtual_memory()
    total, free = within_limit(_cgroup("memory.max"), _cgroup("memory.current"), memory)
    return Hardware(
        gpus=gpus,
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        memory_gib=total / GIB,
        free_memory_gib=free / GIB,
        disk_free_gib=psutil.disk_usage(str(folder or Path.cwd())).free / GIB,
        engine=engine,
        engine_version=engine_version,
        no_gpu=no_gpu,
    )
