"""Hosts to plan for: what detect() would say of them."""

from dataclasses import replace

from serving.host.hardware import Gpu, Hardware

PLUGINS = ("yi_vl",)


def gpu(index: int, name: str, total_gib: float, compute: float, used_gib: float = 0.6) -> Gpu:
    return Gpu(
        index=index,
        name=name,
        total_gib=total_gib,
        free_gib=total_gib - used_gib,
        driver="580.65.06",
        compute=compute,
    )


def gpu_host(*gpus: Gpu, cores: int = 16) -> Hardware:
    return Hardware(
        gpus=gpus,
        cores=cores,
        memory_gib=128.0,
        free_memory_gib=120.0,
        disk_free_gib=800.0,
        engine="cuda",
        engine_version="0.32.0",
        plugins=PLUGINS,
    )


def cpu_host(free_memory_gib: float = 20.0) -> Hardware:
    return Hardware(
        cores=2,
        memory_gib=24.0,
        free_memory_gib=free_memory_gib,
        disk_free_gib=75.0,
        engine="cpu",
        engine_version="0.32.0",
        no_gpu="nvidia-smi is not installed",
        plugins=PLUGINS,
    )


H200 = gpu_host(gpu(0, "NVIDIA H200", 140.4, 9.0))
RTX_4090 = gpu_host(gpu(0, "NVIDIA GeForce RTX 4090", 23.99, 8.9))
TWO_A100 = gpu_host(*(gpu(index, "NVIDIA A100-SXM4-80GB", 79.25, 8.0) for index in (0, 1)))
EIGHT_H200 = gpu_host(*(gpu(index, "NVIDIA H200", 140.4, 9.0) for index in range(8)))
T4 = gpu_host(gpu(0, "Tesla T4", 15.0, 7.5), cores=4)
CPU = cpu_host()
BARE = replace(CPU, engine=None, engine_version="")

ALL = {
    "h200": H200,
    "rtx-4090": RTX_4090,
    "two-a100": TWO_A100,
    "eight-h200": EIGHT_H200,
    "t4": T4,
    "cpu": CPU,
}
