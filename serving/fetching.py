"""Fetch a whole model from the hub, for plugins that read folders alone."""

import asyncio
import sys
from pathlib import Path
from typing import Final

from serving.errors import EngineError

_PROGRAM: Final = """
import sys
from huggingface_hub import snapshot_download
print(snapshot_download(sys.argv[1]))
"""


async def fetch(hub_id: str, program: str = _PROGRAM) -> Path:
    """Return the folder of the hub's cache that holds all files of a model, fetched if need be.

    It is done by a child process, which ends with this call. Raises `EngineError` with the last
    line that it said where it fails.
    """
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, hub_id),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await child.communicate()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode:
        said = err.decode(errors="replace").strip().splitlines()
        why = said[-1] if said else f"exit status {child.returncode}"
        raise EngineError(f"{hub_id!r} cannot be fetched from the hub: {why}")
    return Path(out.decode().strip().splitlines()[-1])
