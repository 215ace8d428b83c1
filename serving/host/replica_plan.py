"""Plan replicas on one host: each model gets its own GPUs, then the rest is distributed. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from serving.errors import ServingError
from serving.host.hardware import Hardware, HostShare, describe_host
from serving.host.memory_plan import plan_host, plan_one
from serving.model_files.profile import Profile


def plan_replicas(
    profiles: Sequence[Profile], hardware: Hardware
) -> Mapping[str, tuple[HostShare, ...]]:
    """Return the engines of each profile: one per group of GPUs, until no further group fits.

    The largest model is placed first; further groups go to the model with the fewest engines. With
    at most one GPU the models share the host, one engine each (`plan_host`). Raises `ServingError`
    if a model does not fit, and if several GPUs are fewer than the models.
    """
    if hardware.engine != "cuda" or len(hardware.gpus) <= 1:
        shares = plan_host(profiles, hardware)
        return {one.name: (share,) for one, share in zip(profiles, shares, strict=True)}
    if len(hardware.gpus) < len(profiles):
        raise ServingError(
            f"{len(profiles)} models need a GPU each, but {describe_host(hardware)} has "
            f"{len(hardware.gpus)}; use nodes with more, or plan a tournament of fewer models"
        )
    found: dict[str, list[HostShare]] = {one.name: [] for one in profiles}
    left = hardware
    for profile in sorted(profiles, key=lambda one: -one.weights_gib.value):
        found[profile.name].append(plan_one(profile, left))
        left = _remove_gpus(left, found[profile.name][-1])
    while (more := _plan_next(profiles, found, left)) is not None:
        profile, share = more
        found[profile.name].append(share)
        left = _remove_gpus(left, share)
    return {name: tuple(shares) for name, shares in found.items()}


def _plan_next(
    profiles: Sequence[Profile], found: Mapping[str, Sequence[HostShare]], left: Hardware
) -> tuple[Profile, HostShare] | None:
    """Return one more engine on the remaining GPUs, for the model with the fewest."""
    if not left.gpus:
        return None
    for profile in sorted(profiles, key=lambda one: len(found[one.name])):
        try:
            return profile, plan_one(profile, left)
        except ServingError:
            continue
    return None


def _remove_gpus(hardware: Hardware, share: HostShare) -> Hardware:
    gpus = tuple(gpu for gpu in hardware.gpus if gpu.index not in share.gpus)
    return replace(hardware, gpus=gpus)
