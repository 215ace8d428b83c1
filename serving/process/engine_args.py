"""The engine's command line: a pure function of a profile, a host and a share of it."""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from serving.host.hardware import Hardware, HostShare
from serving.model_files.profile import Profile
from serving.process.ports import LOOPBACK

ENGINE = (sys.executable, "-m", "vllm.entrypoints.openai.api_server")
"""How vLLM is started: as a module, since the CPU build has no `vllm` command. Only here."""

FORKED_ENGINE = (sys.executable, "-m", "forked_engine")
"""How vLLM is started for a tiny model on the CPU: this takes less than half the time."""

_GUARD = "engine_guard.Guard"
"""A module of serving/shim, which is on an engine's PYTHONPATH, like `forked_engine`."""

# Pictures are sent with the request; no host has this domain, so vLLM never downloads one.
_NO_MEDIA_DOMAIN = "pictures-come-as-data.invalid"

_SERVING = Path(__file__).resolve().parents[1]

# From 70 GiB on, vLLM's default batches are larger. The encoder cache is as large as a batch, so it
# must hold the pictures of one reveal (16,384 tokens hold twelve of the largest).
_LARGE_GIB = 70.0
_SMALL_CACHE_GIB = 1
_LARGE_CACHE_GIB = 8
_MANY_CORES = 8
_BFLOAT16_COMPUTE = 8.0

# Gaps of versions (docs/versions.md): 0.26 refuses more than one renderer with a picture cache;
# before 0.32 the token endpoint replies without text; the forked launcher needs 0.29. All other
# flags here exist since 0.26.
_RENDERERS_SINCE = (0, 28)
_TOKEN_ENDPOINT_SINCE = (0, 32)
_FORKED_SINCE = (0, 29)

OLDEST_TRIED = (0, 26)
"""The oldest tested version of vLLM."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineCommand:
    """The command of an engine: program and arguments, and environment variables."""

    argv: tuple[str, ...]
    env: tuple[tuple[str, str], ...]


def engine_command(
    profile: Profile,
    hardware: Hardware,
    *,
    port: int,
    model: str,
    share: HostShare,
    dummy_weights: bool = False,
) -> EngineCommand:
    """Return the command that serves `profile` on this share of the host, on loopback.

    `model` is what the engine loads: a folder (the hub is then disabled) or a hub id. No seed is
    set: a seed in a request kills the CPU engine.
    """
    argv = [
        *_program(profile, hardware, share),
        *("--model", model),
        *("--served-model-name", profile.name),
        *("--host", LOOPBACK),
        *("--port", str(port)),
        *("--middleware", _GUARD),
        *("--allowed-media-domains", _NO_MEDIA_DOMAIN),
        "--disable-fastapi-docs",
        *("--max-model-len", str(profile.serve_tokens)),
        *("--limit-mm-per-prompt", _to_json({"image": profile.images_per_prompt, "video": 0})),
        *_picture_limit(profile),
        *("--scheduling-policy", "priority"),
        "--enable-prompt-tokens-details",
        "--disable-uvicorn-access-log",
        *_token_endpoint(hardware),
        *_placement_flags(profile, hardware, share),
        *profile.flags,
        *_template(profile),
        *(("--load-format", "dummy") if dummy_weights else ()),
    ]
    return EngineCommand(argv=tuple(argv), env=tuple(_engine_variables(share, model)))


def _program(profile: Profile, hardware: Hardware, share: HostShare) -> tuple[str, ...]:
    known = parse_version(hardware.engine_version) >= _FORKED_SINCE
    return FORKED_ENGINE if known and profile.is_substitute and share.where == "cpu" else ENGINE


def _placement_flags(profile: Profile, hardware: Hardware, share: HostShare) -> Iterator[str]:
    if profile.is_substitute or share.where == "cpu":
        yield "--enforce-eager"
    if share.where == "cpu":
        yield from ("--max-num-seqs", "32")
        yield from ("--mm-processor-cache-gb", str(_SMALL_CACHE_GIB))
        yield from ("--dtype", "float32" if profile.is_substitute else "bfloat16")
        return
    gpus = [gpu for gpu in hardware.gpus if gpu.index in share.gpus]
    large = all(gpu.total_gib >= _LARGE_GIB for gpu in gpus)
    bfloat16 = all(gpu.compute >= _BFLOAT16_COMPUTE for gpu in gpus)
    yield from ("--gpu-memory-utilization", f"{share.fraction:.3f}")
    yield from ("--max-num-batched-tokens", "16384" if large else "4096")
    yield from ("--mm-processor-cache-gb", str(_LARGE_CACHE_GIB if large else _SMALL_CACHE_GIB))
    if hardware.cores >= _MANY_CORES and parse_version(hardware.engine_version) >= _RENDERERS_SINCE:
        yield from ("--renderer-num-workers", "4")
    yield from ("--watermark", "0.02")
    yield from ("--dtype", "bfloat16" if bfloat16 else "float16")
    if len(gpus) > 1:
        yield from ("--tensor-parallel-size", str(len(gpus)))
        yield from ("--mm-encoder-tp-mode", "data")


def _picture_limit(profile: Profile) -> tuple[str, ...]:
    # Models that resize all pictures to one size need no limit, and their picture processors have
    # no argument for one.
    if profile.min_pixels == profile.max_pixels:
        return ()
    return ("--mm-processor-kwargs", _to_json({"max_pixels": profile.max_pixels}))


def _template(profile: Profile) -> tuple[str, ...]:
    if not profile.chat_template:
        return ()
    return ("--chat-template", str(_SERVING / profile.chat_template))


def _token_endpoint(hardware: Hardware) -> tuple[str, ...]:
    known = parse_version(hardware.engine_version) >= _TOKEN_ENDPOINT_SINCE
    return ("--enable-scale-out",) if known else ()


def _engine_variables(share: HostShare, model: str) -> Iterator[tuple[str, str]]:
    yield ("VLLM_NO_USAGE_STATS", "1")
    if PurePath(model).is_absolute():
        yield ("HF_HUB_OFFLINE", "1")
        yield ("TRANSFORMERS_OFFLINE", "1")
    if share.where == "cpu":
        yield ("VLLM_CPU_KVCACHE_SPACE", str(max(1, int(share.kv_gib))))
        # Even an eager engine compiles small functions of the sampler: at the first turn it waits
        # 25 s for them, and without a compiler it dies.
        yield ("TORCHDYNAMO_DISABLE", "1")
        return
    yield ("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
    yield ("CUDA_VISIBLE_DEVICES", ",".join(str(index) for index in share.gpus))


def parse_version(text: str) -> tuple[int, int]:
    """Return the first two numbers of a version; missing ones are 0."""
    found = re.match(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _to_json(value: Mapping[str, int]) -> str:
    return json.dumps(value, separators=(",", ":"))
