"""Resolve a model's name to a URL, a profile on this host, or a substitute.

The order for an alias such as `qwen`: a URL from the environment or a config; weights on this host;
weights on the hub, if the user consents; otherwise the mini model.
`serving.resolution.profile_choice` has the rules, docs/models.md the table.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial

from serving.errors import ServingError
from serving.host.hardware import Hardware, describe_host
from serving.host.match_duration import MAX_MINUTES
from serving.host.memory_plan import check_fit
from serving.hub.hub_profile import HUB_PREFIX, check_hub_id, hub_profile
from serving.model_files.profile import Profile, find_profile, load_profiles
from serving.model_files.profile_file import ALIASES, FAMILIES
from serving.model_files.weights import (
    MODELS_VARIABLE,
    Weights,
    find_weights,
    is_hub_reachable,
    models_folder,
)
from serving.process.server_registry import list_servers
from serving.resolution.consent import FETCH, ConsentNeeded, is_allowed, offer_of
from serving.resolution.endpoints import NamedEndpoint, load_endpoints, parse_endpoint_url
from serving.resolution.profile_choice import choose_profile, estimate_minutes, format_minutes
from serving.resolution.resolution_types import Resolution, ResolutionContext


def resolve_name(name: str, here: ResolutionContext) -> Resolution:
    """Resolve `name`: an alias, a profile, a hub model, an endpoint or a URL.

    Raises `ServingError` if the name cannot be served here, with the known names; `ConsentNeeded`
    if it must be downloaded first.
    """
    if name.startswith(("http://", "https://")):
        return _resolve_url(name, here)
    if name in here.endpoints:
        return _resolve_endpoint(name, name, here)
    if name.startswith(HUB_PREFIX):
        return _resolve_profile(here.profile_of(name.removeprefix(HUB_PREFIX)), here)
    if name.lower() in ALIASES:
        return _resolve_alias(name.lower(), here)
    found = find_profile(name, also=[*ALIASES, *here.endpoints], near=here.near)
    return _resolve_profile(found, here)


def check_name(name: str, environ: Mapping[str, str], near: Sequence[str] = ()) -> None:
    """Raise `ServingError` if `name` is unknown, whether or not this host can serve it.

    `name` is not a URL; `near` are further names that a near miss can mean.
    """
    known = {**find_shared_servers(), **load_endpoints(environ)}
    if name.startswith(HUB_PREFIX):
        check_hub_id(name.removeprefix(HUB_PREFIX))
    elif name not in known and name.lower() not in ALIASES:
        find_profile(name, also=[*ALIASES, *known], near=near)


def resolve_here(
    name: str,
    hardware: Hardware,
    *,
    environ: Mapping[str, str] | None = None,
    share: float = 1.0,
    dummy: bool = False,
    near: Sequence[str] = (),
) -> Resolution:
    """Resolve `name` with the endpoints, weights and hub of this process's environment.

    Running shared servers of this host (`arena serve`) count as endpoints. With `dummy` the weights
    are random, so that a model's configuration is enough to start it. `near` are further names that
    a near miss can mean.
    """
    env = os.environ if environ is None else environ
    find = partial(find_weights, models_dir=models_folder(env), environ=env, dummy=dummy)
    return resolve_name(
        name,
        ResolutionContext(
            endpoints={} if dummy else {**find_shared_servers(), **load_endpoints(env)},
            hardware=hardware,
            weights_of=find,
            hub_reachable=cache(partial(is_hub_reachable, env)),
            profile_of=partial(hub_profile, environ=env),
            may_fetch=is_allowed(FETCH, env),
            share=share,
            near=tuple(near),
        ),
    )


def resolve_all(
    names: Sequence[str], hardware: Hardware, near: Sequence[str] = ()
) -> Mapping[str, Resolution]:
    """Resolve the names; if this host serves two models, each gets half of it."""
    found = {name: resolve_here(name, hardware, near=near) for name in names}
    ours = {one.profile.name for one in found.values() if one.kind == "profile" and one.profile}
    if len(ours) > 1:
        return {name: resolve_here(name, hardware, share=0.5) for name in names}
    return found


def find_shared_servers() -> Mapping[str, NamedEndpoint]:
    """Return this host's shared servers by profile, except those with random weights."""
    return {
        entry.profile: NamedEndpoint(name=entry.profile, url=entry.url, model=entry.model)
        for entry in list_servers()
        if entry.shared and "--load-format" not in entry.argv
    }


