"""Where a model's weights are: a folder of the user's, the hub's local cache, or the hub itself."""

import json
import os
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from serving.profile import Profile

HUB = "https://huggingface.co"
MODELS_VARIABLE = "ARENA_MODELS"

_TRUE = {"1", "on", "yes", "true"}
_INDEX = "model.safetensors.index.json"
_SINGLE = "model.safetensors"
_REACH_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What the engine is to load: an absolute folder, a hub id, or nothing.

    `note` says what stands in the way or what was passed over on the way here. With `dummy` the
    folder needs only configuration and tokenizer, and the weights are random.
    """

    path: str
    origin: Literal["folder", "cache", "hub", "none"]
    note: str = ""
    dummy: bool = False

    @property
    def local(self) -> bool:
        """Whether they are on this host, whole."""
        return self.origin in ("folder", "cache")


def find_weights(
    profile: Profile,
    models_dir: Path | None,
    *,
    environ: Mapping[str, str] | None = None,
    dummy: bool = False,
) -> Weights:
    """Look for `profile`'s weights without using the network.

    First `models_dir`/NAME, where NAME is the profile's or the hub's, then the hub's cache, then
    the hub, unless HF_HUB_OFFLINE forbids it. `environ` is the process's own where not given.
    """
    env = os.environ if environ is None else environ
    if profile.stand_in:
        return Weights(path="", origin="none", note="made on the spot")
    faults: list[str] = []
    for origin, folder in _places(profile, models_dir, env):
        fault = lacking(folder, dummy=dummy)
        if not fault:
            path = str(folder.resolve())
            return Weights(path=path, origin=origin, note="; ".join(faults), dummy=dummy)
        faults.append(f"{folder} {fault}")
    if not is_offline(env):
        return Weights(path=profile.hub_id, origin="hub", note="; ".join(faults), dummy=dummy)
    folder = models_dir or f"a folder named by {MODELS_VARIABLE}"
    looked = f"looked for {profile.name} in {folder} and in {hub_cache(env)}; the hub is off"
    return Weights(path="", origin="none", note="; ".join([*faults, looked]), dummy=dummy)


def lacking(folder: Path, *, dummy: bool = False) -> str:
    """Return what a model's folder lacks, or nothing where it is whole.

    Every shard that the index names must be there and hold something; links count as what they
    point at, so that a download that was cut short is seen.
    """
    if not _filled(folder / "config.json"):
        return "has no config.json"
    if dummy or (folder / _SINGLE).exists():
        return "" if dummy or _filled(folder / _SINGLE) else f"has an empty {_SINGLE}"
    if not _filled(folder / _INDEX):
        return f"has neither {_SINGLE} nor {_INDEX}"
    try:
        shards = _shards(folder / _INDEX)
    except (OSError, ValueError) as error:
        return f"has a broken {_INDEX}: {error}"
    absent = [shard for shard in shards if not _filled(folder / shard)]
    return f"lacks {len(absent)} of {len(shards)} shards, first {absent[0]}" if absent else ""


def models_folder(environ: Mapping[str, str]) -> Path | None:
    """Return the folder that ARENA_MODELS names, if any."""
    named = environ.get(MODELS_VARIABLE, "").strip()
    return Path(named).expanduser() if named else None


def hub_cache(environ: Mapping[str, str]) -> Path:
    """Return where the hub's client keeps what it has fetched, by its own variables."""
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if environ.get(variable):
            return Path(environ[variable]).expanduser()
    if environ.get("HF_HOME"):
        return Path(environ["HF_HOME"]).expanduser() / "hub"
    cache = environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "huggingface" / "hub"


def is_offline(environ: Mapping[str, str]) -> bool:
    """Return whether the hub may not be asked."""
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    return any(environ.get(name, "").strip().lower() in _TRUE for name in names)


def hub_reachable(environ: Mapping[str, str] | None = None) -> bool:
    """Ask the hub for a sign of life, for two seconds at the most."""
    env = os.environ if environ is None else environ
    if is_offline(env):
        return False
    return answers(env.get("HF_ENDPOINT") or HUB)


def answers(url: str, seconds: float = _REACH_SECONDS) -> bool:
    """Return whether an HTTP server answers at `url`, with whatever status."""
    heard: list[bool] = []
    # A name that does not resolve ignores the timeout of a socket; a thread can be left behind.
    asking = threading.Thread(target=lambda: heard.append(_ask(url, seconds)), daemon=True)
    asking.start()
    asking.join(seconds)
    return heard == [True]


def _ask(url: str, seconds: float) -> bool:
    if not url.startswith(("http://", "https://")):
        return False
    try:
        with urllib.request.urlopen(url, timeout=seconds):  # noqa: S310 - checked above
            return True
    except urllib.error.HTTPError:
        return True
    except (OSError, ValueError):
        return False


def _places(
    profile: Profile, models_dir: Path | None, env: Mapping[str, str]
) -> Iterator[tuple[Literal["folder", "cache"], Path]]:
    if models_dir is not None:
        base = profile.hub_id.rpartition("/")[2]
        for name in dict.fromkeys((profile.name, base, profile.hub_id)):
            if (models_dir / name).is_dir():
                yield "folder", models_dir / name
    snapshots = hub_cache(env) / f"models--{profile.hub_id.replace('/', '--')}"
    for revision in _revisions(snapshots):
        yield "cache", snapshots / "snapshots" / revision


def _revisions(model: Path) -> list[str]:
    """List the revisions of a model in the hub's cache, that of its main branch first."""
    try:
        main = (model / "refs" / "main").read_text(encoding="utf-8").strip()
    except OSError:
        main = ""
    try:
        found = sorted(entry.name for entry in (model / "snapshots").iterdir() if entry.is_dir())
    except OSError:
        return []
    return sorted(found, key=lambda revision: revision != main)


def _shards(index: Path) -> list[str]:
    read: Any = json.loads(index.read_text(encoding="utf-8"))
    names = read.get("weight_map") if isinstance(read, dict) else None
    if not isinstance(names, dict) or not names:
        raise ValueError("it has no weight_map")
    return sorted({str(name) for name in cast("dict[str, object]", names).values()})


def _filled(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size > 0
    except OSError:
        return False
