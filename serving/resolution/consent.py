"""The user's permissions: download from the hub, load pickled weights, run a model's own code.

Each is an environment variable, so that child processes inherit it; commands have an option for
each (`serving.commands.consent_options`).
"""

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from serving.errors import ServingError
from serving.model_files.profile import GIB, Profile

FETCH: Final = "ARENA_FETCH"
PICKLE: Final = "ARENA_ALLOW_PICKLE"
REMOTE_CODE: Final = "ARENA_TRUST_REMOTE_CODE"

BYTES_PER_SECOND: Final = 20e6
"""The download rate that estimates assume: 160 Mbit/s."""

_TRUE: Final = frozenset({"1", "on", "yes", "true"})
_MINUTE: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadOffer:
    """A model that could be downloaded; `gib` is 0 if only the hub knows its size."""

    name: str
    hub_id: str
    gib: float = 0.0
    licence: str = ""

    def describe(self) -> str:
        """Return the cost of the download, for the user's decision."""
        if not self.gib:
            return f"{self.hub_id} (its size is unknown until the hub is queried)"
        seconds = self.gib * GIB / BYTES_PER_SECOND
        time = f"{seconds:.0f} s" if seconds < _MINUTE else f"{seconds / _MINUTE:.0f} min"
        takes = f"{self.gib:.1f} GiB, about {time} at 20 MB/s"
        return f"{self.hub_id} ({takes}; licence: {self.licence})"


class ConsentNeeded(ServingError):  # noqa: N818 - not an error: the user has not decided
    """A model is not on this host, and the user has not permitted its download."""

    def __init__(self, message: str, offer: DownloadOffer) -> None:
        super().__init__(message)
        self.offer = offer


def offer_of(profile: Profile) -> DownloadOffer:
    """Return the download offer of a profile."""
    return DownloadOffer(
        name=profile.name,
        hub_id=profile.fetch_id,
        gib=profile.weights_gib.value,
        licence=profile.licence,
    )


def is_true(text: str) -> bool:
    """Return whether the value of a variable means yes."""
    return text.strip().lower() in _TRUE


def is_allowed(variable: str, environ: Mapping[str, str]) -> bool:
    """Return whether the user has granted the permission `variable` (of this module)."""
    return is_true(environ.get(variable, ""))


@contextmanager
def allow(*variables: str) -> Generator[None]:
    """Grant the permissions `variables` while the block runs."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(dict.fromkeys(variables, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
