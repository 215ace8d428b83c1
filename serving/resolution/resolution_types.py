"""What a model's name stands for here, and what decides it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from serving.host.hardware import Hardware
from serving.model_files.profile import Profile
from serving.model_files.weights import Weights
from serving.resolution.consent import DownloadOffer
from serving.resolution.endpoints import NamedEndpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What a name stands for here, and in one sentence why.

    A "url" has an endpoint, and a profile too where the endpoint has a profile's name; a
    "profile" is to be served here and has where its weights are. `offer` is what would be played
    instead if the user allowed to fetch it.
    """

    kind: Literal["url", "profile"]
    why: str
    endpoint: NamedEndpoint | None = None
    profile: Profile | None = None
    weights: Weights | None = None
    offer: DownloadOffer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolutionContext:
    """All that a resolution depends on.

    `hub_reachable` is asked only where the answer decides and the user allows it (`may_fetch`).
    `profile_of` computes the profile of any model of the hub by its id, and raises `ServingError`
    where it cannot be served. `share` is the part of the host that the model may take: 0.5 where
    two are to be served on it.
    """

    endpoints: Mapping[str, NamedEndpoint]
    hardware: Hardware
    weights_of: Callable[[Profile], Weights]
    hub_reachable: Callable[[], bool]
    profile_of: Callable[[str], Profile]
    may_fetch: bool = False
    share: float = 1.0
