"""Fetch a model from the hub, or ask what the hub has of it: by a child process that can be ended.

What an engine is given is always a folder that was fetched here: so no engine asks a network.
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
"""Seconds between two words on how far it is."""
_WHOLE: Final = 0.98
"""Of the weights: less is not told as all."""
_LOOK_SECONDS: Final = 60.0


class HubModelInfo(BaseModel):
    """What the hub says of a model: its licence, and its files with their bytes."""

    licence: str = ""
    files: Annotated[dict[str, int], Field(max_length=20_000)]


def fetch_model_info(hub_id: str) -> HubModelInfo:
    """Return what the hub says of a model, and bring its small files into the hub's cache.

    Raises `EngineError` in one line where the hub does not answer or has no such model.
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
            f"the hub does not answer: it said nothing of {hub_id!r} in {_LOOK_SECONDS:.0f} s"
        ) from error
    if done.returncode:
        raise EngineError(
            f"{hub_id!r} is not to be had from the hub: {_failure_reason(done.stderr, done)}"
        )
    try:
        return HubModelInfo.model_validate_json(done.stdout)
    except ValidationError as error:
        raise EngineError(f"what the hub says of {hub_id!r} cannot be read") from error


async def fetch_model(
    hub_id: str,
    program: Sequence[str] = (),
    *,
    cache: Path | None = None,
    gib: float = 0.0,
    say: Callable[[str], None] = lambda _: None,
    every: float = _EVERY,
) -> Path:
    """Return the folder of the hub's cache that holds what an engine needs, fetched if need be.

    It is done by a child process, which ends with this call; another call goes on where it ended.
    `program` is that of `fetch_args`, by default for safetensors alone. `cache` is where the
    hub's client keeps its files and `gib` what the model's weights take: with both it is checked
    that there is room for what is not there yet, and `say` is told how far it is. Raises
    `EngineError` in one line where there is no room, or with the last line that the child said
    where it fails.
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
    """Return the words of Python that fetch a model, with pickled weights or its own code too."""
    more = (*(("--pickle",) if pickled else ()), *(("--code",) if code else ()))
    return ("-m", _MODULE, "fetch", *more)


def model_cache_folder(cache: Path, hub_id: str) -> Path:
    """Return the folder of a model in the hub's cache; it need not exist yet."""
    return cache / f"models--{hub_id.replace('/', '--')}"


def check_disk_space(hub_id: str, kept: Path, gib: float) -> None:
    """Refuse what the disk has no room for; what was fetched before counts as there."""
    there = next(place for place in (kept, *kept.parents) if place.exists())
    free = shutil.disk_usage(there).free / GIB
    wanted = gib - cache_size_gib(kept)
    if free < wanted:
        raise EngineError(
            f"{hub_id!r} cannot be fetched from the hub: it takes {wanted:.0f} GiB more, but "
            f"{str(there)!r} has {free:.0f} GiB free; free some, or name a folder on another disk "
            "in HF_HOME"
        )


def cache_size_gib(kept: Path) -> float:
    """Return the GiB of a model's files in the hub's cache, those that are not whole too."""
    size = 0
    try:
        for path in (*(kept / "blobs").glob("*"), *(kept / "snapshots").rglob("*")):
            # A link points at a blob, or the cache has no links and no blobs of whole files.
            if path.is_file() and not path.is_symlink():
                size += path.stat().st_size
    except OSError:  # A file was renamed since, or cannot be looked at: the next look tells more.
        pass
    return size / GIB


async def _report_progress(
    hub_id: str, kept: Path | None, gib: float, say: Callable[[str], None], every: float
) -> None:
    while kept:
        await asyncio.sleep(every)
        held = await asyncio.to_thread(cache_size_gib, kept)
        of = f" of about {gib:.0f}" if held < _WHOLE * gib else ""
        say(f"fetching {hub_id}: {held:.1f}{of} GiB are here")


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
