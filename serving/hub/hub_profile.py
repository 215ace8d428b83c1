"""`hf:ORG/NAME`: any vision-language model of the hub that the installed vLLM serves.

Its profile is computed from its files, in a folder on this host or on the hub, which is queried
only with the user's consent.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from serving.errors import ProfileError, ServingError
from serving.host.hardware import detect_engine
from serving.host.vllm_plugins import find_load_problem
from serving.host.xdg_folders import cache_folder
from serving.hub.config_profile import Config, HubFacts, compute_profile, lacks_shape
from serving.hub.hub_download import HubModelInfo, fetch_model_info, model_cache_folder
from serving.hub.hub_files import weight_bytes
from serving.hub.picture_sizing import takes_pictures
from serving.model_files.class_defaults import class_defaults
from serving.model_files.known_architectures import config_types, multimodal_architectures
from serving.model_files.profile import Profile, find_profile, load_profiles
from serving.model_files.profile_file import ALIASES
from serving.model_files.weights import hub_cache, is_offline, list_revisions, models_folder
from serving.resolution.consent import (
    FETCH,
    PICKLE,
    REMOTE_CODE,
    ConsentNeeded,
    DownloadOffer,
    is_allowed,
)

HUB_PREFIX: Final = "hf:"
"""The prefix of a hub model's name."""

_HUB_ID: Final = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
_NAMES: Final[TypeAdapter[list[str]]] = TypeAdapter(Annotated[list[str], Field(min_length=1)])
_OBJECT: Final[TypeAdapter[dict[str, Any]]] = TypeAdapter(dict[str, Any])
_MOST_BYTES: Final = 4 * 2**20
"""The size limit of a configuration file; published ones have some kilobytes."""
_LICENCE: Final = re.compile(r"(?m)^(license_name|license): *[\"']?([\w.:-]+)")
_INDEX: Final = "model.safetensors.index.json"
_CODE_FLAG: Final = "--trust-remote-code"


class _Metadata(BaseModel):
    total_size: Annotated[int, Field(ge=0)]


class _IndexSize(BaseModel):
    """The index of a sharded checkpoint."""

    metadata: _Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class _ModelFiles:
    """The folder of a model's configuration, and its files there or on the hub."""

    folder: Path
    info: HubModelInfo


def check_hub_id(hub_id: str) -> None:
    """Raise `ServingError` if `hub_id` is not a valid hub id."""
    if not _HUB_ID.fullmatch(hub_id) or ".." in hub_id:
        raise ServingError(f"{hub_id!r} is not a hub id; wanted {HUB_PREFIX}ORG/NAME")


def hub_profile(hub_id: str, environ: Mapping[str, str] | None = None) -> Profile:
    """Return the profile of a hub model: ours if there is one, else a computed one.

    Raises `ServingError` with one line if the model does not exist or the installed vLLM does not
    serve it; `ConsentNeeded` if the hub must be queried first.
    """
    env = os.environ if environ is None else environ
    check_hub_id(hub_id)
    for profile in load_profiles().values():
        if hub_id.lower() in (one.lower() for one in profile.hub_ids):
            return profile
    found = _find_local(hub_id, env) or _ask_hub(hub_id, env)
    config = _read_config(found.folder / "config.json")
    code = is_allowed(REMOTE_CODE, env)
    _check_served(hub_id, config, code=code)
    size = weight_bytes(found.info.files, pickled=is_allowed(PICKLE, env))
    if not size:
        raise ServingError(
            f"{hub_id!r} has no weights as safetensors; pickled ones can run any code when "
            f"loaded, and --allow-pickle ({PICKLE}=1) allows them"
        )
    return compute_profile(
        HubFacts(
            hub_id=hub_id,
            config=config,
            processor=_read_processor(found.folder),
            weight_bytes=max(size, _index_bytes(found.folder)),
            licence=found.info.licence,
            flags=(_CODE_FLAG,) if code and "auto_map" in config else (),
            defaults=class_defaults(found.folder) if lacks_shape(config) else {},
        )
    )


def find_any_profile(name: str) -> Profile:
    """Return the profile `name`, or that of a hub model; raises `ServingError` if there is none."""
    if name.startswith(HUB_PREFIX):
        return hub_profile(name.removeprefix(HUB_PREFIX))
    profiles = load_profiles().values()
    if "://" in name:
        names = ", ".join(one.name for one in profiles)
        raise ProfileError(
            f"wanted a profile, got the URL of a server; name the profile of its model: {names}"
        )
    families = ALIASES.get(name.lower(), ())
    names = ", ".join(
        one.name for one in profiles if one.family in families and not one.is_substitute
    )
    if names:
        raise ProfileError(f"wanted a profile, got the alias {name!r}; name one of {names}")
    return find_profile(name)


