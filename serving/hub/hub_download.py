"""Download a model or its information from the hub, in a child process that can be killed.

An engine always gets a downloaded folder, so that it never uses the network.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, Field, ValidationError

from serving.errors import EngineError
from serving.model_files.profile import GIB

_MODULE: Final = "serving.hub.hub_client"
_ROOT: Final = Path(__file__).resolve().parents[2]
_QUIET: Final = {
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_XET": "1",
}
_EVERY: Final = 60.0
"""Seconds between two progress messages."""
_WHOLE: Final = 0.98
"""The share of the weights from which progress shows no total."""
_LOOK_SECONDS: Final = 60.0


class HubModelInfo(BaseModel):
    """The hub's information on a model: its licence, and its files with their bytes."""

    licence: str = ""
    files: Annotated[dict[str, int], Field(max_length=20_000)]


def fetch_model_info(hub_id: str) -> HubModelInfo:
    """Return the hub's information on a model, and download its small files into the cache.

    Raises `EngineError` with one line if the hub does not answer or has no such model.
    """
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", _MODULE, "look", hub_id],
            env=_child_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_LOOK_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise EngineError(
            f"the hub does not answer: nothing on {hub_id!r} within {_LOOK_SECONDS:.0f} s"
        ) from error
    if done.returncode:
        raise EngineError(
            f"{hub_id!r} is not available from the hub: {_failure_reason(done.stderr, done)}"
        )
    try:
        return HubModelInfo.model_validate_json(done.stdout)
    except ValidationError as error:
        raise EngineError(f"the hub's information on {hub_id!r} cannot be read") from error


async def fetch_model(
    hub_id: str,
    program: Sequence[str] = (),
    *,
    cache: Path | None = None,
    gib: float = 0.0,
    say: Callable[[str], None] = lambda _: None,
    every: float = _EVERY,
) -> Path:
    """Return the folder of a model in the hub's cache; download missing files.

    A child process does the download and ends with this call; a later call resumes it. `program` is
    from `fetch_args`, by default for safetensors only. `cache` is the cache of the hub's client and
    `gib` the size of the weights: with both, the free disk space is checked, and `say` receives
    progress. Raises `EngineError` with one line if the disk is too small, or with the child's last
    line if it fails.
    """
    kept = cache and model_cache_folder(cache, hub_id)
    if kept and gib:
        check_disk_space(hub_id, kept, gib)
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, *(program or fetch_args()), hub_id),
        env=_child_environment(),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.TaskGroup() as group:
            telling = group.create_task(_report_progress(hub_id, kept, gib, say, every))
            out, err = await child.communicate()
            telling.cancel()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode:
        why = _failure_reason(err.decode(errors="replace"), child)
        raise EngineError(f"{hub_id!r} cannot be fetched from the hub: {why}")
    return Path(out.decode().strip().splitlines()[-1])


def fetch_args(*, pickled: bool = False, code: bool = False) -> tuple[str, ...]:
    """Return the Python arguments that fetch a model, optionally with pickled weights or code."""
    more = (*(("--pickle",) if pickled else ()), *(("--code",) if code else ()))
    return ("-m", _MODULE, "fetch", *more)


def model_cache_folder(cache: Path, hub_id: str) -> Path:
    """Return the folder of a model in the hub's cache; it need not exist yet."""
    return cache / f"models--{hub_id.replace('/', '--')}"


def check_disk_space(hub_id: str, kept: Path, gib: float) -> None:
    """Raise `EngineError` if the rest of a download does not fit on the disk."""
    there = next(place for place in (kept, *kept.parents) if place.exists())
    free = shutil.disk_usage(there).free / GIB
    wanted = gib - cache_size_gib(kept)
    if free < wanted:
        raise EngineError(
            f"{hub_id!r} cannot be fetched from the hub: it needs {wanted:.0f} GiB more, but "
            f"{str(there)!r} has {free:.0f} GiB free; free some space, or name a folder elsewhere "
            "in HF_HOME"
        )


def cache_size_gib(kept: Path) -> float:
    """Return the GiB of a model's files in the hub's cache, including partial ones."""
    size = 0
    try:
        for path in (*(kept / "blobs").glob("*"), *(kept / "snapshots").rglob("*")):
            # A link points to a blob; a cache without links has no blobs of complete files.
            if path.is_file() and not path.is_symlink():
                size += path.stat().st_size
    except OSError:  # A file was renamed meanwhile or cannot be read: the next update corrects it.
        pass
    return size / GIB


async def _report_progress(
    hub_id: str, kept: Path | None, gib: float, say: Callable[[str], None], every: float
) -> None:
    while kept:
        await asyncio.sleep(every)
        held = await asyncio.to_thread(cache_size_gib, kept)
        of = f" of about {gib:.0f}" if held < _WHOLE * gib else ""
        say(f"fetching {hub_id}: {held:.1f}{of} GiB are downloaded")


def _child_environment() -> dict[str, str]:
    others = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([str(_ROOT), *([others] if others else [])])
    return {**os.environ, **_QUIET, "PYTHONPATH": path}


def _failure_reason(
    said: str, child: asyncio.subprocess.Process | subprocess.CompletedProcess[str]
) -> str:
    lines = said.strip().splitlines()
    if lines and lines[-1].startswith("ModuleNotFoundError: No module named 'huggingface_hub'"):
        return "its client comes with an engine, and none is installed here (see `arena doctor`)"
    return lines[-1] if lines else f"exit status {child.returncode}"
