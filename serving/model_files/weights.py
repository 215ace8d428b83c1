"""Find a model's weights: in the user's folder, in the hub's local cache, or on the hub."""

import http.client
import os
import re
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from serving.model_files.profile import Profile
from serving.resolution.consent import PICKLE, is_allowed, is_true
from serving.yi_vl.checkpoint_layout import find_layout_problem

MODELS_VARIABLE = "ARENA_MODELS"

BUNDLED = Path(__file__).resolve().parents[1]
"""The folder of the models that are part of the arena."""

_SAFE = "model.safetensors"
_PICKLED = "pytorch_model.bin"
_ASK_FOR_PICKLES = (
    "which can run any code when loaded; fetch the model as safetensors, or allow them "
    f"with --allow-pickle ({PICKLE}=1)"
)
_REACH_SECONDS = 2.0


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    # A key belongs to the named server; following a redirect would leak it.
    def redirect_request(self, *_args: object, **_options: object) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights that the engine loads: an absolute folder, a hub id, or "".

    `broken` names a folder that was skipped as incomplete; `note` lists the searched places if
    nothing was found. With `dummy` the folder needs only configuration and tokenizer, and the
    weights are random.
    """

    path: str
    origin: Literal["folder", "cache", "bundled", "hub", "none"]
    note: str = ""
    broken: str = ""
    dummy: bool = False

    @property
    def local(self) -> bool:
        """Whether they are complete on this host."""
        return self.origin in ("folder", "cache", "bundled")


class _ShardIndex(BaseModel):
    """The index of a sharded checkpoint: tensor names to file names."""

    weight_map: Annotated[dict[str, str], Field(min_length=1)]


def find_weights(
    profile: Profile,
    models_dir: Path | None,
    *,
    environ: Mapping[str, str] | None = None,
    dummy: bool = False,
) -> Weights:
    """Find the weights of `profile` without using the network.

    The order is `models_dir`/NAME, with the profile's name or a hub id, then the hub's cache, then
    the hub, unless HF_HUB_OFFLINE forbids it. `environ` defaults to the process's. A folder counts
    if it is complete and, for a plugin's model, if the plugin can load it; pickled weights count
    only if ARENA_ALLOW_PICKLE permits them.
    """
    env = os.environ if environ is None else environ
    if profile.stand_in:
        return Weights(path="", origin="none", note="built locally")
    if profile.bundled:
        return _find_bundled(BUNDLED / profile.name)
    broken, pickled = "", is_allowed(PICKLE, env)
    for origin, folder in _candidate_folders(profile, models_dir, env):
        fault = weights_problem(profile, folder, dummy=dummy, pickled=pickled)
        if not fault:
            return Weights(path=str(folder.resolve()), origin=origin, broken=broken, dummy=dummy)
        broken = broken or fault
    if not is_offline(env):
        hub_id = profile.hub_id if pickled else profile.fetch_id
        return Weights(path=hub_id, origin="hub", broken=broken, dummy=dummy)
    asked = models_dir or f"the folder in {MODELS_VARIABLE}"
    note = f"looked in {asked} and in {hub_cache(env)}, and the hub is off"
    return Weights(path="", origin="none", note=note, broken=broken, dummy=dummy)


def weights_problem(
    profile: Profile, folder: Path, *, dummy: bool = False, pickled: bool = False
) -> str:
    """Return one line on why `profile` cannot be loaded from a folder, or "".

    `pickled`: the user allows pickled weights.
    """
    lacks = describe_missing_files(folder, dummy=dummy, pickled=pickled)
    if lacks:
        return f"{folder} {lacks}"
    check = _CHECKS.get(profile.plugin)
    fault = check(folder, dummy) if check else ""
    if check and not (fault or dummy or pickled):
        return _find_pickled_part(folder)
    return fault


def describe_missing_files(folder: Path, *, dummy: bool = False, pickled: bool = False) -> str:
    """Return what a model's folder lacks, or "" if it is complete.

    Every shard in the index must exist and be non-empty. Links are followed, so that an interrupted
    download is detected. With `pickled`, pickled weights count too.
    """
    if not _is_filled(folder / "config.json"):
        return "has no config.json"
    if dummy:
        return ""
    for single in (_SAFE, *((_PICKLED,) if pickled else ())):
        if (folder / single).exists():
            return "" if _is_filled(folder / single) else f"has an empty {single}"
        index = f"{single}.index.json"
        if _is_filled(folder / index):
            return _describe_missing_shards(folder, index)
    if not pickled and any(folder.glob("*.bin")):
        return f"has only pickled weights, {_ASK_FOR_PICKLES}"
    return f"has neither {_SAFE} nor {_SAFE}.index.json"


def _describe_missing_shards(folder: Path, index: str) -> str:
    try:
        shards = _shards(folder / index)
    except (OSError, ValueError):
        return f"has a broken {index}"
    absent = [shard for shard in shards if not _is_filled(folder / shard)]
    return f"lacks {len(absent)} of {len(shards)} shards, first {absent[0]}" if absent else ""


def _find_pickled_part(folder: Path) -> str:
    """Return the fault of a sub-folder with only pickled weights; "" if there is none."""
    for part in sorted({path.parent for path in folder.rglob("*.bin")}):
        if not any(part.glob("*.safetensors")):
            return f"{part} has only pickled weights, {_ASK_FOR_PICKLES}"
    return ""


def _find_bundled(folder: Path) -> Weights:
    lacks = describe_missing_files(folder)
    if not lacks:
        return Weights(path=str(folder), origin="bundled")
    return Weights(path="", origin="none", broken=f"{folder} {lacks}; install the arena again")


def models_folder(environ: Mapping[str, str]) -> Path | None:
    """Return the folder in ARENA_MODELS, if set."""
    named = environ.get(MODELS_VARIABLE, "").strip()
    return Path(named).expanduser() if named else None


def hub_cache(environ: Mapping[str, str]) -> Path:
    """Return the cache folder of the hub's client, by its environment variables."""
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if environ.get(variable):
            return Path(environ[variable]).expanduser()
    if environ.get("HF_HOME"):
        return Path(environ["HF_HOME"]).expanduser() / "hub"
    cache = environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "huggingface" / "hub"


