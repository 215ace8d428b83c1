"""Page of a run in progress: `--web`."""

import asyncio
import os
import sys
import webbrowser
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import typer

from arena.cli.rendering.page_review import review_match
from arena.run.launch import RunResult
from arena.web.security import Access
from arena.web.web_server import serve_runs


async def play_with_page(
    run: Path, play: Coroutine[Any, Any, RunResult], host: str, access: Access
) -> RunResult:
    """Play a run, with its page at `host`, and open it in the user's browser."""
    run.parent.mkdir(parents=True, exist_ok=True)
    async with serve_runs(run.parent, access, reviewer=review_match, host=host) as address:
        page = f"{address}/runs/{run.name}{access.query}"
        typer.echo(f"the run is shown at {page}", err=True)
        if _has_screen():
            await asyncio.to_thread(webbrowser.open, page)
        return await play


def _has_screen() -> bool:
    """Tell whether a browser opens a window; otherwise it would take the terminal."""
    return sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
