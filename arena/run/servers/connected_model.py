"""Connection to one model by name, for questions outside of a match."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import ConfigError
from arena.run.servers.model_handle import ModelHandle
from arena.run.servers.model_pool import ClientLimits, PictureStore, open_model_pool
from scripts_mm.script import Picture
from serving.host.hardware import detect

_RECOVERY_SECONDS: Final = 240.0
"""Maximum downtime of a server that this program did not start: as in a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedModel:
    """A connected model, and the identity that its servers report."""

    handle: ModelHandle
    identity: str
    """Empty: the servers do not report it."""


def _no_picture(picture: Picture) -> bytes:
    raise ConfigError(
        f"questions to this model contain no pictures, but it was given {picture.file!r}"
    )


NO_PICTURES: Final = PictureStore(read=_no_picture, save=lambda _sha, _data: None)
"""For questions without pictures."""


@asynccontextmanager
async def connect_model(
    name: str,
    folder: Path,
    *,
    max_requests: int,
    log: Callable[[str], None],
    pictures: PictureStore = NO_PICTURES,
) -> AsyncGenerator[ConnectedModel]:
    """Connect the model called `name`; an engine that this call starts stops at the end.

    `folder`: the folder of the results. Raises `ServingError` or `ConfigError` as
    `open_model_pool`.
    """
    limits = ClientLimits(max_requests=max_requests, recovery_seconds=_RECOVERY_SECONDS)
    async with open_model_pool(
        [name], detect(folder), client=limits, pictures=pictures, log=log
    ) as pool:
        roots = [str(one.get("root", "")) for one in pool.servers[name].identities]
        yield ConnectedModel(handle=pool.models[name], identity=roots[0] if roots else "")