def _resolve_endpoint(wanted: str, name: str, here: ResolutionContext) -> Resolution:
    endpoint = here.endpoints[name]
    alias = f" by {name!r}" if wanted != name else ""
    return Resolution(
        kind="url",
        endpoint=endpoint,
        profile=_profile_of_endpoint(name, here),
        why=f"{wanted!r} is served{alias} at {endpoint.url}",
    )


def _profile_of_endpoint(name: str, here: ResolutionContext) -> Profile | None:
    if name.startswith(HUB_PREFIX):
        with suppress(ServingError):  # its files can be only on the server's host
            return here.profile_of(name.removeprefix(HUB_PREFIX))
    return load_profiles().get(name)


def _resolve_url(name: str, here: ResolutionContext) -> Resolution:
    endpoint = parse_endpoint_url(name)
    known = [one for one in here.endpoints.values() if one.url == endpoint.url and one.key]
    if known:
        endpoint = replace(endpoint, key=known[0].key)
    return Resolution(kind="url", endpoint=endpoint, why="a URL was given")


def _resolve_alias(alias: str, here: ResolutionContext) -> Resolution:
    line = [
        profile
        for profile in load_profiles().values()
        if profile.family in ALIASES[alias] and not profile.is_substitute
    ]
    line.sort(key=_size_key, reverse=True)
    for profile in line:
        for name in (profile.name, *profile.aliases):
            if name in here.endpoints:
                return _resolve_endpoint(alias, name, here)
    return choose_profile(alias, line, here)


def _resolve_profile(profile: Profile, here: ResolutionContext) -> Resolution:
    fitting = check_fit(profile, here.hardware, here.share)
    if not fitting.ok:
        raise ServingError(
            f"{profile.name!r} cannot be served on {describe_host(here.hardware)}: {fitting.why}"
        )
    weights = here.weights_of(profile)
    if not profile.stand_in:
        _check_weights(profile, weights, here)
    on_cpu = fitting.where == "cpu" and not profile.is_substitute
    slow = f", {_describe_duration(profile, here)}" if on_cpu else ""
    random = " and random weights" if weights.dummy else ""
    passed = _broken_note(weights)
    remark = profile.remark and f"; {profile.remark}"
    room = f"room for {fitting.why}{slow}{random}{passed}{remark}"
    why = f"{profile.name} was requested by name: {room}"
    return Resolution(kind="profile", profile=profile, weights=weights, why=why)


def _describe_duration(profile: Profile, here: ResolutionContext) -> str:
    minutes = estimate_minutes(profile, here)
    slow = "which will be slow: " if minutes > MAX_MINUTES else ""
    return f"{slow}{format_minutes(minutes)}"


def _check_weights(profile: Profile, weights: Weights, here: ResolutionContext) -> None:
    """Raise `ServingError` if the weights are neither on this host nor downloadable."""
    wanted = f"no {'configuration' if weights.dummy else 'weights'} for {profile.name!r}"
    put = (
        f"put the files of {profile.fetch_id} into {profile.folder} under the folder in "
        f"{MODELS_VARIABLE}"
    )
    if weights.origin == "none":
        do = "" if profile.bundled else f"; {put}"
        raise ServingError(f"{wanted}: {weights.broken or f'{weights.note}{do}'}")
    if weights.origin != "hub":
        return
    if not here.may_fetch:
        offer = offer_of(profile)
        raise ConsentNeeded(
            f"{wanted} here; `arena fetch {profile.name}` or --fetch fetches {offer.describe()}"
            f"{_broken_note(weights)}",
            offer,
        )
    if not here.hub_reachable():
        raise ServingError(
            f"{wanted} here and the hub does not answer; {put}{_broken_note(weights)}"
        )


def _broken_note(weights: Weights) -> str:
    return f" (skipped: {weights.broken})" if weights.broken else ""


def _size_key(profile: Profile) -> tuple[int, int, float]:
    """Compare by billions of parameters, then by generation, then unquantised first."""
    size = round(profile.parameters_b)
    return size, FAMILIES.index(profile.family), profile.weights_gib.value
