"""Types of name resolution: the result and its context."""

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
    """The resolution of a name, and the reason in one sentence.

    A "url" has an endpoint, and also a profile if the endpoint has a profile's name; a "profile" is
    served on this host and has weights. `offer` is the model that would play instead if the user
    permitted its download.
    """

    kind: Literal["url", "profile"]
    why: str
    endpoint: NamedEndpoint | None = None
    profile: Profile | None = None
    weights: Weights | None = None
    offer: DownloadOffer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolutionContext:
    """The inputs of a resolution.

    `hub_reachable` is called only if its answer matters and the user permits it (`may_fetch`).
    `profile_of` computes the profile of a hub model by its id, and raises `ServingError` if it
    cannot be served. `share` is the model's part of the host: 0.5 if the host serves two models.
    `near` are names of other things that a near miss can mean, such as players.
    """

    endpoints: Mapping[str, NamedEndpoint]
    hardware: Hardware
    weights_of: Callable[[Profile], Weights]
    hub_reachable: Callable[[], bool]
    profile_of: Callable[[str], Profile]
    may_fetch: bool = False
    share: float = 1.0
    near: tuple[str, ...] = ()
