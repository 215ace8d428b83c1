"""Votes that are read from one token: how probable each option was stands in the record."""

import asyncio
from pathlib import Path

import pytest

from arena.cli.onlookers import Onlooker
from arena.core.events import Voted
from arena.run.launch import Played, resume_run, start_run
from serving.engine_sim.profile import load_engine_profile
from serving.engine_sim.server import serving_simulator
from serving.engine_sim.simulator import Simulator, Switches
from tests.run.stage import calls, config, save_case


def played(path: Path, *, again: bool = False) -> Played:
    loaded = save_case(path / "case")

    async def run() -> Played:
        state = Simulator(load_engine_profile("instant"), Switches())
        async with serving_simulator(state) as url:
            wanted = config(loaded, f"{url}/v1", "naive", options={"vote": "open"})
            first = await start_run(
                wanted, [loaded], path / "run", concurrency=1, watcher=Onlooker()
            )
            if not again:
                return first
            [folder] = first.run.matches()
            (folder.path / "done.json").unlink()
            return await resume_run(path / "run", concurrency=1, watcher=Onlooker())

    return asyncio.run(run())


@pytest.mark.parametrize("again", [False, True], ids=["played", "resumed"])
def test_a_vote_is_one_token_and_its_probabilities_are_kept(tmp_path: Path, again: bool) -> None:
    run = played(tmp_path, again=again)
    votes = [call for call in calls(run) if "/vote/" in call.request.call_id.request]
    [folder] = run.run.matches()
    heard = {str(event.seat): event.choice for event in folder.events() if isinstance(event, Voted)}
    assert len(votes) == 4
    for call in votes:
        assert call.completion is not None
        options = dict(call.completion.probabilities)
        assert call.completion.output_tokens == 1
        assert heard[call.request.call_id.seat] == call.completion.text
        assert call.completion.text in options
        assert len(options) == 5  # four others, and to abstain
        assert sum(options.values()) == pytest.approx(1.0)
