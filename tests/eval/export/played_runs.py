"""A small run of a simulated model that the tests of exports read, and copies to spoil."""

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

from arena.run.launch import start_run
from arena.run.observer import BaseObserver
from serving.engine_sim.cost_model.engine_profile import load_engine_profile
from serving.engine_sim.sim_server import serve_simulator
from serving.engine_sim.simulator import SimOptions, SimRequest, SimResponse, Simulator
from tests.arena.run.stage import config, save_case
from tests.table import case

REJECTED = 1
"""Replies that no request allows."""


class Spoiling(Simulator):
    """A server whose first replies to a method's last step are empty."""

    left = REJECTED

    async def answer(self, asked: SimRequest) -> SimResponse:
        answered = await super().answer(asked)
        if not self.left or "Now give your reply" not in self.tokens.text(asked.ids):
            return answered
        self.left -= 1
        return replace(answered, reply=replace(answered.reply, text=" "))


def play_run(folder: Path) -> Path:
    """Play two matches of the small case, with silent questions and a step of a method each."""
    script = replace(case(), source="imported", work="harbours")
    loaded = save_case(folder / "script", script)

    async def both() -> None:
        options = SimOptions(context=32_768, kv_tokens=1_000_000)
        state = Spoiling(load_engine_profile("instant"), options)
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
