"""Plan memory: one model on a host, or two models that share it. Pure functions.

A model fits if there is memory for its weights, the engine's reserve, and the keys and values of
one full match. Assumptions, from roofline arithmetic and not measured here:

- vLLM uses at most 92 % of a GPU and at most its free memory; a CPU engine 90 % of the free memory;
- besides weights and KV an engine needs 7 GiB on a GPU of 70 GiB and more (activations, picture
  encoder, CUDA graphs); a tenth of a smaller GPU, but at least 2 GiB (batches are smaller there); 4
  GiB for a tiny model on any GPU; 3 GiB on the CPU, where several processes load their libraries;
- a full match is six seats of 12,000 tokens each, and at least one prompt of the longest served
  length, without which the engine does not start.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from serving.environment import LIBRARY_ADVICE
from serving.errors import ServingError
from serving.host.hardware import EngineBuild, Gpu, Hardware, HostShare, describe_host
from serving.host.vllm_plugins import missing_plugin_message
from serving.model_files.profile import GIB, Profile

MATCH_SEATS = 6
SEAT_TOKENS = 12_000
CONTEXT_TOKENS = 20_000
"""The unit of KV capacity in messages: one seat's context late in a long match, or a model's whole
context if that is smaller."""

_CUDA_PART = 0.92
_CUDA_KEPT_GIB = 0.75  # our own CUDA context counts as used when the engine measures free memory
_CPU_PART = 0.9
_CPU_RESERVE_GIB = 3.0
_TINY_RESERVE_GIB = 4.0
_LEAST_RESERVE_GIB, _MOST_RESERVE_GIB, _RESERVE_PART = 2.0, 7.0, 0.1
_FEW_MATCHES = 4  # the most that a CPU plays concurrently or a tiny model needs
_STEPS = 1000  # the engine gets fractions with three decimals


@dataclass(frozen=True, slots=True, kw_only=True)
class FitResult:
    """Whether a profile fits a host, on which build, and why; KV capacity is in tokens."""

    ok: bool
    where: EngineBuild | None
    why: str
    kv_tokens: int
    contexts: float
    tensor_parallel: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _MemoryBudget:
    """Memory for engines: a fraction of `each_gib` on each of `gpus`, or of the host."""

    gpus: tuple[Gpu, ...]
    each_gib: float
    fraction: float

    @property
    def split(self) -> int:
        return max(1, len(self.gpus))

    @property
    def usable_gib(self) -> float:
        return self.each_gib * self.fraction


def check_fit(profile: Profile, hardware: Hardware, share: float = 1.0) -> FitResult:
    """Return whether `profile` fits into this `share` (0 to 1) of the host's memory."""
    missing = _find_obstacle(profile, hardware)
    if missing:
        return _reject_fit(None, missing)
    found = _plan_smallest(profile, hardware, share)
    if isinstance(found, str):
        return _reject_fit(hardware.engine, found)
    room, planned = found
    unit = min(CONTEXT_TOKENS, profile.serve_tokens)
    contexts = planned.kv_tokens / unit
    return FitResult(
        ok=True,
        where=hardware.engine,
        why=f"{contexts:.1f} contexts of {unit // 1000}k tokens{_gpu_count_suffix(room)}",
        kv_tokens=planned.kv_tokens,
        contexts=contexts,
        tensor_parallel=room.split,
    )


def plan_one(profile: Profile, hardware: Hardware, share: float = 1.0) -> HostShare:
    """Return the share of the host for a single engine; raise `ServingError` if it does not fit."""
    found = _find_obstacle(profile, hardware) or _plan_smallest(profile, hardware, share)
    if isinstance(found, str):
        raise ServingError(
            f"{profile.name!r} cannot be served on {describe_host(hardware)}: {found}"
        )
    return found[1]


