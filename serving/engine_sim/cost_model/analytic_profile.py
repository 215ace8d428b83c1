"""The profile of an unmeasured engine: any model profile on a known GPU kind, by roofline.

Costs are bytes moved and operations done, at the shares of published rates that the profiles of one
H200 use. The estimate is pessimistic: embedding tables count as work, the picture tower has the
larger size, and a mixture of experts reads all its weights each step.
"""

import math
import re
from dataclasses import dataclass

from serving.engine_sim.cost_model.engine_profile import CostTerms, EngineProfile
from serving.engine_sim.cost_model.gpu_kinds import GpuKind, GpuSet
from serving.errors import ServingError
from serving.host.hardware import Gpu, Hardware
from serving.host.memory_plan import check_fit
from serving.model_files.profile import GIB, Profile, load_profiles

BASIS = "roofline, not measured"
_FLOPS_SHARE = 0.48
_BANDWIDTH_SHARE = 0.72
_LINK_SHARE = 0.7
_HOST_SECONDS = 1.0e-3
_TOKENISE = 3.0e-6
_PROCESS = 71.0e-6
_BYTE = 57.0e-9
_TOWER = 0.67e9
"""Parameters of a picture tower, and its operations per picture token."""
_PICTURE_FLOPS = 5.4e9
_LARGE_GIB = 70.0
_MOST_SPLIT = 8
"""GPUs of one host."""
_EXCHANGES = 2
"""All-reduces per layer: after attention and after the feed-forward part."""
_EXCHANGE_SECONDS = {True: 10e-6, False: 30e-6}
"""The fixed latency of one all-reduce in seconds, on NVLink and on PCIe."""
_NVLINK = 100e9
_HEAD_DIM = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class EnginePlan:
    """The engines that fit: `replicas` equal ones, each over `tensor_parallel` GPUs."""

    gpus: GpuSet
    engine: EngineProfile
    tensor_parallel: int
    replicas: int

    @property
    def idle(self) -> int:
        """Return the GPUs that no engine uses."""
        return self.gpus.count - self.tensor_parallel * self.replicas


def plan_engines(profile: Profile, gpus: GpuSet) -> EnginePlan:
    """Return the engines of a model on these GPUs: split over the fewest that fit, then replicated.

    `serving.host.memory_plan` decides what fits, as for a real server. Raises `ServingError`, with
    the shortfall, if the model does not fit.
    """
    kind = gpus.kind
    found = check_fit(profile, _build_host(kind, min(gpus.count, _MOST_SPLIT)))
    if not found.ok:
        raise ServingError(
            f"{profile.name!r} does not fit {gpus.count} x {kind.name} "
            f"({kind.memory_gib:.1f} GiB each): {found.why}"
        )
    split = found.tensor_parallel
    return EnginePlan(
        gpus=gpus,
        engine=analytic_profile(profile, kind, split, found.kv_tokens),
        tensor_parallel=split,
        replicas=gpus.count // split,
    )


def analytic_profile(profile: Profile, kind: GpuKind, split: int, kv_tokens: int) -> EngineProfile:
    """Return the profile of an engine over `split` GPUs of a kind with `kv_tokens` of cache.

    The limits equal those of real servers (`serving.process.engine_args`).
    """
    large = kind.memory_gib >= _LARGE_GIB
    batched = 16_384 if large else 4_096
    over = f"{split}x" if split > 1 else ""
    return EngineProfile(
        name=f"{over}{kind.name}-{profile.name}",
        basis=BASIS,
        kv_tokens=kv_tokens,
        block=16,
        max_batched_tokens=batched,
        max_seqs=1_024 if large else 256,
        encoder_tokens=batched,
        context_tokens=profile.serve_tokens,
        terms=_terms(profile, kind, split),
        watermark=0.02,
    )


def _terms(profile: Profile, kind: GpuKind, split: int) -> CostTerms:
    """Return the costs: the counts of `roofline`, for a model whose shape is partly known.

    With P parameters a token costs 2 P operations; 2 L k d values of keys and values per token give
    4 L q d operations per attention pair, for q heads in k groups. Work, weights and KV are divided
    over the GPUs; KV heads are replicated if there are fewer of them than GPUs.
    """
    flops = kind.flops * _FLOPS_SHARE * split
    bandwidth = kind.bandwidth * _BANDWIDTH_SHARE
    value = 4 if profile.is_substitute else 2
    tower = 0.0 if profile.is_substitute else _TOWER
    weights = profile.weights_gib.value * GIB - tower * value
    kv = profile.kv_bytes_per_token.value
    fixed, token = _exchange_seconds(profile, kind, split)
    return CostTerms(
        step=_HOST_SECONDS + fixed,
        weights=weights / split / bandwidth,
        token=2 * _active_parameters(profile) / flops + token,
        context=kv / min(split, profile.kv_heads) / bandwidth,
        pair=2 * kv / value * profile.heads / profile.kv_heads / flops,
        sequence=token,
        picture=_PICTURE_FLOPS / flops,
        tokenise=_TOKENISE,
        process=_PROCESS,
        byte=_BYTE,
    )


def _active_parameters(profile: Profile) -> float:
    """Return the active parameters per token; a mixture of experts names them."""
    named = re.search(r"-a(\d+)b\b", profile.name)
    if named:
        return int(named[1]) * 1e9
    return profile.parameters_b * 1e9 - (0.0 if profile.is_substitute else _TOWER)


def _exchange_seconds(profile: Profile, kind: GpuKind, split: int) -> tuple[float, float]:
    """Return the seconds of communication between GPUs, per step and per token.

    A ring all-reduce moves 2 (s - 1) / s of the bytes over each link. The number of layers L is
    derived from the KV size (heads of 128), the width h from P = 12 L h^2.
    """
    if split == 1:
        return 0.0, 0.0
    layers = profile.kv_bytes_per_token.value / (4 * profile.kv_heads * _HEAD_DIM)
    width = math.sqrt(_active_parameters(profile) / (12 * layers))
    moved = 2 * width * 2 * (split - 1) / split
    fixed = layers * _EXCHANGES * _EXCHANGE_SECONDS[kind.link >= _NVLINK]
    return fixed, layers * _EXCHANGES * moved / (kind.link * _LINK_SHARE)


def _build_host(kind: GpuKind, count: int) -> Hardware:
    """Return a host with `count` free GPUs of a kind."""
    gpus = tuple(
        Gpu(
            index=index,
            name=kind.name,
            total_gib=kind.memory_gib,
            free_gib=kind.memory_gib,
            driver="",
            compute=kind.compute,
        )
        for index in range(count)
    )
    return Hardware(
        gpus=gpus,
        cores=16,
        memory_gib=128.0,
        free_memory_gib=128.0,
        disk_free_gib=1000.0,
        engine="cuda",
        plugins=tuple({one.plugin for one in load_profiles().values()}),
    )
