"""Choose the profile of a line for this host, or its substitute: pure.

The order: the largest with weights on this host; with the user's consent, the largest on the hub;
the arena's mini model; without its files, an untrained stand-in. On a CPU a profile must also be
fast enough for a short match (`serving.host.match_duration`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from serving.errors import ServingError
from serving.host.match_duration import MAX_MINUTES, match_minutes
from serving.host.memory_plan import FitResult, check_fit, match_tokens
from serving.model_files.profile import GIB, Profile, find_profile, stand_ins
from serving.model_files.weights import MODELS_VARIABLE, Weights
from serving.resolution.consent import offer_of
from serving.resolution.resolution_types import Resolution, ResolutionContext

MINI = "mini"
"""The profile whose weights are part of the arena."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    """A profile that fits; `minutes` estimates a short match, 0 on a GPU."""

    profile: Profile
    fitting: FitResult
    weights: Weights
    minutes: float

    @property
    def is_quick(self) -> bool:
        return self.minutes <= MAX_MINUTES

    @property
    def memory_gib(self) -> float:
        profile = self.profile
        kv = match_tokens(profile) * profile.kv_bytes_per_token.value / GIB
        return profile.weights_gib.value + kv


def choose_profile(alias: str, line: Sequence[Profile], here: ResolutionContext) -> Resolution:
    """Resolve `alias`: to one of `line`, largest first, or a substitute.

    Raises `ServingError` if not even a substitute fits.
    """
    candidates = [
        _Candidate(
            profile=profile,
            fitting=fitting,
            weights=here.weights_of(profile),
            minutes=estimate_minutes(profile, here) if fitting.where == "cpu" else 0.0,
        )
        for profile in line
        if (fitting := check_fit(profile, here.hardware, here.share)).ok
    ]
    quick = [one for one in candidates if one.is_quick]
    for one in quick:
        if one.weights.local:
            where = f"has weights in {one.weights.path}"
            return _resolve_to(alias, one, f"fits here and {where}")
    fetchable = [one for one in quick if _is_fetchable(one, here)]
    if fetchable and here.may_fetch and here.hub_reachable():
        one = fetchable[0]
        gib = one.profile.weights_gib.value
        return _resolve_to(alias, one, f"fits here, with {gib:.0f} GiB to fetch from the hub")
    return _substitute(alias, line, candidates, here)


def estimate_minutes(profile: Profile, here: ResolutionContext) -> float:
    """Return the estimated minutes of a short match on this host's CPU, or its share of it."""
    return match_minutes(profile.parameters_b, here.hardware.cores * here.share)


def format_minutes(minutes: float) -> str:
    """Return the duration of a short match in words."""
    return f"about {max(1, round(minutes))} minutes for a short match"


def _resolve_to(alias: str, one: _Candidate, how: str) -> Resolution:
    name, broken = one.profile.name, one.weights.broken
    pace = f", {format_minutes(one.minutes)}" if one.minutes else ""
    passed = f" (skipped: {broken})" if broken and not one.weights.local else ""
    return Resolution(
        kind="profile",
        profile=one.profile,
        weights=one.weights,
        why=f"{alias!r} is {name}, the largest profile that {how}: room for "
        f"{one.fitting.why}{pace}{passed}",
    )


def _is_fetchable(one: _Candidate, here: ResolutionContext) -> bool:
    room = one.profile.weights_gib.value < here.hardware.disk_free_gib
    return one.weights.origin == "hub" and room


def _substitute(
    alias: str, line: Sequence[Profile], candidates: Sequence[_Candidate], here: ResolutionContext
) -> Resolution:
    profile = find_profile(MINI)
    if not here.weights_of(profile).local:
        profile = _stand_in_of(line)
    fitting = check_fit(profile, here.hardware, here.share)
    if not fitting.ok:
        raise ServingError(f"nothing to serve {alias!r} with: {fitting.why}; see `arena doctor`")
    what = f"untrained {profile.name}" if profile.stand_in else f"trained {profile.name} model"
    on = "the GPU" if fitting.where == "cuda" else "the CPU"
    offered = [] if here.may_fetch else [one for one in candidates if one.is_quick]
    offer = next((one.profile for one in offered if _is_fetchable(one, here)), None)
    advice = _advice(offer, candidates)
    lack = _explain_substitute(line, candidates, here)
    return Resolution(
        kind="profile",
        profile=profile,
        weights=here.weights_of(profile),
        offer=offer_of(offer) if offer else None,
        why=f"{lack}: the {what} on {on} plays instead of {alias!r}{advice and f'; {advice}'}",
    )


def _stand_in_of(line: Sequence[Profile]) -> Profile:
    families = {profile.family for profile in line}
    own = [profile for profile in stand_ins() if profile.family in families]
    return [*own, *stand_ins()][0]


def _quickest_here(candidates: Sequence[_Candidate]) -> _Candidate | None:
    """Return the fastest profile with local weights; all of them are too slow."""
    here = [one for one in candidates if one.weights.local]
    return min(here, key=lambda one: one.minutes, default=None)


def _advice(offer: Profile | None, candidates: Sequence[_Candidate]) -> str:
    """Return how to get a real model; empty if none fits."""
    if offer:
        return f"`arena fetch {offer.name}` or --fetch gets a real model"
    if not candidates:
        return ""
    slow = _quickest_here(candidates)
    if slow:
        return f"its own name, {slow.profile.name}, plays it"
    least = min(candidates, key=lambda one: one.memory_gib)
    name = least.profile.name
    if least.weights.origin == "hub":
        pace = f" ({format_minutes(least.minutes)})" if least.minutes else ""
        return f"`arena fetch {name}` gets a real model{pace}"
    return (
        f"a real model plays once the files of {least.profile.fetch_id} are in {name} under "
        f"the folder in {MODELS_VARIABLE}"
    )


def _explain_substitute(
    line: Sequence[Profile], candidates: Sequence[_Candidate], here: ResolutionContext
) -> str:
    """Return why no profile of the line is chosen."""
    reason = _lack_reason(line, candidates, here)
    if not here.hardware.gpus:
        return f"no GPU here, and {reason}"
    if here.hardware.engine != "cuda":
        return f"a GPU is here, but the engine is the CPU build of vLLM, and {reason}"
    return reason


def _lack_reason(
    line: Sequence[Profile], candidates: Sequence[_Candidate], here: ResolutionContext
) -> str:
    place = "GPU" if here.hardware.engine == "cuda" else "CPU"
    if not candidates:
        whys = {check_fit(profile, here.hardware, here.share).why for profile in line}
        [why] = whys if len(whys) == 1 else [""]
        return why or f"no profile fits the {place}"
    slow = _quickest_here(candidates)
    if slow:
        return f"{slow.profile.name}, whose weights are here, takes {format_minutes(slow.minutes)}"
    if not any(one.is_quick for one in candidates):
        return "every profile that fits is too slow"
    return f"no weights here for a profile that fits, and {_fetch_reason(candidates, here)}"


def _fetch_reason(candidates: Sequence[_Candidate], here: ResolutionContext) -> str:
    quick = [one for one in candidates if one.is_quick]
    if all(one.weights.origin == "none" for one in quick):
        return "the hub is off"
    if not any(_is_fetchable(one, here) for one in quick):
        return "no disk space to fetch them"
    return "the hub does not answer" if here.may_fetch else "the hub is queried only with consent"