def plan_host(profiles: Sequence[Profile], hardware: Hardware) -> tuple[HostShare, ...]:
    """Divide the host between one or two engines, in the order of `profiles`.

    On two or more GPUs, two engines get separate GPUs if both fit; otherwise, and on the CPU, both
    get KV capacity for the same number of tokens, since they play the same matches. Start them in
    sequence: an engine measures the free memory while it starts. Raises `ServingError` that names
    what does not fit and by how many GiB.
    """
    if not 1 <= len(profiles) <= 2:  # noqa: PLR2004 - a match has two contestants
        raise ServingError(f"wanted one or two models for this host, got {len(profiles)}")
    alone = [plan_one(profile, hardware) for profile in profiles]
    if len(profiles) == 1:
        return tuple(alone)
    apart = _plan_apart(profiles[0], profiles[1], hardware)
    if apart is not None:
        return apart
    lacking = math.inf
    for room in _budgets(profiles, hardware, 1.0):
        short = _shortfall_gib(profiles, room)
        if short <= 0:
            return _divide(profiles, room)
        lacking = min(lacking, short)
    names = " and ".join(repr(profile.name) for profile in profiles)
    raise ServingError(
        f"{names} fit {describe_host(hardware)} separately but not together: {lacking:.1f} GiB "
        "short; serve one of them elsewhere or choose a smaller one"
    )


def reserve_gib(profile: Profile, gpu: Gpu | None) -> float:
    """Return the GiB that an engine needs besides weights and KV, on one GPU or the host."""
    if gpu is None:
        return _CPU_RESERVE_GIB
    if profile.is_substitute:
        return _TINY_RESERVE_GIB
    return min(max(gpu.total_gib * _RESERVE_PART, _LEAST_RESERVE_GIB), _MOST_RESERVE_GIB)


def match_tokens(profile: Profile) -> int:
    """Return the tokens of keys and values that one full match needs."""
    seat = min(SEAT_TOKENS, profile.serve_tokens)
    return max(MATCH_SEATS * seat, profile.serve_tokens)


def _plan_smallest(
    profile: Profile, hardware: Hardware, share: float
) -> tuple[_MemoryBudget, HostShare] | str:
    """Return the smallest budget that fits, or the obstacle of the one with the least shortfall."""
    nearest, why = math.inf, f"it must be split over {profile.tensor_parallel} GPUs or more"
    for room in _budgets([profile], hardware, share):
        short = _shortfall_gib([profile], room)
        if short <= 0:
            return room, _divide([profile], room)[0]
        if short < nearest:
            nearest = short
            why = _describe_shortfall(room, short)
    return why


def _describe_shortfall(room: _MemoryBudget, short: float) -> str:
    # Only a part of the memory is usable; the rounded numbers add up.
    usable = room.usable_gib * room.split
    wanted, had = round(usable + short, 1), round(usable, 1)
    needs = f"needs {wanted:.1f} GiB{_gpu_count_suffix(room)}"
    return f"{needs}, {had:.1f} usable, {wanted - had:.1f} short"


def _plan_apart(
    first: Profile, second: Profile, hardware: Hardware
) -> tuple[HostShare, ...] | None:
    """Plan two models on separate GPUs; the larger one gets no more GPUs than it needs."""
    larger, smaller = sorted((first, second), key=lambda one: -one.weights_gib.value)
    gpus = sorted(
        hardware.gpus, key=lambda gpu: (-_usable_fraction(gpu) * gpu.total_gib, gpu.index)
    )
    for cut in range(1, len(gpus) if hardware.engine == "cuda" else 0):
        shares = [
            _plan_smallest(model, replace(hardware, gpus=tuple(part)), 1.0)
            for model, part in ((larger, gpus[:cut]), (smaller, gpus[cut:]))
        ]
        found = [one[1] for one in shares if not isinstance(one, str)]
        if len(found) == len(shares):
            return tuple(found) if larger is first else (found[1], found[0])
    return None


def _budgets(
    profiles: Sequence[Profile], hardware: Hardware, share: float
) -> Iterator[_MemoryBudget]:
    """Yield the budgets that all `profiles` can use together, the smallest first."""
    if hardware.engine == "cpu":
        yield _MemoryBudget(gpus=(), each_gib=hardware.free_memory_gib, fraction=_CPU_PART * share)
        return
    gpus = sorted(
        hardware.gpus, key=lambda gpu: (-_usable_fraction(gpu) * gpu.total_gib, gpu.index)
    )
    for split in range(1, len(gpus) + 1):
        if all(_can_split(profile, split) for profile in profiles):
            group = tuple(sorted(gpus[:split], key=lambda gpu: gpu.index))
            yield _MemoryBudget(
                gpus=group,
                each_gib=min(gpu.total_gib for gpu in group),
                fraction=min(_usable_fraction(gpu) for gpu in group) * share,
            )


