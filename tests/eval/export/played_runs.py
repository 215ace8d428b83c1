"""A small run of a simulated model that the tests of exports read, and copies to spoil."""

import asyncio
import json
import shutil
from dataclasses import replace
from pathlib import Path

from arena.run.launch import start_run
from arena.run.observer import BaseObserver
from serving.engine_sim.sim_server import create_simulator, serve_simulator
from tests.arena.run.stage import config, save_case
from tests.table import case

REJECTED = 1
"""Replies that no request allows."""


def play_run(folder: Path) -> Path:
    """Play two matches of the small case, with silent questions and a step of a method each."""
    script = replace(case(), source="imported", work="harbours")
    loaded = save_case(folder / "script", script)
    bad = folder / "replies.jsonl"
    line = {"reply": " ", "when": "Now give your reply", "times": REJECTED}
    bad.write_text(json.dumps(line) + "\n", encoding="utf-8")

    async def both() -> None:
        state = create_simulator("instant", context=32_768, kv_tokens=1_000_000, script=bad)
        async with serve_simulator(state) as url:
            wanted = config(
                loaded, f"{url}/v1+cot", f"{url}/v1+questum", matches=2, quiz="after", ballots=True
            )
            await start_run(
                wanted, [loaded], folder / "run", concurrency=1, observer=BaseObserver()
            )

    asyncio.run(both())
    return folder / "run"


def copy_run(run: Path, folder: Path) -> Path:
    """Return a copy of `run` that a test may spoil."""
    return Path(shutil.copytree(run, folder / "copy"))


def match_folder(run: Path, number: int = 0) -> Path:
    """Return the folder of a match."""
    return sorted((run / "matches").iterdir())[number]
