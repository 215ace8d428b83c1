"""GPU check: measurements that need a GPU, or their rehearsal on the CPU build with stand-ins."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from arena.bench.gpu.gpu_steps import STEPS
from arena.bench.gpu.step_runner import CheckSettings, Document, LogLine, run_steps
from arena.errors import ConfigError
from arena.games.game_registry import DEFAULT, find_game
from arena.run.provenance import provenance
from serving.host.hardware import detect

STEP_SECONDS: Final = 510.0
"""Seconds of a step: including the end of its engine, a step takes at most nine minutes."""


def check_gpu(
    folder: Path, *, chosen: Sequence[str], rehearse: bool, command: str, say: LogLine
) -> list[Document]:
    """Run the steps that have no result in `folder`, or those `chosen`; return all documents.

    Without a GPU, or with the CPU build of vLLM, it is a rehearsal. Raises `ConfigError` if no vLLM
    is installed, for an unknown step and for a folder with results of another kind.
    """
    hardware = detect()
    if hardware.engine is None:
        raise ConfigError("vLLM should be installed for this check; run `make environment`")
    has_gpu = hardware.engine == "cuda" and bool(hardware.gpus)
    notice = f"a rehearsal: {hardware.no_gpu or 'the CPU build of vLLM is installed'}"
    versions = asdict(provenance(hardware, find_game(DEFAULT)))
    check = CheckSettings(
        folder=folder,
        limit=STEP_SECONDS,
        hardware=hardware,
        rehearsal=rehearse or not has_gpu,
        command=command,
        versions={key: versions[key] for key in ("packages", "python", "git_commit", "hardware")},
        say=say,
        notice="" if has_gpu or rehearse else notice,
    )
    return asyncio.run(run_steps(STEPS, check, chosen))