def _can_split(profile: Profile, split: int) -> bool:
    power_of_two = split & (split - 1) == 0
    return power_of_two and profile.heads % split == 0 and split >= profile.tensor_parallel


def _usable_fraction(gpu: Gpu) -> float:
    return max(0.0, min(_CUDA_PART, (gpu.free_gib - _CUDA_KEPT_GIB) / gpu.total_gib))


def _static_gib(profile: Profile, room: _MemoryBudget) -> float:
    gpu = max(room.gpus, key=lambda gpu: gpu.total_gib, default=None)
    return profile.weights_gib.value / room.split + reserve_gib(profile, gpu)


def _token_gib(profile: Profile, room: _MemoryBudget) -> float:
    # If there are fewer KV heads than GPUs, vLLM replicates them.
    return profile.kv_bytes_per_token.value / min(room.split, profile.kv_heads) / GIB


def _match_gib(profile: Profile, room: _MemoryBudget) -> float:
    match = match_tokens(profile) * _token_gib(profile, room)
    return match if room.gpus else float(math.ceil(match))  # the CPU engine takes whole GiB


def _min_gib(profile: Profile, room: _MemoryBudget) -> float:
    # One step of the fraction is added, because fractions are rounded down.
    return _static_gib(profile, room) + _match_gib(profile, room) + _step_gib(room)


def _step_gib(room: _MemoryBudget) -> float:
    return room.each_gib / _STEPS if room.gpus else 0.0


def _shortfall_gib(profiles: Sequence[Profile], room: _MemoryBudget) -> float:
    """Return how many GiB a budget lacks over all its GPUs; 0 or less if it suffices."""
    return (sum(_min_gib(one, room) for one in profiles) - room.usable_gib) * room.split


def _divide(profiles: Sequence[Profile], room: _MemoryBudget) -> tuple[HostShare, ...]:
    """Give every engine its minimum, and divide the rest into equal numbers of tokens."""
    rest = room.usable_gib - sum(_min_gib(one, room) for one in profiles)
    more = rest / sum(_token_gib(one, room) for one in profiles)
    return tuple(_host_share(one, room, more) for one in profiles)


def _host_share(profile: Profile, room: _MemoryBudget, more_tokens: float) -> HostShare:
    token = _token_gib(profile, room)
    if profile.is_substitute or not room.gpus:
        more_tokens = min(more_tokens, (_FEW_MATCHES - 1) * match_tokens(profile))
    kv = _match_gib(profile, room) + _step_gib(room) + more_tokens * token
    if not room.gpus:
        whole = math.floor(kv)
        return HostShare(where="cpu", kv_gib=whole, kv_tokens=int(whole / token))
    fixed = _static_gib(profile, room)
    fraction = math.floor((fixed + kv) / room.each_gib * _STEPS) / _STEPS
    kept = fraction * room.each_gib - fixed
    return HostShare(
        where="cuda",
        gpus=tuple(gpu.index for gpu in room.gpus),
        fraction=fraction,
        kv_gib=kept * room.split,
        kv_tokens=int(kept / token),
    )


def _gpu_count_suffix(room: _MemoryBudget) -> str:
    return f" on {room.split} GPUs" if room.split > 1 else ""


def _find_obstacle(profile: Profile, hardware: Hardware) -> str:
    if hardware.engine is None:
        return "no vLLM is installed"
    if hardware.missing_library:
        return f"no engine starts without {hardware.missing_library}; {LIBRARY_ADVICE}"
    if hardware.engine == "cuda" and not hardware.gpus:
        return f"the CUDA build of vLLM is installed, but {hardware.no_gpu or 'there is no GPU'}"
    if hardware.engine == "cpu" and profile.eight_bit:
        return "its 8-bit weights need a GPU"
    if profile.plugin and profile.plugin not in hardware.plugins:
        return missing_plugin_message(profile.plugin, hardware.engine)
    return ""


def _reject_fit(where: EngineBuild | None, why: str) -> FitResult:
    return FitResult(ok=False, where=where, why=why, kv_tokens=0, contexts=0.0, tensor_parallel=0)
