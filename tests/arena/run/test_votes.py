"""Votes that are read from one token: the record holds how probable each option was."""

import asyncio
from pathlib import Path

import pytest

from arena.core.events import VoteCast
from arena.run.launch import RunResult, resume_run, start_run
from arena.run.observer import BaseObserver
from scripts_mm.catalog import find_script
from serving.engine_sim.cost_model.engine_profile import load_engine_profile
from serving.engine_sim.sim_server import serve_simulator
from serving.engine_sim.simulator import SimOptions, Simulator
from tests.arena.run.stage import (
    calls,
    config,
    only,
    save_case,
    start,
)


def played(path: Path, *, again: bool = False) -> RunResult:
    loaded = save_case(path / "case")

    async def run() -> RunResult:
        state = Simulator(load_engine_profile("instant"), SimOptions())
        async with serve_simulator(state) as url:
            wanted = config(loaded, f"{url}/v1", "naive", options={"vote": "open"})
            first = await start_run(
                wanted, [loaded], path / "run", concurrency=1, observer=BaseObserver()
            )
            if not again:
                return first
            [match] = first.run.matches()
            (match.path / "done.json").unlink()
            return await resume_run(path / "run", concurrency=1, observer=BaseObserver())

    return asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize("again", [False, True], ids=["played", "resumed"])
def test_a_vote_is_one_token_and_its_probabilities_are_recorded(
    tmp_path: Path, again: bool
) -> None:
    run = played(tmp_path, again=again)
    [match] = run.run.matches()
    heard = {event.request: event.choice for event in match.events() if isinstance(event, VoteCast)}
    votes = [call for call in calls(run) if call.request.call_id.request in heard]
    assert len(votes) == 4
    for call in votes:
        assert call.completion is not None
        options = dict(call.completion.probabilities)
        assert call.completion.output_tokens == 1
        assert heard[call.request.call_id.request] == call.completion.text
        assert call.completion.text in options
        assert len(options) == 5  # four others, and to abstain
        assert sum(options.values()) == pytest.approx(1.0)


def test_the_summary_of_a_match_has_a_vote_of_each_seat_on_each_victim(tmp_path: Path) -> None:
    loaded = find_script("two-tides")
    wanted = config(loaded, "first", "first", game="questum")
    summary = only(start(wanted, loaded, tmp_path / "run"))
    assert set(summary.victim_votes) == set(loaded.script.victims)
    for votes in summary.victim_votes.values():
        assert set(votes) == set(loaded.script.names)
    assert summary.votes == summary.victim_votes[loaded.script.victims[-1]]
