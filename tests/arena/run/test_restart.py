"""A server that restarts in the middle of a run: no turn is lost, and pictures are sent again."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from arena.models.chat import Completion, Request
from arena.records.match_summary import MatchSummary
from arena.run.launch import RunResult, start_run
from arena.run.observer import BaseObserver
from scripts_mm.script_folder import LoadedScript
from serving.engine_sim.cost_model.engine_profile import load_engine_profile
from serving.engine_sim.fault_injection import InjectedFaults
from serving.engine_sim.sim_server import serve_simulator
from serving.engine_sim.simulator import SimOptions, SimRequest, SimResponse, Simulator
from tests.arena.run.stage import config, save_case

MATCHES = 6


@pytest.fixture
def loaded(tmp_path: Path) -> LoadedScript:
    return save_case(tmp_path / "case")


class Harming(BaseObserver):
    """Does harm to the server after so many answers."""

    def __init__(self, state: Simulator, answers: int, harm: InjectedFaults | None) -> None:
        self._state, self._left, self._harm = state, answers, harm

    def on_call(self, match: str, request: Request, completion: Completion) -> None:
        self._left -= 1
        if self._left == 0 and self._harm is not None:
            self._state.inject(self._harm)


class Counting(Simulator):
    """A server that counts how often the bytes of a picture come."""

    uploads = 0

    async def answer(self, asked: SimRequest) -> SimResponse:
        self.uploads += sum(url is not None for url, _ in asked.pictures)
        return await super().answer(asked)


def played(
    loaded: LoadedScript, path: Path, harm: InjectedFaults | None = None
) -> tuple[RunResult, int]:
    """Play matches on a simulated server whose replies follow from the prompt alone.

    Return the run, and how often a picture's bytes were sent.
    """

    async def run() -> tuple[RunResult, int]:
        state = Counting(load_engine_profile("instant"), SimOptions())
        async with serve_simulator(state) as url:
            wanted = config(loaded, f"{url}/v1", "naive", matches=MATCHES, deadline=60.0)
            run = await start_run(
                wanted, [loaded], path, concurrency=3, observer=Harming(state, 45, harm)
            )
            return run, state.uploads

    return asyncio.run(run())


def summaries(run: RunResult) -> list[MatchSummary]:
    found = [result for result in run.results if isinstance(result, MatchSummary)]
    assert len(found) == MATCHES
    return found


def events(run: RunResult) -> dict[str, list[Any]]:
    """Return each match's record; the first event names the port, so it is left out."""
    return {
        match.path.name: [
            json.loads(line)
            for line in (match.path / "events.jsonl").read_text("utf-8").splitlines()[1:]
        ]
        for match in run.run.matches()
    }


def computed(run: RunResult) -> int:
    """Return the prompt tokens that went through the model."""
    return sum(one.prompt_tokens - (one.cached_tokens or 0) for one in summaries(run))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("harm", "most"),
    [
        (InjectedFaults(die_after=0, down_seconds=0.3), 2.0),
        (InjectedFaults(forget=True), 1.0),
        (InjectedFaults(drift=True), 1.05),
    ],
    ids=["restarted", "pictures forgotten", "caches drifted apart"],
)
def test_a_server_that_loses_what_it_held_in_mid_run_costs_no_turn_and_little_work(
    loaded: LoadedScript, tmp_path: Path, harm: InjectedFaults, most: float
) -> None:
    calm, uploads = played(loaded, tmp_path / "calm")
    assert uploads == len(loaded.script.pictures)
    assert sum(one.turns for one in summaries(calm)) > 60
    harmed, again_uploads = played(loaded, tmp_path / "harmed", harm)
    assert again_uploads > uploads
    assert events(harmed) == events(calm)
    assert {one.outcome for one in summaries(harmed)} <= {"civ_win", "murderer_win", "draw"}
    again = computed(harmed) / computed(calm)
    assert (again > 1.0) == (most == 2.0)
    assert again <= most, f"{again:.2f} times the work"
