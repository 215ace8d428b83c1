"""What the user allows: to fetch from the hub, to load pickled weights, to run a model's own code.

Each is a variable of the environment, so that it holds in the programs that this one starts too;
the commands have an option for each (`serving.commands.consent_options`).
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
"""Of a download, as estimates assume: a line of 160 Mbit/s."""

_TRUE: Final = frozenset({"1", "on", "yes", "true"})
_MINUTE: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadOffer:
    """What could be fetched; `gib` is 0 where the hub must be asked for the size."""

    name: str
    hub_id: str
    gib: float = 0.0
    licence: str = ""

    def describe(self) -> str:
        """Say what a download takes, for a person who decides on it."""
        if not self.gib:
            return f"{self.hub_id} (its size is known once the hub is asked)"
        seconds = self.gib * GIB / BYTES_PER_SECOND
        time = f"{seconds:.0f} s" if seconds < _MINUTE else f"{seconds / _MINUTE:.0f} min"
        takes = f"{self.gib:.1f} GiB, about {time} at 20 MB/s"
        return f"{self.hub_id} ({takes}; licence: {self.licence})"


class ConsentNeeded(ServingError):  # noqa: N818 - no fault: the user has not decided
    """A model is not on this host, and the user has not allowed to fetch it."""

    def __init__(self, message: str, offer: DownloadOffer) -> None:
        super().__init__(message)
        self.offer = offer


def offer_of(profile: Profile) -> DownloadOffer:
    """Return what there is to fetch of a profile."""
    return DownloadOffer(
        name=profile.name,
        hub_id=profile.fetch_id,
        gib=profile.weights_gib.value,
        licence=profile.licence,
    )


def is_true(text: str) -> bool:
    """Return whether the value of a variable says yes."""
    return text.strip().lower() in _TRUE


def is_allowed(variable: str, environ: Mapping[str, str]) -> bool:
    """Return whether the user has allowed what `variable` (of this module) stands for."""
    return is_true(environ.get(variable, ""))


@contextmanager
def allow(*variables: str) -> Generator[None]:
    """Allow what `variables` stand for while the block runs."""
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
