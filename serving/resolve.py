"""From a model's name to what is played: a URL, a profile on this host, or the stand-in.

The order for an alias such as `qwen`: a URL from the environment or a config; a GPU with enough
memory and weights on this host, then weights on the hub (each time the largest profile that
fits); otherwise the untrained stand-in of its line, which is always called by its own name.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from types import MappingProxyType
from typing import Literal

from serving.endpoints import Endpoint, endpoint_of_url, endpoints_from
from serving.errors import ServingError
from serving.fit import fit
from serving.hardware import Hardware, host_name
from serving.profile import FAMILIES, Family, Profile, find_profile, load_profiles, stand_ins
from serving.registry import entries
from serving.weights import (
    MODELS_VARIABLE,
    Weights,
    find_weights,
    hub_reachable,
    models_folder,
)

_LINES: Mapping[str, tuple[Family, ...]] = MappingProxyType(
    {"qwen": ("qwen2-vl", "qwen2.5-vl", "qwen3-vl"), "yi": ("yi-vl",)}
)

ALIASES: Mapping[str, tuple[Family, ...]] = MappingProxyType(
    {**_LINES, **{family: (family,) for family in FAMILIES}}
)
"""Names that stand for the best of one or more families; which one, this host decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What a name stands for here, and in one sentence why.

    A "url" has an endpoint, and a profile too where the endpoint has a profile's name; a
    "profile" is to be served here and has where its weights are.
    """

    kind: Literal["url", "profile"]
    why: str
    endpoint: Endpoint | None = None
    profile: Profile | None = None
    weights: Weights | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Here:
    endpoints: Mapping[str, Endpoint]
    hardware: Hardware
    weights_of: Callable[[Profile], Weights]
    hub_reachable: Callable[[], bool]
    share: float


def resolve(
    name: str,
    *,
    endpoints: Mapping[str, Endpoint],
    hardware: Hardware,
    weights_of: Callable[[Profile], Weights],
    hub_reachable: Callable[[], bool],
    share: float = 1.0,
) -> Resolution:
    """Return what `name` stands for: an alias, a profile, an endpoint's name or a URL.

    `hub_reachable` is asked only where the answer decides. `share` is the part of the host that
    this model may take: 0.5 where two are to be served on it. Raises `ServingError` where nothing
    can be played under this name here, with what was wanted and what there is.
    """
    here = _Here(
        endpoints=endpoints,
        hardware=hardware,
        weights_of=weights_of,
        hub_reachable=hub_reachable,
        share=share,
    )
    if name.startswith(("http://", "https://")):
        return _url(name, here)
    if name in endpoints:
        return _served(name, name, here)
    if name.lower() in ALIASES:
        return _alias(name.lower(), here)
    return _named(find_profile(name, also=[*ALIASES, *endpoints]), here)


def check_name(name: str, environ: Mapping[str, str]) -> None:
    """Raise `ServingError` where nothing is called `name`, whether it could be served here or not.

    `name` is no URL.
    """
    known = {**servers_here(), **endpoints_from(environ)}
    if name not in known and name.lower() not in ALIASES:
        find_profile(name, also=[*ALIASES, *known])


def resolve_here(
    name: str,
    hardware: Hardware,
    *,
    environ: Mapping[str, str] | None = None,
    share: float = 1.0,
    dummy: bool = False,
) -> Resolution:
    """Resolve `name` with the endpoints, weights and hub that this process's variables name.

    Shared servers that run on this host already (`arena serve`) count as endpoints too. With
    `dummy` the weights are to be random, so that a model's configuration is enough to start it.
    """
    env = os.environ if environ is None else environ
    return resolve(
        name,
        endpoints={} if dummy else {**servers_here(), **endpoints_from(env)},
        hardware=hardware,
        weights_of=partial(find_weights, models_dir=models_folder(env), environ=env, dummy=dummy),
        hub_reachable=cache(partial(hub_reachable, env)),
        share=share,
    )


def servers_here() -> Mapping[str, Endpoint]:
    """Return the shared servers of this host by profile; not those with random weights."""
    return {
        entry.profile: Endpoint(name=entry.profile, url=entry.url, model=entry.model)
        for entry in entries()
        if entry.shared and "--load-format" not in entry.argv
    }


def _served(wanted: str, name: str, here: _Here) -> Resolution:
    endpoint = here.endpoints[name]
    alias = f" by {name!r}" if wanted != name else ""
    return Resolution(
        kind="url",
        endpoint=endpoint,
        profile=load_profiles().get(name),
        why=f"{wanted!r} is served{alias} at {endpoint.url}",
    )


def _url(name: str, here: _Here) -> Resolution:
    endpoint = endpoint_of_url(name)
    known = [one for one in here.endpoints.values() if one.url == endpoint.url and one.key]
    if known:
        endpoint = replace(endpoint, key=known[0].key)
    return Resolution(kind="url", endpoint=endpoint, why="a URL was given")


def _alias(alias: str, here: _Here) -> Resolution:
    family = [
        profile
        for profile in load_profiles().values()
        if profile.family in ALIASES[alias] and not profile.stand_in
    ]
    family.sort(key=_greatness, reverse=True)
    for profile in family:
        for name in (profile.name, *profile.aliases):
            if name in here.endpoints:
                return _served(alias, name, here)
    return _on_gpu(alias, family, here) or _stand_in(alias, family, here)


def _on_gpu(alias: str, family: list[Profile], here: _Here) -> Resolution | None:
    fits = [(profile, fit(profile, here.hardware, here.share)) for profile in family]
    found = [
        (profile, fitting, here.weights_of(profile))
        for profile, fitting in fits
        if fitting.ok and fitting.where == "cuda"
    ]
    for profile, fitting, weights in found:
        if weights.local:
            why = (
                f"{alias!r} is {profile.name}, the largest profile that fits here and has weights "
                f"in {weights.path}: room for {fitting.why}"
            )
            return Resolution(kind="profile", profile=profile, weights=weights, why=why)
    for profile, fitting, weights in found:
        room = profile.weights_gib.value < here.hardware.disk_free_gib
        if weights.origin == "hub" and room and here.hub_reachable():
            why = (
                f"{alias!r} is {profile.name}, the largest profile that fits here, with "
                f"{profile.weights_gib.value:.0f} GiB to fetch from the hub: room for {fitting.why}"
                f"{_passed(weights)}"
            )
            return Resolution(kind="profile", profile=profile, weights=weights, why=why)
    return None


def _stand_in(alias: str, family: list[Profile], here: _Here) -> Resolution:
    profile = _stand_in_of(alias)
    fitting = fit(profile, here.hardware, here.share)
    if not fitting.ok:
        raise ServingError(f"nothing to serve {alias!r} with: {fitting.why}; see `arena doctor`")
    on = "the GPU" if fitting.where == "cuda" else "the CPU"
    lack = _lack(family, here)
    return Resolution(
        kind="profile",
        profile=profile,
        weights=here.weights_of(profile),
        why=f"{lack}: the untrained {profile.name} on {on} plays instead of {alias!r}",
    )


def _stand_in_of(alias: str) -> Profile:
    """Return the stand-in of the line that the alias belongs to."""
    line = {family for line in _LINES.values() if {*line} & {*ALIASES[alias]} for family in line}
    return next(profile for profile in stand_ins() if profile.family in line)


def _lack(family: list[Profile], here: _Here) -> str:
    if not here.hardware.gpus:
        return "no GPU here"
    if here.hardware.engine != "cuda":
        return "a GPU is here, but the engine is the CPU build of vLLM"
    fitting = [profile for profile in family if fit(profile, here.hardware, here.share).ok]
    if not fitting:
        return "no profile fits the GPU"
    if all(here.weights_of(profile).origin == "none" for profile in fitting):
        return "no weights here for a profile that fits, and the hub is off"
    if not here.hub_reachable():
        return "no weights here for a profile that fits, and the hub does not answer"
    return "no weights here for a profile that fits, and no disk space to fetch them"


def _named(profile: Profile, here: _Here) -> Resolution:
    fitting = fit(profile, here.hardware, here.share)
    if not fitting.ok:
        raise ServingError(
            f"{profile.name!r} cannot be served on {host_name(here.hardware)}: {fitting.why}"
        )
    weights = here.weights_of(profile)
    absent = "" if profile.stand_in else _absent(profile, weights, here)
    if absent:
        raise ServingError(absent)
    slow = ", which will be slow" if fitting.where == "cpu" and not profile.stand_in else ""
    random = " and random weights" if weights.dummy else ""
    why = f"{profile.name} was asked for by name: room for {fitting.why}{slow}{random}"
    return Resolution(
        kind="profile", profile=profile, weights=weights, why=f"{why}{_passed(weights)}"
    )


def _absent(profile: Profile, weights: Weights, here: _Here) -> str:
    wanted = f"no {'configuration' if weights.dummy else 'weights'} for {profile.name!r}"
    put = (
        f"put the files of {profile.hub_id} into a folder {profile.name} of the folder that "
        f"{MODELS_VARIABLE} names"
    )
    if weights.origin == "none":
        return f"{wanted}: {weights.broken or f'{weights.note}; {put}'}"
    if weights.origin == "hub" and not here.hub_reachable():
        return f"{wanted} here and the hub does not answer; {put}{_passed(weights)}"
    return ""


def _passed(weights: Weights) -> str:
    return f" (passed over: {weights.broken})" if weights.broken else ""


def _greatness(profile: Profile) -> tuple[int, int, float]:
    """Compare by billions of parameters, then by generation, then unquantised first."""
    size = round(profile.parameters_b)
    return size, FAMILIES.index(profile.family), profile.weights_gib.value
