"""Fetch a whole model from the hub, for plugins that read folders alone."""

import asyncio
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from serving.errors import EngineError
from serving.profile import GIB

_PROGRAM: Final = """
import sys
from pathlib import PurePosixPath
from huggingface_hub import HfApi, snapshot_download

hub_id = sys.argv[1]
try:
    names = HfApi().list_repo_files(hub_id)
except Exception:
    names = []
safe = {str(PurePosixPath(name).parent) for name in names if name.endswith(".safetensors")}
twice = [
    name for name in names
    if name.endswith(".bin") and str(PurePosixPath(name).parent) in safe
]
print(snapshot_download(hub_id, ignore_patterns=twice))
"""
_EVERY: Final = 60.0
"""Seconds between two words on how far it is."""
_WHOLE: Final = 0.98
"""Of the weights: less is not told as all."""


async def fetch(
    hub_id: str,
    program: str = _PROGRAM,
    *,
    cache: Path | None = None,
    gib: float = 0.0,
    say: Callable[[str], None] = lambda _: None,
    every: float = _EVERY,
) -> Path:
    """Return the folder of the hub's cache that holds all files of a model, fetched if need be.

    It is done by a child process, which ends with this call. `cache` is where the hub's client
    keeps its files and `gib` what the model's weights take: with both it is checked that there is
    room for what is not there yet, and `say` is told how far it is. Pickled weights are left out
    where there are safetensors beside them. Raises `EngineError` in one line where there is no
    room, or with the last line that the child said where it fails.
    """
    kept = cache and cache / f"models--{hub_id.replace('/', '--')}"
    if kept and gib:
        _check_space(hub_id, kept, gib)
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, hub_id),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.TaskGroup() as group:
            telling = group.create_task(_tell(hub_id, kept, gib, say, every))
            out, err = await child.communicate()
            telling.cancel()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode:
        said = err.decode(errors="replace").strip().splitlines()
        why = said[-1] if said else f"exit status {child.returncode}"
        raise EngineError(f"{hub_id!r} cannot be fetched from the hub: {why}")
    return Path(out.decode().strip().splitlines()[-1])


async def _tell(
    hub_id: str, kept: Path | None, gib: float, say: Callable[[str], None], every: float
) -> None:
    while kept:
        await asyncio.sleep(every)
        held = await asyncio.to_thread(_held, kept)
        of = f" of about {gib:.0f}" if held < _WHOLE * gib else ""
        say(f"fetching {hub_id}: {held:.1f}{of} GiB are here")


def _check_space(hub_id: str, kept: Path, gib: float) -> None:
    """Refuse what the disk has no room for; what was fetched before counts as there."""
    there = next(place for place in (kept, *kept.parents) if place.exists())
    free = shutil.disk_usage(there).free / GIB
    wanted = gib - _held(kept)
    if free < wanted:
        raise EngineError(
            f"{hub_id!r} cannot be fetched from the hub: it takes {wanted:.0f} GiB more, but "
            f"{str(there)!r} has {free:.0f} GiB free; free some, or name a folder on another disk "
            "in HF_HOME"
        )


def _held(kept: Path) -> float:
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