def is_offline(environ: Mapping[str, str]) -> bool:
    """Return whether access to the hub is disabled."""
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    return any(is_true(environ.get(name, "")) for name in names)


def is_hub_reachable(environ: Mapping[str, str] | None = None) -> bool:
    """Return whether the hub answers within two seconds."""
    env = os.environ if environ is None else environ
    if is_offline(env):
        return False
    # A proxy can answer with a refusal, so only a success status counts.
    address = _hub_address(env)
    return bool(address) and request_status(address) == HTTPStatus.OK


def describe_silent_hub(environ: Mapping[str, str] | None = None) -> str:
    """Return that the hub does not answer, where it was asked, and what to do."""
    address = _hub_address(os.environ if environ is None else environ)
    where = f" at {re.sub('//.*@', '//***@', address)}" if address else ""
    return (
        f"the hub{where} does not answer; check the network or the proxy, or put the files into "
        f"the folder in {MODELS_VARIABLE}"
    )


def _hub_address(environ: Mapping[str, str]) -> str:
    return environ.get("HF_ENDPOINT") or _hub_url()


def _hub_url() -> str:
    """Return the URL of the hub's client; "" if it is not installed."""
    try:
        from huggingface_hub import constants  # noqa: PLC0415 - installed only with an engine
    except ImportError:
        return ""
    return constants.ENDPOINT


def request_status(url: str, key: str = "") -> int:
    """Return the HTTP status of a GET of `url`; 0 if none answers in time."""
    heard: list[int] = []
    # Name resolution ignores a socket's timeout, but a thread can be abandoned.
    asking = threading.Thread(target=lambda: heard.append(_send_request(url, key)), daemon=True)
    asking.start()
    asking.join(_REACH_SECONDS)
    return heard[0] if heard else 0


def _send_request(url: str, key: str) -> int:
    if not url.startswith(("http://", "https://")):
        return 0
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    asked = urllib.request.Request(url, headers=headers)  # noqa: S310 - checked above
    try:
        with _OPENER.open(asked, timeout=_REACH_SECONDS) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    except (OSError, ValueError, http.client.HTTPException):
        return 0


def _candidate_folders(
    profile: Profile, models_dir: Path | None, env: Mapping[str, str]
) -> Iterator[tuple[Literal["folder", "cache"], Path]]:
    if models_dir is not None:
        bases = (hub_id.rpartition("/")[2] for hub_id in profile.hub_ids)
        for name in dict.fromkeys((profile.folder, *bases, *profile.hub_ids)):
            if (models_dir / name).is_dir():
                yield "folder", models_dir / name
    for hub_id in profile.hub_ids:
        snapshots = hub_cache(env) / f"models--{hub_id.replace('/', '--')}"
        for revision in list_revisions(snapshots):
            yield "cache", snapshots / "snapshots" / revision


def list_revisions(model: Path) -> list[str]:
    """List the revisions of a model in the hub's cache, the main branch first."""
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
    read = _ShardIndex.model_validate_json(index.read_text(encoding="utf-8"))
    return sorted(set(read.weight_map.values()))


def _is_filled(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size > 0
    except OSError:
        return False


def _yi_vl(folder: Path, dummy: bool) -> str:
    return find_layout_problem(folder, dummy=dummy)


_CHECKS: Mapping[str, Callable[[Path, bool], str]] = MappingProxyType({"yi_vl": _yi_vl})
"""Checks of a folder by the plugin that loads it; they return the fault, or ""."""