def _check_served(hub_id: str, config: Config, *, code: bool) -> None:
    """Raise `ServingError` if the installed vLLM does not serve the model."""
    try:
        architecture = _NAMES.validate_python(config.get("architectures"))[0]
    except ValidationError as error:
        raise ServingError(f"config.json of {hub_id!r} names no architecture") from error
    version, known = detect_engine()[1], _is_known(architecture)
    if not known and "auto_map" not in config:
        raise ServingError(
            f"{hub_id!r} is a {architecture}, which vLLM {version} does not serve as a "
            "vision-language model"
        )
    if not code and (not known or _is_read_by_own_code(config)):
        raise ServingError(
            f"{hub_id!r} is a {architecture}, for which vLLM {version} needs the model's own "
            f"code; review the code, then allow it with {_CODE_FLAG}"
        )
    if not takes_pictures(config):
        raise ServingError(f"{hub_id!r} is a {architecture}, which accepts no pictures")


def _is_known(architecture: str) -> bool:
    known = multimodal_architectures()
    # A later vLLM can have another registry format; then ask vLLM itself.
    return architecture in known if known else not find_load_problem(architecture)


def _is_read_by_own_code(config: Config) -> bool:
    """Return whether reading config.json needs the model's own code."""
    known, own = config_types(), config.get("auto_map")
    is_own = isinstance(own, dict) and "AutoConfig" in own
    return is_own and bool(known) and config.get("model_type") not in known


def _find_local(hub_id: str, env: Mapping[str, str]) -> _ModelFiles | None:
    """Find a model on this host: in the models folder or the hub's cache."""
    for folder in _folders(hub_id, env):
        if not (folder / "config.json").is_file():
            continue
        noted = _read_info(hub_id)
        here = {
            path.relative_to(folder).as_posix(): path.stat().st_size
            for path in folder.rglob("*")
            if path.is_file()
        }
        if any(name.endswith((".safetensors", ".bin")) for name in here):
            # An interrupted download has fewer files than the hub.
            files = {**here, **noted.files} if noted else here
            licence = _read_licence(folder) or (noted.licence if noted else "")
            return _ModelFiles(folder=folder, info=HubModelInfo(licence=licence, files=files))
        if noted:
            return _ModelFiles(folder=folder, info=noted)
    return None


def _folders(hub_id: str, env: Mapping[str, str]) -> Iterator[Path]:
    models_dir = models_folder(env)
    if models_dir is not None:
        yield from (models_dir / hub_id, models_dir / hub_id.rpartition("/")[2])
    kept = model_cache_folder(hub_cache(env), hub_id)
    yield from (kept / "snapshots" / revision for revision in list_revisions(kept))


def _ask_hub(hub_id: str, env: Mapping[str, str]) -> _ModelFiles:
    """Query the hub about a model, and cache the answer."""
    if is_offline(env):
        raise ServingError(f"no files of {hub_id!r} on this host, and the hub is off")
    if not is_allowed(FETCH, env):
        offer = DownloadOffer(name=f"{HUB_PREFIX}{hub_id}", hub_id=hub_id)
        raise ConsentNeeded(
            f"no files of {hub_id!r} on this host; `arena fetch {offer.name}` or --fetch downloads "
            "them from the hub",
            offer,
        )
    said = fetch_model_info(hub_id)
    path = _info_path(hub_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(said.model_dump_json(), encoding="utf-8")
    found = _find_local(hub_id, env)
    if found is None:
        raise ServingError(f"the hub has no config.json of {hub_id!r}")
    return found


def _info_path(hub_id: str) -> Path:
    return cache_folder() / "hub" / f"{hub_id.replace('/', '--')}.json"


def _read_info(hub_id: str) -> HubModelInfo | None:
    """Return the hub's last answer on a model."""
    try:
        return HubModelInfo.model_validate_json(_info_path(hub_id).read_bytes())
    except (OSError, ValueError):
        return None


def _read_config(path: Path) -> Config:
    try:
        with path.open("rb") as file:
            return _OBJECT.validate_json(file.read(_MOST_BYTES))
    except (OSError, ValidationError) as error:
        raise ServingError(f"{path} is not a model's configuration, a JSON object") from error


def _read_processor(folder: Path) -> Config:
    found: dict[str, Any] = {}
    for name in ("processor_config.json", "preprocessor_config.json"):
        if (folder / name).is_file():
            found |= _read_config(folder / name)
    return found


def _index_bytes(folder: Path) -> int:
    """Return the total weight bytes in a model's index, including missing files."""
    try:
        return _IndexSize.model_validate(_read_config(folder / _INDEX)).metadata.total_size
    except (ServingError, ValidationError):
        return 0


def _read_licence(folder: Path) -> str:
    """Return the licence in the header of a model's card."""
    try:
        with (folder / "README.md").open(encoding="utf-8", errors="replace") as file:
            head = file.read(_MOST_BYTES).partition("\n---")[0]
    except OSError:
        return ""
    named: dict[str, str] = dict(_LICENCE.findall(head))
    return named.get("license_name") or named.get("license") or ""
